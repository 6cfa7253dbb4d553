// Figures: Vega-Lite specifications, drawn as SVG in the colours of the page. A click on a mark
// follows its href to the units behind it; the line above a figure says what is under the pointer.

import { report } from "./data.js";
import { download } from "./files.js";

const OPTIONS = { mode: "vega-lite", renderer: "svg", actions: false, ast: true, tooltip: false, defaultStyle: false };

// Colours become variables of the style sheet, so that dark ground and print need no new drawing.
function themed(value) {
  if (typeof value === "string") return report.colours[value.toLowerCase()] ?? value;
  if (Array.isArray(value)) return value.map(themed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === "values" ? inner : themed(inner)]));
}

function widthsTo(spec, set) {
  if (typeof spec.width === "number") spec.width = set(spec.width);
  for (const part of spec.vconcat ?? spec.hconcat ?? spec.concat ?? []) widthsTo(part, set);
  return spec;
}

// The specification with its widths fitted to the room there is.
function fitted(spec, room) {
  const meta = spec.usermeta ?? {};
  const narrow = room < 560;
  if (meta.columns) {
    const columns = room < 480 ? 1 : room < 760 ? 2 : meta.columns;
    spec.columns = columns;
    const width = Math.floor((room - (columns - 1) * 36) / columns - meta.beside);
    for (const plot of spec.concat ?? []) keepApart(plot, width);
    return widthsTo(spec, () => width);
  }
  const names = narrow ? Math.min(meta.reserved, 108) : meta.reserved;
  nameRows(spec, names - 16);
  if (narrow) shorten(spec, names - 16);
  const beside = spec.hconcat?.length ?? 1;
  if (beside > 1 && narrow) {
    spec.vconcat = spec.hconcat; // one below the other, each with its names
    const [first, ...others] = spec.vconcat;
    for (const other of others) other.encoding.y.axis ??= first.encoding.y.axis;
    delete spec.hconcat;
  }
  const columns = spec.hconcat ? beside : 1;
  const free = Math.max(120, room - names - 24 - (columns - 1) * 44);
  return widthsTo(spec, () => Math.floor(free / columns));
}

// What buckets hold stands upright side by side: none may reach into the next.
function keepApart(plot, width) {
  const { axis, sort } = plot.encoding?.x ?? {};
  if (axis?.labelAngle === 0 && sort?.length) axis.labelLimit = Math.floor(width / sort.length) - 4;
}

// Names of rows that are too long take two lines, their beginning and their end: both tell them apart.
function nameRows(spec, room) {
  const axis = spec.encoding?.y?.axis;
  if (axis?.minExtent) {
    const most = Math.floor(room / 6);
    const first = `slice(datum.label, 0, ${most - 1}) + (length(datum.label) > ${2 * most - 1} ? '…' : '')`;
    const rest = `slice(datum.label, max(${most - 1}, length(datum.label) - ${most}))`;
    axis.labelExpr = `length(datum.label) > ${most} ? [${first}, ${rest}] : datum.label`;
    axis.labelLineHeight = 12;
    axis.labelOffset = { condition: { test: `length(datum.label) > ${most}`, value: -6 }, value: 0 };
    axis.labelLimit = room + 8;
  }
  for (const part of [...(spec.vconcat ?? []), ...(spec.hconcat ?? []), ...(spec.layer ?? [])]) nameRows(part, room);
}

// There is little room.
function shorten(spec, limit) {
  const axis = spec.encoding?.y?.axis;
  if (axis?.minExtent) Object.assign(axis, { minExtent: limit, labelFontSize: 11 });
  for (const channel of ["color", "strokeDash"]) {
    const legend = spec.encoding?.[channel]?.legend;
    if (legend) legend.columns = 2;
  }
  if (spec.mark?.type === "text") spec.mark.fontSize = 9.5;
  for (const part of [...(spec.vconcat ?? []), ...(spec.hconcat ?? []), ...(spec.layer ?? [])]) shorten(part, limit);
}

async function draw(figure) {
  const name = figure.dataset.chart;
  const canvas = figure.querySelector(".canvas");
  const room = canvas.clientWidth;
  if (!room || figure.dataset.drawn === String(room)) return;
  figure.dataset.drawn = String(room);
  const spec = fitted(themed(structuredClone(report.charts[name])), room);
  const { view } = await window.vegaEmbed(canvas, spec, OPTIONS);
  const readout = figure.querySelector(".readout");
  view.addEventListener("mouseover", (_, item) => {
    if (item?.datum?.told) readout.textContent = item.datum.told;
  });
  view.addEventListener("click", (_, item) => {
    if (item?.datum?.href) location.hash = item.datum.href;
  });
  figure.querySelector("[data-act=svg]").onclick = async () => download(`${name}.svg`, await printed(name), "image/svg+xml");
}

// The figure for print: the specification as it was, drawn off the page.
async function printed(name) {
  const holder = document.createElement("div");
  const spec = { ...structuredClone(report.charts[name]), background: "white" };
  const { view } = await window.vegaEmbed(holder, spec, OPTIONS);
  return view.toSVG();
}

export function startCharts() {
  const figures = [...document.querySelectorAll("figure[data-chart]")];
  const all = () => Promise.all(figures.map(draw));
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(all, 150);
  });
  return all();
}
