"""Where the gold standard itself may be wrong: units that most systems answer in one wrong way.

Systems that fail by themselves fail in different ways. Where all of them give one answer that is
not the gold one, a look at the annotation pays.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> gold, systems = small_corpora("spans")
>>> found = triage(fg.align(gold, {**systems, "third": systems["short"]}))
>>> [(one.text, one.gold and one.gold.label, one.answer and one.answer_text, one.agree)
...  for one in found.units()]                              # doctest: +NORMALIZE_WHITESPACE
[('Royal Society of London', 'ORG', 'Society of London', 2), ('She', None, 'She', 2),
 ('London Bridge', 'LOC', 'Bridge', 2)]

A gold unit counts by the wrong answer that most systems share (another label, other boundaries,
nothing at all), a unit that is not gold by the systems that are charged with it; where a system's
span is the answer to a gold unit it is listed there, once. Mentions are answered with antecedents:
systems that link one with different mentions do not agree.

Ranking: systems that agree on the answer, most first; systems that are right, fewest first; how
often gold has what they answer elsewhere (these words with this label, or without), most first.

Where systems have probabilities, ``by="confidence"`` lists the units whose gold label they
contradict with confidence, the lowest margin first (``metrics.confident_learning``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.compare import gap_listings
from finegrain.analyses.compare.gaps import Gaps, gaps
from finegrain.analyses.compare.shared_answers import found_elsewhere, sharing
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.analyses.units.context import Context, Places
from finegrain.analyses.units.instances import mark, pair
from finegrain.attributes.surfaces import surfaces
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.marks import Mark
from finegrain.table.restriction import in_whole
from finegrain.table.verdicts import produced, replies, right, right_or_wrong


@dataclass(frozen=True, slots=True)
class Suspect:
    """A unit to look at again; ``gold`` is missing where they agree on one that is not gold.

    ``answer`` is what the ``agreeing`` systems hold, missing where they have nothing;
    ``elsewhere`` is how often the gold standard has such an answer for these words at other places
    (``None`` for a corpus without text). ``sentence`` counts from 1.
    """

    document: str | int | None
    sentence: int
    line: int | None
    text: str
    outcome: str
    gold: Mark | None
    answer: Mark | None
    answer_text: str
    agreeing: tuple[str, ...]
    right: tuple[str, ...]
    elsewhere: int | None
    context: Context
    words: tuple[str, ...]

    @property
    def agree(self) -> int:
        """How many systems hold the shared answer."""
        return len(self.agreeing)

    def to_json(self) -> dict[str, Any]:
        """Sentences and tokens count from 1."""
        return {
            "document": self.document,
            "sentence": self.sentence,
            "line": self.line,
            "text": self.text,
            "outcome": self.outcome,
            "gold": self.gold.to_json() if self.gold else None,
            "answer": self.answer.to_json() if self.answer else None,
            "answer_text": self.answer_text or None,
            "agree": self.agree,
            "agreeing": list(self.agreeing),
            "right": list(self.right),
            "elsewhere": self.elsewhere,
            "words": list(self.words),
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Triage(Printed):
    """Rows of a table to look at again, the most suspicious first; ``found`` before any limit.

    ``answers`` ``[row]``: the answer that is shared, as in the table; -1 for none, -2 for the
    unit itself where it is not gold.
    ``agree`` ``[row, system]``: who holds it. ``elsewhere`` ``[row]``: -1 where unknown.
    ``gaps``, of graded units: how far who agrees is off. ``margins`` ``[row]``, by confidence: the
    mean probability of the gold label minus the highest of any other.
    """

    table: OutcomeTable
    rows: IntArray
    answers: IntArray
    agree: NDArray[np.bool_]
    elsewhere: IntArray
    suspected: IntArray
    at_least: int
    signature: str
    notes: tuple[str, ...]
    gaps: Gaps | None = None
    margins: NDArray[np.float64] | None = None

    @property
    def found(self) -> int:
        """How many there are, listed or not."""
        return len(self.suspected)

    @property
    def task(self) -> Task:
        return self.table.task

    @property
    def systems(self) -> tuple[str, ...]:
        return self.table.systems

    def units(self) -> Iterator[Suspect]:
        """The units, one after the other."""
        places = Places.of(self.table, self.rows)
        good = _with_gold(self.table)[self.rows] & right_or_wrong(self.table)
        for at in range(len(self.rows)):
            yield _suspect(self, places, at, good[at])

    def to_json(self) -> dict[str, Any]:
        units = [unit.to_json() for unit in self.units()]
        if self.gaps is not None:
            units = [
                unit | more
                for unit, more in zip(units, gap_listings.unit_json(self, self.gaps), strict=True)
            ]
        if self.margins is not None:
            told = zip(units, self.margins.tolist(), strict=True)
            units = [unit | {"margin": margin} for unit, margin in told]
        return {"at_least": self.at_least, "found": self.found, "units": units}

    def listings(self) -> tuple[Listing, ...]:
        if self.gaps is not None:
            return (gap_listings.listing(self, self.gaps),)
        columns: tuple[Column, ...] = (
            Column("agree", "count"), Column("right", "count"), Column("gold"), Column("answer"),
            Column("elsewhere", "count"), Column("before", "count"), Column("unit"),
            Column("after"), Column("line", "count"),
        )  # fmt: skip
        rows = tuple(_row(unit, self.task) for unit in self.units())
        if self.margins is not None:
            columns = (Column("margin", "number"), *columns)
            both = zip(self.margins.tolist(), rows, strict=True)
            rows = tuple((f"{margin:+.3f}", *row) for margin, row in both)
        told = f"; the first {len(rows):,}" if len(rows) < self.found else ""
        units = self.task.words.of(self.found)
        who = f"{self.at_least} or more systems" if self.at_least < len(self.systems) else "all"
        known = self.task.answers != "none"  # what is wrong, and not only that it is
        how = "answer in one wrong way" if known else "get wrong"
        title = f"{self.found:,} {units} that {who} {how}"
        note = _NOTE if known else _NOTE_OF_VERDICTS
        if self.margins is not None:
            title, note = f"{title} with confidence", _NOTE_OF_MARGINS + note
        return (Listing(title + told, columns, rows, note),)

    def records(self) -> Listing:
        """One row per unit, for annotating again."""
        if self.gaps is not None:
            return gap_listings.records(self, self.gaps)
        names = ("document", "sentence", "line", "tokens", "text", "outcome", "gold", "answer",
                 "answer_tokens", "answer_text")  # fmt: skip
        columns = [Column(name) for name in names]
        columns += (Column(name, "count") for name in ("agree", "right", "elsewhere"))
        columns += (Column("agreeing"), Column("words"))
        rows = tuple(_record(unit) for unit in self.units())
        if self.margins is not None:
            columns.append(Column("margin", "number"))
            rows = tuple(
                (*row, margin) for row, margin in zip(rows, self.margins.tolist(), strict=True)
            )
        return Listing("triage", tuple(columns), rows)


_NOTE = (
    "agree: systems with this answer; right: systems with the gold answer; elsewhere: other gold "
    "units with these words and this label or, where the answer is nothing, other occurrences of "
    "these words that are not annotated."
)

_NOTE_OF_MARGINS = (
    "margin: mean probability of the gold label minus the highest of any other (Northcutt et al. "
    "2021); systems must not have been trained on these items. "
)
_NOTE_OF_VERDICTS = (
    "agree: systems that are wrong; right: systems that are right. What was answered is not known, "
    "so they need not have been wrong in the same way."
)


def triage(
    table: OutcomeTable,
    *,
    at_least: float | None = None,
    limit: int | None = None,
    by: Literal["agreement", "confidence"] = "agreement",
    where: str = "",
) -> Triage:
    """Find the units that most systems answer in the same wrong way.

    Parameters
    ----------
    at_least: how many systems must agree: a number such as 3, or a share of the systems, a float
        up to 1.0; default: more than half of them; of graded units, how many must be far off:
        default: all
    limit: number of units, the most suspicious ones
    by: ``agreement`` of systems, or their ``confidence``: wrong answers with probabilities that are
        high for their label (confident learning), of one system or more
    where: only the units that this holds for, as in ``score``
    """
    if limit is not None and limit < 0:
        raise UsageError(f"the limit must not be negative: {limit}")
    if by not in ("agreement", "confidence"):
        raise UsageError.unknown("way of triage", by, ("agreement", "confidence"))
    table = restrict(table, where)
    doubted = _doubted(table) if by == "confidence" else None
    if table.task.value and table.n_systems:
        return _far_off(table, 1.0 if at_least is None else at_least, limit)
    if doubted is not None and at_least is None:
        at_least = 1
    least = least_number(at_least, table.n_systems)
    good = right(table) if doubted is None else ~doubted.flagged
    wrong = table.n_systems - np.count_nonzero(good, axis=1)
    rows = np.flatnonzero(wrong >= least)
    agree = sharing(_held(table, rows), good[rows])
    holder = agree.argmax(axis=1) if table.n_systems else rows  # without systems there are no rows
    answers = table.answer[rows, holder]  # who holds one answer has one label
    answers = np.where(table.is_gold[rows], answers, np.int32(_ITSELF))
    kept = np.count_nonzero(agree, axis=1) >= least
    rows, answers, agree = rows[kept], answers[kept], agree[kept]
    every, row = in_whole(table) or (table, np.arange(len(table)))
    elsewhere = found_elsewhere(every, row[rows], answers, surfaces(every))
    solvers = np.count_nonzero(_with_gold(table)[rows], axis=1)
    order = np.lexsort((rows, -elsewhere, solvers, -np.count_nonzero(agree, axis=1)))
    if doubted is not None:
        order = order[np.argsort(doubted.margin[rows[order]], kind="stable")]
    order = order[:limit]
    return Triage(
        table,
        rows[order],
        answers[order],
        agree[order],
        elsewhere[order],
        rows,
        least,
        signature(table, at_least=str(least), **({} if doubted is None else {"by": by})),
        table.notes,
        margins=None if doubted is None else doubted.margin[rows[order]],
    )


def _doubted(table: OutcomeTable) -> Any:
    found = None if table.task.doubted is None else table.task.doubted(table)
    if found is None:
        raise UsageError("triage by confidence needs probabilities of labels, and there are none")
    return found


def _far_off(table: OutcomeTable, at_least: float, limit: int | None) -> Triage:
    """The graded units that systems are far off on, the largest gap first."""
    least = least_number(at_least, table.n_systems)
    found = gaps(table, least)
    rows, far = found.rows[:limit], found.far[:limit]
    return Triage(
        table,
        rows,
        table.answer[rows, far.argmax(axis=1)],
        far,
        np.full(len(rows), -1, np.int64),
        np.sort(found.rows),
        least,
        signature(table, at_least=str(least)),
        table.notes,
        found,
    )


def _held(table: OutcomeTable, rows: IntArray) -> NDArray[np.int32]:
    """``[row, system]`` what systems hold as codes: equal codes, equal answers; -1 for nothing."""
    held = replies(table)[rows]
    if table.task.replies is not None:
        return held
    return np.where(table.is_gold[rows, None], held, np.int32(_ITSELF))


def _with_gold(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` who holds what the gold standard does; of other units, who has none."""
    return np.where(table.is_gold[:, None], right(table), ~produced(table))


