"""What hard units have in common: attributes by bin, with the trend marked.

The bin of a gold unit is the number of systems that are right about it: 0 is hardest, and all
systems solve the last bin (Gianola et al. 2021).

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = features(fg.align(*small_corpora("spans")), ["entity_length", "label"])
>>> found.sizes.tolist(), found.means[0].tolist()     # one unit that nobody solves, of 4 tokens
([1, 4, 2], [4.0, 1.75, 1.5])
>>> found.trends[0].direction is None                 # too few units for a clear trend
True

The trend is Spearman's correlation between the bin of a unit and its value, over units. An arrow
stands where it is at least 0.1 in size and beyond what 1 % of unrelated columns would show (units
taken as independent, which units of one sentence are not quite).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from finegrain import attributes as known
from finegrain.analyses.compare.difficulty import bins_of
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Printed, number
from finegrain.analyses.signature import signature
from finegrain.analyses.trend import Trend, trend
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.choosing import Wanted, chosen, of_items
from finegrain.attributes.training import Reading, TrainingData, learnt_from
from finegrain.attributes.units import Units
from finegrain.corpus import Coded, Corpus, IntArray
from finegrain.errors import UsageError
from finegrain.metrics.metric import ratio
from finegrain.plugins import everything
from finegrain.table import OutcomeTable, Task


@dataclass(frozen=True, slots=True, eq=False)
class Mix:
    """A category by bin: ``counts`` ``[value, bin]``, and the trend of every value."""

    attribute: str
    values: tuple[str, ...]
    counts: NDArray[np.int64]
    trends: tuple[Trend, ...]

    @property
    def shares(self) -> NDArray[np.float64]:
        """``[value, bin]`` the part of the bin that has the value; nan for an empty bin."""
        return ratio(self.counts, self.counts.sum(axis=0, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BinFeatures(Printed):
    """``sizes`` ``[bin]``; ``means`` ``[attribute, bin]``, nan for a bin without values.

    ``by`` says what the bins go by.
    """

    task: Task
    systems: tuple[str, ...]
    sizes: NDArray[np.int64]
    numbers: tuple[Attribute, ...]
    means: NDArray[np.float64]
    trends: tuple[Trend, ...]
    mixes: tuple[Mix, ...]
    signature: str
    notes: tuple[str, ...]
    by: str

    def to_json(self) -> dict[str, Any]:
        return {
            "sizes": self.sizes.tolist(),
            "features": {
                one.name: {"means": [number(mean) for mean in means], **found.to_json()}
                for one, means, found in zip(self.numbers, self.means, self.trends, strict=True)
            },
            "mixes": {
                mix.attribute: {
                    value: {
                        "counts": mix.counts[place].tolist(),
                        "shares": [number(share) for share in mix.shares[place]],
                        **mix.trends[place].to_json(),
                    }
                    for place, value in enumerate(mix.values)
                }
                for mix in self.mixes
            },
        }

    def listings(self) -> tuple[Listing, ...]:
        bins = tuple(Column(str(one), "count") for one in range(len(self.sizes)))
        ends = (*bins, Column("trend", "count"))
        rows: list[tuple[Cell, ...]] = [("units", *self.sizes.tolist(), "")]
        rows += (
            (_heading(one), *(_written(mean, one.unit) for mean in means), str(found))
            for one, means, found in zip(self.numbers, self.means, self.trends, strict=True)
        )
        mixes = (
            Listing(
                f"{mix.attribute[:1].upper()}{mix.attribute[1:]} by bin, % of the bin".replace(
                    "_", " "
                ),
                (Column(mix.attribute), *ends),
                tuple(
                    (value, *(_written(share, "share") for share in shares), str(found))
                    for value, shares, found in zip(mix.values, mix.shares, mix.trends, strict=True)
                ),
            )
            for mix in self.mixes
        )
        note = f"Columns are bins: {self.by} the unit, 0 hardest. {_TREND}"
        return (Listing("Features by bin", (Column("mean of"), *ends), tuple(rows), note), *mixes)

    def records(self) -> Listing:
        columns = (
            Column("attribute"), Column("value"), Column("bin", "count"),
            Column("units", "count"), Column("mean", "score"),
        )  # fmt: skip
        sizes = self.sizes.tolist()
        rows: list[tuple[Cell, ...]] = [
            (one.name, None, place, sizes[place], float(mean))
            for one, means in zip(self.numbers, self.means, strict=True)
            for place, mean in enumerate(means)
        ]
        rows += (
            (mix.attribute, value, place, sizes[place], float(share))
            for mix in self.mixes
            for value, shares in zip(mix.values, mix.shares, strict=True)
            for place, share in enumerate(shares)
        )
        return Listing("features", columns, tuple(rows))


_TREND = (
    "Trend: Spearman's correlation of bin and value over units; ↑ easy units have more of it, ↓ "
    "hard units have."
)

_OF_FORM = ("capital_share", "punctuation_share", "digit_share")  # of texts
_TOLD = (  # of the built-in ones; further ones if they are named
    "sentence_length", "entity_length", "characters", "characters_per_token", "capital_share",
    "punctuation_share", "digit_share", "hapax", "ambiguity", "label",
    "arc_length", "arc_direction", "root_distance", "siblings", "projectivity", "tree_depth",
    "head_upos", "antecedent_sentences", "antecedent_mentions", "antecedent_match", "chain_length",
    "chain_position",
)  # fmt: skip


def features(
    table: OutcomeTable,
    by: Wanted | Sequence[Wanted] | None = None,
    *,
    train: Corpus | None = None,
    fold_case: bool = True,
    where: str = "",
    **learning: Unpack[Reading],
) -> BinFeatures:
    """Describe hard and easy units: the gold units of every bin by their attributes.

    Parameters
    ----------
    by: attributes by name or as values, as in ``buckets``; default: those of form, rarity and
        ambiguity, plug-ins and, with training data, what is learnt from them
    train: training data, for attributes that are learnt
    fold_case: whether words that differ in case only are the same in the training data
    where: only the units that this holds for, as in ``score``
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    table = restrict(table, where)
    names = [by] if isinstance(by, str | Attribute) else by
    learnt = train is not None
    asked = _default(table, learnt=learnt) if names is None else _named(table, names)
    needed = names is None or any(one.needs_training for one in asked)
    return _described(
        table, asked, learnt_from(train, table, needed=needed, fold_case=fold_case, **learning)
    )


