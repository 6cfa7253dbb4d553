// The list of units: filtered by what stands in the address, twenty at a time, hardest first.

import { answersAre, number, report, units, unitsOf, unitWord } from "./data.js";
import { drawUnit } from "./drawing.js";
import { element } from "./elements.js";
import { describe } from "./filters.js";
import { find, listed, PAGE, takeAlong } from "./source.js";
import { change, conditions, writeHash } from "./state.js";
import { CHANGES, GAINS } from "./verdicts.js";
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

// The chosen pair: of a filter by what changes or by who is better, else as it was chosen, else the best two.
export function pairOf(state) {
  const changed = [...state.query.keys()].map((key) => key.match(/^(?:change|gain)\.(\d+)\.(\d+)$/)).find(Boolean);
  const [one, other] = (changed?.slice(1) ?? [state.query.get("a"), state.query.get("b")]).map((text) =>
    text === null ? NaN : Number(text),
  );
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
  const by = report.graded && asked.map(([key]) => key.split(".")[0]).find((name) => name === "gain" || name === "worse_than");
  const first = by === "gain" ? "largest gains first" : by ? "worst first" : "hardest first";
  parts.push(element("span", { class: "third" }, `  ${first}`));
  count.replaceChildren(...parts);
  if (!fitting && asked.length && !leftOut) {
    count.append(element("span", {}, ` No unit fits all of: ${asked.map(describe).join("; ")}.`));
  }
}

function tellChips(asked, state) {
  const made = asked.map(([key, value]) => {
    const said = describe([key, value]);
    return element(
      "li",
      {},
      said,
      element("button", { "aria-label": `drop: ${said}`, onclick: () => change({ [key]: null }, "instances") }, "×"),
    );
  });
  if (asked.length > 1) {
    const clear = () => change(Object.fromEntries(asked.map(([key]) => [key, null])), "instances");
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

function fill(name, options, value) {
  const select_ = form.elements[name];
  if (!select_) return;
  select_.replaceChildren(...options.map(([key, text]) => option(key, text, key === value)));
  select_.value = options.some(([key]) => key === value) ? value : "";
  select_.closest("label").classList.toggle("active", select_.value !== "");
}

function setForm(asked, state, pair) {
  const given = new Map(asked);
  const system = state.query.get("system") ?? asked.map(([key]) => key.match(/^(?:outcome|verdict|mistaken)\.(\d+)$/)?.[1]).find(Boolean) ?? String(report.order[0] ?? 0);
  fill("unit", [["", "all"], ["gold", "gold"], ["not-gold", "not gold"]], given.get("unit"));
  fill("label", [["", "any"], ...report.label_order.map((code) => [report.labels[code], report.labels[code]])], given.get("label"));
  fill("system", report.order.map((place) => [String(place), report.systems[place]]), system);
  form.elements.system?.closest("label").classList.remove("active");
  const outcome = given.get(`outcome.${system}`) ?? given.get(`verdict.${system}`);
  const kinds = answersAre("none") ? [] : report.outcomes.filter((one) => one.asked);
  fill("outcome", [["", "any"], ["right", "right"], ["wrong", "wrong"], ...kinds.map((one) => [one.name, one.said])], outcome);
  fill("bin", [["", "any"], ...report.systems.map((_, place) => String(place)).concat(String(report.systems.length)).map((bin) => [bin, `${bin} right`])], given.get("bin"));
  if (pair.length === 2) {
    const changes = Object.entries(CHANGES).filter(([kind]) => !answersAre("none") || kind !== "changed_error");
    if (report.verdicts) fill("change", [["", "any"], ...changes], given.get(`change.${pair[0]}.${pair[1]}`));
    else fill("change", [["", "any"], ...Object.entries(GAINS)], given.get(`gain.${pair[0]}.${pair[1]}`));
  }
  const buckets = Object.entries(report.buckets).flatMap(([attribute, names]) =>
    names.map((text, place) => [`${attribute}=${place}`, `${attribute.replaceAll("_", " ")} ${text}`]),
  );
  const bucket = asked.findLast(([key]) => key.startsWith("bucket."));
  fill("bucket", [["", "any"], ...buckets], bucket ? `${bucket[0].slice(7)}=${bucket[1]}` : "");
  const slices = report.slices.map(({ said }, place) => [String(place), said]);
  fill("slice", [["", "any"], ...slices], String(report.slices.findIndex((one) => isAsked(one, given))));
  for (const name of ["text", "where"].filter((one) => form.elements[one])) {
    const field = form.elements[name];
    if (document.activeElement !== field) field.value = given.get(name) ?? "";
    field.closest("label").classList.toggle("active", given.has(name));
  }
}

const ofSlice = (key) => ["unit", "label", "not"].includes(key) || key.startsWith("bucket.");

// Whether the units of a slice are asked for, and no others of its kind.
function isAsked({ conditions: wanted }, given) {
  const own = [...given.keys()].filter(ofSlice);
  return own.length === Object.keys(wanted).length && own.every((key) => given.get(key) === wanted[key]);
}

// A slice takes the place of buckets and labels.
function sliceAsked(value, state) {
  const dropped = conditions(state.query).filter(([key]) => ofSlice(key)).map(([key]) => [key, null]);
  return { ...Object.fromEntries(dropped), ...report.slices[value]?.conditions };
}

// A bucket takes the place of one of its attribute; "any", of all.
function bucketAsked(value, state) {
  const at = value.lastIndexOf("=");
  if (value) return { [`bucket.${value.slice(0, at)}`]: value.slice(at + 1) };
  const held = conditions(state.query).filter(([key]) => key.startsWith("bucket."));
  return Object.fromEntries(held.map(([key]) => [key, null]));
}

function asked(name, value, state) {
  const system = form.elements.system.value;
  const pair = pairOf(state);
  if (name === "outcome") {
    const verdict = value === "right" || value === "wrong";
    return { [`verdict.${system}`]: verdict ? value : null, [`outcome.${system}`]: verdict ? null : value };
  }
  if (name === "change") return { [`${report.verdicts ? "change" : "gain"}.${pair[0]}.${pair[1]}`]: value };
  if (name === "bucket") return bucketAsked(value, state);
  if (name === "slice") return sliceAsked(value, state);
  return { [name]: value };
}

export function startInstances(readState) {
  form.addEventListener("change", (event) => {
    const { name, value } = event.target;
    change(asked(name, value, readState()), "instances");
  });
  let waiting;
  form.elements.text.addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => change({ text: event.target.value }, "instances"), 250);
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
