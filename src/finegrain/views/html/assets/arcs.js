// Trees: the gold arcs above the words, and below them, for every system, the arcs that differ.
// Pale arcs are right in all systems that are shown; a dashed arc has the wrong label only.

import { report, units } from "./data.js";
import { shape, widthOf } from "./shapes.js";
import { layoutOf, rightToLeft } from "./wrapping.js";

const WORD = 15;
const COPY = 13;
const LABEL = 11;
const STEP = 21; // from one level of arcs to the next
const ROOM = 18; // of a label above the topmost arc
const LINE = 24; // of words
const LONGEST = 40; // characters of a word that are shown
const MOST = 300; // words of a sentence that is drawn

export function drawTree(row, systems, nameOf) {
  const at = units.sentence[row];
  const heads = units.trees?.head[at];
  const words = (units.sentences[at] ?? []).map(shortened);
  if (!heads || !words.length || words.length > MOST) return null;
  const gold = heads
    .map((head, word) => ({ word, head, label: units.trees.label[at][word] }))
    .filter((arc) => arc.head >= -1);
  const bands = systems.map((system) => ({ system, arcs: differing(system, at, gold) }));
  const missed = new Set(bands.flatMap((band) => band.arcs.map((arc) => arc.word)));
  for (const arc of gold) arc.kind = missed.has(arc.word) ? "missed" : "shared";
  const own = units.begin[row];
  const layout = layoutOf({ wide: true });
  const backwards = rightToLeft(words.join(" "));
  const place = places(words, [gold, ...bands.map((band) => band.arcs)], backwards);
  const tree = shape("svg", { class: "tree", role: "img", "aria-label": told(row, words, gold, bands) });
  const rows = [{ kind: "gold", level: 0 }, { kind: "words" }, ...systems.map((system) => ({ kind: "system", level: 0, system }))];
  let top = drawBand(tree, gold, place, 0, own);
  rows[0].height = top;
  tree.append(...line(words, place, top + 17, (word) => (word === own ? "own" : "")));
  rows[1].height = LINE;
  top += LINE;
  bands.forEach((band, number) => {
    const from = top;
    const named = nameOf(band.system, layout);
    if (layout.above) top += named;
    if (band.arcs.length) {
      top = drawBand(tree, band.arcs, place, top, own);
      const touched = new Set(band.arcs.flatMap((arc) => [arc.word, arc.head - 1]));
      tree.append(...line(words, place, top + 15, (word) => (touched.has(word) ? "copy touched" : "copy")));
      top += LINE;
    } else {
      tree.append(shape("text", { class: "copy", x: place.from, y: top + 17 }, "the same tree"));
      top += layout.above ? LINE + 2 : Math.max(LINE + 2, named);
    }
    rows[number + 2].height = top - from;
  });
  for (const [name, value] of [["width", place.width], ["height", top], ["viewBox", `0 0 ${place.width} ${top}`]]) tree.setAttribute(name, value);
  const wanted = layout.sliced ? slices(tree, place, layout.room, backwards) : [tree];
  return { staves: wanted.map((body) => ({ rows, body })), above: layout.above, centre: place.centres[own] };
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
  const width = Math.ceil(found[found.length - 1] + widths[widths.length - 1] / 2 + 20);
  const gaps = found.map((one, word) => one + widths[word] / 2 + 6);
  const centres = backwards ? found.map((one) => width - one) : found;
  return { centres, gaps, width, from: 4 };
}

// On paper a wide tree is continued below, from a gap between two words that no label spans.
function slices(tree, place, room, backwards) {
  const across = (x) => (backwards ? place.width - x : x); // as it is read
  const labels = [...tree.querySelectorAll(".arc text")].map((text) => [across(Number(text.getAttribute("x"))), widthOf(text.textContent, LABEL, 700) / 2]);
  const split = (x) => labels.filter(([centre, half]) => Math.abs(centre - x) < half).length;
  const found = [];
  for (let from = 0, to; from < place.width; from = to) {
    const fitting = place.gaps.filter((gap) => gap > from + room / 2 && gap <= from + room);
    const least = Math.min(...fitting.map(split));
    to = from + room >= place.width ? place.width : (fitting.findLast((gap) => split(gap) === least) ?? from + room);
    const part = tree.cloneNode(true);
    part.setAttribute("viewBox", `${Math.min(across(from), across(to))} 0 ${to - from} ${tree.getAttribute("height")}`);
    part.setAttribute("width", to - from);
    found.push(part);
  }
  return found;
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
function drawBand(tree, arcs, place, top, own) {
  const drawn = levels(arcs.filter((arc) => arc.head > 0));
  const high = Math.max(1, ...drawn.map((arc) => arc.level));
  const base = top + ROOM + high * STEP;
  const order = { shared: 0, missed: 1, renamed: 2, moved: 2 };
  drawn.sort((one, other) => order[one.kind] - order[other.kind]);
  for (const arc of drawn) tree.append(arcShape(arc, place, base, own));
  for (const arc of arcs.filter((one) => one.head <= 0)) tree.append(rootShape(arc, place, top, base, own));
  return base;
}

const classes = (arc, own) => `arc ${arc.kind}${arc.word === own ? " own" : ""}`;

function arcShape(arc, place, base, own) {
  const dependent = place.centres[arc.word];
  const side = Math.sign(dependent - place.centres[arc.head - 1]);
  const head = place.centres[arc.head - 1] + 5 * side;
  const y = base - arc.level * STEP;
  const bend = 7;
  const path = `M${head} ${base - 3}V${y + bend}Q${head} ${y} ${head + bend * side} ${y}H${dependent - bend * side}Q${dependent} ${y} ${dependent} ${y + bend}V${base - 5}`;
  const tip = `M${dependent - 3.5} ${base - 8}h7l-3.5 6z`;
  return shape(
    "g",
    { class: classes(arc, own) },
    shape("path", { class: "line", d: path }),
    shape("path", { class: "tip", d: tip }),
    shape("text", { x: (head + dependent) / 2, y: y + 3.5 }, labelOf(arc.label)),
  );
}

// A word that is the root, or hangs on nothing.
function rootShape(arc, place, top, base, own) {
  const x = place.centres[arc.word];
  const tip = `M${x - 3.5} ${base - 8}h7l-3.5 6z`;
  return shape(
    "g",
    { class: classes(arc, own) },
    shape("path", { class: "line", d: `M${x} ${top + 14}V${base - 5}` }),
    shape("path", { class: "tip", d: tip }),
    shape("text", { x, y: top + 11 }, arc.head === 0 ? "root" : labelOf(arc.label)),
  );
}

function line(words, place, y, kind) {
  return words.map((word, at) => shape("text", { class: `token ${kind(at)}`, x: place.centres[at], y }, word));
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
    parts.push(band.arcs.length ? `${name} has ${band.arcs.map(said).join(", ")}.` : `${name} has the same tree.`);
  }
  return parts.join(" ");
}
