// Conditions on units, as they stand in the address (finegrain.analyses.units.evidence lists them): what
// they select, and how they are said.

import { number, report, units } from "./data.js";
import { answered, CHANGES, changeOf, has, isRight } from "./verdicts.js";

const codeOf = (name) => report.labels.indexOf(name);
const systemName = (place) => report.systems[place] ?? `system ${place}`;
const outcomesOf = (value) =>
  value.split(",").map((name) => report.outcomes.findIndex((one) => one.name === name));

function range(value) {
  const [low, high = low] = value.split("-").map(Number);
  return [low, high];
}

// key -> (value, ...what follows the first dot) -> row -> true or false
const TESTS = {
  unit: (value) => (row) => Boolean(units.gold[row]) === (value === "gold"),
  label: (value) => {
    const code = codeOf(value);
    return (row) => units.label[row] === code;
  },
  outcome: (value, system) => {
    const wanted = new Set(outcomesOf(value));
    return (row) => wanted.has(units.outcome[system][row]);
  },
  answer: (value, system) => {
    const code = codeOf(value);
    return (row) => answered(system, row) === code;
  },
  verdict: (value, system) => (row) => isRight(system, row) === (value === "right"),
  has: (value, system) => (row) => has(system, row) === (value === "yes"),
  bin: (value) => {
    const [low, high] = range(value);
    return (row) => units.bin[row] >= low && units.bin[row] <= high;
  },
  agree: (value) => {
    const [low, high] = range(value);
    return (row) => units.agree[row] >= low && units.agree[row] <= high;
  },
  change: (value, one, other) => (row) => {
    const kind = changeOf(Number(one), Number(other), row);
    return value === "any" ? kind !== "" : kind === value;
  },
  bucket: (value, attribute) => {
    const codes = units.buckets[attribute];
    return (row) => codes !== undefined && codes[row] === Number(value);
  },
  word: (value) => (row) => textOf(row).toLowerCase() === value.toLowerCase(),
  text: (value) => {
    const wanted = value.toLowerCase();
    return (row) => sentenceText(row).includes(wanted);
  },
  row: (value) => (row) => units.row[row] === Number(value),
};

export function tokensOf(row) {
  const own = units.tokens[row];
  if (own) return own;
  const found = [];
  for (let token = units.begin[row]; token < units.end[row]; token += 1) found.push(token);
  return found;
}

export function textOf(row) {
  const words = units.sentences[units.sentence[row]];
  return words ? tokensOf(row).map((token) => words[token]).join(" ") : "";
}

const lowered = new Map();

function sentenceText(row) {
  const sentence = units.sentence[row];
  if (!lowered.has(sentence)) {
    lowered.set(sentence, (units.sentences[sentence] ?? []).join(" ").toLowerCase());
  }
  return lowered.get(sentence);
}

function split(key) {
  const [name, ...rest] = key.split(".");
  return name === "bucket" ? [name, rest.join(".")] : [name, ...rest];
}

// Rows that all conditions hold for; one that is not known holds for none.
export function select(conditions) {
  const tests = conditions.map(([key, value]) => {
    const [name, ...of] = split(key);
    return TESTS[name] ? TESTS[name](value, ...of) : () => false;
  });
  return units.chosen.filter((row) => tests.every((test) => test(row)));
}

const said = (outcomes) =>
  outcomesOf(outcomes)
    .map((code) => report.outcomes[code]?.said ?? "?")
    .join(" or ");

const SAYINGS = {
  unit: (value) => (value === "gold" ? `gold ${report.unit}` : `not gold`),
  label: (value) => `label ${value}`,
  outcome: (value, system) => `${systemName(system)}: ${said(value)}`,
  answer: (value, system) => `${systemName(system)} answers ${value}`,
  verdict: (value, system) => `${systemName(system)} is ${value}`,
  has: (value, system) => `${systemName(system)} ${value === "yes" ? "has" : "has not"} it`,
  bin: (value) => `bin ${value}: solved by ${value} of ${report.systems.length}`,
  agree: (value) => `not gold, in ${value} of ${report.systems.length} outputs`,
  change: (value, one, other) => `${CHANGES[value] ?? value}, ${systemName(one)} → ${systemName(other)}`,
  bucket: (value, attribute) =>
    `${attribute.replaceAll("_", " ")} ${report.buckets[attribute]?.[Number(value)] ?? value}`,
  word: (value) => `words “${value}”`,
  text: (value) => `sentence has “${value}”`,
  row: (value) => `unit #${number(Number(value))}`,
  where: (value) => `where ${value}`,
};

export function describe([key, value]) {
  const [name, ...of] = split(key);
  return SAYINGS[name] ? SAYINGS[name](value, ...of) : `${key} = ${value}`;
}
