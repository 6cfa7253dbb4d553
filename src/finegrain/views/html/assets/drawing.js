// A unit in what it stands in, and what every system makes of it, as the task is drawn: with brackets
// around tokens, with arcs between words, with the chains of a document, or in one line.

import { drawTree } from "./arcs.js";
import { drawBrackets } from "./brackets.js";
import { drawChains } from "./chains.js";
import { answersAre, contextWord, valueWritten, number, outcomeName, report, units } from "./data.js";
import { element, link } from "./elements.js";
import { unitsAt } from "./state.js";
import { textOf } from "./unit_text.js";
import { answered, isRight } from "./verdicts.js";
import { besideAnother, besideNearest } from "./word_diff.js";
import { breakable, nameHeight } from "./wrapping.js";

const MOST_WRITTEN = 120; // characters of what a system wrote and the text does not have

// By the drawing of the task; what one cannot draw, as a tree of very many words, is drawn with brackets.
const DRAWINGS = { item: drawItem };
const PICTURES = { arcs: drawTree, brackets: drawBrackets, chains: drawChains, tokens: drawBrackets };

export const drawUnit = (row, pair, options = {}) => (DRAWINGS[report.drawing] ?? drawInContext)(row, pair, options);

function drawInContext(row, pair, options) {
  const article = element("article", { class: "unit", "aria-label": `unit ${units.row[row]}` });
  const redraw = (changed = {}) => article.replaceWith(drawUnit(row, pair, { ...options, ...changed }));
  article.addEventListener("redraw", () => redraw()); // where there is another room
  const shown = shownSystems(row, pair, options.all);
  const nameOf = (system, layout, judged = true) => nameHeight(`${report.systems[system]}${pair.includes(system) ? " AB" : ""}`, judged ? answerSaid(system, row) : "", layout);
  const picture =
    PICTURES[report.drawing](row, shown.systems, options, nameOf, redraw) ??
    drawBrackets(row, shown.systems, options, nameOf);
  article.append(heading(row, options, picture.partial, redraw));
  for (const stave of picture.staves) article.append(drawStave(stave, picture, row, pair));
  if (picture.below) article.append(picture.below);
  if (shown.hidden.length) article.append(folded(row, shown.hidden, redraw));
  return article;
}

// An item: what is known of it, who is wrong about it and who is right; what was answered, where that
// is known; of graded units, the value of every system; parts as a small table.
function drawItem(row, pair) {
  const head = heading(row, {}, false);
  const fields = (units.fields ?? []).filter(([, cells]) => cells[row] !== null);
  const named = units.names?.[row] ?? (units.sentences[units.sentence[row]]?.length && !fields.length ? textOf(row) : null);
  if (named) head.firstChild.after(element("span", { class: "text", dir: "auto" }, named));
  const article = element("article", { class: "unit item", "aria-label": `${report.words.unit} ${units.row[row]}` }, head);
  const answers = drawAnswers(row, pair);
  const [lists, tables] = [true, false].map((plain) => (units.parts ?? []).filter(([, parts]) => parts.rows[row].length && (parts.columns.length === 1) === plain));
  if (fields.length) article.append(drawFields(row, fields), ...drawExcerpt(row), ...lists.map(([name, parts]) => drawList(name, parts, row)), answers);
  else for (const one of [...answers.childNodes]) head.lastChild.before(one); // all in one line
  for (const [name, parts] of fields.length ? tables : [...lists, ...tables]) article.append(drawParts(name, parts, row));
  return article;
}

const LONG = 60; // characters, from which a field has a line of its own

function drawFields(row, fields) {
  const list = element("dl", { class: "fields" });
  const short = fields.filter(([, cells]) => cells[row].length < LONG && !cells[row].includes(" "));
  for (const [name, cells] of fields.filter((one) => !short.includes(one))) {
    list.append(element("dt", {}, name), element("dd", { dir: "auto" }, cells[row]));
  }
  if (short.length) {
    const told = short.flatMap(([name, cells], place) => [place ? "   " : "", element("span", { class: "third" }, `${name} `), cells[row]]);
    list.append(element("dt", {}, ""), element("dd", { dir: "auto" }, ...told));
  }
  return list;
}

// A long text around what is marked in it, such as the answer to a question.
function drawExcerpt(row) {
  const text = units.excerpt?.texts[row];
  if (!text) return [];
  const [before, inside, after] = text;
  const marked = inside ? [element("mark", {}, inside)] : [];
  return [element("dl", { class: "fields" }, element("dt", {}, units.excerpt.name), element("dd", { dir: "auto" }, before, ...marked, after))];
}

