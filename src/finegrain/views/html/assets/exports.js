// Units that the reader takes along, as CSV and JSON.

import { report, units } from "./data.js";
import { textOf, tokensOf } from "./unit_text.js";
import { answered } from "./verdicts.js";
import { visible } from "./visible.js";

// A spreadsheet must not take a cell for a formula; what is invisible is written out.
function cell(value) {
  const text = value === null || value === undefined ? "" : visible(String(value));
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${text}` : text;
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
