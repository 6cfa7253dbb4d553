// Addresses that were saved before selections had one language, such as unit=gold&verdict.0=wrong:
// systems by their places, and a key for each condition.

import { report } from "./data.js";
import { changed, gained } from "./verdicts.js";

const system = (place) => report.systems[place] ?? place;
const all = (parts) => (parts.length > 1 ? ["and", ...parts] : parts[0]);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function range(field, value) {
  const [least, most] = value.split(/-(.*)/);
  return most === undefined ? ["=", field, least] : ["and", [">=", field, least], ["<=", field, most]];
}

const SELECTIONS = {
  unit: (value) => [value === "gold" ? "!=" : "=", "gold", null],
  outcome: (value, place) => oneOf(["outcome", system(place)], value.split(",")),
  answer: (value, place) => ["=", ["answer", system(place)], value],
  answered: (value, place) => [value === "yes" ? "!=" : "=", ["answer", system(place)], value === "yes" || value === "no" ? null : value],
  other_than: (value, place) => ["not", ["in", ["answer", system(place)], null, ...value.split(",").map(decoded)]],
  mistaken: (value, place) => ["=", ["mistaken", system(place)], value],
  mistaken_for: (value, place) => ["=", ["mistaken_for", system(place)], value],
  verdict: (value, place) => [value === "right" ? "!=" : "=", ["correct", system(place)], value === "right" || value === "wrong" ? "no" : value],
  has: (value, place) => ["=", ["produced", system(place)], value],
  costs: (value, place) => ["=", ["hurts", system(place)], value],
  about: (value, place) => ["or", ["=", "label", value], ["=", ["answer", system(place)], value]],
  lowers: (value, place) => ["holds", ["lowers", system(place), value]],
  bin: (value) => ["and", ["!=", "gold", null], report.verdicts ? range("systems_correct", value) : ["=", ["bucket", `mean_${report.graded.field}`], value]],
  agree: (value) => range("systems_agreeing", value),
  change: (value, ...pair) => changed(pair, value),
  gain: (value, ...pair) => (report.graded ? gained(pair, value) : ["=", ["gain", ...pair.map(system)], value]),
  valued: (value, place) => [value === "yes" ? "!=" : "=", [report.graded?.field ?? "value", system(place)], null],
  worse_than: (value, place) => [report.graded?.higher ? "<" : ">", [report.graded?.field ?? "value", system(place)], value],
  bucket: (value, ...name) => ["=", ["bucket", name.join(".")], value],
  not: (value) => ["not", all([...new URLSearchParams(value)].map(([key, one]) => translated(key, one)))],
  word: (value) => ["=", "folded_text", value.toUpperCase().toLowerCase()],
  text: (value) => ["contains", "context_text", value],
};

const oneOf = (field, names) => (names.length > 1 ? ["in", field, ...names] : ["=", field, ...names]);

// The selection that a condition of such an address is.
export function translated(key, value) {
  const [name, ...of] = key.split(".");
  return Object.hasOwn(SELECTIONS, name) ? SELECTIONS[name](value, ...of) : ["=", of.length ? [name, ...of.map(system)] : name, value];
}
