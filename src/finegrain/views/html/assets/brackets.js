// Spans and tags of a sentence: gold above the words, one row of brackets per system below them.
// Colour is the label, line the outcome: solid as gold, dashed otherwise, dotted missed.

import { answersAre, number, report, units } from "./data.js";
import { element } from "./elements.js";
import { tokensOf } from "./unit_text.js";
import { labelClass } from "./labels.js";
import { widthOf } from "./shapes.js";
import { has, isCorrect } from "./verdicts.js";
import { broken, layoutOf, rightToLeft } from "./wrapping.js";

const AROUND = 11; // words on either side of the unit, where there is room
const LONGEST = 45; // characters of a word that are shown
const ABOVE = 12; // "gold" above its bars
const HEIGHTS = { gold: 30, words: 28, system: 25 };
const WORD = 15; // size of words, and what stands beside each
const BESIDE = 5;
const LEFT_OUT = 20; // of the dots at either end
const LABEL = 11;
const LABEL_MOST = 240;

let rowsOfSentence = new Map();
let sorted = null; // the column that they were taken from

function rowsIn(sentence) {
  if (sorted !== units.sentence) {
    sorted = units.sentence;
    rowsOfSentence = new Map();
    sorted.forEach((at, row) => {
      if (!rowsOfSentence.has(at)) rowsOfSentence.set(at, []);
      rowsOfSentence.get(at).push(row);
    });
  }
  return rowsOfSentence.get(sentence) ?? [];
}

export function drawBrackets(row, systems, options, nameOf) {
  const words = units.sentences[units.sentence[row]] ?? [];
  const layout = layoutOf();
  const widths = widthsOf(row, words);
  const view = options.whole ? { from: 0, to: words.length } : windowOf(row, widths, layout);
  if (view.from > 0) widths[view.from] += LEFT_OUT;
  if (view.to < words.length) widths[view.to - 1] += LEFT_OUT;
  const lines = linesOf(row, view, widths, layout.room);
  const staves = lines.map((line) => {
    const own = lines.length === 1 || holds(line, row);
    const rows = rowsOf(row, own || options.whole ? systems : [], line, own);
    for (const one of rows) one.height = rowHeight(one, layout, nameOf);
    return { rows, body: tokensIn(line, rows, row, words, widths) };
  });
  return { staves, above: layout.above, partial: view.to - view.from < words.length };
}

// Lines are filled, but the unit is in one if it can.
function linesOf(row, view, widths, room) {
  const [begin, end] = [units.begin[row], units.end[row]];
  const breaks = (from, to) => broken(widths.slice(from, to), room).map((at) => from + at);
  let starts = [view.from, ...breaks(view.from, view.to)];
  const split = starts.some((at) => at > begin && at < end) && !breaks(begin, end).length;
  if (split) starts = [view.from, ...breaks(view.from, begin), begin, ...breaks(begin, view.to)];
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? view.to, first: !at, last: at === starts.length - 1 }));
}

// What has no words stands at the end.
const holds = (line, row) => (tokensOf(row).length ? tokensOf(row).some((token) => token >= line.from && token < line.to) : line.last);

// The line of the unit has a row for every system, others only for those that have spans there.
function rowsOf(row, systems, line, own) {
  const bare = line.to === line.from; // a matrix has no words
  const sentence = bare ? [] : [...goldLevels(row, line), { kind: "words" }];
  const found = [...sentence, ...systems.flatMap((system) => systemLevels(system, row, line))];
  return found.filter((one) => own || one.kind === "words" || one.spans.length).map((one) => ({ ...one, judged: own, bare }));
}

function rowHeight(one, layout, nameOf) {
  const height = one.bare && layout.above ? 0 : HEIGHTS[one.kind];
  if (one.kind === "gold" && !one.level && one.judged && layout.above) return height + ABOVE;
  if (one.kind !== "system" || one.level) return height;
  const needed = nameOf(one.system, layout, one.judged);
  return layout.above ? height + needed : Math.max(height, needed);
}

