"""A difference as JSON: changes, scores, agreement; of graded units what is won and lost.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = to_json(fg.difference(fg.align(*small_corpora("tags")), "nouns", "mixed"))
>>> found["corrections"]["count"], found["sentences"]["fixed"], "gains" in found
(4, 1, False)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.table.verdicts import CHANGES

if TYPE_CHECKING:
    from finegrain.analyses.compare.difference import Difference


def to_json(found: Difference) -> dict[str, Any]:
    """The ``result`` object; where units are only graded, without what tells right from wrong."""
    return {
        "a": found.systems[0],
        "b": found.systems[1],
        "units": found.units,
        "changed": found.changed,
        "diff": found.diff,
        **(_changes(found) if found.judged else {}),
        "score": found.score and {"metric": found.score.name, **found.score.to_json()},
        **(_agreement(found) if found.judged else {}),
        **({} if found.gains is None else {"gains": found.gains.to_json()}),
        **({} if found.intervals is None else {"intervals": found.intervals.to_json()}),
    }


def _changes(found: Difference) -> dict[str, Any]:
    return {
        **{f"{kind}s": _kind(found, kind) for kind in CHANGES},
        "labels": [one.to_json() for one in found.by_label()],
        "accuracy": found.accuracy.to_json(),
    }


def _agreement(found: Difference) -> dict[str, Any]:
    sentences = found.counts.sentences
    return {
        "agreement": {
            "all": 1 - found.diff,
            "right": found.right_answers.to_json(),
            "wrong": found.wrong_answers.to_json(),
        },
        "sentences": {
            "all": sentences.all,
            "a": sentences.right_one,
            "b": sentences.right_other,
            "fixed": sentences.fixed,
            "broken": sentences.broken,
            "changed": sentences.changed,
        },
    }


def _kind(found: Difference, kind: str) -> dict[str, Any]:
    count = found.total(kind)
    return {
        "count": count,
        "share_of_changes": count / found.changed if found.changed else None,
        "pairs": [change.to_json() for change in found.changes(kind)],
    }
