// A unit in its sentence: gold above the words, one row of brackets per system below them.
// Colour is the label, line the outcome: solid as gold, dashed otherwise, dotted missed.
// Words of trees are drawn with arcs, mentions with the chains of their document.

import { drawTree } from "./arcs.js";
import { drawChains } from "./chains.js";
import { labelClass, number, outcomeName, report, units } from "./data.js";
import { element, link } from "./elements.js";
import { tokensOf } from "./filters.js";
import { answered, has, isCorrect, isRight } from "./verdicts.js";

const AROUND = 11; // words on either side of the unit
const LONGEST = 60; // characters of a word that are shown
const HEIGHTS = { gold: 30, words: 28, system: 25 };

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

export function drawUnit(row, pair, options = {}) {
  const words = units.sentences[units.sentence[row]] ?? [];
  const view = options.whole ? { from: 0, to: words.length } : windowOf(row, words.length);
  const article = element("article", { class: "unit", "aria-label": `unit ${units.row[row]}` });
  article.append(heading(row, pair, options, view, words.length, article));
  const shown = shownSystems(row, pair, options.all);
  const redraw = () => article.replaceWith(drawUnit(row, pair, { ...options, whole: !options.whole }));
  const picture =
    drawTree(row, shown.systems, rightToLeft(words.join(" "))) ??
    drawChains(row, shown.systems, options, redraw) ??
    drawBrackets(row, shown.systems, words, view);
  const names = element("div", { class: picture.centre ? "names low" : "names" });
  names.style.gridTemplateRows = picture.rows.map((one) => `${one.height}px`).join(" ");
  picture.rows.forEach((one, place) => name(names, one, place + 1, row, pair));
  const scroll = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "sentence" }, picture.body);
  article.append(element("div", { class: "drawn" }, names, scroll));
  if (picture.below) article.append(picture.below);
  if (picture.centre) requestAnimationFrame(() => (scroll.scrollLeft = picture.centre - scroll.clientWidth / 2));
  if (shown.hidden.length) article.append(folded(row, pair, options, shown.hidden, article));
  return article;
}

function drawBrackets(row, systems, words, view) {
  const rows = [...goldLevels(row, view), { kind: "words" }];
  for (const system of systems) rows.push(...systemLevels(system, row, view));
  for (const one of rows) one.height = HEIGHTS[one.kind];
  const tokens = element("div", { class: "tokens" });
  if (rightToLeft(words.slice(view.from, view.to).join(" "))) tokens.setAttribute("dir", "rtl");
  tokens.style.gridTemplateRows = rows.map((one) => `${one.height}px`).join(" ");
  tokens.style.gridTemplateColumns = `repeat(${Math.max(1, view.to - view.from)}, max-content)`;
  rows.forEach((one, place) => {
    if (one.kind === "words") drawWords(tokens, place + 1, row, words, view);
    else one.spans.forEach((span) => drawSpan(tokens, place + 1, span, words, view, one.kind));
  });
  return { rows, body: tokens };
}

function windowOf(row, length) {
  return {
    from: Math.max(0, units.begin[row] - AROUND),
    to: Math.min(length, units.end[row] + AROUND),
  };
}

function heading(row, pair, options, view, length, article) {
  const solved = units.bin[row];
  const total = report.systems.length;
  const bin = solved >= 0 ? `bin ${solved}: ${solved} of ${total} right` : `not gold: in ${units.agree[row]} of ${total} outputs`;
  const document = units.document?.[row];
  const place = document === undefined || document === null ? "" : `document ${document}, `;
  const line = units.line[row] ? `, line ${number(units.line[row])}` : "";
  const all = view.to - view.from < length && !units.trees && !units.passages; // they have their own
  const head = element(
    "header",
    {},
    element("span", { class: "id" }, `#${number(units.row[row])}`),
    element("span", {}, `${place}sentence ${number(units.at[row])}${line}`),
    element("span", {}, bin),
  );
  const links = element("span", { class: "links" });
  if (all || (options.whole && !units.passages)) {
    const toggle = () => article.replaceWith(drawUnit(row, pair, { ...options, whole: !options.whole }));
    links.append(element("button", { class: "plain", onclick: toggle }, options.whole ? "shorter" : "whole sentence"));
  }
  links.append(link(`#instances?row=${units.row[row]}`, "link"));
  head.append(links);
  return head;
}

