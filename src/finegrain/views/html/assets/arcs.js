// Trees: the gold arcs above the words, and below them, for every system, the arcs that differ.
// Pale arcs are right in all systems that are shown; a dashed arc has the wrong label only. Of a
// sentence that is drawn above already, only the arcs of the unit are drawn again.

import { report, units } from "./data.js";
import { shape, widthOf } from "./shapes.js";
import { visible } from "./visible.js";
import { layoutOf, rightToLeft } from "./wrapping.js";

const WORD = 15;
const COPY = 13;
const LABEL = 11;
const STEP = 21; // from one level of arcs to the next
const ROOM = 18; // of a label above the topmost arc
const LINE = 24; // of words
const ABOVE = 18; // of the name of the gold standard over its arcs
const LONGEST = 40; // characters of a word that are shown
const UNEVEN = 80; // pixels that a part of a wide tree may have more than those after it
const MOST = 300; // words of a sentence that is drawn

export function drawTree(row, systems, options, nameOf) {
  const own = units.begin[row];
  const brief = options.again && !options.whole;
  const shown = (arcs) => (brief ? arcs.filter((arc) => arc.word === own) : arcs);
  const at = units.sentence[row];
  const heads = units.trees?.head[at];
  const words = (units.sentences[at] ?? []).map(shortened);
  if (!heads || !words.length || words.length > MOST) return null;
  const every = heads
    .map((head, word) => ({ word, head, label: units.trees.label[at][word] }))
    .filter((arc) => arc.head >= -1);
  const gold = shown(every);
  const bands = systems.map((system) => {
    const arcs = differing(system, at, every);
    return { system, arcs: shown(arcs), same: arcs.length ? "the same here" : "the same tree" };
  });
  const missed = new Set(bands.flatMap((band) => band.arcs.map((arc) => arc.word)));
  for (const arc of gold) arc.kind = missed.has(arc.word) ? "missed" : "shared";
  const place = places(words, [gold, ...bands.map((band) => band.arcs)], rightToLeft(words.join(" ")));
  const layout = layoutOf(place.width);
  const sentence = { words, place, own, gold, bands };
  const needed = (part) => !brief || part.has(own) || part.arcs([gold, ...bands.map((band) => band.arcs)].flat()).length;
  const drawn = parts(sentence, layout.room).filter(needed);
  sentence.words = words.map((word, place) => markedWhereCut(word, place, words.length, drawn));
  const staves = drawn.map((part) => drawPart(sentence, part, layout, nameOf));
  staves.forEach(({ body }, number) => body.setAttribute("aria-label", number ? "Tree, continued." : visible(told(row, words, gold, bands))));
  return { staves, above: layout.above, low: true, partial: brief };
}

// A word with … where the one before or after it is not drawn.
function markedWhereCut(word, place, length, drawn) {
  const cut = (beside) => beside >= 0 && beside < length && !drawn.some((part) => part.has(beside));
  return `${cut(place - 1) ? "…" : ""}${word}${cut(place + 1) ? "…" : ""}`;
}

// A part of the tree with the names of its rows. Beside the unit stand all systems, elsewhere those
// that have arcs there.
function drawPart({ words, place, own, gold, bands }, part, layout, nameOf) {
  const tree = shape("svg", { class: "tree", role: "img" });
  const judged = part.has(own);
  const scene = { tree, place, part, own };
  const rows = [{ kind: "gold", level: 0, judged }, { kind: "words" }];
  let top = drawBand(scene, part.arcs(gold), judged && layout.above ? ABOVE : 0);
  rows[0].height = top;
  tree.append(...line(words, scene, top + 17, (word) => (word === own ? "own" : "")));
  rows[1].height = LINE;
  top += LINE;
  for (const { system, arcs, same } of bands) {
    const here = part.arcs(arcs);
    if (!judged && !here.length) continue;
    const from = top;
    const named = nameOf(system, layout, judged);
    if (layout.above) top += named;
    if (here.length) {
      top = drawBand(scene, here, top);
      const touched = new Set(here.flatMap((arc) => [arc.word, arc.head - 1]));
      tree.append(...line(words, scene, top + 15, (word) => (touched.has(word) ? "copy touched" : "copy")));
      top += LINE;
    } else {
      tree.append(instead(arcs.length ? "the same here" : same, scene, top + 17));
      top += layout.above ? LINE + 2 : Math.max(LINE + 2, named);
    }
    rows.push({ kind: "system", level: 0, system, judged, height: top - from });
  }
  const width = part.right - part.left;
  for (const [name, value] of [["width", width], ["height", top], ["viewBox", `${part.left} 0 ${width} ${top}`]]) tree.setAttribute(name, value);
  return { rows, body: tree };
}

