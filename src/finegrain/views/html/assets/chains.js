// Chains: the mentions of a document as ticks, gold and every system below each other, and the text
// around the unit with its mentions. A colour is a gold chain; the chain of a system has the colour
// of its first mention, so that a wrong link takes the colour of what it leads to.

import { number, report, units } from "./data.js";
import { element } from "./elements.js";
import { shape } from "./shapes.js";
import { layoutOf, nameHeight } from "./wrapping.js";

const COLOURS = 6;
const ROW = 26;
const NEAR = 2; // sentences between two that are shown which are shown, too
const MOST = 12; // sentences, unless the whole document is asked for

export function drawChains(row, systems, options, nameOf, redraw) {
  const passage = units.passages?.[units.passage[row]];
  if (!passage) return null;
  const unit = units.mention[row];
  const sides = [goldSide(passage, unit), ...systems.map((system) => systemSide(passage, system, row))];
  const colours = coloursOf(passage, sides, unit);
  const layout = layoutOf();
  const rows = sides.map((side, at) => (at ? { kind: "system", level: 0, system: side.system, ...heights(nameOf(side.system, layout), layout) } : { kind: "gold", level: 0, ...heights(nameHeight("gold", "", layout), layout) }));
  const shown = options.whole ? passage.words.map((_, at) => at) : around(passage, sides, unit);
  const below = element("div", { class: "passages" });
  for (const side of sides) below.append(column(passage, side, shown, colours));
  const partial = shown.length < passage.words.length;
  if (partial || options.whole) {
    below.append(element("p", { class: "folded" }, element("button", { class: "plain", onclick: () => redraw({ whole: !options.whole }) }, options.whole ? "shorter" : `whole document, ${number(passage.words.length)} sentences`)));
  }
  return { staves: [{ rows, body: strip(passage, sides, unit, colours, rows, layout.room) }], above: layout.above, below };
}

// Of a row, and where the middle of its ticks is: a name beside them may be higher than they are.
function heights(named, layout) {
  const height = layout.above ? ROW + named : Math.max(ROW, named);
  return { height, middle: layout.above ? height - ROW / 2 : height / 2 };
}

// Chains [mention], what each stands for as a gold chain, and the antecedent of the unit.
function goldSide(passage, unit) {
  const chains = passage.chains[0];
  return { name: "gold", own: unit, chains, meaning: (chain) => chain, split: () => false, antecedent: before(chains, unit, () => true) };
}

function systemSide(passage, system, row) {
  const chains = passage.chains[system + 1];
  const gold = passage.met[system];
  const partner = units.gold[row] ? units.answer[system][row] : -1; // it may have other words
  const own = units.mention[partner < 0 ? row : partner];
  const meanings = new Map(); // chain -> gold chain
  const opened = new Map(); // gold chain -> the first chain that means it
  chains.forEach((chain, mention) => {
    if (chain < 0 || gold[mention] < 0 || meanings.has(chain)) return;
    meanings.set(chain, gold[mention]);
    if (!opened.has(gold[mention])) opened.set(gold[mention], chain);
  });
  const right = gold[own] >= 0 && chains.some((chain, mention) => mention < own && chain === chains[own] && gold[mention] === gold[own]);
  return {
    name: report.systems[system],
    system,
    outcome: report.outcomes[units.outcome[system][row]],
    own,
    chains,
    meaning: (chain) => meanings.get(chain) ?? -1,
    split: (chain) => meanings.has(chain) && opened.get(meanings.get(chain)) !== chain,
    antecedent: before(chains, own, (mention) => !right || gold[mention] === gold[own]),
  };
}

// The closest mention of the unit's chain before it; -1 for none.
function before(chains, unit, fits) {
  if (chains[unit] < 0) return -1;
  for (let mention = unit - 1; mention >= 0; mention -= 1) {
    if (chains[mention] === chains[unit] && fits(mention)) return mention;
  }
  return -1;
}

// Gold chain -> class and number: that of the unit first, then those that systems take it for,
// then those that are mentioned most around it.
function coloursOf(passage, sides, unit) {
  const order = new Map();
  const add = (chain) => chain >= 0 && !order.has(chain) && order.set(chain, order.size);
  for (const side of sides) if (side.chains[side.own] >= 0) add(side.meaning(side.chains[side.own]));
  const times = new Map();
  const at = passage.mentions[unit][0];
  passage.chains[0].forEach((chain, mention) => {
    if (chain >= 0) times.set(chain, (times.get(chain) ?? 0) + (Math.abs(passage.mentions[mention][0] - at) < MOST ? 1 : 0.01));
  });
  for (const [chain, count] of [...times].sort((one, other) => other[1] - one[1] || one[0] - other[0])) if (count > 1) add(chain);
  return (chain) => {
    const rank = order.get(chain);
    return rank === undefined || rank >= COLOURS ? { style: "lo", name: "" } : { style: `l${rank}`, name: String(rank + 1) };
  };
}

// The sentence of the unit and of its antecedents, and short stretches between them.
function around(passage, sides, unit) {
  const wanted = new Set([passage.mentions[unit][0]]);
  for (const side of sides) if (side.antecedent >= 0) wanted.add(passage.mentions[side.antecedent][0]);
  const last = passage.mentions[unit][0];
  if (wanted.size === 1 && last > 0) wanted.add(last - 1);
  const order = [...wanted].sort((one, other) => other - one).slice(0, MOST);
  const shown = new Set(order);
  order.forEach((at, place) => {
    const next = order[place + 1];
    if (next !== undefined && at - next <= NEAR + 1) for (let between = next + 1; between < at; between += 1) shown.add(between);
  });
  return [...shown].sort((one, other) => one - other);
}

