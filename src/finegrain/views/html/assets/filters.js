// Conditions on units, as they stand in the address (finegrain.analyses.evidence lists them): what
// they select, and how they are said.

import { contextWord, number, report, units } from "./data.js";
import { answered, CHANGES, changeOf, comparedOn, costs, GAINS, has, isRight, labelsOf, worseThan } from "./verdicts.js";
import { visible } from "./visible.js";

const systemName = (place) => report.systems[place];
const outcomesOf = (value) =>
  value.split(",").map((name) => report.outcomes.findIndex((one) => one.name === name));

const isOneOf = (kind, value, known) => {
  if (!known.includes(value)) throw new Error(`Unknown ${kind} “${value}”. ${known.length ? `Known: ${known.join(", ")}` : "There are none here"}`);
};

function codeOf(label) {
  isOneOf("label", label, report.labels);
  return report.labels.indexOf(label);
}

// Names that one text tells; commas in them are written out.
function namesIn(value) {
  try {
    return value.split(",").map(decodeURIComponent);
  } catch {
    throw new Error(`“${value}” are not labels joined by commas`);
  }
}

function numberIn(value) {
  if (!/^\d{1,15}$/.test(value)) throw new Error(`“${value}” is not a number`);
  return Number(value);
}

function range(value) {
  const at = value.indexOf("-");
  const [low, high] = at < 0 ? [value, value] : [value.slice(0, at), value.slice(at + 1)];
  const ends = [numberIn(low), numberIn(high)];
  if (ends[0] > ends[1]) throw new Error(`“${value}” is not a range: its end is before its beginning`);
  return ends;
}

// The conditions that do not all hold.
function withinNot(value) {
  const found = [...new URLSearchParams(value)];
  if (!found.length || found.some(([key]) => key === "not")) throw new Error(`not takes other conditions, such as label=PER, not “${value}”`);
  return found;
}

// Errors of a system with a label on one side.
function mistaken(system, label, side) {
  if (!report.results.confusion) throw new Error("There are no labels to confuse");
  const code = codeOf(label);
  return (row) => !isRight(system, row) && labelsOf(system, row)[side] === code;
}

