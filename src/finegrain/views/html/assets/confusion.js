// Which label is taken for which, for the chosen system: a table shaded by count.

import { number, report } from "./data.js";
import { element, link } from "./elements.js";
import { change } from "./state.js";

const panel = document.getElementById("confusion");
const MOST = 20; // labels; those with most errors
const NONE = "_";
const BOUNDARIES = ["BES", "BEL", "BEO"];
const ERRORS = ["LE", "LBE", ...BOUNDARIES];

function chosenLabels(counts) {
  const errors = (label) =>
    Object.keys(counts).reduce((sum, other) => sum + (other === label ? 0 : (counts[label]?.[other] ?? 0) + (counts[other]?.[label] ?? 0)), 0);
  const labels = report.label_order.map((code) => report.labels[code]).filter((label) => counts[label]);
  const kept = new Set([...labels].sort((one, other) => errors(other) - errors(one)).slice(0, MOST));
  return labels.filter((label) => kept.has(label));
}

function conditionsOf(system, gold, answer) {
  const query = new URLSearchParams();
  if (report.always_answered) {
    query.set("label", gold);
    query.set(`answer.${system}`, answer);
  } else if (answer === NONE) {
    query.set("label", gold);
    query.set(`outcome.${system}`, "FN");
  } else if (gold === NONE) {
    query.set("label", answer);
    query.set(`outcome.${system}`, "FP");
  } else {
    query.set("unit", "gold");
    query.set("label", gold);
    query.set(`answer.${system}`, answer);
    query.set(`outcome.${system}`, (gold === answer ? BOUNDARIES : ERRORS).join(","));
  }
  return query;
}

function cellOf(system, gold, answer, count, most) {
  const same = gold === answer;
  const margin = gold === NONE || answer === NONE;
  const cell = element("td", { class: `heat${same ? " same" : ""}${margin ? " margin" : ""}` });
  if (!count) {
    cell.append(element("span", { class: "zero" }, "·"));
    return cell;
  }
  const query = conditionsOf(system, gold, answer);
  query.set("n", count);
  const shaded = !margin && !(same && report.always_answered);
  if (shaded) {
    const step = Math.min(8, Math.max(1, Math.ceil((8 * count) / most)));
    cell.classList.add(`seq-${step}`);
  }
  cell.append(link(`#instances?${query}`, number(count), { "aria-label": `gold ${gold}, answer ${answer}: ${count}` }));
  return cell;
}

function tableOf(system) {
  const counts = report.results.confusion[report.systems[system]];
  const labels = chosenLabels(counts);
  const none = NONE in counts && !report.always_answered;
  const off = labels.flatMap((gold) => labels.filter((answer) => answer !== gold || !report.always_answered).map((answer) => counts[gold][answer] ?? 0));
  const most = Math.max(1, ...off);
  const table = element("table", { class: "matrix" });
  const heads = labels.map((label) => element("th", { scope: "col", class: "turned" }, element("span", { title: label }, label)));
  if (none) heads.push(element("th", { scope: "col", class: "turned" }, element("span", {}, "missed")));
  table.append(element("thead", {}, element("tr", {}, element("td", {}), ...heads)));
  const body = element("tbody", {});
  for (const gold of labels) {
    const cells = labels.map((answer) => cellOf(system, gold, answer, counts[gold][answer], most));
    if (none) cells.push(cellOf(system, gold, NONE, counts[gold][NONE], most));
    body.append(element("tr", {}, element("th", { scope: "row", title: gold }, gold), ...cells));
  }
  if (none) {
    const cells = labels.map((answer) => cellOf(system, NONE, answer, counts[NONE][answer], most));
    body.append(element("tr", {}, element("th", { scope: "row" }, "invented"), ...cells, element("td", {})));
  }
  table.append(body);
  const hidden = Object.keys(counts).filter((label) => label !== NONE).length - labels.length;
  return [table, hidden ? element("p", { class: "note" }, `The ${labels.length} labels with most confusions; ${hidden} more are in the JSON.`) : null];
}

// The system that stands in the address, else the best.
export function showConfusion(state) {
  if (!panel || !report.results.confusion) return;
  const asked = Number(state.query.get("confusion") ?? NaN);
  const system = report.order.includes(asked) ? asked : report.order[0];
  panel.querySelector("select").value = system;
  panel.querySelector(".table").replaceChildren(...tableOf(system).filter(Boolean));
}

export function startConfusion() {
  const select = panel?.querySelector("select");
  select?.addEventListener("change", () => change({ confusion: select.value }, "confusion"));
}
