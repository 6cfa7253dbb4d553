// Elements of drawings, and how wide text is in the page's own type.

import { texts } from "./elements.js";
import { visible } from "./visible.js";

const SVG = "http://www.w3.org/2000/svg";

export function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, visible(String(value)));
  }
  made.append(...texts(children));
  return made;
}

const pen = document.createElement("canvas").getContext("2d");
const known = new Map();

export function widthOf(text, size, weight = 400) {
  const key = `${weight} ${size} ${text}`;
  if (!known.has(key)) {
    pen.font = `${weight} ${size}px ${getComputedStyle(document.documentElement).fontFamily}`;
    known.set(key, pen.measureText(visible(text)).width);
  }
  return known.get(key);
}