const shortened = (word) => (word.length > LONGEST ? `${word.slice(0, LONGEST)}…` : word);

// The arcs of a system that are not those of the gold standard; of a word it does not have, none.
function differing(system, at, gold) {
  const cells = units.trees.other[system][at];
  const heads = new Map(gold.map((arc) => [arc.word, arc.head]));
  const found = [];
  for (let cell = 0; cell < cells.length; cell += 3) {
    const [word, head, label] = cells.slice(cell, cell + 3);
    found.push({ word, head, label, kind: head === heads.get(word) ? "renamed" : "moved" });
  }
  return found;
}

// Where words stand: as close as they and the labels of all arcs allow.
function places(words, bands, backwards) {
  const widths = words.map((word) => widthOf(word, WORD, 700));
  const found = [];
  let at = 4;
  words.forEach((_, word) => {
    found.push(at + widths[word] / 2);
    at += widths[word] + 12;
  });
  const arcs = bands.flat().filter((arc) => arc.head > 0);
  for (const arc of arcs.map(ends).sort((one, other) => one.to - one.from - (other.to - other.from))) {
    const missing = widthOf(labelOf(arc.label), LABEL) + 20 - (found[arc.to] - found[arc.from]);
    if (missing > 0) for (let word = arc.to; word < found.length; word += 1) found[word] += missing;
  }
  const gaps = found.map((one, word) => one + widths[word] / 2 + 6);
  const width = gaps.at(-1);
  const centres = backwards ? found.map((one) => width - one) : found;
  return { centres, read: found, gaps, width, backwards };
}

// A tree that is wider than the room is continued below, from a gap between two words; arcs that go
// on have their label in both parts, if there is one where it fits.
function parts({ place, gold, bands }, room) {
  const arcs = [gold, ...bands.map((band) => band.arcs)].flat().filter((arc) => arc.head > 0).map(ends);
  const found = [];
  for (let from = 0, to; from < place.width; from = to) {
    const tight = (gap) => arcs.filter((arc) => {
      const sides = [gap - Math.max(from, place.read[arc.from]), place.read[arc.to] - gap];
      return Math.min(...sides) > 0 && Math.min(...sides) < widthOf(labelOf(arc.label), LABEL, 700);
    }).length;
    const left = place.width - from;
    const most = Math.min(room, left / Math.ceil(left / room) + UNEVEN);
    const fitting = place.gaps.filter((gap) => gap > from && gap <= from + most);
    const late = fitting.filter((gap) => gap > from + most / 2);
    const least = Math.min(...late.map(tight));
    to = from + room >= place.width ? place.width : (late.findLast((gap) => tight(gap) === least) ?? fitting.at(-1) ?? from + room);
    found.push(partOf(place, from, to));
  }
  return found;
}

// From one place to another, as the sentence is read.
function partOf(place, from, to) {
  const has = (word) => place.read[word] >= from && place.read[word] < to;
  const touches = (arc) => has(arc.word) || (arc.head > 0 && place.read[ends(arc).from] < to && place.read[ends(arc).to] >= from);
  const [left, right] = place.backwards ? [place.width - to, place.width - from] : [from, to];
  return { left, right, has, arcs: (all) => all.filter(touches) };
}

const labelOf = (code) => report.labels[code] ?? "no word";

const ends = (arc) => ({ ...arc, from: Math.min(arc.word, arc.head - 1), to: Math.max(arc.word, arc.head - 1) });

