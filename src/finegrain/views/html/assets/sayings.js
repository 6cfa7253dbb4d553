// Selections in words, for those who follow a number and drop conditions again.

import { contextWord, number, report } from "./data.js";
import { isText, nameOf } from "./json_form.js";
import { testOf } from "./selection.js";
import { CHANGES } from "./verdicts.js";

const outcomeNamed = (name) => report.outcomes.find((outcome) => outcome.name === name)?.said ?? name;
const labels = (values) => values.map((value) => value ?? "none").join(", ");
const isGraded = (name) => report.graded?.field === name;

// field -> (operator, values, ...what stands in brackets) -> words; none where there are none of its own
const SAYINGS = {
  gold: (operator, [value]) => (value === null ? (operator === "=" ? "not gold" : operator === "!=" && report.words.gold_units) : null),
  label: (operator, [value]) => operator === "=" && `label ${value}`,
  outcome: (operator, values, system) => system && (operator === "=" || operator === "in") && `${system}: ${values.map(outcomeNamed).join(" or ")}`,
  answer: (operator, [value], system) => system && (value === null ? `${system} ${operator === "=" ? "does not answer" : "answers"}` : operator === "=" && `${system} answers ${value}`),
  correct: (operator, [value], system) => system && value === "no" && `${system} is ${operator === "=" ? "wrong" : "right"}`,
  produced: (operator, [value], system) => system && `${system} ${isYes(operator, value) ? "has" : "does not have"} it`,
  hurts: (operator, [value], system) => system && `${system} ${isYes(operator, value) ? "loses" : "does not lose"} by it`,
  mistaken: (operator, [value], system) => system && operator === "=" && `${system}: error about gold ${value}`,
  mistaken_for: (operator, [value], system) => system && operator === "=" && `${system}: error with answer ${value}`,
  lowers: (operator, [value], system, score) => isYes(operator, value) && `${system}: lowers ${report.lowered.find(([name]) => name === score)[1]}`,
  systems_correct: (operator, [value]) => `solved by ${bound(operator, value)} of ${report.systems.length}`,
  systems_agreeing: (operator, [value]) => `not gold, in ${bound(operator, value)} of ${report.systems.length} outputs`,
  changed: (operator, [value], one, other) => other && isYes(operator, value) && `${CHANGES.any}, ${one} → ${other}`,
  change: (operator, [value], one, other) => other && operator === "=" && `${CHANGES[value] ?? value}, ${one} → ${other}`,
  gain: gained,
  bucket: (operator, [value], attribute) => operator === "=" && `${attribute.replaceAll("_", " ")} ${report.buckets[attribute]?.[Number(value)] ?? value}`,
  folded_text: (operator, [value]) => operator === "=" && `words “${value}”`,
  context_text: (operator, [value]) => operator === "contains" && `${contextWord} has “${value}”`,
  row: (operator, [value]) => operator === "=" && `unit #${number(Number(value))}`,
};

const isYes = (operator, value) => operator === "holds" || (operator === "=" && value === "yes") || (operator === "!=" && value === "no");

const bound = (operator, value) => ({ "=": "", ">=": "at least ", "<=": "at most ", ">": "more than ", "<": "fewer than ", "!=": "not " })[operator] + value;

function gained(operator, [value], one, other) {
  if (!other) return null;
  if (operator === "=" && Number(value) === 0) return `${one} and ${other} are tied`;
  if (operator === ">" && Number(value) >= 0) return `${other} is better than ${one}`;
  return operator === "<" && Number(value) <= 0 && `${other} is worse than ${one}`;
}

function graded(operator, [value], system) {
  if (value === null) return `${system} has ${operator === "=" ? "no" : "a"} ${report.graded.name}`;
  const side = { "<": "below", ">": "above" }[operator];
  return side && `${report.graded.name} of ${system} ${side} ${value}`;
}

// A selection as --where writes it, where there are no other words for it.
function written([operator, field, ...values]) {
  const [name, ...inside] = [field].flat();
  const column = inside.length ? `${name}[${inside.join(",")}]` : name;
  if (operator === "holds") return column;
  return operator === "in" ? `${column} in (${labels(values)})` : `${column} ${operator} ${labels(values.map((value) => (Array.isArray(value) ? `${value[0]}[${value.slice(1)}]` : value)))}`;
}

// A selection in words; one that fails, as it stands, so that it can be dropped.
export function describe(where) {
  if (isText(where)) return `where ${where}`;
  try {
    testOf(where);
  } catch {
    return Array.isArray(where) && where.length > 1 && !["and", "or", "not"].includes(where[0]) ? written(where) : JSON.stringify(where);
  }
  return inWords(where);
}

function inWords(where) {
  const [operator, ...parts] = where;
  if (operator === "not") return denied(parts[0]);
  if (operator === "and" || operator === "or") return parts.map(inWords).join(` ${operator} `);
  const [field, ...values] = parts;
  const [name, ...inside] = [field].flat();
  const saying = isGraded(name) && inside.length ? graded : Object.hasOwn(SAYINGS, name) ? SAYINGS[name] : null;
  const plain = values.every((value) => !Array.isArray(value));
  return (saying && plain && saying(operator, values, ...inside)) || written(where);
}

function denied(where) {
  const [operator, field, ...values] = where;
  if (operator === "in" && nameOf(field) === "answer" && Array.isArray(field) && values[0] === null) return `${field[1]} answers none of ${labels(values.slice(1))}`;
  return `not (${inWords(where)})`;
}