// All mentions of the document from left to right; those of coloured chains are tall.
function strip(passage, sides, unit, colours, rows, room) {
  const starts = [];
  let total = 0;
  for (const words of passage.words) {
    starts.push(total);
    total += words.length;
  }
  const across = (tokens) => Math.round((10 * room * tokens) / Math.max(1, total)) / 10;
  const places = passage.mentions.map(([sentence, begin, end]) => ({ x: across(starts[sentence] + begin), width: Math.max(3, across(end - begin)) }));
  const height = rows.reduce((all, one) => all + one.height, 0);
  const picture = shape("svg", { class: "strip", role: "img", width: room, height, "aria-label": told(passage, sides, unit) });
  let top = 0;
  sides.forEach((side, row) => {
    const middle = top + rows[row].middle;
    top += rows[row].height;
    picture.append(shape("line", { class: "rail", x1: 0, x2: room, y1: middle, y2: middle }), ...ticks(side, places, middle, colours));
    picture.append(shape("path", { class: "here", d: `M${places[unit].x - 3} ${middle - 13}h9l-4.5 5z` }));
  });
  return picture;
}

// The mentions that one side has: a path for each colour, further chains behind the others, the unit before them.
function ticks(side, places, middle, colours) {
  const paths = new Map();
  places.forEach(({ x, width }, mention) => {
    if (side.chains[mention] < 0) return;
    const { style } = colours(side.meaning(side.chains[mention]));
    const kind = `tick ${style}${mention === side.own ? " current" : ""}`;
    const tall = style === "lo" ? 3 : 7;
    paths.set(kind, `${paths.get(kind) ?? ""}M${x} ${middle - tall}h${width}v${2 * tall}h${-width}z`);
  });
  const order = (kind) => (kind.endsWith("current") ? 2 : kind.endsWith("lo") ? 0 : 1);
  return [...paths].sort(([one], [other]) => order(one) - order(other)).map(([kind, d]) => shape("path", { class: kind, d }));
}

function column(passage, side, shown, colours) {
  const text = element("p", { class: "text", dir: "auto" });
  shown.forEach((sentence, at) => {
    if (sentence > 0 && shown[at - 1] !== sentence - 1) text.append(element("span", { class: "left-out" }, at ? " … " : "… "));
    text.append(sentenceOf(passage, side, sentence, colours), " ");
  });
  if (shown[shown.length - 1] < passage.words.length - 1) text.append(element("span", { class: "left-out" }, "…"));
  const head = element("h3", { class: side.outcome && !side.outcome.right ? "wrong" : "" }, side.name, side.outcome ? element("span", {}, side.outcome.said) : null);
  return element("div", { class: "passage" }, head, text);
}

// The words of a sentence, mentions around them; one that crosses another is left out.
function sentenceOf(passage, side, sentence, colours) {
  const words = passage.words[sentence];
  const mentions = passage.mentions
    .map(([at, begin, end], mention) => ({ at, begin, end, mention }))
    .filter((one) => one.at === sentence && side.chains[one.mention] >= 0)
    .sort((one, other) => one.begin - other.begin || other.end - one.end || (other.mention === side.own) - (one.mention === side.own));
  const root = element("span", { class: "sentence" });
  const open = [{ box: root, end: words.length + 1 }];
  const inner = () => open[open.length - 1];
  for (let at = 0; at <= words.length; at += 1) {
    while (inner().end <= at) close(open.pop());
    if (at && at < words.length) inner().box.append(" ");
    while (mentions.length && mentions[0].begin === at) {
      const one = mentions.shift();
      if (one.end > inner().end) continue;
      const made = box(passage, side, one.mention, colours);
      inner().box.append(made.box);
      if (one.end === one.begin) made.box.append("∅"); // a word that is not said
      open.push({ ...made, end: one.end });
      if (one.end === one.begin) close(open.pop());
    }
    if (at < words.length) inner().box.append(element("bdi", {}, words[at]));
  }
  return root;
}

function box(passage, side, mention, colours) {
  const chain = side.chains[mention];
  const { style, name } = colours(side.meaning(chain));
  const apart = side.split(chain) ? " apart" : "";
  const kind = mention === side.own ? " current" : mention === side.antecedent ? " antecedent" : "";
  const title = `${report.labels[passage.mentions[mention][3]]}, chain ${chain + 1}`;
  return { box: element("span", { class: `mention ${style}${apart}${kind}`, title }), name: name && `${name}${apart ? "′" : ""}` };
}

function close(made) {
  if (made.name) made.box.append(element("sub", {}, made.name));
}

function told(passage, sides, unit) {
  const words = (mention) => {
    const [sentence, begin, end] = passage.mentions[mention];
    return passage.words[sentence].slice(begin, end).join(" ") || "an empty node";
  };
  const said = sides.map((side) => `${side.name}: ${side.antecedent < 0 ? "no antecedent" : `goes back to ${words(side.antecedent)}`}`);
  return `Chains of the document. ${words(unit)}: ${said.join("; ")}.`;
}