// key -> (value, ...what follows the first dot) -> row -> true or false
const TESTS = {
  unit: (value) => {
    isOneOf("unit", value, ["gold", "not-gold"]);
    return (row) => Boolean(units.gold[row]) === (value === "gold");
  },
  label: (value) => {
    const code = codeOf(value);
    return (row) => units.label[row] === code;
  },
  outcome: (value, system) => {
    for (const one of value.split(",")) isOneOf("outcome", one, report.outcomes.map((known) => known.name));
    const wanted = new Set(outcomesOf(value));
    return (row) => wanted.has(units.outcome[system][row]);
  },
  answer: (value, system) => {
    const code = codeOf(value);
    return (row) => answered(system, row) === code;
  },
  answered: (value, system) => {
    isOneOf("value of answered", value, ["yes", "no"]);
    return (row) => answered(system, row) >= 0 === (value === "yes");
  },
  other_than: (value, system) => {
    const codes = new Set([-1, ...namesIn(value).map(codeOf)]);
    return (row) => !codes.has(answered(system, row));
  },
  mistaken: (value, system) => mistaken(system, value, 0),
  mistaken_for: (value, system) => mistaken(system, value, 1),
  verdict: (value, system) => {
    isOneOf("verdict", value, ["right", "wrong"]);
    return (row) => isRight(system, row) === (value === "right");
  },
  has: (value, system) => {
    isOneOf("value of has", value, ["yes", "no"]);
    return (row) => has(system, row) === (value === "yes");
  },
  costs: (value, system) => {
    isOneOf("value of costs", value, ["yes", "no"]);
    return (row) => costs(system, row) === (value === "yes");
  },
  about: (value, system) => {
    const code = codeOf(value);
    return (row) => units.label[row] === code || answered(system, row) === code;
  },
  lowers: (value, system) => {
    const known = report.lowered.map(([name]) => name);
    isOneOf("score", value, known);
    const bit = known.indexOf(value);
    return (row) => (units.lowers[system][row] >> bit) & 1;
  },
  bin: (value) => {
    const [low, high] = range(value);
    return (row) => units.bin[row] >= low && units.bin[row] <= high;
  },
  agree: (value) => {
    const [low, high] = range(value);
    return (row) => units.agree[row] >= low && units.agree[row] <= high;
  },
  change: (value, one, other) => {
    isOneOf("change", value, Object.keys(CHANGES));
    return (row) => {
      const kind = changeOf(Number(one), Number(other), row);
      return value === "any" ? kind !== "" : kind === value;
    };
  },
  gain: (value, one, other) => {
    isOneOf("value of gain", value, report.graded ? Object.keys(GAINS) : []);
    return (row) => {
      const found = comparedOn(one, other, row);
      return value === "any" ? found === "better" || found === "worse" : found === value;
    };
  },
  valued: (value, system) => {
    isOneOf("value of valued", value, report.graded ? ["yes", "no"] : []);
    return (row) => (units.values[system][row] !== null) === (value === "yes");
  },
  worse_than: (value, system) => {
    if (!report.graded) throw new Error("Units are not graded here");
    if (!/^[+-]?\d{1,20}(\.\d{0,20})?(e[+-]?\d{1,3})?$/.test(value)) throw new Error(`“${value}” is not a number`);
    return (row) => worseThan(Number(value), system, row);
  },
  bucket: (value, attribute) => {
    isOneOf("attribute", attribute, Object.keys(report.buckets));
    const place = numberIn(value);
    const last = report.buckets[attribute].length - 1;
    if (place > last) throw new Error(`There is no bucket ${value} of ${attribute}: they are 0 to ${last}`);
    const masks = units.bucket_masks?.[attribute]; // their bits are buckets; there may be more than 32
    if (masks) return (row) => Math.floor(masks[row] / 2 ** place) % 2 === 1;
    return (row) => units.buckets[attribute]?.[row] === place;
  },
  not: (value) => {
    const tests = withinNot(value).map(testOf);
    return (row) => !tests.every((test) => test(row));
  },
  word: (value) => (row) => folded(textOf(row)) === folded(value),
  text: (value) => {
    const wanted = searched(value);
    return (row) => sentenceText(row).includes(wanted);
  },
  row: (value) => {
    const wanted = numberIn(value);
    return (row) => units.row[row] === wanted;
  },
};
const SYSTEMS_NAMED = { outcome: 1, answer: 1, answered: 1, other_than: 1, mistaken: 1, mistaken_for: 1, verdict: 1, has: 1, costs: 1, about: 1, lowers: 1, worse_than: 1, valued: 1, change: 2, gain: 2 };

export function tokensOf(row) {
  const own = units.tokens[row];
  if (own) return own;
  const found = [];
  for (let token = units.begin[row]; token < units.end[row]; token += 1) found.push(token);
  return found;
}

export function textOf(row) {
  const written = units.written?.[row]; // of what has no place in the text
  if (written !== undefined) return written;
  const words = units.sentences[units.sentence[row]];
  return words ? tokensOf(row).map((token) => words[token]).join(" ") || "∅" : "";
}

// As Python's casefold does it: STRASSE is Straße.
const folded = (text) => text.toUpperCase().toLowerCase();

// Text as it is searched: in small letters, composed, with what is invisible written out as the page
// writes it.
const searched = (text) => visible(text.normalize("NFC")).toLowerCase();

const lowered = new Map();

function sentenceText(row) {
  const sentence = units.sentence[row];
  if (!lowered.has(sentence)) {
    lowered.set(sentence, searched((units.sentences[sentence] ?? []).join(" ")));
  }
  return lowered.get(sentence);
}

function split(key) {
  const [name, ...rest] = key.split(".");
  return name === "bucket" ? [name, rest.join(".")] : [name, ...rest];
}

