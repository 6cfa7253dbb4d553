"""finegrain as a library: token check, per-label strict, fair and weighted scores."""

import json
import sys
from collections.abc import Iterator

import finegrain as fg


def systems() -> Iterator[tuple[str, fg.Corpus]]:
    """One system at a time, so that only one file is in memory."""
    for path in sys.argv[2:]:
        yield path, fg.read(path)


scores = fg.score(fg.align(fg.read(sys.argv[1]), systems()))
found = []
for result in scores.to_json().values():
    f1 = {label: values["traditional"]["f1"] for label, values in result["labels"].items()}
    found.append({**f1, "overall": result["overall"]["traditional"]["f1"]})
print(json.dumps(found))
