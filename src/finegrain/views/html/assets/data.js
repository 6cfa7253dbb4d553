// Where numbers and units come from. In a report they stand in the page; an explorer would
// fetch the same JSON from its server.

export const report = JSON.parse(document.getElementById("data").textContent);

// Units as columns: report.units.label[row], report.units.outcome[system][row].
export const units = report.units;

const rankOfLabel = new Map(report.label_order.map((code, rank) => [code, rank]));

// The class that gives a label its colour; the six most frequent have one of their own.
export function labelClass(code) {
  const rank = rankOfLabel.get(code);
  return rank !== undefined && rank < 6 ? `l${rank}` : "lo";
}

export const number = (value) => value.toLocaleString("en-US");

export const outcomeName = (code) => report.outcomes[code].said;
