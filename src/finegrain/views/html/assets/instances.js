// The list of units: filtered by what stands in the address, twenty at a time, hardest first.

import { answersAre, number, report, units, unitsOf, unitWord } from "./data.js";
import { drawUnit } from "./drawing.js";
import { element } from "./elements.js";
import { conjuncts, isText, leaves, nameOf, same } from "./json_form.js";
import { find, listed, PAGE, takeAlong } from "./source.js";
import { describe } from "./sayings.js";
import { change, conditions, readState, writeHash } from "./state.js";
import { changed, CHANGES, gained, GAINS } from "./verdicts.js";
import { whenRoomChanges } from "./wrapping.js";

const section = document.getElementById("instances");
const list = section.querySelector(".units");
const count = section.querySelector(".count");
const chips = section.querySelector(".chips");
const pager = section.querySelector(".pager");
const form = section.querySelector("form");

const AT_ONCE = 40; // milliseconds of drawing after which the page is shown what there is
let waiting = []; // units that are listed and not drawn yet, as functions that draw them

export async function showInstances(state) {
  const asked = conditions(state.query);
  const pair = pairOf(state);
  tellChips(asked, state);
  setForm(asked, state, pair);
  list.setAttribute("aria-busy", "true");
  waiting = [];
  const found = await find(asked, Math.trunc(Number(state.query.get("page")))).catch(failed);
  if (!found) return; // something else has been asked for
  if (found.failure) count.replaceChildren(element("span", {}, found.failure));
  else tellCount(asked, state, found.count);
  pager.replaceChildren(...pagerLinks(found.page, found.count));
  const again = (row, above) => above !== undefined && units.sentence[above] === units.sentence[row];
  await drawAll(found.rows.map((row, at, rows) => () => drawUnit(row, pair, { again: again(row, rows[at - 1]) })));
}

// The first units at once, so that a click is answered, the others between what the reader does;
// none where something else is asked for meanwhile.
async function drawAll(units) {
  waiting = units;
  list.replaceChildren();
  while (units.length && units === waiting) {
    drawSome(performance.now() + AT_ONCE);
    if (units.length) await new Promise((done) => setTimeout(done));
  }
  if (units === waiting) list.removeAttribute("aria-busy");
}

function drawSome(until = Infinity) {
  do list.append(...waiting.splice(0, 1).map((draw) => draw()));
  while (waiting.length && performance.now() < until);
}

// What the server did not understand, or that there is none.
const failed = (error) => ({ failure: error.message, count: 0, page: 1, rows: [] });

const PAIRS = ["change", "changed", "gain"];

// The chosen pair: of a filter by what changes or by who is better, else as it was chosen, else the best two.
export function pairOf(state) {
  const ofPair = conditions(state.query).flatMap(leaves).find(([, field]) => PAIRS.includes(nameOf(field)) && field.length === 3);
  const [one, other] = ofPair ? ofPair[1].slice(1).map((name) => report.systems.indexOf(name)) : ["a", "b"].map((key) => Number(state.query.get(key) ?? NaN));
  const known = (place) => Number.isInteger(place) && place >= 0 && place < report.systems.length;
  const first = known(one) ? one : report.order[0];
  const rest = report.order.filter((system) => system !== first);
  return [first, known(other) && other !== first ? other : rest[0]].filter((place) => place !== undefined);
}

function tellCount(asked, state, fitting) {
  const embedded = listed();
  const clicked = Number(state.query.get("n"));
  const leftOut = embedded < units.found && clicked > 0 && !fitting;
  const parts = [element("b", { id: "count" }, number(fitting))];
  parts.push(asked.length ? ` of ${unitsOf(embedded)}` : ` ${unitWord(fitting)}`);
  if (embedded < units.found) {
    parts.push(` in this page, chosen from ${number(units.found)} so that there are some behind every number, as far as they reach`);
    if (clicked > fitting) parts.push(`; the ${number(clicked)} that you followed are counted in all of them`);
    if (leftOut) parts.push(". This page is too small to hold any of them: make it with more --instances");
  }
  const by = report.graded && asked.flatMap(leaves).map(([operator, field]) => (["<", ">"].includes(operator) || nameOf(field) === "gain") && nameOf(field)).find((name) => name === "gain" || name === report.graded.field);
  const first = by === "gain" ? "largest gains first" : by ? "worst first" : "hardest first";
  parts.push(element("span", { class: "third" }, `  ${first}`));
  count.replaceChildren(...parts);
  if (!fitting && asked.length && !leftOut) {
    count.append(element("span", {}, ` No unit fits all of: ${asked.map(describe).join("; ")}.`));
  }
}

