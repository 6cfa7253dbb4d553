"""pandas and scikit-learn: a report for each system, without intervals.

Labels are object arrays unless ``str`` is the first argument (pandas' own strings are slower).
"""

from __future__ import annotations

import sys

import pandas as pd
from sklearn.metrics import classification_report

kind, gold, *systems = sys.argv[1:]
types = {"id": object, "label": object} if kind == "object" else {"id": "str", "label": "str"}
expected = pd.read_csv(gold, dtype=types)["label"]
for path in systems:
    found = pd.read_csv(path, dtype=types)["label"]
    if kind == "object":
        print(classification_report(expected.to_numpy(object), found.to_numpy(object), digits=4))
    else:
        print(classification_report(expected, found, digits=4))
