"""seqeval in its default mode: classification_report of each system."""

import json
import sys

from seqeval.metrics import classification_report

from benchmarks.contestants.columns import read_tags

gold = read_tags(sys.argv[1])
found = []
for path in sys.argv[2:]:
    report = classification_report(gold, read_tags(path), output_dict=True, zero_division=0)
    f1 = {name: float(row["f1-score"]) for name, row in report.items() if " avg" not in name}
    found.append({**f1, "overall": float(report["micro avg"]["f1-score"])})
print(json.dumps(found))
