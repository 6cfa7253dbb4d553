// What a selection can ask about the units of a page: every field as the values of a row. They are
// those of finegrain.analyses.selection.columns, which an explorer asks for more.

import { report, units } from "./data.js";
import { textOf, tokensOf } from "./unit_text.js";
import { answered, has, isCorrect, outcomeOf } from "./verdicts.js";

const RIGHT = -2; // a stance, as in finegrain.table.verdicts
const NO_YES = ["no", "yes"];
const CHANGES = ["correction", "new_error", "changed_error"];

const every = report.systems.map((_, system) => system);
const labelOf = (code) => (code < 0 ? null : report.labels[code]);
const truth = (holds) => (holds ? "yes" : "no");

export function unknown(kind, name, known) {
  return new Error(`Unknown ${kind} “${name}”. ${known.length ? `Known: ${known.join(", ")}` : "There are none here"}`);
}

function known(kind, name, names) {
  if (!names.includes(name)) throw unknown(kind, name, names);
  return names.indexOf(name);
}

// The words of a unit in any case: as Python folds them where a script would do it otherwise.
function folded(row) {
  const own = units.folded?.[row];
  if (own !== undefined) return own;
  return textOf(row).toUpperCase().toLowerCase() || null;
}

const sentences = new Map();

function contextText(row) {
  const sentence = units.sentence[row];
  if (!sentences.has(sentence)) sentences.set(sentence, (units.sentences[sentence] ?? []).join(" "));
  return sentences.get(sentence);
}

const SHARED = {
  gold: { of: (row) => (units.gold[row] ? labelOf(units.label[row]) : null), labels: true },
  label: { of: (row) => labelOf(units.label[row]), labels: true },
  folded_text: { of: folded },
  context_text: { of: contextText },
  row: { of: (row) => units.row[row], number: true },
  sentence: { of: (row) => units.at[row], number: true },
  length: { of: (row) => tokensOf(row).length, number: true },
  systems_correct: { of: (row) => every.filter((system) => isCorrect(system, row)).length, number: true },
  systems_agreeing: { of: (row) => (units.agree[row] < 0 ? null : units.agree[row]), number: true },
};

const mistake = (side) => (system, row) => {
  if (outcomeOf(system, row).right) return null;
  const other = (units.beside ?? units.answer)[system][row];
  return labelOf(Boolean(units.gold[row]) === side ? units.label[row] : other);
};

const OF_A_SYSTEM = {
  outcome: { of: (system, row) => outcomeOf(system, row).name, closed: report.outcomes.map(({ name }) => name) },
  answer: { of: (system, row) => labelOf(answered(system, row)), labels: true },
  correct: { of: (system, row) => outcomeOf(system, row).verdict, closed: NO_YES },
  produced: { of: (system, row) => truth(has(system, row)), closed: NO_YES },
  hurts: { of: (system, row) => truth(outcomeOf(system, row).hurts[units.gold[row] ? 0 : 1]), closed: NO_YES },
  mistaken: { of: mistake(true), labels: true },
  mistaken_for: { of: mistake(false), labels: true },
  ...(report.graded && { [report.graded.field]: { of: (system, row) => units.values[system][row], number: true } }),
};

// Two systems are compared on gold units, and on those that one of the two is charged with.
const compared = (one, other, row) => units.gold[row] || !outcomeOf(one, row).right || !outcomeOf(other, row).right;

function change(one, other, row) {
  const [before, after] = [units.stance[one][row], units.stance[other][row]];
  if (before === after) return null;
  return CHANGES[after === RIGHT ? 0 : before === RIGHT ? 1 : 2];
}

function gain(one, other, row) {
  const [a, b] = [one, other].map((system) => (report.graded ? units.values[system][row] : Number(outcomeOf(system, row).right)));
  if (a === null || b === null || !compared(one, other, row)) return null;
  return report.graded && !report.graded.higher ? a - b : b - a;
}

const OF_A_PAIR = {
  change: { of: change, closed: CHANGES },
  changed: { of: (one, other, row) => (compared(one, other, row) ? truth(units.stance[one][row] !== units.stance[other][row]) : null), closed: NO_YES },
  gain: { of: gain, number: true },
};

function bucket(attribute) {
  const names = report.buckets[attribute].map((_, place) => String(place));
  const masks = units.bucket_masks?.[attribute]; // their bits are buckets; there may be more than 32
  if (!masks) return { values: (row) => [codeName(units.buckets[attribute]?.[row])], closed: names };
  const held = (row) => names.filter((_, place) => Math.floor(masks[row] / 2 ** place) % 2 === 1);
  return { values: held, closed: names, parts: true };
}

const codeName = (code) => (code === undefined || code < 0 ? null : String(code));

function lowers(name, score) {
  const system = known("system", name, report.systems);
  const bit = known("score", score, report.lowered.map(([one]) => one));
  return { values: (row) => [truth((units.lowers[system][row] >> bit) & 1)], closed: NO_YES };
}

const isAmong = (fields, name) => Object.hasOwn(fields, name);

// The column that a field names: `values` of a row are several where it is asked of all systems, or
// of parts; a condition holds where it holds for one of them.
export function columnOf(field) {
  const [name, ...inside] = [field].flat();
  if (isAmong(SHARED, name) && !inside.length) return { ...SHARED[name], values: (row) => [SHARED[name].of(row)] };
  if (name === "bucket" && inside.length === 1) {
    known("attribute", inside[0], Object.keys(report.buckets));
    return bucket(inside[0]);
  }
  if (name === "lowers" && inside.length === 2) return lowers(...inside);
  const column = isAmong(OF_A_SYSTEM, name) ? OF_A_SYSTEM[name] : isAmong(OF_A_PAIR, name) ? OF_A_PAIR[name] : null;
  if (!column) throw unknown("field", [field].flat().join(", "), [...Object.keys(SHARED), ...Object.keys(OF_A_SYSTEM), ...Object.keys(OF_A_PAIR), "bucket"]);
  const systems = inside.map((system) => known("system", system, report.systems));
  if (isAmong(OF_A_PAIR, name)) {
    const pair = systems.length || every.length !== 2 ? systems : every;
    if (pair.length !== 2) throw new Error(`“${name}” is of two systems`);
    return { ...column, values: (row) => [column.of(...pair, row)] };
  }
  if (systems.length > 1) throw new Error(`“${name}” does not take two names`);
  const chosen = systems.length ? systems : every;
  return { ...column, values: (row) => chosen.map((system) => column.of(system, row)) };
}
