// Files that the reader takes along: units as CSV and JSON, tables as the command line writes them.

import { report, units } from "./data.js";
import { textOf, tokensOf } from "./filters.js";
import { answered } from "./verdicts.js";

// An address that is a file.
export const follow = (href, name = "") => Object.assign(document.createElement("a"), { href, download: name }).click();

export function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  follow(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// A spreadsheet must not take a cell for a formula.
function cell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function record(row) {
  const label = (code) => (code >= 0 ? report.labels[code] : null);
  return {
    unit: units.row[row],
    sentence: units.at[row],
    line: units.line[row] || null,
    tokens: tokensOf(row).map((token) => token + 1),
    text: textOf(row),
    gold: units.gold[row] ? label(units.label[row]) : null,
    systems: Object.fromEntries(
      report.systems.map((name, system) => [
        name,
        { outcome: report.outcomes[units.outcome[system][row]].name, answer: label(answered(system, row)) },
      ]),
    ),
  };
}

export const unitsAsJson = (rows) => JSON.stringify(rows.map(record), null, 1);

export function unitsAsCsv(rows) {
  const heads = ["unit", "sentence", "line", "tokens", "text", "gold"];
  for (const name of report.systems) heads.push(`outcome[${name}]`, `answer[${name}]`);
  const lines = rows.map((row) => {
    const one = record(row);
    const cells = [one.unit, one.sentence, one.line, one.tokens.join(" "), one.text, one.gold];
    for (const name of report.systems) cells.push(one.systems[name].outcome, one.systems[name].answer);
    return cells.map(cell).join(",");
  });
  return [heads.map(cell).join(","), ...lines].join("\r\n") + "\r\n";
}

// Files stand in the page compressed.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

const TYPES = { csv: "text/csv", json: "application/json", tex: "text/plain", md: "text/markdown" };

export function startExports() {
  for (const button of document.querySelectorAll("button[data-download]")) {
    const [name, suffix] = button.dataset.download.split(".");
    if (!report.downloads[name][suffix]) {
      Object.assign(button, { disabled: true, title: "This file is too large for the page: the command line writes it." });
    }
    button.addEventListener("click", async () => {
      download(`${name}.${suffix}`, await unpacked(report.downloads[name][suffix]), TYPES[suffix]);
    });
  }
}