_ITSELF = -2  # what systems that are charged with a unit that is not gold hold: the unit


def least_number(at_least: float | None, n_systems: int) -> int:
    """A number of systems from a number or a share of them.

    >>> least_number(None, 12), least_number(3, 12), least_number(0.75, 12), least_number(0.7, 10)
    (7, 3, 9, 7)
    >>> least_number(1, 12), least_number(1.0, 12)             # one system, all of them
    (1, 12)
    """
    if at_least is None:
        return n_systems // 2 + 1
    if not (at_least > 0 and math.isfinite(at_least)) or (at_least >= 1 and at_least % 1):
        raise UsageError(
            f"at_least: {at_least:g} is neither a number of systems (1, 2, ...) nor a share (0.75)"
        )
    if at_least > n_systems:
        raise UsageError(f"at_least: {at_least:g} systems, but there are {n_systems}")
    if at_least < 1 or (at_least == 1 and isinstance(at_least, float)):
        return max(1, math.ceil(at_least * n_systems - 1e-9))  # 0.7 * 10 is a little more than 7
    return int(at_least)


def _suspect(found: Triage, places: Places, at: int, good: NDArray[np.bool_]) -> Suspect:
    table, row, shared = found.table, int(found.rows[at]), int(found.answers[at])
    unit = mark(table, row)
    holder = int(np.argmax(found.agree[at]))
    answer = pair(table, row, holder).answer
    covered = shared if table.answers_are_rows and shared >= 0 else row
    elsewhere = int(found.elsewhere[at])
    return Suspect(
        places.document(at),
        places.sentence(at),
        places.line(at),
        table.text(row),
        table.outcomes.names[table.outcome[row, holder]],
        unit if table.is_gold[row] else None,
        answer,
        table.text(covered) if answer is not None else "",
        _names(table, found.agree[at]),
        _names(table, good),
        None if elsewhere < 0 else elsewhere,
        places.context(at),
        tuple(places.words(at)),
    )