function tellChips(asked, state) {
  const made = asked.map((where, at) => {
    const said = describe(where);
    return element(
      "li",
      {},
      said,
      element("button", { "aria-label": `drop: ${said}`, onclick: () => change({}, "instances", asked.toSpliced(at, 1)) }, "×"),
    );
  });
  if (asked.length > 1) {
    const clear = () => change({}, "instances", []);
    made.push(element("li", { class: "clear" }, element("button", { class: "plain", onclick: clear }, "clear all")));
  }
  chips.replaceChildren(...made);
}

function pagerLinks(page, fitting) {
  const to = (target, text) => element("button", { class: "plain", onclick: () => change({ page: target }, "instances") }, text);
  const first = (page - 1) * PAGE + 1;
  const last = Math.min(page * PAGE, fitting);
  return [
    page > 1 ? to(page - 1, "previous 20") : null,
    fitting ? element("span", {}, `${number(first)} to ${number(last)} of ${number(fitting)}`) : null,
    last < fitting ? to(page + 1, "next 20") : null,
  ].filter(Boolean);
}

// --- the controls above the list ------------------------------------------------------------

function option(value, text, chosen) {
  return element("option", { value, selected: chosen }, text);
}

const GOLD = ["!=", "gold", null];
const NOT_GOLD = ["=", "gold", null];

// A control is a list of choices, each with what it asks for, and says which selections it owns:
// choosing takes these out and puts in what is asked for.
const CONTROLS = {
  unit: {
    choices: () => [["gold", "gold", [GOLD]], ["not-gold", "not gold", [NOT_GOLD]]],
    owns: (where) => same(where, GOLD) || same(where, NOT_GOLD),
    any: "all",
  },
  label: {
    choices: () => report.label_order.map((code) => report.labels[code]).map((name) => [name, name, [["=", "label", name]]]),
    owns: (where) => isOf(where, "label"),
  },
  outcome: {
    choices: ({ system }) => {
      const kinds = answersAre("none") ? [] : report.outcomes.filter((one) => one.asked);
      const verdicts = [["right", "right", [["!=", ["correct", system], "no"]]], ["wrong", "wrong", [["=", ["correct", system], "no"]]]];
      return [...verdicts, ...kinds.map((one) => [one.name, one.said, [["=", ["outcome", system], one.name]]])];
    },
    owns: (where, { system }) => isOf(where, "correct", system) || isOf(where, "outcome", system),
  },
  bin: {
    choices: () => [...report.systems.keys(), report.systems.length].map((bin) => [String(bin), `${bin} right`, [GOLD, ["=", "systems_correct", String(bin)]]]),
    owns: (where) => isOf(where, "systems_correct"),
  },
  change: {
    choices: ({ pair }) => (pair.length < 2 ? [] : Object.entries(report.verdicts ? CHANGES : GAINS).filter(([kind]) => !answersAre("none") || kind !== "changed_error").map(([kind, said]) => [kind, said, [(report.verdicts ? changed : gained)(pair, kind)]])),
    owns: (where) => leaves(where).some(([, field]) => PAIRS.includes(nameOf(field))),
  },
  bucket: {
    choices: () => Object.entries(report.buckets).flatMap(([name, ranges]) => ranges.map((range, place) => [`${name}=${place}`, `${name.replaceAll("_", " ")} ${range}`, [["=", ["bucket", name], String(place)]]])),
    owns: (where, _, asked) => isOf(where, "bucket") && (!asked.length || same(where[1], asked[0][1])),
    last: true,
  },
  slice: {
    choices: () => report.slices.map(({ said, where }, place) => [String(place), said, conjuncts(where)]),
    owns: ofSlice,
    whole: true,
  },
};

const isOf = (where, name, system) => !isText(where) && nameOf(where[1]) === name && (!system || where[1][1] === system);

// A slice takes the place of buckets and labels.
function ofSlice(where) {
  return !isText(where) && (where[0] === "not" || CONTROLS.unit.owns(where) || isOf(where, "label") || isOf(where, "bucket"));
}

