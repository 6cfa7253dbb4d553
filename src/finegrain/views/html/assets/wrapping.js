// How much room there is, and where lines are broken, so that nothing is cut: words of sentences
// stand in as many lines as they need, names of systems beside them or, on narrow screens, above.

import { report } from "./data.js";
import { element } from "./elements.js";
import { widthOf } from "./shapes.js";

export const SHEET = 790; // pixels across a sheet of A4 inside of its margins, as the style of print counts them
const SMALLER = 0.88; // drawings in print, as against those on screen
const LINE = 14; // of names
const HIDDEN = 800; // where nothing is laid out

const list = document.querySelector("#instances .units");
const printed = matchMedia("print");
const narrow = matchMedia("screen and (max-width: 720px)");

// Whether names stand above what is drawn, as they do on narrow screens and where it is wider than
// what they leave; pixels for that, for a name, and for its verdict.
export function layoutOf(width = 0) {
  const style = getComputedStyle(list);
  const size = (name) => parseFloat(style.getPropertyValue(name)) || 0;
  const across = onPaper() ? SHEET / SMALLER : list.clientWidth || HIDDEN;
  const beside = across - size("--names");
  const above = (narrow.matches && !onPaper()) || width > beside;
  const who = Math.min(size("--who"), longest);
  return { above, room: above ? across : beside, who, what: size("--who") + size("--what") - who };
}

// Verdicts have what the longest name, with the mark of a chosen system, leaves them; the style
// reckons with it, too.
const longest = Math.ceil(Math.max(60, ...(report.systems ?? []).map((name) => widthOf(`${name} AB`, 13, 700)))) + 1;
list?.style.setProperty("--longest", `${longest}px`);

// Places after which a new line begins: as many widths as fit stand in a line, at least one.
export function broken(widths, room) {
  const breaks = [];
  let filled = 0;
  widths.forEach((width, at) => {
    if (filled && filled + width > room) {
      breaks.push(at);
      filled = 0;
    }
    filled += width;
  });
  return breaks;
}

// Names may be broken after what joins their parts.
const partsOf = (text) => text.split(/(?<=[-_/+:| ]|\.(?!\d))/u);

export const breakable = (text) => partsOf(text).flatMap((part, at) => (at ? [element("wbr"), part] : [part]));

// The lines of a name: broken between its parts, inside of one only if that is wider than a line.
export function linesOf(text, room, size = 13, weight = 700) {
  const width = (one) => widthOf(one.trim(), size, weight);
  const lines = [];
  for (const part of partsOf(text)) {
    if (lines.length && width(lines.at(-1) + part) <= room) lines.push(lines.pop() + part);
    else lines.push(...(width(part) > room ? cut([...part], room, width) : [part]));
  }
  return lines.map((line) => line.trim());
}

// The same number of lines, but none much shorter than the others; no part is broken for that.
export function evenLines(text, room, size, weight) {
  let lines = linesOf(text, room, size, weight);
  const least = Math.max(...partsOf(text).map((part) => widthOf(part.trim(), size, weight)));
  for (let less = room - 8; less >= least; less -= 8) {
    const closer = linesOf(text, less, size, weight);
    if (closer.length > lines.length) break;
    lines = closer;
  }
  return lines;
}

function cut(characters, room, width) {
  const breaks = broken(characters.map(width), room);
  return [0, ...breaks].map((from, at) => characters.slice(from, breaks[at]).join(""));
}

// What a name and its verdict (there may be none) need.
export function nameHeight(who, what, layout) {
  if (layout.above) return 6 + LINE * linesOf(`${who} ${what}`, layout.room - 6).length;
  if (!what) return 4 + LINE * linesOf(who, layout.who + layout.what).length;
  return 4 + LINE * Math.max(linesOf(who, layout.who).length, linesOf(what, layout.what).length);
}

// Whether the page is laid out for paper. It has to be before sheets are counted: what becomes longer
// afterwards is lost. The style knows it by the class.
const root = document.documentElement;
const laidOut = [];
export const onPaper = () => root.classList.contains("paper");
export const whenPaperChanges = (redraw) => laidOut.push(redraw);

function layOut(paper) {
  if (paper === onPaper()) return;
  root.classList.toggle("paper", paper);
  for (const redraw of laidOut) redraw();
}

addEventListener("beforeprint", () => layOut(true));
addEventListener("afterprint", () => layOut(false));
printed.addEventListener("change", () => layOut(printed.matches));

// Calls back when there is another room: in print, after it, and in a window of another width.
export function whenRoomChanges(redraw) {
  let width = list.clientWidth;
  whenPaperChanges(redraw);
  new ResizeObserver(() => {
    if (onPaper() || list.clientWidth === width) return;
    width = list.clientWidth;
    redraw();
  }).observe(list);
}

export function rightToLeft(text) {
  const strong = text.match(/\p{L}/u);
  return strong !== null && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(strong[0]);
}
