// Where the list takes its units from: those in the page, or the server of an explorer, which has
// all of them. Either way: how many fit, and the places of one page of them, hardest first.

import { hold, report, units } from "./data.js";
import { unitsAsCsv, unitsAsJson } from "./exports.js";
import { download, follow } from "./files.js";
import { extentOf, select } from "./selection.js";
import { asParameters } from "./state.js";

export const PAGE = 20;
const served = Boolean(report.units_at);

// Gold units by bin, then what is not gold, by how many systems agree on it; graded ones by their mean value.
const hardness = (row) => units.hardness?.[row] ?? (units.bin[row] >= 0 ? units.bin[row] : 1e6 - units.agree[row]);

function embedded(asked) {
  const found = select(asked);
  const extent = extentOf(asked);
  return found.sort((one, other) => extent(one) - extent(other) || hardness(one) - hardness(other) || one - other);
}

const address = (name, asked) => `${name}?${new URLSearchParams(asked)}`;

// Units that can be listed, and the units there are.
export const listed = () => (served ? units.found : units.chosen.length);

function silent() {
  throw new Error("The explorer does not answer: does it still run?");
}

let latest = 0;

// One page of the units that fit; null if something else has been asked for in the meantime.
export async function find(asked, page) {
  const mine = ++latest;
  if (!served) {
    const found = embedded(asked);
    const shown = Math.min(Math.max(1, Math.ceil(found.length / PAGE)), Math.max(1, page || 1));
    return { count: found.length, page: shown, rows: found.slice((shown - 1) * PAGE, shown * PAGE) };
  }
  const wanted = [...asParameters(asked), ["page", Math.max(1, page || 1)], ["size", PAGE]];
  const answer = await fetch(address(report.units_at, wanted)).catch(silent);
  const told = await (answer.ok ? answer.json() : answer.text());
  if (mine !== latest) return null;
  if (!answer.ok) throw new Error(told.trim().split(/\s*\n[\s^]*/).join(" "));
  hold(told.units);
  return { count: told.count, page: told.page, rows: units.chosen };
}

// All units that fit, as a file.
export async function takeAlong(asked, suffix) {
  if (served) follow(address(`${report.units_at}.${suffix === "json" ? "jsonl" : suffix}`, asParameters(asked)));
  else if (suffix === "csv") download("units.csv", unitsAsCsv(embedded(asked)));
  else download("units.json", unitsAsJson(embedded(asked)));
}