// Which choice of a control is asked for: of a slice, with nothing else of its kind.
function chosenOf({ choices, owns, whole, last }, asked, told) {
  const own = (where) => asked.some((one) => same(one, where));
  const fits = choices(told).filter(([, , wanted]) => wanted.every(own) && (!whole || asked.filter(owns).length === wanted.length));
  return last ? fits.toSorted((one, other) => place(asked, one) - place(asked, other)).at(-1) : fits[0];
}

const place = (asked, [, , wanted]) => asked.findIndex((where) => same(where, wanted[0]));

// Options differ for another system or pair: those of the control that was changed are asked for again.
const chosenSystem = (asked, state) => {
  const named = asked.flatMap(leaves).map(([, field]) => ["correct", "outcome", "mistaken"].includes(nameOf(field)) && field[1]).find((name) => report.systems.includes(name));
  return report.systems[Number(state.query.get("system") ?? NaN)] ?? named ?? report.systems[report.order[0] ?? 0];
};

function setForm(asked, state, pair) {
  const told = { system: chosenSystem(asked, state), pair };
  fill("system", report.order.map((at) => [String(at), report.systems[at]]), String(report.systems.indexOf(told.system)));
  form.elements.system?.closest("label").classList.remove("active");
  for (const [name, control] of Object.entries(CONTROLS)) {
    const options = control.choices(told).map(([value, text]) => [value, text]);
    fill(name, [["", control.any ?? "any"], ...options], chosenOf(control, asked, told)?.[0]);
  }
  const texts = { text: asked.findLast(isFind)?.[2], where: asked.findLast(isText) };
  for (const name of Object.keys(texts).filter((one) => form.elements[one])) {
    const field = form.elements[name];
    if (document.activeElement !== field) field.value = texts[name] ?? "";
    field.closest("label").classList.toggle("active", texts[name] !== undefined);
  }
}

function fill(name, options, value) {
  const select_ = form.elements[name];
  if (!select_) return;
  select_.replaceChildren(...options.map(([key, text]) => option(key, text, key === value)));
  select_.value = options.some(([key]) => key === value) ? value : "";
  select_.closest("label").classList.toggle("active", select_.value !== "");
}

const isFind = (where) => where[0] === "contains" && where[1] === "context_text";

// What is asked for once a control has another value.
function choose(name, value) {
  const state = readState();
  const asked = conditions(state.query);
  if (name === "system") return change({ system: value }, "instances");
  if (name === "text") return change({}, "instances", [...asked.filter((where) => !isFind(where)), ...(value ? [["contains", "context_text", value]] : [])]);
  if (name === "where") return change({}, "instances", [...asked.filter((where) => !isText(where)), ...(value ? [value] : [])]);
  const control = CONTROLS[name];
  const told = { system: report.systems[form.elements.system?.value] ?? chosenSystem(asked, state), pair: pairOf(state) };
  const wanted = control.choices(told).find(([key]) => key === value)?.[2] ?? [];
  const kept = asked.filter((where) => !control.owns(where, told, wanted));
  return change({}, "instances", [...kept, ...wanted.filter((where) => !kept.some((one) => same(one, where)))]);
}

export function startInstances() {
  form.addEventListener("change", (event) => {
    choose(event.target.name, event.target.value);
  });
  let waiting;
  form.elements.text.addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => choose("text", event.target.value), 250);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  whenRoomChanges(() => {
    [...list.children].forEach((unit) => unit.dispatchEvent(new Event("redraw")));
    drawSome();
  });
  addEventListener("beforeprint", () => drawSome());
  for (const suffix of ["csv", "json"]) {
    const take = () => takeAlong(conditions(readState().query), suffix).catch((error) => count.replaceChildren(element("span", {}, error.message)));
    section.querySelector(`[data-act=${suffix}]`).addEventListener("click", take);
  }
  const copy = section.querySelector("[data-act=link]");
  copy.addEventListener("click", async () => {
    const state = readState();
    const address = location.href.split("#")[0] + writeHash("instances", state.query);
    try {
      await navigator.clipboard.writeText(address);
      copy.textContent = "copied";
    } catch {
      copy.textContent = "copy the address of this page"; // no permission: the address has it all
    }
    setTimeout(() => (copy.textContent = "copy link"), 2000);
  });
}