def _described(
    table: OutcomeTable, asked: Sequence[Attribute], training: TrainingData | None
) -> BinFeatures:
    units = Units(table, training)
    codes, size, by_what = bins_of(table)
    gold = np.flatnonzero(codes >= 0)
    bins = codes[gold]
    notes = [*table.notes, *(training.notes if training is not None else ())]
    numbers: list[tuple[Attribute, NDArray[np.float64], Trend]] = []
    mixes = []
    for one in asked:
        values = one.of(units)
        if isinstance(values, Coded):
            mixes.append(_mix(one.name, values, gold, bins, size))
            continue
        numbers.append((one, _means(values[gold], bins, size), trend(bins, values[gold])))
    lacking = [one.name for one, means, _ in numbers if len(gold) and np.isnan(means).all()]
    if lacking:
        without = "" if table.corpus.tokens is not None else ": the gold standard has no text"
        notes.append(f"no unit has a value of {', '.join(lacking)}{without}")
    sizes = np.bincount(bins, minlength=size)
    if (sizes == 0).any():
        notes.append("n/a in a bin: no gold unit is in it")
    if len(gold) and any(np.isnan(found.spearman) for _, _, found in numbers):
        notes.append("n/a as trend: all units have one value, or stand in one bin")
    return BinFeatures(
        table.task,
        table.systems,
        sizes,
        tuple(one for one, _, _ in numbers),
        np.array([means for _, means, _ in numbers]).reshape(len(numbers), size),
        tuple(found for _, _, found in numbers),
        tuple(mixes),
        signature(table),
        tuple(notes),
        by_what,
    )


def _default(table: OutcomeTable, *, learnt: bool) -> list[Attribute]:
    """Form, rarity and ambiguity, plug-ins and, with training data, what is learnt from them."""
    every: dict[str, Attribute] = everything("attributes", known.ATTRIBUTES)
    if "texts" in table.task.has:
        return _of_texts(table, every, learnt=learnt)
    of_tokens = Units(table).are_tokens
    several = table.task.open or not of_tokens  # units have more than one token, or could have
    return [
        one
        for name, one in every.items()
        if (name in _TOLD or name not in known.ATTRIBUTES or one.needs_training)
        and (name != "entity_length" or several)
        and one.applies_to(table.task)
        and (learnt or not one.needs_training)
        and (of_tokens or one.level == "unit")
    ]


def _of_texts(
    table: OutcomeTable, every: Mapping[str, Attribute], *, learnt: bool
) -> list[Attribute]:
    """Of items: what buckets go by, the make of their texts, plug-ins, and what is learnt."""
    no_text = not table.corpus.n_tokens
    own = (*table.task.attributes, *of_items(table), *(() if no_text else _OF_FORM))
    further = [
        name
        for name, one in every.items()
        if (one.needs_training or name not in known.ATTRIBUTES)
        and one.applies_to(table.task)
        and one.level == "unit"
    ]
    return [
        one
        for one in chosen(table, list(dict.fromkeys((*own, *further))))
        if isinstance(one, Attribute)
        and (learnt or not one.needs_training)
        and not (no_text and {"words", "texts"}.intersection(one.needs))
    ]


def _named(table: OutcomeTable, by: Sequence[Wanted]) -> list[Attribute]:
    """Those that were asked for, each by itself."""
    found = [one for one in chosen(table, by) if isinstance(one, Attribute)]
    if len(found) < len(by):
        raise UsageError("features describes one attribute at a time; buckets crosses them")
    return found


def _means(values: NDArray[np.float64], bins: IntArray, size: int) -> NDArray[np.float64]:
    """``[bin]`` the mean of the units that have a value."""
    defined = ~np.isnan(values)
    sums = np.bincount(bins[defined], values[defined], minlength=size)
    return ratio(sums, np.bincount(bins[defined], minlength=size))


def _mix(name: str, values: Coded, gold: IntArray, bins: IntArray, size: int) -> Mix:
    """Counts of the values that gold units have; some may have none."""
    codes = values.codes[gold].astype(np.int64)
    codes, bins = codes[codes >= 0], bins[codes >= 0]
    counts = np.bincount(codes * size + bins, minlength=len(values.names) * size)
    counts = counts.reshape(len(values.names), size)
    used = np.flatnonzero(counts.any(axis=1)).tolist()
    return Mix(
        name,
        tuple(values.names[code] for code in used),
        counts[used],
        tuple(trend(bins, codes == code) for code in used),
    )


def _heading(one: Attribute) -> str:
    return f"{one.name}, %" if one.unit == "share" else one.name


def _written(value: float, unit: str) -> str | None:
    """A mean for people: shares as percentages."""
    if np.isnan(value):
        return None
    return f"{100 * value:z.1f}" if unit == "share" else f"{value:z.2f}"