// Arcs in as few levels as it takes for none to touch another; shorter ones lie below.
function levels(arcs) {
  const found = [];
  for (const arc of arcs.map(ends).sort((one, other) => one.to - one.from - (other.to - other.from))) {
    const below = found.filter((other) => Math.max(arc.from, other.from) < Math.min(arc.to, other.to));
    found.push({ ...arc, level: 1 + Math.max(0, ...below.map((other) => other.level)) });
  }
  return found;
}

// Draws the arcs over the words that stand below them; the place where the words begin.
function drawBand(scene, arcs, top) {
  const drawn = levels(arcs.filter((arc) => arc.head > 0));
  const high = Math.max(1, ...drawn.map((arc) => arc.level));
  const base = top + ROOM + high * STEP;
  const order = { shared: 0, missed: 1, renamed: 2, moved: 2 };
  drawn.sort((one, other) => order[one.kind] - order[other.kind]);
  for (const arc of drawn) scene.tree.append(arcShape(arc, scene, base));
  for (const arc of arcs.filter((one) => one.head <= 0)) scene.tree.append(rootShape(arc, scene, top, base));
  return base;
}

const classes = (arc, own) => `arc ${arc.kind}${arc.word === own ? " own" : ""}`;

function arcShape(arc, { place, part, own }, base) {
  const dependent = place.centres[arc.word];
  const side = Math.sign(dependent - place.centres[arc.head - 1]);
  const head = place.centres[arc.head - 1] + 5 * side;
  const y = base - arc.level * STEP;
  const bend = 7;
  const path = `M${head} ${base - 3}V${y + bend}Q${head} ${y} ${head + bend * side} ${y}H${dependent - bend * side}Q${dependent} ${y} ${dependent} ${y + bend}V${base - 5}`;
  const tip = `M${dependent - 3.5} ${base - 8}h7l-3.5 6z`;
  const seen = [head, dependent].map((x) => Math.min(Math.max(x, part.left), part.right));
  return shape(
    "g",
    { class: classes(arc, own) },
    shape("path", { class: "line", d: path }),
    shape("path", { class: "tip", d: tip }),
    label(labelOf(arc.label), (seen[0] + seen[1]) / 2, y + 3.5, part),
  );
}

// A word that is the root, or hangs on nothing.
function rootShape(arc, { place, part, own }, top, base) {
  const x = place.centres[arc.word];
  const tip = `M${x - 3.5} ${base - 8}h7l-3.5 6z`;
  return shape(
    "g",
    { class: classes(arc, own) },
    shape("path", { class: "line", d: `M${x} ${top + 14}V${base - 5}` }),
    shape("path", { class: "tip", d: tip }),
    label(arc.head === 0 ? "root" : labelOf(arc.label), x, top + 11, part),
  );
}

// Never beyond the edge of its part.
function label(text, x, y, part) {
  const half = widthOf(text, LABEL, 700) / 2 + 2;
  return shape("text", { x: Math.max(part.left + half, Math.min(x, part.right - half)), y }, text);
}

function line(words, { place, part }, y, kind) {
  return words.flatMap((word, at) => (part.has(at) ? [shape("text", { class: `token ${kind(at)}`, x: place.centres[at], y }, word)] : []));
}

// Instead of a band without arcs, where the sentence begins.
function instead(text, { place, part }, y) {
  const x = place.backwards ? part.right - 4 - widthOf(text, COPY) : part.left + 4;
  return shape("text", { class: "copy", x, y }, text);
}

// The drawing in words: the unit in the gold standard, then what systems have otherwise.
function told(row, words, gold, bands) {
  const said = (arc) => {
    const head = arc.head > 0 ? `on ${words[arc.head - 1]}` : arc.head === 0 ? "on the root" : "on no word of the sentence";
    return `${words[arc.word]} ${head} as ${labelOf(arc.label)}`;
  };
  const own = gold.find((arc) => arc.word === units.begin[row]);
  const parts = own ? [`Tree. In the gold standard ${said(own)}.`] : ["Tree."];
  for (const band of bands) {
    const name = report.systems[band.system];
    parts.push(band.arcs.length ? `${name} has ${band.arcs.map(said).join(", ")}.` : `${name} has ${band.same}.`);
  }
  return parts.join(" ");
}
