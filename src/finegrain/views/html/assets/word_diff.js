// A text word by word beside another one: what it has more is inserted, what it lacks is deleted, as
// wdiff and `finegrain show` mark it.

import { element } from "./elements.js";

const MOST = 1200; // words of a text; longer ones are shown as they are

const words = (text) => text.split(/\s+/).filter(Boolean);

// Least numbers of edits from the beginnings of one list of words to those of another.
function table(from, to) {
  const width = to.length + 1;
  const least = new Uint16Array((from.length + 1) * width);
  for (let column = 1; column < width; column += 1) least[column] = column;
  for (let row = 1; row <= from.length; row += 1) {
    least[row * width] = row;
    for (let column = 1; column < width; column += 1) {
      const at = row * width + column;
      const changed = least[at - width - 1] + (from[row - 1] === to[column - 1] ? 0 : 1);
      least[at] = Math.min(changed, least[at - width] + 1, least[at - 1] + 1);
    }
  }
  return least;
}

// Pieces of `to` beside `from`, each of a kind: same, inserted, deleted.
function pieces(from, to) {
  const [least, width] = [table(from, to), to.length + 1];
  const found = []; // from the end
  let [row, column] = [from.length, to.length];
  while (row || column) {
    const at = row * width + column;
    const same = row && column && from[row - 1] === to[column - 1];
    if (row && column && least[at] === least[at - width - 1] + (same ? 0 : 1)) {
      found.push(same ? ["same", to[column - 1]] : ["inserted", to[column - 1]]);
      if (!same) found.push(["deleted", from[row - 1]]);
      row -= 1;
      column -= 1;
    } else if (row && least[at] === least[at - width] + 1) {
      found.push(["deleted", from[row - 1]]);
      row -= 1;
    } else {
      found.push(["inserted", to[column - 1]]);
      column -= 1;
    }
  }
  return joined(found.reverse());
}

// Neighbours of one kind as one piece; in what was changed, deleted words come first.
function joined(found) {
  const pieces = [];
  let changed = { deleted: [], inserted: [] };
  const close = () => {
    for (const kind of ["deleted", "inserted"]) if (changed[kind].length) pieces.push([kind, changed[kind].join(" ")]);
    changed = { deleted: [], inserted: [] };
  };
  for (const [kind, word] of found) {
    if (kind !== "same") {
      changed[kind].push(word);
      continue;
    }
    close();
    const last = pieces[pieces.length - 1];
    if (last?.[0] === "same") last[1] += ` ${word}`;
    else pieces.push(["same", word]);
  }
  close();
  return pieces;
}

const TAGS = { inserted: "ins", deleted: "del" };

function drawn(from, to) {
  return pieces(from, to).flatMap(([kind, text], place) => [
    place ? " " : "",
    kind === "same" ? text : element(TAGS[kind], {}, text),
  ]);
}

// A text beside the one of several that it differs from least, by the words of that one.
export function besideNearest(text, others) {
  const own = words(text);
  const fits = others.map(words).filter((other) => other.length * own.length < MOST * MOST && other.length < MOST && own.length < MOST);
  if (!fits.length || fits.length < others.length) return [text];
  const cost = (other) => table(other, own)[(other.length + 1) * (own.length + 1) - 1] / Math.max(other.length, 1);
  const nearest = fits.map((other) => [cost(other), other]).reduce((one, other) => (other[0] < one[0] ? other : one));
  return drawn(nearest[1], own);
}

// A text beside another one.
export const besideAnother = (text, other) => besideNearest(text, [other]);
