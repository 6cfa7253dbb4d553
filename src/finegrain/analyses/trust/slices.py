"""Slices that matter: where a system is worse than elsewhere, or two differ, beyond chance.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=20_000, seed=1, systems={"short": ["long-entities"]})
>>> found = fg.slices(fg.align(play.gold, play.systems), resamples=200)
>>> print(found.findings[-1].sentence)
short is weak on entity_length 4 to 12: recall -49.9 [-59.2, -40.6], n = 212, p = .005

Candidates are the buckets of attributes and of pairs of attributes with at least 30 units; what
systems did never defines them. All are tested together (``resampling.against_rest``,
``resampling.swapped_subsets``), so that the chance of any false finding is below 1 - confidence. A
slice is left out if its effect, given that of another one that is reported, is not beyond chance
(``slice_search``).

Tested is the recall of gold units or, apart, the precision of predictions by their own attributes;
of units that are graded, the mean value of gold units, where less may be better.
F1 is shown only: an error in the boundaries puts a prediction into another bucket than the gold
unit, so F1 differs between buckets even for a system without a weakness.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from finegrain.analyses.interval_cells import interval_notes
from finegrain.analyses.listing import Listing
from finegrain.analyses.p_values import written_level
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed
from finegrain.analyses.signature import signature
from finegrain.analyses.trust import slice_listings
from finegrain.analyses.trust.slice_finding import MEASURES, Finding, Search, Settings
from finegrain.analyses.trust.slice_search import Searcher
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.choosing import Wanted, of_items
from finegrain.attributes.choosing import chosen as chosen_attributes
from finegrain.attributes.training import Reading, TrainingData, learnt_from
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.resampling.intervals import check, too_few
from finegrain.resampling.sampling import Sampling, sampling_of
from finegrain.sizes import plural, sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import PROPORTION
from finegrain.table.verdicts import right_or_wrong, value

__all__ = ["Finding", "Search", "Settings", "Slices", "slices"]

FEW_DOCUMENTS = 20


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Slices(Printed):
    """The slices that matter, one search per system or for a pair of systems."""

    task: Task
    systems: tuple[str, ...]
    settings: Settings
    searches: tuple[Search, ...]
    signature: str
    notes: tuple[str, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, the largest slices of each search first."""
        return tuple(one for search in self.searches for one in search.findings)

    def to_json(self) -> dict[str, Any]:
        return slice_listings.to_json(self)

    def listings(self) -> tuple[Listing, ...]:
        return slice_listings.listings(self)

    def records(self) -> Listing:
        return slice_listings.records(self)


