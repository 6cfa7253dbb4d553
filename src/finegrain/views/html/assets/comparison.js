// The chosen pair of systems: how far apart their scores are, what B corrects, breaks and gets wrong
// in another way, each with the interval that the command gives; of graded units, on how many of them
// which one is better, and by how much.

import { answersAre, number, points, report, signed, unitsOf, valueWritten } from "./data.js";
import { element, link } from "./elements.js";
import { pairOf } from "./instances.js";
import { nameOf, leaves } from "./json_form.js";
import { change, conditions, readState, unitsAt } from "./state.js";
import { changed, CHANGES, gained, GAINS } from "./verdicts.js";

const panel = document.getElementById("pair");
const MIRRORED = { correction: "new_error", new_error: "correction", changed_error: "changed_error" };

// Pairs stand once, in one direction: read the other way round, corrections are new errors, and what
// B is ahead A is behind. Intervals are null where there is none.
function difference(one, other) {
  const [a, b] = [report.systems[one], report.systems[other]];
  for (const found of Object.values(report.results.differences)) {
    if (found.a === a && found.b === b) return found;
    if (found.a === b && found.b === a) return mirrored(found);
  }
  return null;
}

function mirrored(found) {
  const moved = (one) => one && { a: one.b, b: one.a, delta: one.delta === null ? null : 0 - one.delta };
  const turned = (ends) => ends && [-ends[1], -ends[0]];
  const ends = found.intervals;
  return {
    ...found,
    a: found.b,
    b: found.a,
    score: moved(found.score),
    accuracy: moved(found.accuracy),
    correction: found.new_error,
    new_error: found.correction,
    gains: found.gains && {
      ...found.gains,
      a: found.gains.b,
      b: found.gains.a,
      wins: found.gains.losses,
      losses: found.gains.wins,
      gain: found.gains.gain === null ? null : 0 - found.gains.gain,
    },
    intervals: ends && { ...ends, gain: turned(ends.gain), corrections: ends.new_errors, new_errors: ends.corrections, score: turned(ends.score), accuracy: turned(ends.accuracy) },
    commonest: found.commonest.map((one) => ({
      ...one,
      kind: MIRRORED[one.kind],
      from: one.to,
      to: one.from,
      from_label: one.to_label,
      to_label: one.from_label,
    })),
  };
}

const head = (text, numeric = true) => element("th", { class: numeric ? "r" : undefined, scope: "col" }, text);
const cell = (text, style = "r") => element("td", { class: style }, text);
const between = (ends, form, leading) => cell(ends ? leading(`[${form(ends[0])}, ${form(ends[1])}]`) : "–", "r interval");

const errorsOf = (system, text) => link(unitsAt([["=", ["correct", report.systems[system]], "no"]], report.errors[system]), text, { class: "n" });

// The units that two systems are compared on: all but what is not gold and no error of either.
function comparedOf(pair, count) {
  const right = pair.map((system) => ["!=", ["correct", report.systems[system]], "no"]);
  return link(unitsAt([["not", ["and", ["=", "gold", null], ...right]]], count), unitsOf(count), { class: "n" });
}

// The score of systems, which may be no proportion.
const scoreWritten = (value) => (report.percent || value === null ? points(value) : value.toFixed(3).replace("-", "−"));
const scoreSigned = (value, digits) => (report.percent || value === null ? signed(value, digits) : `${value < 0 ? "" : "+"}${scoreWritten(value)}`);

