"""Scores together with what training data held: the result of ``score --train``.

``result[system]`` is that of the scores with one more key, ``novelty``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from finegrain.analyses.explain.novelty import Novelty
from finegrain.analyses.listing import Cell, Listing
from finegrain.analyses.result import Printed
from finegrain.analyses.scores.score import Scores
from finegrain.table import Task


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SeenAndUnseen(Printed):
    """Scores, and the same units split by novelty."""

    scores: Scores
    novelty: Novelty

    @property
    def task(self) -> Task:
        return self.scores.task

    @property
    def systems(self) -> tuple[str, ...]:
        return self.scores.systems

    @property
    def signature(self) -> str:
        parts = self.scores.signature.split("|")
        added = [part for part in self.novelty.signature.split("|") if part not in parts]
        return "|".join([*parts[:-1], *added, parts[-1]])  # the version stays last

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.scores.notes, *self.novelty.notes)))

    def to_json(self) -> dict[str, Any]:
        novelty = self.novelty.to_json()
        scores = self.scores.to_json()
        return {name: {**scores[name], "novelty": novelty[name]} for name in self.systems}

    def listings(self) -> tuple[Listing, ...]:
        return *self.scores.listings(), *self.novelty.listings()

    def records(self) -> Listing:
        """The scores' table; measures by novelty are named such as ``recall (unseen)``."""
        scores = self.scores.records()
        width = len(scores.columns)
        rows: list[tuple[Cell, ...]] = list(scores.rows)
        for system, label, measure, training, _, _, value in self.novelty.records().rows:
            row = (system, label, f"{measure} ({training})", value)
            rows.append((*row, *[""] * (width - len(row))))
        return Listing("scores", scores.columns, tuple(rows))