function tokensIn(line, rows, row, words, widths) {
  const tokens = element("div", { class: "tokens" });
  if (rightToLeft(words.slice(line.from, line.to).join(" "))) tokens.setAttribute("dir", "rtl");
  tokens.style.gridTemplateRows = rows.map((one) => `${one.height}px`).join(" ");
  tokens.style.gridTemplateColumns = `repeat(${Math.max(1, line.to - line.from)}, max-content)`;
  rows.forEach((one, place) => {
    if (one.kind === "gold") for (const span of one.spans) span.free = isFree(span, one.spans, widths, line);
    if (one.kind === "words") drawWords(tokens, place + 1, row, words, line);
    else one.spans.forEach((span) => drawSpan(tokens, place + 1, span, words, line, one.kind));
  });
  return tokens;
}

const sum = (widths) => widths.reduce((all, width) => all + width, 0);

// Whether a label may reach over the words behind its bar: up to the next bar, or the end of the line.
function isFree(span, spans, widths, line) {
  const from = Math.max(line.from, span.tokens[0]);
  const next = Math.min(line.to, ...spans.map((other) => other.tokens[0]).filter((at) => at > from));
  return widthOf(report.labels[span.label], LABEL, span.current ? 700 : 400) + BESIDE <= sum(widths.slice(from, next));
}

// How wide words are drawn; the unit has room for its label.
function widthsOf(row, words) {
  const own = tokensOf(row).filter((token) => token < words.length); // a matrix has no words
  const held = new Set(own);
  const widths = words.map((text, at) => widthOf(shortened(text), WORD, held.has(at) ? 700 : 400) + BESIDE);
  if (!units.gold[row] || !own.length) return widths;
  const [from, to] = segments(own)[0];
  const label = Math.min(LABEL_MOST, widthOf(report.labels[units.label[row]], LABEL, 700)) + BESIDE;
  widths[to] += Math.max(0, label - sum(widths.slice(from, to + 1)));
  return widths;
}

// The unit and as many words around it as fit into its lines; names above leave room for two.
function windowOf(row, widths, layout) {
  const [begin, end] = [units.begin[row], units.end[row]].map((at) => Math.min(at, widths.length));
  let [from, to] = [begin, end];
  let filled = 2 * LEFT_OUT + sum(widths.slice(from, to));
  const most = layout.room * Math.max(layout.above ? 2 : 1, Math.ceil(filled / layout.room));
  const fits = (at) => at >= Math.max(0, begin - AROUND) && at < Math.min(widths.length, end + AROUND) && filled + widths[at] <= most;
  while (fits(from - 1) || fits(to)) {
    if (fits(from - 1)) filled += widths[(from -= 1)];
    if (fits(to)) filled += widths[(to += 1) - 1];
  }
  return { from, to };
}

// Spans on as few levels as it takes for none to overlap another.
function levels(spans) {
  const found = [];
  for (const span of spans) {
    const level = found.find((one) => one.every((other) => !overlap(other.tokens, span.tokens)));
    if (level) level.push(span);
    else found.push([span]);
  }
  return found;
}

const overlap = (one, other) =>
  one[0] <= other[other.length - 1] && other[0] <= one[one.length - 1];

// Of units that are answered by units, all of the sentence are drawn; else the answer to this one.
const neighbours = (row) => (answersAre("unit") ? rowsIn(units.sentence[row]) : [row]);

const isAnswered = (system, row) => (answersAre("unit") ? has(system, row) : units.answer[system][row] >= 0);

const inView = (span, view) =>
  span.tokens.length && span.tokens[0] < view.to && span.tokens[span.tokens.length - 1] >= view.from;

