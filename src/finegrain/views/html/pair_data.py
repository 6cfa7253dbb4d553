"""What a page tells of a pair of systems: numbers of ``difference``, and the commonest changes.

A change is told with the label of its units and both answers: labels where these tell answers
apart, else outcomes, of spans with the labels that were given.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> found = pair_data(fg.difference(table, "short", "mixed").to_json(), table)
>>> found["commonest"][0]
{'kind': 'new_error', 'label': 'LOC', 'from': 'TP', 'to': 'LE', 'from_label': 'LOC',
 'to_label': 'ORG', 'count': 1}
>>> found["further"]
0
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from finegrain.table import OutcomeTable
from finegrain.table.verdicts import CHANGES, named

MOST = 10  # changes of a pair
_TOLD = ("a", "b", "units", "changed", "score", "accuracy", "gains", "intervals")


def pair_data(pair: dict[str, Any], table: OutcomeTable) -> dict[str, Any]:
    """What is shown of the JSON of a pair; ``further`` are changes that are not.

    Units that are only graded have no changes: ``gains`` tells what is won and lost.
    """
    judged = "accuracy" in pair
    every = sorted(_changes(pair, table), key=lambda one: -one["count"]) if judged else []
    return {
        **{key: pair[key] for key in _TOLD if key in pair},
        **{kind: pair[f"{kind}s"]["count"] if judged else 0 for kind in CHANGES},
        "commonest": every[:MOST],
        "further": max(0, len(every) - MOST),
    }


def _changes(pair: dict[str, Any], table: OutcomeTable) -> Iterator[dict[str, Any]]:
    """All changes of a pair: the kind, the label of the units, both answers, how many."""
    if named(table).field == "answer":
        for kind in CHANGES:
            for one in pair[f"{kind}s"]["pairs"]:
                label = one.get("gold", one["to" if kind == "correction" else "from"])
                told = {key: one[key] for key in ("from", "to", "count")}
                yield {"kind": kind, "label": label, **told}
        return
    right = {one.name for one in table.outcomes if one.right}
    for of_label in pair["labels"]:
        for one in of_label["changes"]:
            kind = (
                "correction" if one["to"] in right
                else "new_error" if one["from"] in right
                else "changed_error"
            )  # fmt: skip
            yield {"kind": kind, "label": of_label["label"], **one}