// What every system answered in words, what became of it, and its value.
function drawTexts(row, pair) {
  const texts = report.beside ? (units.parts.find(([name]) => name === report.beside)?.[1].rows[row] ?? []).map(([text]) => text ?? "") : [];
  const body = report.order.map((system) => {
    const told = units.answers[system][row];
    const cells = [
      element("th", { scope: "row" }, ...marked(system, pair)),
      element("td", { dir: "auto" }, ...(told ? besideNearest(told, texts) : [element("span", { class: "third" }, told === null ? "–" : "(empty)")])),
      element("td", { class: isRight(system, row) ? "right" : "wrong" }, outcomeName(units.outcome[system][row])),
    ];
    if (units.value) cells.push(element("td", { class: "number" }, units.value.written[system][row] ?? "n/a"));
    return element("tr", {}, ...cells);
  });
  const [first, second] = pair.map((system) => units.answers[system]?.[row]);
  if (report.beside && first && second && first !== second) {
    const told = ["beside ", ...marked(pair[0], pair), ": ", ...besideAnother(second, first)];
    const rest = [element("td", {}), ...(units.value ? [element("td", {})] : [])];
    body.push(element("tr", { class: "between" }, element("th", { scope: "row" }, ...marked(pair[1], pair)), element("td", { dir: "auto" }, ...told), ...rest));
  }
  const titles = ["", "answer", "", ...(units.value ? [units.value.name] : [])];
  const head = element("tr", {}, ...titles.map((one) => element("th", { scope: "col" }, one)));
  const table = element("table", { class: "parts fit", "aria-label": "answers" }, element("thead", {}, head), element("tbody", {}, ...body));
  return element("div", { class: "wide" }, table);
}

function drawAnswers(row, pair) {
  if (units.answers) return drawTexts(row, pair);
  const line = element("p", { class: "answers" });
  if (answersAre("label")) line.append(element("span", {}, "gold ", element("b", {}, report.labels[units.label[row]])));
  if (units.value) return drawValues(line, row, pair);
  for (const [said, systems] of sayings(row)) {
    const names = systems.flatMap((system, place) => [place ? ", " : " ", ...marked(system, pair)]);
    line.append(element("span", { class: isRight(systems[0], row) ? "right" : "wrong" }, element("b", {}, said), ...names));
  }
  return line;
}

function drawValues(line, row, pair) {
  line.append(element("span", { class: "third" }, units.value.name));
  for (const system of report.order) {
    const value = units.value.written[system][row];
    const told = element(units.value.best[system][row] ? "b" : "span", {}, value ?? outcomeName(units.outcome[system][row]));
    line.append(element("span", {}, ...marked(system, pair), " ", told));
  }
  return line;
}

// Parts of which there is one thing to tell, such as references, in one line.
function drawList(name, parts, row) {
  const told = parts.rows[row].flatMap(([cell], place) => [place ? element("span", { class: "third" }, " | ") : "", cell ?? "–"]);
  if (parts.more[row]) told.push(element("span", { class: "third" }, ` and ${number(parts.more[row])} more`));
  return element("dl", { class: "fields" }, element("dt", {}, name), element("dd", { dir: "auto" }, ...told));
}

function drawParts(name, parts, row) {
  const head = element("tr", {}, ...parts.columns.map((one) => element("th", { scope: "col" }, one)));
  const body = parts.rows[row].map((cells) => element("tr", {}, ...cells.map((one) => element("td", { dir: "auto" }, one ?? "–"))));
  const more = parts.more[row] ? element("p", { class: "third" }, `and ${number(parts.more[row])} more ${name}`) : null;
  const table = element("table", { class: "parts fit", "aria-label": name }, element("thead", {}, head), element("tbody", {}, ...body));
  return element("div", { class: "wide" }, table, ...(more ? [more] : []));
}

// What systems make of an item, and who does: what is wrong first.
function sayings(row) {
  const found = new Map();
  const wrongFirst = [...report.order].sort((one, other) => isRight(one, row) - isRight(other, row));
  for (const system of wrongFirst) {
    const said = answersAre("none") ? (isRight(system, row) ? "right" : "wrong") : answerSaid(system, row);
    found.set(said, [...(found.get(said) ?? []), system]);
  }
  return found;
}

