"""An oracle as JSON: ``overall`` and ``labels`` by the paper's measure, and what goes beyond.

>>> from finegrain.analyses.compare.oracle import oracle
>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["a", "b"]], tags=[["N", "V"]])
>>> nouns = Corpus.of([["a", "b"]], tags=[["N", "N"]])
>>> to_json(oracle(align(gold, {"nouns": nouns})))["overall"]
{'units': 2, 'correct': 1, 'systems': {'nouns': 0.5}, 'vote': 0.5, 'oracle': 0.5, 'best': 0.5,
 'best_system': 'nouns', 'gain': 0.0, 'gain_over_overall_best': 0.0}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.alignment.majority_vote import VOTE
from finegrain.analyses.result import number, pair_key

if TYPE_CHECKING:
    from finegrain.analyses.compare.complementarity import PairBound
    from finegrain.analyses.compare.oracle import Bound, Measure, Oracle


def to_json(found: Oracle) -> dict[str, Any]:
    """The ``result`` object."""
    first, *others = found.measures
    shapley = [number(found.share(units)) for units in found.contributions.shapley.tolist()]
    return {
        **_bounds(found, first, counted=True),
        **{name: _bounds(found, name, counted=False) for name in others if name == "f1"},
        "sentences": _sentences(found),
        "pairs": {
            pair_key(found.systems[pair.one], found.systems[pair.other]): _pair(found, pair)
            for pair in found.all_pairs()
        },
        "best_pair": _best_pair(found),
        "greedy": _greedy(found),
        "contributions": _contributions(found),
        "shapley": dict(zip(found.systems, shapley, strict=True)),
        "vote": _vote(found),
        **_intervals(found),
    }


def _intervals(found: Oracle) -> dict[str, Any]:
    if found.intervals is None:
        return {}
    return {"intervals": found.intervals.to_json(found.measures, found.labels)}


def _bounds(found: Oracle, measure: Measure, *, counted: bool) -> dict[str, Any]:
    def one(label: str | None) -> dict[str, Any]:
        counts = found.counts(label)[-1]
        sizes = {"units": int(counts[3]), "correct": int(counts[0])} if counted else {}
        bound = found.bound(measure, label=label)
        return {**sizes, **_bound(bound, found.systems, oracle=number(bound.oracle))}

    return {"overall": one(None), "labels": {label: one(label) for label in found.labels}}


def _bound(bound: Bound, systems: tuple[str, ...], **upper: float | None) -> dict[str, Any]:
    return {
        "systems": _by_name(systems, bound.systems.tolist()),
        "vote": number(bound.vote),
        **upper,
        "best": number(bound.best),
        "best_system": bound.best_system,
        "gain": number(bound.gain),
        "gain_over_overall_best": number(bound.gain_over_leader),
    }


def _by_name(names: Iterable[str], values: Iterable[float]) -> dict[str, float | None]:
    return {name: number(value) for name, value in zip(names, values, strict=True)}


def _sentences(found: Oracle) -> dict[str, Any]:
    total, _, one_system = found.sentences
    bound = found.sentence_bound()
    upper = {
        "every_unit_covered": number(bound.oracle),
        "one_system_per_sentence": one_system / total if total else None,
    }
    return {"sentences": total, **_bound(bound, found.systems, **upper)}


def _pair(found: Oracle, pair: PairBound) -> dict[str, Any]:
    return {
        "correct": pair.solved,
        "oracle": number(found.share(pair.solved)),
        "gain": number(found.share(pair.more)),
    }


def _best_pair(found: Oracle) -> dict[str, Any] | None:
    best = found.best_pair()
    if best is None:
        return None
    return {"systems": [found.systems[best.one], found.systems[best.other]], **_pair(found, best)}


def _greedy(found: Oracle) -> list[dict[str, Any]]:
    added = np.diff(found.greedy.solved, prepend=0).tolist()
    return [
        {
            "system": found.systems[system],
            "correct": solved,
            "oracle": number(found.share(solved)),
            "gain": number(found.share(more)),
        }
        for system, solved, more in zip(*found.greedy, added, strict=True)
    ]


def _contributions(found: Oracle) -> dict[str, Any]:
    unique, shapley = (column.tolist() for column in found.contributions)
    solved = found.greedy.solved[-1]
    return {
        name: {
            "correct": found.solved_by(at),
            "unique": unique[at],
            "oracle_without": number(found.share(solved - unique[at])),
            "shapley_units": shapley[at],
            "share_of_oracle": shapley[at] / solved if solved else None,
        }
        for at, name in enumerate(found.systems)
    }


def _vote(found: Oracle) -> dict[str, Any]:
    bounds = {measure: found.bound(measure) for measure in found.measures}
    return {
        "name": VOTE,
        "scores": {measure: number(bound.vote) for measure, bound in bounds.items()},
        "reached": {
            measure: number(bound.reached)
            for measure, bound in bounds.items()
            if measure != "precision"
        },
    }
