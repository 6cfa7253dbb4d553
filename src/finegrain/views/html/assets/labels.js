// The colours of labels.

import { report } from "./data.js";

const rankOfLabel = new Map(report.label_order.map((code, rank) => [code, rank]));

// The class that gives a label its colour; the six most frequent have one of their own.
export function labelClass(code) {
  const rank = rankOfLabel.get(code);
  return rank !== undefined && rank < 6 ? `l${rank}` : "lo";
}