// Scores of both, which lead to their errors, and how far B is from A, which leads to what they answer differently.
function scores(found, pair) {
  const made = element("table", { class: "moved", "data-pair": "scores" });
  made.append(element("thead", {}, element("tr", {}, element("td"), head("A"), head("B"), head("B − A"), head("interval"))));
  for (const what of ["score", "accuracy"].filter((one) => found[one])) {
    const { a, b, delta } = found[what];
    const name = what === "score" ? [report.metric] : ["accuracy of ", comparedOf(pair, found.units)];
    const leading = (text) => (report.verdicts ? changeLink(pair, "any", found.changed, [], text) : text);
    const said = what === "score" ? scoreWritten : points;
    const more = what === "score" ? scoreSigned : signed;
    const both = [said(a), said(b)];
    const cells = (report.verdicts ? both.map((text, side) => errorsOf(pair[side], text)) : both).map((text) => cell(text));
    cells.push(cell(leading(more(delta)), "r strong"), between(found.intervals?.[what], (end) => more(end, 1), leading));
    made.append(element("tr", {}, element("th", { scope: "row" }, ...name), ...cells));
  }
  return made;
}

const ofPair = (where) => leaves(where).some(([, field]) => ["change", "changed", "gain"].includes(nameOf(field)));

// Whoever chooses another pair no longer asks for what changes between the two.
function chooser(label, chosen, key, pair) {
  const [a, b] = pair;
  const select = element("select", { "aria-label": `system ${label}` });
  for (const place of report.order) {
    select.append(element("option", { value: place, selected: place === chosen }, report.systems[place]));
  }
  select.addEventListener("change", () => change({ a, b, [key]: select.value }, "differences", conditions(readState().query).filter((where) => !ofPair(where))));
  return element("label", {}, element("span", { class: `mark ${key}` }, label), select);
}

function changeLink(pair, kind, count, more = [], text = number(count)) {
  return link(unitsAt([changed(pair, kind), ...more], count), text, { class: "n" });
}

// How many units changed in which way, as bars.
function changes(found, pair) {
  const made = element("table", { class: "bars", "data-pair": "changes" });
  const kinds = Object.keys(MIRRORED).filter((kind) => !answersAre("none") || kind !== "changed_error");
  const largest = Math.max(1, ...kinds.map((kind) => found[kind]));
  made.append(element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "of ", comparedOf(pair, found.units)), head("n"), head("share"), head("interval"), element("td"))));
  for (const kind of [...kinds, "any"]) {
    const count = kind === "any" ? found.changed : found[kind];
    const ends = found.intervals?.[kind === "any" ? "diff" : `${kind}s`];
    const bar = kind === "any" ? null : element("span", { class: `bar ${kind}` });
    if (bar) bar.style.width = `${(100 * count) / largest}%`;
    const drawn = bar && changeLink(pair, kind, count, [], bar);
    drawn?.setAttribute("aria-label", `${CHANGES[kind]}: ${number(count)}`);
    const share = `${points(count / Math.max(1, found.units), 1)} %`;
    const leading = (text) => changeLink(pair, kind, count, [], text);
    const cells = [number(count), share].map((text) => cell(leading(text)));
    made.append(element("tr", {}, element("th", { scope: "row" }, CHANGES[kind]), ...cells, between(ends, (end) => points(end, 1), leading), cell(drawn, "room")));
  }
  return made;
}

// Whether labels tell answers apart, and not outcomes; what is not a label is not an answer.
const byLabel = report.told_by === "answer";

const said = (name) => report.outcomes.find((one) => one.name === name)?.said ?? name;

// The label that a span was given, where it is not that of the unit.
const other = (given, label) => (given && given !== label ? given : "");

// What leads to the units of a change: its label, and both answers.
function asked(one, pair) {
  const found = [["=", "label", one.label]];
  [[one.from, one.from_label], [one.to, one.to_label]].forEach(([answer, given], side) => {
    const name = report.systems[pair[side]];
    const none = byLabel && !report.labels.includes(answer);
    found.push(["=", [report.told_by, name], none ? null : answer]);
    if (other(given, one.label)) found.push(["=", ["answer", name], given]);
  });
  return found;
}

