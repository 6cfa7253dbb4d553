// Names in tables may be broken after what joins their parts, before they are broken elsewhere.

import { breakable } from "./wrapping.js";

export function breakNames() {
  for (const cell of document.querySelectorAll("tbody th, thead th.system, table.fit thead th")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) text.replaceWith(...breakable(text.data));
  }
}
