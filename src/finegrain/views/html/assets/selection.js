// Selections in their JSON form (finegrain.analyses.selection.json_form): conditions on columns,
// and what and, or and not make of them. A text is one that only an explorer reads.

import { columnOf, unknown } from "./columns.js";
import { report, units } from "./data.js";
import { isText, leaves, nameOf } from "./json_form.js";
import { searched } from "./visible.js";

const NUMBER = /^[+-]?(inf|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)$/i;
const TRUTHS = { true: "yes", false: "no" };
const IN_ORDER = {
  "<": (one, other) => one < other,
  "<=": (one, other) => one <= other,
  ">": (one, other) => one > other,
  ">=": (one, other) => one >= other,
};

// A selection as a test of rows. Addresses are typed and mangled: what is wrong is an error in words.
export function testOf(where) {
  if (isText(where)) throw new Error(`Only an explorer reads a selection that is written as text: finegrain explore`);
  if (!Array.isArray(where)) throw malformed(where);
  const [operator, ...parts] = where;
  if (operator === "and" || operator === "or") {
    if (parts.length < 2) throw malformed(where);
    const tests = parts.map(testOf);
    return operator === "and" ? (row) => tests.every((test) => test(row)) : (row) => tests.some((test) => test(row));
  }
  if (operator === "not") {
    if (parts.length !== 1) throw malformed(where);
    const test = testOf(parts[0]);
    return (row) => !test(row);
  }
  return conditionOf(where);
}

const malformed = (where) => new Error(`Not a selection: ${JSON.stringify(where).slice(0, 80)}`);

function conditionOf(condition) {
  const [operator, field, ...values] = condition;
  if (!isField(field)) throw malformed(condition);
  const column = columnOf(field);
  const some = (holds) => (row) => column.values(row).some(holds);
  if (operator === "holds" && !values.length) {
    if (!column.closed?.includes("yes")) throw new Error(`“${nameOf(field)}” is not yes or no: compare it with something`);
    return some((value) => value === "yes");
  }
  if (!values.length || !values.every((value) => isValue(value) || (values.length === 1 && isField(value)))) throw malformed(condition);
  if (operator === "in") {
    const wanted = values.map((value) => literalOf(field, column, value));
    return some((value) => wanted.includes(value));
  }
  if (values.length > 1) throw malformed(condition);
  if (Array.isArray(values[0])) return betweenFields(operator, column, columnOf(values[0]));
  return comparison(operator, field, column, values[0], some);
}

const isField = (field) => typeof field === "string" || (Array.isArray(field) && field.length > 0 && field.every(isText));

const isValue = (value) => value === null || isText(value) || typeof value === "number";

function comparison(operator, field, column, value, some) {
  if (operator === "=" || operator === "!=") {
    const wanted = literalOf(field, column, value);
    return some((own) => (own === wanted) === (operator === "="));
  }
  if (operator === "contains") {
    if (column.number || value === null) throw new Error(`contains is for words: ${nameOf(field)}`);
    const wanted = searched(String(value));
    return some((own) => own !== null && lookedThrough(own).includes(wanted));
  }
  if (operator === "~") throw new Error("Only an explorer knows ~: finegrain explore");
  if (!Object.hasOwn(IN_ORDER, operator)) throw unknown("operator", operator, ["=", "!=", ...Object.keys(IN_ORDER), "contains", "in", "holds"]);
  if (!column.number) throw new Error(`${operator} is for numbers, and “${nameOf(field)}” is not one`);
  if (value === null) throw new Error(`Nothing is ${operator} none`);
  const limit = numberOf(field, value);
  return some((own) => own !== null && IN_ORDER[operator](own, limit));
}

const texts = new Map();

// A text as it is searched, made once: the list is filtered at every letter that is typed.
function lookedThrough(text) {
  if (!texts.has(text)) texts.set(text, searched(text));
  return texts.get(text);
}

function betweenFields(operator, left, right) {
  if (operator !== "=" && operator !== "!=") throw new Error(`${operator} takes a value; two fields compare with = and !=`);
  if (left.parts || right.parts) throw new Error("Parts compare with values");
  if (Boolean(left.number) !== Boolean(right.number)) throw new Error("A number and a word are never equal");
  return (row) => {
    const [mine, others] = [left.values(row), right.values(row)];
    const pairs = mine.length >= others.length ? mine.map((own, at) => [own, others[others.length > 1 ? at : 0]]) : others.map((other) => [mine[0], other]);
    return pairs.some(([own, other]) => (own === other) === (operator === "="));
  };
}

// A value as the column has it.
function literalOf(field, column, value) {
  if (value === null) return null;
  if (column.number) return numberOf(field, value);
  const text = column.closed?.includes("yes") ? (TRUTHS[value] ?? String(value)) : String(value);
  if (column.closed && !column.closed.includes(text)) throw unknown(nameOf(field), text, column.closed);
  if (column.labels && !report.labels.includes(text)) throw unknown("label", text, report.labels);
  return text;
}

function numberOf(field, value) {
  const text = String(value);
  if (!NUMBER.test(text)) throw new Error(`“${text}” is not a number, and “${nameOf(field)}” is one`);
  return /inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text);
}

// Rows of the list that all selections hold for.
export function select(asked) {
  const tests = asked.map(testOf);
  return units.chosen.filter((row) => tests.every((test) => test(row)));
}

// What graded units are listed by where a selection compares two systems, or limits the value of one.
export function extentOf(asked) {
  for (const [operator, field] of report.graded ? asked.flatMap(leaves) : []) {
    const limited = nameOf(field) === report.graded.field && Array.isArray(field) && (operator === "<" || operator === ">");
    if (nameOf(field) !== "gain" && !limited) continue;
    const column = columnOf(field);
    if (!limited) return (row) => -Math.abs(column.values(row)[0] ?? 0);
    return (row) => (report.graded.higher ? 1 : -1) * (column.values(row)[0] ?? Infinity);
  }
  return () => 0;
}
