"""A label that is taken for another: how often each system does, and what a sentence says of it.

>>> Mistake("ORG", "LOC", 80, (20, 9), 0).share(0)
0.25
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import GOLD, Evidence, answers, has_label, is_wrong
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import (
    Bar,
    Part,
    Strip,
    captioned,
    label_words,
    leading,
    number,
    percent,
    share,
    strong,
)
from finegrain.table.verdicts import answered, right

_BARS = 6  # systems in the small figure


def mistakes(facts: Facts) -> NDArray[np.int64]:
    """``[rank, gold label, answer]`` how many gold units a system gives another label.

    Systems stand from the best on. Spans that are not gold are not counted here, as they are in
    ``confusion``: a sentence says how many of the gold units.
    """
    table, size = facts.table, facts.table.n_labels
    given = answered(table)
    wrong = table.is_gold[:, None] & ~right(table) & (given >= 0)
    found = np.empty((len(facts.order), size, size), np.int64)
    for rank, system in enumerate(facts.order):
        rows = np.flatnonzero(wrong[:, system])
        pairs = table.label[rows].astype(np.int64) * size + given[rows, system]
        found[rank] = np.bincount(pairs, minlength=size * size).reshape(size, size)
        np.fill_diagonal(found[rank], 0)
    return found


@dataclass(frozen=True, slots=True)
class Mistake:
    """``n`` gold units of a label and, from the best system on, how many are taken for ``answer``.

    ``rank``: the system that the sentence is about, counted from the best.
    """

    label: str
    answer: str
    n: int
    counts: tuple[int, ...]
    rank: int

    @property
    def words(self) -> str:
        """``ORG for LOC``."""
        return f"{label_words(self.label)} for {label_words(self.answer)}"

    def share(self, rank: int) -> float:
        """Of the gold units, 0 to 1."""
        return self.counts[rank] / self.n

    def of_one(self, facts: Facts) -> list[Part]:
        """Of the system that makes it most, and what the others do."""
        made = self._made(facts, self.rank)
        parts = [
            strong(facts.name(facts.order[self.rank])),
            Part(" takes "),
            number(made),
            Part(" of "),
            number(self._whole()),
            Part(f" {self.words} ("),
            *leading(made, *share(made.count, self.n, None)),
            Part(")"),
        ]
        others = [rank for rank in range(len(self.counts)) if rank != self.rank]
        others.sort(key=self.counts.__getitem__)
        if len(others) == 1:
            name = facts.name(facts.order[others[0]])
            parts += [Part(f"; {name} "), number(self._made(facts, others[0]))]
        elif others:
            fewest, most = (self._made(facts, rank) for rank in (others[0], others[-1]))
            between = [number(fewest), Part(" to ")] if fewest.count < most.count else []
            parts += [Part("; the others "), *between, number(most)]
        return [*parts, Part(".")]

    def of_all(self, facts: Facts) -> list[Part]:
        """Of all systems: the fewest and the most."""
        least = self.counts.index(min(self.counts))
        fewest, most = self._made(facts, least), self._made(facts, self.rank)
        return [
            Part(f"{facts.all_systems()} take {self.words}: from "),
            number(fewest),
            Part(f" ({facts.name(facts.order[least])}) to "),
            number(most),
            Part(f" ({facts.name(facts.order[self.rank])}) of "),
            number(self._whole()),
            Part(" ("),
            *leading(fewest, *share(fewest.count, self.n, None)),
            Part(" to "),
            *leading(most, *share(most.count, self.n, None)),
            Part(")."),
        ]

    def _whole(self) -> Evidence:
        """The gold units of the label."""
        return Evidence.of(self.n, GOLD, has_label(self.label))

    def _made(self, facts: Facts, rank: int) -> Evidence:
        """Those of them that a system gives the other label."""
        name = facts.name(facts.order[rank])
        taken = answers(name, self.answer), is_wrong(name)
        return Evidence.of(self.counts[rank], GOLD, has_label(self.label), *taken)

    def strip(self, facts: Facts, *, by_all: bool) -> Strip:
        """A bar for each system; of many the best ones and the one that it is about."""
        shown = list(range(len(self.counts)))
        if len(shown) > _BARS:
            shown = sorted({*shown[: _BARS - 1], self.rank})
        bars = tuple(
            Bar(facts.brief(facts.order[rank]), self.share(rank),
                percent(self.counts[rank], self.n), by_all or rank == self.rank,
                self._made(facts, rank))
            for rank in shown
        )  # fmt: skip
        some = len(shown) < len(self.counts)
        caption = f"{label_words(self.label)} taken for {label_words(self.answer)}"
        then = f"; {len(shown)} of {len(self.counts)} systems" if some else ""
        return Strip(captioned(caption, self._whole(), then), bars)
