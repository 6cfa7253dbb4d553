// The chosen pair of systems: how far apart their scores are, what B corrects, breaks and gets wrong
// in another way, each with the interval that the command gives.

import { number, points, report, signed } from "./data.js";
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

// Intervals in the direction of the chosen pair: null where there is none.
function intervals({ found, mirrored }) {
  const known = found.intervals ?? {};
  const turned = (ends) => (ends && mirrored ? [-ends[1], -ends[0]] : ends) ?? null;
  const kind = (name) => known[`${mirrored ? MIRRORED[name] ?? name : name}s`] ?? null;
  return { score: turned(known.score), accuracy: turned(known.accuracy), diff: known.diff ?? null, kind };
}

const head = (text, numeric = true) => element("th", { class: numeric ? "r" : undefined, scope: "col" }, text);
const cell = (text, style = "r") => element("td", { class: style }, text);
const between = (ends, form) => cell(ends ? `${form(ends[0])} to ${form(ends[1])}` : "–", "r interval");

const errorsOf = (system, text) => link(`#instances?verdict.${system}=wrong&n=${report.errors[system]}`, text, { class: "n" });

// Scores of both, which lead to their errors, and how far B is from A, which leads to what they answer differently.
function scores(known, pair) {
  const { found, mirrored } = known;
  const ends = intervals(known);
  const made = element("table", { class: "moved", "data-pair": "scores" });
  made.append(element("thead", {}, element("tr", {}, element("td"), head("A"), head("B"), head("B − A"), head("interval"))));
  for (const what of ["score", "accuracy"].filter((one) => found[one])) {
    const { a, b, delta } = found[what];
    const [one, other, moved] = mirrored ? [b, a, delta === null ? null : 0 - delta] : [a, b, delta];
    const name = what === "score" ? report.metric : `accuracy of ${number(found.units)} ${report.unit}`;
    const cells = [errorsOf(pair[0], points(one)), errorsOf(pair[1], points(other))].map((text) => cell(text));
    cells.push(cell(changeLink(pair, "any", found.changed, "", signed(moved)), "r strong"));
    made.append(element("tr", {}, element("th", { scope: "row" }, name), ...cells, between(ends[what], (end) => signed(end, 1))));
  }
  return made;
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

function changeLink(pair, kind, count, more = "", text = number(count)) {
  return link(`#instances?change.${pair[0]}.${pair[1]}=${kind}${more}&n=${count}`, text, { class: "n" });
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
  const summary = element("table", { class: "bars", "data-pair": "changes" });
  const ends = intervals(known);
  const { changed, units } = known.found;
  const share = (count) => `${points(count / Math.max(1, units), 1)} %`;
  const size = (end) => points(end, 1);
  summary.append(element("thead", {}, element("tr", {}, head(`of ${number(units)} ${report.unit}`, false), head("n"), head("share"), head("interval"), element("td"))));
  for (const kind of kinds) {
    const { count } = rows(kind, known);
    const bar = element("span", { class: `bar ${kind}` });
    bar.style.width = `${(100 * count) / largest}%`;
    summary.append(element("tr", {}, element("th", { scope: "row" }, CHANGES[kind]), element("td", { class: "r" }, changeLink(pair, kind, count)), cell(changeLink(pair, kind, count, "", share(count))), between(ends.kind(kind), size), element("td", { class: "room" }, bar)));
  }
  summary.append(element("tr", {}, element("th", { scope: "row" }, CHANGES.any), element("td", { class: "r" }, changeLink(pair, "any", changed)), cell(changeLink(pair, "any", changed, "", share(changed))), between(ends.diff, size), element("td", { class: "room" })));
  const detail = element("table", { class: "detail", "data-pair": "outcomes" });
  const field = report.always_answered ? "answer" : "outcome";
  const heads = [element("th", {}, `${field} of A`), element("th", {}, `${field} of B`), element("th", { class: "r" }, "n")];
  detail.append(element("thead", {}, element("tr", {}, ...heads)));
  const every = kinds.flatMap((kind) => rows(kind, known).pairs.map((one) => ({ kind, ...one })));
  every.sort((one, other) => other.count - one.count);
  for (const one of every.slice(0, 10)) {
    const gold = one.gold ? ` (gold ${one.gold})` : "";
    detail.append(element("tr", { class: one.kind }, element("td", {}, said(one.from)), element("td", {}, said(one.to) + gold), element("td", { class: "r" }, changeLink(pair, one.kind, one.count, asked(known.found, pair, one)))));
  }
  panel.replaceChildren(element("div", {}, choosers, scores(known, pair), summary), detail);
}
