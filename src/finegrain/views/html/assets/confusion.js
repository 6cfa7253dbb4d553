// Which label is taken for which, for the chosen system: a table shaded by count.

import { answersAre, number, report } from "./data.js";
import { element, link } from "./elements.js";
import { change, unitsAt } from "./state.js";

const panel = document.getElementById("confusion");
const MOST = 20; // labels; those with most errors
const NONE = report.labels.length; // the code of no label: missed or not answered, invented
const ofErrors = answersAre("unit"); // what is right is not entered
const named = (fits) => report.outcomes.filter((one) => one.asked && !one.right && fits(one));
const missed = named((one) => !one.produced.includes(true));
const invented = named((one) => one.role === "invented");

// The counts of a system by the codes of both labels.
function countsOf(system) {
  const { gold, answer, count } = report.results.confusion[system];
  const known = new Map(count.map((value, place) => [gold[place] * (NONE + 1) + answer[place], value]));
  return (one, other) => known.get(one * (NONE + 1) + other) ?? 0;
}

function chosenLabels(system) {
  const { gold, answer, count } = report.results.confusion[system];
  const errors = new Array(NONE + 1).fill(0);
  count.forEach((value, place) => {
    if (gold[place] === answer[place]) return;
    errors[gold[place]] += value;
    errors[answer[place]] += value;
  });
  const kept = new Set([...report.label_order].sort((one, other) => errors[other] - errors[one]).slice(0, MOST));
  return report.label_order.filter((label) => kept.has(label));
}

// The selections of a cell: of spans, its errors, which are not all at gold spans.
function conditionsOf(system, gold, answer) {
  const [name, asked, answered] = [report.systems[system], report.labels[gold], report.labels[answer]];
  const oneOf = (outcomes) => ["in", ["outcome", name], ...outcomes.map((outcome) => outcome.name)];
  if (!ofErrors) return [["=", "label", asked], ["=", ["answer", name], answered ?? null]];
  if (answer === NONE) return [["=", "label", asked], oneOf(missed)];
  if (gold === NONE) return [["=", "label", answered], oneOf(invented)];
  return [["=", ["mistaken", name], asked], ["=", ["mistaken_for", name], answered]];
}

function cellOf(system, gold, answer, count, most) {
  const same = gold === answer;
  const margin = gold === NONE || answer === NONE;
  const cell = element("td", { class: `heat${same ? " same" : ""}${margin ? " margin" : ""}` });
  if (!count) {
    cell.append(element("span", { class: "zero" }, "·"));
    return cell;
  }
  const shaded = !margin && (!same || ofErrors);
  if (shaded) {
    const step = Math.min(8, Math.max(1, Math.ceil((8 * count) / most)));
    cell.classList.add(`seq-${step}`);
  }
  const said = `gold ${report.labels[gold] ?? "none"}, answer ${report.labels[answer] ?? "none"}: ${number(count)}`;
  cell.append(link(unitsAt(conditionsOf(system, gold, answer), count), number(count), { "aria-label": said }));
  return cell;
}

function tableOf(system) {
  const count = countsOf(system);
  const codes = chosenLabels(system);
  const silent = ofErrors || report.results.confusion.some(({ answer }) => answer.includes(NONE));
  const others = [...codes, NONE];
  const rows = codes.filter((gold) => others.some((answer) => count(gold, answer)));
  const columns = codes.filter((answer) => others.some((gold) => count(gold, answer)));
  const cell = (gold, answer) => cellOf(system, gold, answer, count(gold, answer), most);
  const off = codes.flatMap((gold) => codes.filter((answer) => answer !== gold || ofErrors).map((answer) => count(gold, answer)));
  const most = Math.max(1, ...off);
  const table = element("table", { class: "matrix" });
  const heads = columns.map((code) => report.labels[code]).map((label) => element("th", { scope: "col", class: "turned" }, element("span", { title: label }, label)));
  if (silent) heads.push(element("th", { scope: "col", class: "turned" }, element("span", {}, missed[0]?.said ?? "no answer")));
  table.append(element("thead", {}, element("tr", {}, element("td", {}), ...heads)));
  const body = element("tbody", {});
  for (const gold of rows) {
    const cells = (silent ? [...columns, NONE] : columns).map((answer) => cell(gold, answer));
    body.append(element("tr", {}, element("th", { scope: "row", title: report.labels[gold] }, report.labels[gold]), ...cells));
  }
  if (ofErrors) {
    const cells = columns.map((answer) => cell(NONE, answer));
    body.append(element("tr", {}, element("th", { scope: "row" }, invented[0]?.said ?? "invented"), ...cells, element("td", {})));
  }
  table.append(body);
  const hidden = report.labels.length - codes.length;
  return [table, hidden ? element("p", { class: "note" }, `The ${codes.length} labels with most confusions; ${hidden} more are in the JSON.`) : null];
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