def slices(
    table: OutcomeTable,
    of: str | tuple[str, str] | None = None,
    *,
    by: Sequence[Wanted] | None = None,
    measure: str = "",
    train: Corpus | None = None,
    fewest: int = 30,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 1,
    assume_independent: bool = False,
    fold_case: bool = True,
    where: str = "",
    **learning: Unpack[Reading],
) -> Slices:
    """Slices on which a system is weak, or two systems differ, beyond chance.

    Parameters
    ----------
    of: a system, which is compared with its own rest; or a pair, the second of which is compared
        with the first; default: the pair where there are two systems, else every system
    by: attributes whose buckets, and those of pairs of them, are searched; default: those of the
        task, with the label
    measure: ``recall`` of gold units, or ``precision`` of predictions by their own attributes;
        default: recall, or the value that units are graded by
    train: training data, for attributes that are learnt
    fewest: units that a slice has at least
    confidence: 1 less the chance of any false finding
    resamples, seed: of the changes of signs, or exchanges, that all slices share
    assume_independent: sentences of a document do not depend on each other
    fold_case: whether words that differ in case only are the same
    where: only the units that this holds for, as in ``score``
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    table = restrict(table, where)
    attributes = attributes_of(table, by, train)
    needed = any(one.needs_training for one in attributes)
    training = learnt_from(train, table, needed=needed, fold_case=fold_case, **learning)
    measure = _measured(table, measure)
    graded = measure == table.task.value
    scale = value(table).scale if graded else PROPORTION
    settings = Settings(
        measure, fewest, confidence, resamples, seed, assume_independent, scale, graded
    )
    return _searched(table, _compared(table, of), attributes, training, settings)


def _measured(table: OutcomeTable, measure: str) -> str:
    """What is tested."""
    graded = table.task.value
    measure = measure or graded or "recall"
    known = (*MEASURES, graded) if graded else MEASURES
    if measure not in (known if right_or_wrong(table) else (graded,)):
        if measure in MEASURES:
            raise UsageError(
                f"units of {table.task} are graded, not right or wrong: what can be tested is "
                f"their {graded}, not {measure}"
            )
        raise UsageError.unknown("measure", measure, known)
    return measure


def _searched(
    table: OutcomeTable,
    compared: Sequence[tuple[str, ...]],
    attributes: Sequence[Attribute],
    training: TrainingData | None,
    chosen: Settings,
) -> Slices:
    """``compared``: ``(system,)`` against its own rest, or ``(first, second)`` as a pair."""
    _require(table, compared, attributes, chosen)
    sampling = sampling_of(table, kind="sentence" if chosen.assume_independent else None)
    few = sampling.kind == "document" and too_few(sampling.samples.size, level=chosen.level)
    searcher = Searcher(table, attributes, training, sampling, chosen, len(compared))
    searches = () if few else tuple(searcher.search(systems) for systems in compared)
    told = {"measure": chosen.measure, "by": ",".join(one.name for one in attributes)}
    told |= {"fewest": str(chosen.fewest), **sampling.said(), "resamples": str(chosen.resamples)}
    told |= {"confidence": f"{chosen.level:g}", "seed": str(chosen.seed)}
    told |= {} if training is None else {"train": str(training.n_units)}
    notes = [*table.notes, *(training.notes if training is not None else ())]
    notes += _undefined(table, compared, chosen)
    notes += _notes(searches, sampling, chosen, table.task.words.places)
    notes += interval_notes(sampling.kind, missing=False, independent=chosen.assume_independent)
    return Slices(
        table.task,
        tuple(dict.fromkeys(name for systems in compared for name in systems)),
        chosen,
        searches,
        signature(table, **told),
        tuple(notes),
    )


def _compared(table: OutcomeTable, of: str | tuple[str, str] | None) -> Sequence[tuple[str, ...]]:
    if isinstance(of, str):
        return [(of,)]
    if of is not None:
        if len(of) != 2:
            raise UsageError(f"a pair has two systems, not {len(of)}")
        return [(of[0], of[1])]
    if table.n_systems == 2:
        return [(table.systems[0], table.systems[1])]
    return [(name,) for name in table.systems]


def attributes_of(
    table: OutcomeTable, by: Sequence[Wanted] | None, train: Corpus | None
) -> Sequence[Attribute]:
    """What was asked for; of the attributes of the task, those that can be had."""
    own = dict.fromkeys((*table.task.slice_attributes(), *of_items(table)))
    found = chosen_attributes(table, list(own) if by is None else by)
    single = [one for one in found if isinstance(one, Attribute)]
    if len(single) < len(found):
        raise UsageError("name attributes one by one: slices cross every two of them")
    if by is None and train is None:
        single = [one for one in single if not one.needs_training]
    if len({one.name for one in single}) < len(single):
        raise UsageError("an attribute is named twice")
    return single


def _undefined(
    table: OutcomeTable, compared: Sequence[tuple[str, ...]], chosen: Settings
) -> Iterator[str]:
    """How many units have no value and are left out."""
    for systems in compared if chosen.graded else ():
        columns = [table.system(name) for name in systems]
        lacking = np.isnan(value(table).matrix[:, columns]).any(axis=1) & table.is_gold
        if lacking.any():
            number = int(np.count_nonzero(lacking))
            words = f"{number:,} {table.task.words.of(number)} left out"
            yield f"no {chosen.measure} of {' or '.join(systems)}: {words}"


def _notes(
    searches: Sequence[Search], sampling: Sampling, chosen: Settings, places: str
) -> Iterator[str]:
    kind, size, alpha = sampling.kind, sampling.samples.size, written_level(1 - chosen.level)
    if not searches:
        yield (
            f"nothing is tested: with {sized(size, kind)} no test of {plural(kind)} can reach "
            f"{alpha}; --assume-independent takes {places} for independent"
        )
    tests = sum(search.candidates for search in searches)
    if tests:
        yield (
            f"{tests:,} slices tested at once: the chance of any false finding is below "
            f"{alpha}; intervals hold for all of them together"
        )
    if any(one.low <= 0 <= one.high for search in searches for one in search.findings):
        yield "p is found step by step, intervals at once: so one may hold 0 though p is small"
    alone = any(len(search.systems) == 1 for search in searches)
    if alone and kind == "document" and size < FEW_DOCUMENTS:
        yield (
            f"{size} documents are few: errors that go together in one, such as a name that is "
            "always missed, can double the chance of a false finding"
        )
    f1 = [score for search in searches for one in search.findings for score in one.f1]
    if any(map(math.isnan, f1)) and not chosen.graded:
        yield "F1 n/a: every unit is answered, and F1 of a slice would be its recall"
    left_out = sum(search.significant - len(search.findings) for search in searches)
    if left_out:
        yield f"slices left out because those above explain them: {left_out:,}"


def _require(
    table: OutcomeTable,
    compared: Sequence[tuple[str, ...]],
    attributes: Sequence[Attribute],
    chosen: Settings,
) -> None:
    if table.task.members:
        words = table.task.words
        raise UsageError(
            f"slices are tested where {words.units} are independent of each other, but a "
            f"{words.member} stands in many {words.units}: use buckets, whose intervals draw "
            f"{plural(words.member)}"
        )
    if chosen.fewest < 2:
        raise UsageError(f"a slice has at least 2 units, not {chosen.fewest}")
    if not attributes:
        raise UsageError(f"say by which attributes the units of {table.task} make slices")
    for systems in compared:
        for name in systems:
            table.system(name)  # must be known
        if len(set(systems)) != len(systems):
            raise UsageError(f"{systems[0]!r} is not compared with itself")
    answered = not table.task.open and chosen.measure == "precision"
    if answered and "label" not in [one.name for one in attributes]:
        raise UsageError(
            f"the precision of {table.task} goes by the label that is answered: add it"
        )
    check(chosen.resamples, chosen.level)