function goldLevels(row, view) {
  const spans = neighbours(row)
    .filter((other) => units.gold[other])
    .map((other) => ({ row: other, tokens: tokensOf(other), label: units.label[other], current: other === row }))
    .filter((span) => inView(span, view));
  spans.sort((one, other) => other.tokens.length - one.tokens.length);
  const found = levels(spans);
  return (found.length ? found : [[]]).map((level, place) => ({ kind: "gold", level: place, spans: level }));
}

function systemLevels(system, row, view) {
  const related = new Set([row, units.gold[row] ? units.answer[system][row] : -1]);
  const spans = neighbours(row)
    .filter((other) => isAnswered(system, other))
    .map((other) => ({
      tokens: tokensOf(other),
      label: answersAre("unit") ? units.label[other] : units.answer[system][other],
      current: related.has(other),
      line: isCorrect(system, other) ? "solid" : "dashed",
    }));
  const missed = units.gold[row] && !isCorrect(system, row) && units.answer[system][row] < 0;
  if (missed) spans.push({ tokens: tokensOf(row), label: units.label[row], current: true, line: "dotted" });
  // what the unit is about stands first, then inner spans before outer ones
  spans.sort((one, other) => other.current - one.current || one.tokens.length - other.tokens.length);
  const found = levels(spans.filter((span) => inView(span, view)));
  return (found.length ? found : [[]]).map((level, place) => ({ kind: "system", system, level: place, spans: level }));
}

function drawWords(tokens, place, row, words, view) {
  const own = new Set(tokensOf(row));
  for (let at = view.from; at < view.to; at += 1) {
    const cell = word(words[at], own.has(at) ? "word own" : "word");
    if (at === view.from && at > 0 && view.first) cell.prepend(element("span", { class: "left-out" }, "… "));
    if (at === view.to - 1 && view.to < words.length && view.last) cell.append(element("span", { class: "left-out" }, " …"));
    cell.style.gridRow = place;
    cell.style.gridColumn = at - view.from + 1;
    tokens.append(cell);
  }
}

const shortened = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${number(text.length)} characters)`);

const word = (text, style) => element("bdi", { class: style, title: text.length > LONGEST && text.slice(0, 1000) }, shortened(text));

function drawSpan(tokens, place, span, words, view, kind) {
  const held = new Set(span.tokens);
  const parts = segments(span.tokens.filter((token) => token >= view.from && token < view.to));
  parts.forEach(([from, to], at) => {
    const open = `${held.has(from - 1) ? " begun" : ""}${held.has(to + 1) ? " unfinished" : ""}`; // in another line
    const style = `${kind === "gold" ? `gold${span.free ? " free" : ""}` : `bracket ${span.line}`}${open} ${labelClass(span.label)}`;
    const label = report.labels[span.label];
    const bar = element("span", { class: `${style}${span.current ? " current" : ""}`, title: label }, kind === "gold" && at === 0 ? label : null);
    bar.style.gridRow = place;
    bar.style.gridColumn = `${from - view.from + 1} / ${to - view.from + 2}`;
    tokens.append(bar);
    if (at > 0) tokens.append(gap(parts[at - 1][1] + 1, from, place, span, view));
    if (kind === "gold" || span.line === "dotted") return;
    for (let token = from; token <= to; token += 1) {
      const copy = word(words[token], `copy${span.current ? " current" : ""}`);
      copy.style.gridRow = place;
      copy.style.gridColumn = token - view.from + 1;
      tokens.append(copy);
    }
  });
}

// What a span with a gap leaves out: a thin line, so that its parts are seen to be one.
function gap(from, to, place, span, view) {
  const line = element("span", { class: `gap ${labelClass(span.label)}` });
  line.style.gridRow = place;
  line.style.gridColumn = `${from - view.from + 1} / ${to - view.from + 1}`;
  return line;
}

function segments(tokens) {
  const found = [];
  for (const token of tokens) {
    const last = found[found.length - 1];
    if (last && last[1] === token - 1) last[1] = token;
    else found.push([token, token]);
  }
  return found;
}
