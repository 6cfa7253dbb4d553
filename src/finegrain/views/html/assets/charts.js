// Figures: Vega-Lite specifications, drawn as SVG in the colours of the page. A click on a mark
// follows its href to the units behind it; the line above a figure says what is under the pointer.

import { report } from "./data.js";
import { download } from "./files.js";
import { widthOf } from "./shapes.js";
import { evenLines, linesOf, onPaper, SHEET, whenPaperChanges } from "./wrapping.js";

const NARROW = 560; // pixels below which a figure has smaller type and less beside it
const LINE = 1.2; // of a name beside a row, as a multiple of its size
const MOST_LINES = 4; // of such a name
const BELOW = 11; // size of what stands below an axis
const BETWEEN = 6; // pixels from one bucket's name to the next
const LONGEST_BELOW = 64; // pixels of such a name in one line

const OPTIONS = { mode: "vega-lite", renderer: "svg", actions: false, ast: true, tooltip: false, defaultStyle: false };

// Colours become variables of the style sheet, so that dark ground and print need no new drawing.
function themed(value) {
  if (typeof value === "string") {
    const colour = value.toLowerCase();
    return Object.hasOwn(report.colours, colour) ? report.colours[colour] : value;
  }
  if (Array.isArray(value)) return value.map(themed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === "values" ? inner : themed(inner)]));
}

const partsOf = (spec) => [...(spec.vconcat ?? []), ...(spec.hconcat ?? []), ...(spec.concat ?? []), ...(spec.layer ?? [])];

function widthsTo(spec, set) {
  if (typeof spec.width === "number") spec.width = set(spec.width);
  for (const part of partsOf(spec)) widthsTo(part, set);
  return spec;
}

// The specification with its widths fitted to the room there is.
function fitted(spec, room) {
  const meta = spec.usermeta ?? {};
  const narrow = room < NARROW;
  const size = narrow ? 11 : 12;
  if (meta.columns) {
    const beside = besideRows(spec, meta.beside, narrow ? 108 : 190, size);
    nameRows(spec, beside - 16, size);
    const widthIn = (columns) => Math.floor((room - (columns - 1) * 36) / columns - beside);
    const needed = Math.max(...spec.concat.map(neededBelow));
    spec.columns = room < 480 ? 1 : room < 760 ? 2 : meta.columns;
    while (spec.columns > 1 && widthIn(spec.columns) < needed) spec.columns -= 1;
    const width = widthIn(spec.columns);
    for (const plot of spec.concat) keepApart(plot, width);
    return widthsTo(spec, () => width);
  }
  const names = besideRows(spec, meta.reserved, narrow ? 108 : Math.max(190, 0.3 * room), size);
  nameRows(spec, names - 16, size);
  if (narrow) shorten(spec, room - names - 40);
  const beside = spec.hconcat?.length ?? 1;
  if (beside > 1 && narrow) {
    spec.vconcat = spec.hconcat; // one below the other, each with its names
    const [first, ...others] = spec.vconcat;
    for (const other of others) other.encoding.y.axis ??= first.encoding.y.axis;
    delete spec.hconcat;
  }
  const columns = spec.hconcat ? beside : 1;
  const free = Math.max(120, room - names - 24 - (columns - 1) * 44);
  const width = Math.floor(free / columns);
  for (const across of (spec.params ?? []).filter((one) => one.name === "across")) across.value = width;
  return widthsTo(spec, () => width);
}

const upright = (plot) => (plot.encoding?.x?.axis?.labelAngle === 0 ? (plot.encoding.x.sort ?? []) : []);

const below = (text) => widthOf(text, BELOW);

// Pixels in which what buckets hold stands side by side, numbers in one line.
function neededBelow(plot) {
  const labels = upright(plot);
  return labels.length * (BETWEEN + Math.min(LONGEST_BELOW, Math.max(0, ...labels.flatMap((label) => label.split("\n").map(below)))));
}

// No name of a bucket may reach into the next.
function keepApart(plot, width) {
  const labels = upright(plot);
  if (!labels.length) return;
  const room = Math.floor(width / labels.length) - BETWEEN;
  const lines = labels.map((label) => label.split("\n").flatMap((text) => shortened(linesOf(text, room, BELOW, 400))));
  Object.assign(plot.encoding.x.axis, { labelExpr: lookedUp(labels, lines), labelLimit: room + BETWEEN });
}

// An expression for the lines of a label. Vega looks texts of expressions up in objects, and would find
// those that every object has (constructor); the space behind them, which it does not draw, is in none.
const lookedUp = (labels, lines) => `${JSON.stringify(lines.map((one) => one.map((line) => `${line}\u00a0`)))}[${placeIn(labels, "datum.label")}]`;

