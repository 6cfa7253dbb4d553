// Right or wrong, the same or changed: the rules of finegrain.table.verdicts, on columns.

import { report, units } from "./data.js";

const RIGHT = -2;
const CHARGED = -3;
const good = report.outcomes.map((outcome) => outcome.right);
const correct = report.outcomes.findIndex((outcome) => outcome.correct);
const absent = report.outcomes.findIndex((outcome) => outcome.name === "ABSENT");
const linked = report.outcomes.findIndex((outcome) => outcome.name === "WL"); // of mentions

export const isRight = (system, row) => good[units.outcome[system][row]];

export const isCorrect = (system, row) => units.outcome[system][row] === correct;

// Whether exactly this unit is in the output of a system; a mention, with an antecedent.
export function has(system, row) {
  if (absent < 0) return true;
  const outcome = units.outcome[system][row];
  if (units.gold[row]) return outcome === correct || (linked >= 0 && outcome === linked);
  return outcome !== absent && (linked < 0 || !good[outcome]);
}

// Whether precision or recall of a system would be higher without it.
export const costs = (system, row) => (units.gold[row] || absent < 0 ? !isRight(system, row) : has(system, row));

// The label that a system gives the unit; -1 for none.
export function answered(system, row) {
  const answer = units.answer[system][row];
  if (absent < 0) return answer;
  if (has(system, row)) return units.label[row];
  return units.gold[row] && answer >= 0 ? units.label[answer] : -1;
}

// The labels of an error, those of a cell of confusion: gold and answer, -1 for none.
export function labelsOf(system, row) {
  const answer = units.answer[system][row];
  const other = absent < 0 || answer < 0 ? answer : units.label[answer];
  return units.gold[row] ? [units.label[row], other] : [other, units.label[row]];
}

function stance(system, row) {
  if (isRight(system, row)) return RIGHT;
  const answer = linked < 0 ? (units.reply ?? units.answer) : units.outcome;
  return units.gold[row] ? answer[system][row] : CHARGED;
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