def _names(table: OutcomeTable, chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(table.systems[place] for place in np.flatnonzero(chosen).tolist())


def _row(unit: Suspect, task: Task) -> tuple[Cell, ...]:
    missing = (
        "nothing" if task.answers in ("label", "unit") else task.outcomes[unit.outcome].wording
    )
    answer = missing if unit.answer is None else unit.answer.told
    if unit.answer is not None and unit.answer_text and unit.answer_text != unit.text:
        answer += f": {unit.answer_text}"
    gold = "nothing" if unit.gold is None else unit.gold.told
    line = "" if unit.line is None else str(unit.line)
    return (unit.agree, len(unit.right), gold, answer, unit.elsewhere, *unit.context, line)


def _record(unit: Suspect) -> tuple[Cell, ...]:
    whole = unit.gold or unit.answer
    return (
        unit.document, unit.sentence, unit.line, _tokens(whole), unit.text, unit.outcome,
        unit.gold.told if unit.gold else None,
        unit.answer.told if unit.answer else None, _tokens(unit.answer), unit.answer_text or None,
        unit.agree, len(unit.right), unit.elsewhere,
        " ".join(unit.agreeing), " ".join(unit.words),
    )  # fmt: skip


def _tokens(one: Mark | None) -> str | None:
    return None if one is None else " ".join(str(token + 1) for token in one.tokens)
