// The list of units: filtered by what stands in the address, twenty at a time, hardest first.

import { number, report, units } from "./data.js";
import { drawUnit } from "./drawing.js";
import { element } from "./elements.js";
import { describe } from "./filters.js";
import { find, listed, PAGE, takeAlong } from "./source.js";
import { change, conditions, writeHash } from "./state.js";
import { CHANGES } from "./verdicts.js";
import { whenRoomChanges } from "./wrapping.js";

const section = document.getElementById("instances");
const list = section.querySelector(".units");
const count = section.querySelector(".count");
const chips = section.querySelector(".chips");
const pager = section.querySelector(".pager");
const form = section.querySelector("form");

export async function showInstances(state) {
  const asked = conditions(state.query);
  const pair = pairOf(state);
  tellChips(asked, state);
  setForm(asked, state, pair);
  list.setAttribute("aria-busy", "true");
  const found = await find(asked, Math.trunc(Number(state.query.get("page")))).catch(failed);
  if (!found) return; // something else has been asked for
  list.removeAttribute("aria-busy");
  if (found.failure) count.replaceChildren(found.failure);
  else tellCount(asked, state, found.count);
  list.replaceChildren(...found.rows.map((row) => drawUnit(row, pair)));
  pager.replaceChildren(...pagerLinks(found.page, found.count));
}

// What the server did not understand, or that there is none.
const failed = (error) => ({ failure: error.message, count: 0, page: 1, rows: [] });

// The chosen pair: of a filter by what changes, else as it was chosen, else the best two.
export function pairOf(state) {
  const changed = [...state.query.keys()].map((key) => key.match(/^change\.(\d+)\.(\d+)$/)).find(Boolean);
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
  const of = embedded < units.found ? `${number(embedded)} embedded of ${number(units.found)}` : number(embedded);
  const parts = [element("b", { id: "count" }, number(fitting)), ` of ${of} ${report.unit}`];
  if (embedded < units.found && clicked > fitting) {
    parts.push(`; the number you followed, ${number(clicked)}, counts those that are not embedded, too`);
  }
  const all = !asked.length && embedded === units.found;
  parts.push(element("span", { class: "third" }, all ? "  all of them" : "", "  hardest first"));
  count.replaceChildren(...parts);
  if (!fitting && asked.length) {
    count.append(` No unit fits all of: ${asked.map(describe).join("; ")}.`);
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
  const system = state.query.get("system") ?? asked.map(([key]) => key.match(/^(?:outcome|verdict)\.(\d+)$/)?.[1]).find(Boolean) ?? String(report.order[0] ?? 0);
  fill("unit", [["", "all"], ["gold", "gold"], ["invented", "not gold"]], given.get("unit"));
  fill("label", [["", "any"], ...report.label_order.map((code) => [report.labels[code], report.labels[code]])], given.get("label"));
  fill("system", report.order.map((place) => [String(place), report.systems[place]]), system);
  form.elements.system?.closest("label").classList.remove("active");
  const outcome = given.get(`outcome.${system}`) ?? given.get(`verdict.${system}`);
  fill("outcome", [["", "any"], ["right", "right"], ["wrong", "wrong"], ...report.outcomes.filter((one) => one.asked).map((one) => [one.name, one.said])], outcome);
  fill("bin", [["", "any"], ...report.systems.map((_, place) => String(place)).concat(String(report.systems.length)).map((bin) => [bin, `${bin} right`])], given.get("bin"));
  if (pair.length === 2) {
    fill("change", [["", "any"], ...Object.entries(CHANGES)], given.get(`change.${pair[0]}.${pair[1]}`));
  }
  const buckets = Object.entries(report.buckets).flatMap(([attribute, names]) =>
    names.map((text, place) => [`${attribute}=${place}`, `${attribute.replaceAll("_", " ")} ${text}`]),
  );
  const bucket = asked.find(([key]) => key.startsWith("bucket."));
  fill("bucket", [["", "any"], ...buckets], bucket ? `${bucket[0].slice(7)}=${bucket[1]}` : "");
  for (const name of ["text", "where"].filter((one) => form.elements[one])) {
    const field = form.elements[name];
    if (document.activeElement !== field) field.value = given.get(name) ?? "";
    field.closest("label").classList.toggle("active", given.has(name));
  }
}

function asked(name, value, state) {
  const system = form.elements.system.value;
  const pair = pairOf(state);
  if (name === "outcome") {
    const verdict = value === "right" || value === "wrong";
    return { [`verdict.${system}`]: verdict ? value : null, [`outcome.${system}`]: verdict ? null : value };
  }
  if (name === "change") return { [`change.${pair[0]}.${pair[1]}`]: value };
  if (name === "bucket") {
    const dropped = Object.fromEntries(Object.keys(report.buckets).map((one) => [`bucket.${one}`, null]));
    const at = value.lastIndexOf("=");
    return value ? { ...dropped, [`bucket.${value.slice(0, at)}`]: value.slice(at + 1) } : dropped;
  }
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
  whenRoomChanges(() => [...list.children].forEach((unit) => unit.dispatchEvent(new Event("redraw"))));
  for (const suffix of ["csv", "json"]) {
    const take = () => takeAlong(conditions(readState().query), suffix).catch((error) => count.replaceChildren(error.message));
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
