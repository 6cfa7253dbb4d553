// What Python says of every outcome, looked up: right or wrong, in the output or not.

import { report, units } from "./data.js";

export const outcomeOf = (system, row) => report.outcomes[units.outcome[system][row]];

export const isRight = (system, row) => outcomeOf(system, row).right;

export const isCorrect = (system, row) => outcomeOf(system, row).correct;

// Whether exactly this unit is in the output of a system; a mention, with an antecedent.
export const has = (system, row) => outcomeOf(system, row).produced[units.gold[row] ? 0 : 1];

// The label that a system gives the unit; -1 for none.
export const answered = (system, row) => (units.given ?? units.answer)[system][row];

export const CHANGES = {
  correction: "corrections",
  new_error: "new errors",
  changed_error: "changed errors",
  any: "disagreements",
};

export const GAINS = { better: "B is better", worse: "A is better", tied: "ties", any: "one is better" };

// The units that two systems answer differently, in any way or in one.
export function changed(pair, kind) {
  const names = pair.map((system) => report.systems[system]);
  return kind === "any" ? ["holds", ["changed", ...names]] : ["=", ["change", ...names], kind];
}

// The graded units on which the second system is better, worse, tied, or better or worse.
export function gained(pair, which) {
  const field = ["gain", ...pair.map((system) => report.systems[system])];
  const tie = report.graded.tie;
  if (which === "tied") return tie ? ["and", [">=", field, String(-tie)], ["<=", field, String(tie)]] : ["=", field, "0"];
  const [better, worse] = [[">", field, String(tie)], ["<", field, tie ? String(-tie) : "0"]];
  return which === "any" ? ["or", better, worse] : which === "worse" ? worse : better;
}
