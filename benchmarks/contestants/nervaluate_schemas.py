"""nervaluate: its four schemas at once, of which `strict` is compared."""

import json
import sys

from nervaluate.evaluator import Evaluator

from benchmarks.contestants.columns import read_tags

gold = read_tags(sys.argv[1])
labels = sorted({tag[2:] for sentence in gold for tag in sentence if tag != "O"})
found = []
for path in sys.argv[2:]:
    results = Evaluator(gold, read_tags(path), tags=labels, loader="list").evaluate()
    f1 = {label: float(results["entities"][label]["strict"].f1) for label in labels}
    found.append({**f1, "overall": float(results["overall"]["strict"].f1)})
print(json.dumps(found))