const placeIn = (labels, text) => `indexof(${JSON.stringify(labels)}, ${text})`;

const rowNames = (spec) => [...((spec.height?.step && spec.encoding?.y?.sort) || []), ...partsOf(spec).flatMap(rowNames)];

// Pixels for names beside rows: what the longest takes, up to a limit; without any, what is reserved.
function besideRows(spec, reserved, most, size) {
  const widths = rowNames(spec).map((name) => widthOf(name, size) + 20);
  return widths.length ? Math.ceil(Math.min(most, Math.max(96, ...widths))) : reserved;
}

// Names of rows that are too long take several lines, and rows the height of the tallest name, also
// in a part that has its names in the one beside it.
function nameRows(spec, room, size) {
  const { axis, scale, sort } = spec.encoding?.y ?? {};
  if (sort && spec.height?.step) {
    const names = sort.map((name) => shortened(evenLines(name, room, size, 400)));
    const tallest = Math.max(...names.map((lines) => lines.length));
    const line = Math.round(LINE * size);
    const step = Math.max(spec.height.step, tallest * line + 8);
    if (scale?.paddingInner) scale.paddingInner = 1 - ((1 - scale.paddingInner) * spec.height.step) / step; // bars stay as thin
    spec.height.step = step;
    if (axis) Object.assign(axis, { labelLineHeight: line, labelFontSize: size, labelLimit: room + 8, minExtent: room, ...inLines(sort, names, line) });
  }
  for (const part of partsOf(spec)) nameRows(part, room, size);
}

// Labels in lines, which stand in the middle of their rows.
function inLines(labels, lines, height) {
  const raised = lines.map((one, place) => ({ test: `${placeIn(labels, "datum.value")} === ${place}`, value: ((1 - one.length) * height) / 2 }));
  return { labelExpr: lookedUp(labels, lines), labelOffset: { condition: raised.filter((one) => one.value), value: 0 } };
}

const shortened = (lines) => (lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 2), "…", lines.at(-1)] : lines);

// There is little room, `beside` of it for a key that names stand in one below the other.
function shorten(spec, beside) {
  for (const channel of ["color", "strokeDash"]) {
    const { legend, scale } = spec.encoding?.[channel] ?? {};
    if (legend?.direction === "vertical") legend.labelExpr = lookedUp(scale.domain, scale.domain.map((name) => shortened(linesOf(name, beside, 12, 400))));
    else if (legend) legend.columns = 2;
  }
  if (spec.mark?.type === "text") spec.mark.fontSize = 9.5;
  for (const part of partsOf(spec)) shorten(part, beside);
}

// A mark without data has nothing to tell.
function silence(mark) {
  for (const name of ["role", "aria-roledescription"]) mark.removeAttribute(name);
}

async function draw(figure) {
  const name = figure.dataset.chart;
  const canvas = figure.querySelector(".canvas");
  const room = canvas.clientWidth && (onPaper() ? SHEET : canvas.clientWidth);
  if (!room || figure.dataset.drawn === String(room)) return;
  figure.dataset.drawn = String(room);
  const spec = fitted(themed(structuredClone(report.charts[name])), room);
  const { view } = await window.vegaEmbed(canvas, spec, OPTIONS);
  for (const empty of canvas.querySelectorAll("g[role=graphics-symbol]:empty")) silence(empty);
  const readout = figure.querySelector(".readout");
  view.addEventListener("mouseover", (_, item) => {
    if (item?.datum?.told) readout.textContent = item.datum.told;
  });
  view.addEventListener("click", (_, item) => {
    if (item?.datum?.href) location.hash = item.datum.href;
  });
  figure.querySelector("[data-act=svg]").onclick = async () => download(`${name}.svg`, await forPrint(name), "image/svg+xml");
}

// The figure for print: the specification as it was, drawn off the page.
async function forPrint(name) {
  const holder = document.createElement("div");
  const spec = { ...structuredClone(report.charts[name]), background: "white" };
  const { view } = await window.vegaEmbed(holder, spec, OPTIONS);
  return view.toSVG();
}

// What has to be scrolled can be reached with the keyboard.
function reachScrolled() {
  for (const one of document.querySelectorAll(".canvas, .wide")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
  }
}

export function startCharts() {
  const figures = [...document.querySelectorAll("figure[data-chart]")];
  const all = () => Promise.all(figures.map(draw)).then(reachScrolled);
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(all, 150);
  });
  whenPaperChanges(all);
  return all();
}
