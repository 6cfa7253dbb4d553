// Making elements. Text only ever becomes a text node, so that nothing in a corpus is markup, and what
// would be invisible in it is written out; addresses and values of controls keep it as it is.

import { visible } from "./visible.js";

const KEPT = ["href", "value"];

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name === "onclick") made.addEventListener("click", value);
    else if (value === true) made.setAttribute(name, "");
    else made.setAttribute(name, KEPT.includes(name) ? value : visible(String(value)));
  }
  made.append(...texts(children));
  return made;
}

// Children without those that are not there, texts as they are shown.
export const texts = (children) =>
  children
    .filter((child) => child !== undefined && child !== null)
    .map((child) => (child instanceof Node ? child : visible(String(child))));

export const link = (href, text, attributes = {}) => element("a", { href, ...attributes }, text);
