// How much room there is, and where lines are broken, so that nothing is cut: words of sentences
// stand in as many lines as they need, names of systems beside them or, on narrow screens, above.

import { element } from "./elements.js";
import { widthOf } from "./shapes.js";

const SHEET = 740; // pixels across a sheet of A4 with wide margins, as the style of print counts them
const SMALLER = 0.88; // drawings in print, as against those on screen
const LINE = 14; // of names
const HIDDEN = 800; // where nothing is laid out

const list = document.querySelector("#instances .units");
const printed = matchMedia("print");
const narrow = matchMedia("screen and (max-width: 720px)");

// Whether names stand above what is drawn; pixels for that, for a name, and for its verdict.
// Drawings that cannot be broken between words (`wide`) have the whole width in print.
export function layoutOf({ wide = false } = {}) {
  const style = getComputedStyle(list);
  const size = (name) => parseFloat(style.getPropertyValue(name)) || 0;
  const across = printed.matches ? SHEET / SMALLER : list.clientWidth || HIDDEN;
  const above = narrow.matches || (printed.matches && wide);
  const room = above ? across : across - size("--names");
  return { above, room, who: size("--who"), what: size("--what"), sliced: printed.matches };
}

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
const partsOf = (text) => text.split(/(?<=[-_./+:| ])/u);

export const breakable = (text) => partsOf(text).flatMap((part, at) => (at ? [element("wbr"), part] : [part]));

function linesOf(text, room) {
  const widths = partsOf(text).map((part) => widthOf(part, 13, 700));
  const within = widths.reduce((all, width) => all + Math.max(0, Math.ceil(width / room) - 1), 0); // parts wider than a line
  return broken(widths, room).length + 1 + within;
}

// What a name and its verdict (there may be none) need.
export function nameHeight(who, what, layout) {
  if (layout.above) return 6 + LINE * linesOf(`${who} ${what}`, layout.room - 6);
  if (!what) return 4 + LINE * linesOf(who, layout.who + layout.what);
  return 4 + LINE * Math.max(linesOf(who, layout.who), linesOf(what, layout.what));
}

// Calls back when there is another room: in print, after it, and in a window of another width.
export function whenRoomChanges(redraw) {
  let width = list.clientWidth;
  printed.addEventListener("change", redraw);
  new ResizeObserver(() => {
    if (printed.matches || list.clientWidth === width) return;
    width = list.clientWidth;
    redraw();
  }).observe(list);
}

export function rightToLeft(text) {
  const strong = text.match(/\p{L}/u);
  return strong !== null && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(strong[0]);
}