function marked(system, pair) {
  const mark = pair.indexOf(system);
  const name = breakable(report.systems[system]);
  return mark < 0 ? name : [...name, " ", element("span", { class: `mark ${"ab"[mark]}` }, "AB"[mark])];
}

// What is drawn of one line of the sentence, with the names of its rows.
function drawStave(stave, picture, row, pair) {
  const names = element("div", { class: picture.low ? "names low" : "names" });
  names.style.gridTemplateRows = stave.rows.map((one) => `${one.height}px`).join(" ");
  stave.rows.forEach((one, place) => name(names, one, place + 1, row, pair));
  const scroll = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": contextWord }, stave.body);
  return element("div", { class: picture.above ? "drawn above" : "drawn" }, names, scroll);
}

// How many systems are right, or, where units are only graded, what their mean value is.
function binOf(place) {
  if (report.verdicts) return `bin ${place}: ${place} of ${report.systems.length} right`;
  const range = report.graded.bins[place];
  return range ? `mean ${report.graded.name} ${range}` : "";
}

const shortened = (text) => (text.length > MOST_WRITTEN ? `${text.slice(0, MOST_WRITTEN)}…` : text);

function heading(row, options, partial, redraw) {
  const solved = units.bin[row];
  const total = report.systems.length;
  const bin = solved >= 0 ? binOf(solved) : units.gold[row] ? "" : `not gold: in ${units.agree[row]} of ${total} outputs`;
  const document = units.document?.[row];
  const places = [
    document === undefined || document === null ? "" : `document ${document}`,
    report.words.context ? `${report.words.context} ${number(units.at[row])}` : "",
    units.line[row] ? `line ${number(units.line[row])}` : "",
  ];
  const head = element(
    "header",
    {},
    element("span", { class: "id" }, `#${number(units.row[row])}`),
    element("span", {}, places.filter(Boolean).join(", ")),
    element("span", {}, bin),
  );
  const written = units.written?.[row]; // of what has no place in the text
  if (written !== undefined) head.append(element("strong", {}, `${shortened(written)} ${report.labels[units.label[row]]}`));
  const links = element("span", { class: "links" });
  if (partial || (options.whole && !units.passages)) { // chains have their own
    const toggle = () => redraw({ whole: !options.whole });
    links.append(element("button", { class: "plain", onclick: toggle }, options.whole ? "shorter" : `whole ${contextWord}`));
  }
  links.append(link(unitsAt([["=", "row", String(units.row[row])]], 1), "link"));
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

function folded(row, hidden, redraw) {
  const counts = new Map();
  for (const system of hidden) {
    const said = answerSaid(system, row);
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  const told = [...counts].map(([said, count]) => `${count} ${said}`).join(", ");
  return element(
    "p",
    { class: "folded" },
    element("button", { class: "plain", onclick: () => redraw({ all: true }) }, `and ${hidden.length} more`),
    ` ${told}`,
  );
}

// The label that a system gives the unit, where that is not the unit's own.
function otherLabel(system, row) {
  const label = answered(system, row);
  const said = label >= 0 && label !== units.label[row] ? report.labels[label] : "";
  return said === outcomeName(units.outcome[system][row]) ? "" : said; // of a matrix
}

// What a system made of the unit, with that label.
function answerSaid(system, row) {
  const said = outcomeName(units.outcome[system][row]);
  const label = otherLabel(system, row);
  return label ? `${said}: ${label}` : said;
}

function whatOf(system, row) {
  const label = otherLabel(system, row);
  const value = report.graded ? units.values[system][row] : null;
  const said = value === null ? outcomeName(units.outcome[system][row]) : valueWritten(value);
  const kind = element("span", { class: "kind" }, said);
  const answer = label ? element("span", { class: "answer" }, ...breakable(label)) : null;
  return element("span", { class: "what" }, answer, kind);
}

function name(names, one, place, row, pair) {
  const cell = element("div", { class: "name" });
  cell.style.gridRow = place;
  if (one.kind === "gold" && one.level === 0 && one.judged !== false) cell.append(units.gold[row] ? "gold" : "");
  if (one.kind === "system" && one.level === 0) {
    const wrong = !isRight(one.system, row);
    if (wrong) cell.classList.add("wrong");
    const mark = pair.indexOf(one.system);
    cell.append(element("span", { class: "who" }, ...breakable(report.systems[one.system])));
    if (mark >= 0) cell.append(element("span", { class: `mark ${"ab"[mark]}` }, "AB"[mark]));
    if (one.judged !== false) cell.append(whatOf(one.system, row));
  }
  names.append(cell);
}
