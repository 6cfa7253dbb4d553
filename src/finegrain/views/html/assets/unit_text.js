// The words of a unit.

import { units } from "./data.js";

export function tokensOf(row) {
  const own = units.tokens[row];
  if (own) return own;
  const found = [];
  for (let token = units.begin[row]; token < units.end[row]; token += 1) found.push(token);
  return found;
}

export function textOf(row) {
  const written = units.written?.[row]; // of what has no place in the text
  if (written !== undefined) return written;
  const words = units.sentences[units.sentence[row]];
  return words ? tokensOf(row).map((token) => words[token]).join(" ") || "∅" : "";
}