// The chosen pair, systems that err in a way of their own, and all of them where there are few.
function shownSystems(row, pair, all) {
  const every = report.order;
  if (all || every.length <= 5) return { systems: every, hidden: [] };
  const seen = new Set();
  const systems = every.filter((system) => {
    const stance = `${units.outcome[system][row]}/${units.gold[row] ? units.answer[system][row] : ""}`;
    const fresh = !seen.has(stance);
    if (pair.includes(system) || fresh) seen.add(stance);
    return pair.includes(system) || fresh;
  });
  return { systems, hidden: every.filter((system) => !systems.includes(system)) };
}

function folded(row, pair, options, hidden, article) {
  const counts = new Map();
  for (const system of hidden) {
    const said = answerSaid(system, row);
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  const told = [...counts].map(([said, count]) => `${count} ${said}`).join(", ");
  const open = () => article.replaceWith(drawUnit(row, pair, { ...options, all: true }));
  return element(
    "p",
    { class: "folded" },
    element("button", { class: "plain", onclick: open }, `and ${hidden.length} more`),
    ` ${told}`,
  );
}

// The label that a system gives the unit, where that is not the unit's own.
function otherLabel(system, row) {
  const label = answered(system, row);
  return label >= 0 && label !== units.label[row] ? report.labels[label] : "";
}

// What a system made of the unit, with that label.
function answerSaid(system, row) {
  const said = outcomeName(units.outcome[system][row]);
  const label = otherLabel(system, row);
  return label ? `${said}: ${label}` : said;
}

function whatOf(system, row) {
  const label = otherLabel(system, row);
  const kind = element("span", { class: "kind" }, outcomeName(units.outcome[system][row]));
  const answer = label ? element("span", { class: "answer" }, label) : null;
  return element("span", { class: "what", title: answerSaid(system, row) }, answer, kind);
}

function name(names, one, place, row, pair) {
  const cell = element("div", { class: "name" });
  cell.style.gridRow = place;
  if (one.kind === "gold" && one.level === 0) cell.append(units.gold[row] ? "gold" : "");
  if (one.kind === "system" && one.level === 0) {
    const wrong = !isRight(one.system, row);
    if (wrong) cell.classList.add("wrong");
    const mark = pair.indexOf(one.system);
    const rank = report.order.indexOf(one.system) + 1;
    cell.append(element("span", { class: "rank" }, String(rank)));
    cell.append(element("span", { class: "who", title: report.systems[one.system] }, report.systems[one.system]));
    if (mark >= 0) cell.append(element("span", { class: `mark ${"ab"[mark]}` }, "AB"[mark]));
    cell.append(whatOf(one.system, row));
  }
  names.append(cell);
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

const neighbours = (row) =>
  report.always_answered ? [row] : rowsIn(units.sentence[row]);

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
    .filter((other) => report.always_answered || has(system, other))
    .map((other) => ({
      tokens: tokensOf(other),
      label: report.always_answered ? units.answer[system][other] : units.label[other],
      current: related.has(other),
      line: isCorrect(system, other) ? "solid" : "dashed",
    }));
  const missed = units.gold[row] && !report.always_answered && !isCorrect(system, row) && units.answer[system][row] < 0;
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
    if (at === view.from && at > 0) cell.prepend("… ");
    if (at === view.to - 1 && view.to < words.length) cell.append(" …");
    cell.style.gridRow = place;
    cell.style.gridColumn = at - view.from + 1;
    tokens.append(cell);
  }
}

function word(text, style) {
  if (text.length <= LONGEST) return element("bdi", { class: style }, text);
  const told = `${text.slice(0, LONGEST)}… (${number(text.length)} characters)`;
  return element("bdi", { class: style, title: text.slice(0, 1000) }, told);
}

function drawSpan(tokens, place, span, words, view, kind) {
  const parts = segments(span.tokens.filter((token) => token >= view.from && token < view.to));
  parts.forEach(([from, to], at) => {
    const style = `${kind === "gold" ? "gold" : `bracket ${span.line}`} ${labelClass(span.label)}`;
    const bar = element("span", { class: `${style}${span.current ? " current" : ""}` });
    bar.style.gridRow = place;
    bar.style.gridColumn = `${from - view.from + 1} / ${to - view.from + 2}`;
    if (kind === "gold" && at === 0) bar.append(report.labels[span.label]);
    bar.title = report.labels[span.label];
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

const rightToLeft = (text) => {
  const strong = text.match(/\p{L}/u);
  return strong !== null && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(strong[0]);
};