// The commonest changes: the label, and what A and B make of it.
function commonest(found, pair) {
  const made = element("table", { class: "detail", "data-pair": "commonest" });
  const labelled = found.commonest.some((one) => one.label); // questions, say, have none
  const heads = ["change", ...(labelled ? [byLabel ? "gold" : "label"] : []), "A", "B"].map((text) => head(text, false));
  made.append(element("thead", {}, element("tr", {}, ...heads, head("n"))));
  const answer = (name, given, label) => (byLabel ? (report.labels.includes(name) ? name : said(name)) : [said(name), other(given, label)].filter(Boolean).join(": "));
  for (const one of found.commonest) {
    const kind = one.kind.replace("_", " ");
    const cells = [kind, ...(labelled ? [one.label] : []), answer(one.from, one.from_label, one.label), answer(one.to, one.to_label, one.label)];
    made.append(element("tr", { class: one.kind }, ...cells.map((text) => cell(text, "")), cell(changeLink(pair, one.kind, one.count, asked(one, pair)))));
  }
  const more = found.further === 1 ? "1 more is in the JSON" : `${number(found.further)} more are in the JSON`;
  const notes = found.further ? [more] : [];
  const { label, also } = report.words;
  if (also && found.commonest.some((one) => one.from === one.to)) {
    notes.unshift(`The same ${label} on both sides: the ${also}s differ`);
  }
  return element("div", { class: "wide" }, made, notes.length ? element("p", { class: "note" }, notes.join(". ")) : null);
}

// The rows of a pair of graded units: who is better on how many, then the means and the gain.
function gains(found, pair) {
  const { gains: told, intervals } = found;
  const of = (which, count, text) => link(unitsAt([gained(pair, which)], count), text, { class: "n" });
  const any = (text) => of("any", told.wins + told.losses, text);
  const means = element("table", { class: "moved", "data-pair": "means" });
  means.append(element("thead", {}, element("tr", {}, element("td"), head("A"), head("B"), head("gain of B"), head("interval"))));
  const cells = [told.a, told.b].map((value) => cell(valueWritten(value)));
  cells.push(cell(any(valueWritten(told.gain, true)), "r strong"), between(intervals?.gain, (end) => valueWritten(end, true), any));
  means.append(element("tr", {}, element("th", { scope: "row" }, `mean ${report.graded.name}`), ...cells));
  const made = element("table", { class: "bars", "data-pair": "gains" });
  made.append(element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "of ", unitsOf(told.units)), head("n"), head("share"), element("td"))));
  const counts = { better: told.wins, worse: told.losses, tied: told.ties };
  const largest = Math.max(1, ...Object.values(counts));
  for (const [which, count] of Object.entries(counts)) {
    const bar = element("span", { class: `bar ${{ better: "correction", worse: "new_error", tied: "changed_error" }[which]}` });
    bar.style.width = `${(100 * count) / largest}%`;
    const drawn = of(which, count, bar);
    drawn.setAttribute("aria-label", `${GAINS[which]}: ${number(count)}`);
    const share = `${points(count / Math.max(1, told.units), 1)} %`;
    made.append(element("tr", {}, element("th", { scope: "row" }, GAINS[which]), ...[number(count), share].map((text) => cell(of(which, count, text))), cell(drawn, "room")));
  }
  const left = told.undefined.a + told.undefined.b + told.undefined.both;
  const notes = [`${report.graded.name}: ${report.graded.higher ? "higher" : "lower"} is better; the gain is positive where B is better`];
  if (left) notes.push(`${unitsOf(left)} without a value of both left out`);
  return [means, made, element("p", { class: "note" }, `${notes.join(". ")}.`)];
}

export function showPair(state) {
  if (!panel || !report.results.differences) return;
  const pair = pairOf(state);
  const choosers = element("p", { class: "choosers" }, chooser("A", pair[0], "a", pair), chooser("B", pair[1], "b", pair));
  const found = difference(...pair);
  if (!found) {
    panel.replaceChildren(choosers, element("p", {}, "This pair was not compared: only the best systems are."));
    return;
  }
  const graded = found.gains ? gains(found, pair) : [];
  const judged = report.verdicts ? [changes(found, pair)] : [];
  panel.replaceChildren(element("div", {}, choosers, scores(found, pair), ...graded, ...judged), found.commonest.length || judged.length ? (answersAre("none") ? "" : commonest(found, pair)) : "");
}
