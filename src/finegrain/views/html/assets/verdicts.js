// Right or wrong, the same or changed: the rules of finegrain.table.verdicts, on columns.

import { answersAre, report, units } from "./data.js";

const RIGHT = -2;
const CHARGED = -3;
const good = report.outcomes.map((outcome) => outcome.right);
const correct = report.outcomes.findIndex((outcome) => outcome.correct);
const open = report.outcomes.some((outcome) => outcome.absent); // systems can have what is not gold

export const isRight = (system, row) => good[units.outcome[system][row]];

export const isCorrect = (system, row) => units.outcome[system][row] === correct;

// Whether exactly this unit is in the output of a system; a mention, with an antecedent.
export const has = (system, row) => report.outcomes[units.outcome[system][row]].produced[units.gold[row] ? 0 : 1];

// Whether precision or recall of a system would be higher without it.
export const costs = (system, row) => (units.gold[row] || !open ? !isRight(system, row) : has(system, row));

// The label that a system gives the unit; -1 for none.
export function answered(system, row) {
  const answer = units.answer[system][row];
  if (!answersAre("unit")) return answer;
  if (has(system, row)) return units.label[row];
  return units.gold[row] && answer >= 0 ? units.label[answer] : -1;
}

// The labels of an error, those of a cell of confusion: gold and answer, -1 for none.
export function labelsOf(system, row) {
  const answer = units.answer[system][row];
  const other = !answersAre("unit") || answer < 0 ? answer : units.label[answer];
  return units.gold[row] ? [units.label[row], other] : [other, units.label[row]];
}

function stance(system, row) {
  if (isRight(system, row)) return RIGHT;
  const answer = report.compared === "outcome" ? units.outcome : (units.reply ?? units.answer);
  return units.gold[row] ? answer[system][row] : CHARGED;
}

// By how much the second system is better on a graded unit; null where they are not compared.
export function gainOf(one, other, row) {
  const [a, b] = [units.values[one][row], units.values[other][row]];
  if (a === null || b === null || (!units.gold[row] && isRight(one, row) && isRight(other, row))) return null;
  return report.graded.higher ? b - a : a - b;
}

export const GAINS = { better: "B is better", worse: "A is better", tied: "ties", any: "one is better" };

// How the second system compares on a graded unit; "" where it does not.
export function comparedOn(one, other, row) {
  const gain = gainOf(one, other, row);
  if (gain === null) return "";
  return gain > report.graded.tie ? "better" : gain < -report.graded.tie ? "worse" : "tied";
}

// Whether the value of a system is worse than a limit.
export function worseThan(limit, system, row) {
  const own = units.values[system][row];
  return own !== null && (report.graded.higher ? own < limit : own > limit);
}

// What graded units are listed by where conditions compare two systems, or are about one.
export function extentOf(conditions) {
  for (const [key] of report.graded ? conditions : []) {
    const [name, ...of] = key.split(".");
    if (name === "gain") return (row) => -Math.abs(gainOf(...of, row) ?? 0);
    if (name === "worse_than") return (row) => (report.graded.higher ? 1 : -1) * (units.values[of[0]][row] ?? Infinity);
  }
  return () => 0;
}

export const CHANGES = {
  correction: "corrections",
  new_error: "new errors",
  changed_error: "changed errors",
  any: "disagreements",
};

// How the second system differs from the first; "" not at all.
export function changeOf(one, other, row) {
  const before = stance(one, row);
  const after = stance(other, row);
  if (before === after) return "";
  if (after === RIGHT) return "correction";
  return before === RIGHT ? "new_error" : "changed_error";
}
