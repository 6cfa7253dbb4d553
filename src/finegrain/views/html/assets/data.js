// Where numbers and units come from: they stand in the page. The units of an explorer do not:
// source.js asks its server for those that are to be seen.

export const report = JSON.parse(document.getElementById("data").textContent);

// Units as columns: report.units.label[row], report.units.outcome[system][row].
export const units = report.units;

// Other units take the place of those before them, with all their columns.
export function hold(others) {
  for (const name of Object.keys(units)) delete units[name];
  Object.assign(units, others);
}

const rankOfLabel = new Map(report.label_order.map((code, rank) => [code, rank]));

// The class that gives a label its colour; the six most frequent have one of their own.
export function labelClass(code) {
  const rank = rankOfLabel.get(code);
  return rank !== undefined && rank < 6 ? `l${rank}` : "lo";
}

export const number = (value) => value.toLocaleString("en-US");

export const outcomeName = (code) => report.outcomes[code].said;
