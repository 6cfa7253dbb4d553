// The chosen pair of systems: what B corrects, breaks and gets wrong in another way.

import { number, report } from "./data.js";
import { element, link } from "./elements.js";
import { pairOf } from "./instances.js";
import { change } from "./state.js";
import { CHANGES } from "./verdicts.js";

const panel = document.getElementById("pair");
const MIRRORED = { correction: "new_error", new_error: "correction", changed_error: "changed_error" };

// Pairs stand once, in one direction: read the other way round, corrections are new errors.
function difference(one, other) {
  const pairs = report.results.differences.pairs;
  const [a, b] = [report.systems[one], report.systems[other]];
  for (const found of Object.values(pairs)) {
    if (found.a === a && found.b === b) return { found, mirrored: false };
    if (found.a === b && found.b === a) return { found, mirrored: true };
  }
  return null;
}

function rows(kind, { found, mirrored }) {
  const source = found[`${mirrored ? MIRRORED[kind] : kind}s`];
  const pairs = source.pairs.map((one) => (mirrored ? { ...one, from: one.to, to: one.from } : one));
  return { count: source.count, pairs };
}

function chooser(label, chosen, key) {
  const select = element("select", { "aria-label": `system ${label}` });
  for (const place of report.order) {
    select.append(element("option", { value: place, selected: place === chosen }, report.systems[place]));
  }
  select.addEventListener("change", () => change({ [key]: select.value }, "differences"));
  return element("label", {}, element("span", { class: `mark ${key}` }, label), select);
}

const said = (name) => report.outcomes.find((one) => one.name === name)?.said ?? name;

function changeLink(pair, kind, count, more = "") {
  return link(`#instances?change.${pair[0]}.${pair[1]}=${kind}${more}&n=${count}`, number(count), { class: "n" });
}

function asked(found, pair, one) {
  const field = report.always_answered ? "answer" : "outcome";
  const gold = one.gold ? `&label=${encodeURIComponent(one.gold)}` : "";
  return `${gold}&${field}.${pair[0]}=${encodeURIComponent(one.from)}&${field}.${pair[1]}=${encodeURIComponent(one.to)}`;
}

export function showPair(state) {
  if (!panel || !report.results.differences) return;
  const pair = pairOf(state);
  const choosers = element("p", { class: "choosers" }, chooser("A", pair[0], "a"), " → ", chooser("B", pair[1], "b"));
  const known = difference(...pair);
  if (!known) {
    panel.replaceChildren(choosers, element("p", {}, "This pair was not compared: only the best systems are."));
    return;
  }
  const kinds = ["correction", "new_error", "changed_error"];
  const largest = Math.max(1, ...kinds.map((kind) => rows(kind, known).count));
  const summary = element("table", { class: "bars" });
  for (const kind of kinds) {
    const { count } = rows(kind, known);
    const bar = element("span", { class: `bar ${kind}` });
    bar.style.width = `${(100 * count) / largest}%`;
    summary.append(element("tr", {}, element("th", { scope: "row" }, CHANGES[kind]), element("td", { class: "r" }, changeLink(pair, kind, count)), element("td", { class: "room" }, bar)));
  }
  const detail = element("table", {});
  const field = report.always_answered ? "answer" : "outcome";
  const heads = [element("th", {}, `${field} of A`), element("th", {}, `${field} of B`), element("th", { class: "r" }, "n")];
  detail.append(element("thead", {}, element("tr", {}, ...heads)));
  const every = kinds.flatMap((kind) => rows(kind, known).pairs.map((one) => ({ kind, ...one })));
  every.sort((one, other) => other.count - one.count);
  for (const one of every.slice(0, 10)) {
    const gold = one.gold ? ` (gold ${one.gold})` : "";
    detail.append(element("tr", { class: one.kind }, element("td", {}, said(one.from)), element("td", {}, said(one.to) + gold), element("td", { class: "r" }, changeLink(pair, one.kind, one.count, asked(known.found, pair, one)))));
  }
  const { changed, units } = known.found;
  const told = element("p", { class: "note" }, "They answer ", changeLink(pair, "any", changed), ` of ${number(units)} ${report.unit} differently (${((100 * changed) / Math.max(1, units)).toFixed(1)} %).`);
  panel.replaceChildren(choosers, summary, told, detail);
}