// A condition as a test of rows; addresses are typed and mangled, and whoever did is told.
function testOf([key, value]) {
  const [name, ...of] = split(key);
  if (name === "where") throw new Error("Only an explorer knows the condition where: finegrain explore");
  isOneOf("condition", name, Object.keys(TESTS));
  if (name === "bucket") return TESTS.bucket(value, ...of);
  const named = SYSTEMS_NAMED[name] ?? 0;
  if (of.length !== named) throw new Error(`The condition ${name} names ${named} systems, not ${of.length}: ${key}`);
  const last = report.systems.length - 1;
  for (const place of of) {
    if (!/^\d{1,9}$/.test(place) || Number(place) > last) throw new Error(`There is no system ${place}: systems are 0 to ${last}`);
  }
  return TESTS[name](value, ...of);
}

// Rows that all conditions hold for.
export function select(conditions) {
  const tests = conditions.map(testOf);
  return units.chosen.filter((row) => tests.every((test) => test(row)));
}

const said = (outcomes) =>
  outcomesOf(outcomes)
    .map((code) => report.outcomes[code].said)
    .join(" or ");

const SAYINGS = {
  unit: (value) => (value === "gold" ? report.words.gold_units : `not gold`),
  label: (value) => `label ${value}`,
  outcome: (value, system) => `${systemName(system)}: ${said(value)}`,
  answer: (value, system) => `${systemName(system)} answers ${value}`,
  answered: (value, system) => `${systemName(system)} ${value === "yes" ? "answers" : "does not answer"}`,
  other_than: (value, system) => `${systemName(system)} answers none of ${namesIn(value).join(", ")}`,
  mistaken: (value, system) => `${systemName(system)}: error about gold ${value}`,
  mistaken_for: (value, system) => `${systemName(system)}: error with answer ${value}`,
  verdict: (value, system) => `${systemName(system)} is ${value}`,
  has: (value, system) => `${systemName(system)} ${value === "yes" ? "has" : "has not"} it`,
  costs: (value, system) => `${systemName(system)} ${value === "yes" ? "loses" : "does not lose"} by it`,
  about: (value, system) => `${value}, by gold or ${systemName(system)}`,
  lowers: (value, system) => `${systemName(system)}: lowers ${report.lowered.find(([name]) => name === value)[1]}`,
  bin: (value) => (report.verdicts ? `bin ${value}: solved by ${value} of ${report.systems.length}` : `bin ${value} by the mean ${report.graded.name}`),
  agree: (value) => `not gold, in ${value} of ${report.systems.length} outputs`,
  change: (value, one, other) => `${CHANGES[value]}, ${systemName(one)} → ${systemName(other)}`,
  gain: (value, one, other) => {
    const [a, b] = [systemName(one), systemName(other)];
    return { better: `${b} is better than ${a}`, worse: `${b} is worse than ${a}`, tied: `${a} and ${b} are tied`, any: `${a} or ${b} is better` }[value];
  },
  valued: (value, system) => `${systemName(system)} has ${value === "yes" ? "a" : "no"} ${report.graded.name}`,
  worse_than: (value, system) => `${report.graded.name} of ${systemName(system)} ${report.graded.higher ? "below" : "above"} ${value}`,
  bucket: (value, attribute) =>
    `${attribute.replaceAll("_", " ")} ${report.buckets[attribute]?.[Number(value)] ?? value}`,
  not: (value) => `not (${withinNot(value).map(describe).join(" and ")})`,
  word: (value) => `words “${value}”`,
  text: (value) => `${contextWord} has “${value}”`,
  row: (value) => `unit #${number(Number(value))}`,
};

// A condition in words; one that fails, as it stands, so that it can be dropped.
export function describe([key, value]) {
  if (key === "where") return `where ${value}`;
  try {
    testOf([key, value]);
  } catch {
    return `${key} = ${value}`;
  }
  const [name, ...of] = split(key);
  return SAYINGS[name](value, ...of);
}
