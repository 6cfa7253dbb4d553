"""The description of a data set as tables, tidy records and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.diagnosis_listings import zeta_cell
from finegrain.analyses.explain.inconsistency import ELSEWHERE
from finegrain.analyses.explain.training_overlap import LONG
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.attributes.learnt import CLASSES, MEANINGS, UNLABELLED

if TYPE_CHECKING:
    from finegrain.analyses.explain.description import Description, Side
    from finegrain.analyses.explain.inconsistency import Context, Inconsistencies
    from finegrain.analyses.explain.training_overlap import TrainingOverlap

_SIZES = ("documents", "sentences", "tokens", "words", "units")
_LONGEST = 10  # units of more tokens share a row
_QUANTILES = {"shortest": 0.0, "first quarter": 0.25, "half": 0.5, "third quarter": 0.75,
              "longest": 1.0}  # fmt: skip


def to_json(found: Description) -> dict[str, Any]:
    """The JSON object of a description."""
    train = found.train
    labels: dict[str, Any] = {
        name: {
            "gold": int(found.gold.labels[code]),
            "train": None if train is None else int(train.labels[code]),
        }
        for code, name in enumerate(found.labels)
    }
    if train is not None and train.labels[len(found.labels)]:
        labels[ELSEWHERE] = {"gold": 0, "train": int(train.labels[len(found.labels)])}
    overlap, checked = found.overlap, found.inconsistencies
    return {
        "sizes": _sizes(found.gold),
        "train_sizes": None if train is None else _sizes(train),
        "attributes": {
            one.name: {
                "zeta": number(one.zeta),
                "kind": one.attributes[0].kind,
                "level": one.attributes[0].level,
                "names": list(one.names),
                "ranges": _ranges(one),
                "gold_sizes": one.gold.tolist(),
            }
            for one in found.profile
        },
        "labels": labels,
        "unit_lengths": _lengths(found.gold.unit_lengths),
        "sentence_lengths": _lengths(found.gold.sentence_lengths),
        "overlap": None if overlap is None else _overlap(found, overlap),
        "inconsistencies": None if checked is None else _inconsistencies(checked),
    }


def _sizes(side: Side) -> dict[str, int]:
    return {name: getattr(side, name) for name in _SIZES}


def _ranges(one: Any) -> list[str]:
    places = np.unravel_index(
        np.arange(len(one.gold)), [len(division) for division in one.divisions]
    )
    return [
        " / ".join(
            division.buckets[int(at[row])].range()
            for division, at in zip(one.divisions, places, strict=True)
        )
        for row in range(len(one.gold))
    ]


def _lengths(counts: NDArray[np.int64]) -> dict[str, Any]:
    return {
        "mean": number(_mean(counts)),
        **{name.replace(" ", "_"): _quantile(counts, at) for name, at in _QUANTILES.items()},
        "counts": {str(length): int(counts[length]) for length in np.flatnonzero(counts).tolist()},
    }


def _mean(counts: NDArray[np.int64]) -> float:
    size = int(counts.sum())
    return float(counts @ np.arange(len(counts))) / size if size else math.nan


def _quantile(counts: NDArray[np.int64], at: float) -> int | None:
    """The length that at least this share of all do not exceed; ``None`` without any."""
    size = int(counts.sum())
    if not size:
        return None
    rank = max(1, math.ceil(at * size))
    return int(np.searchsorted(np.cumsum(counts), rank))


def _overlap(found: Description, overlap: TrainingOverlap) -> dict[str, Any]:
    known = found.train is not None
    told: dict[str, Any] = {
        "sentences": {
            "all": found.gold.sentences,
            "in_training": overlap.in_training if known else None,
            "repeated": overlap.repeated,
        },
        "long_sentences": {
            "all": overlap.long,
            "in_training": overlap.long_in_training if known else None,
            "repeated": overlap.long_repeated,
        },
        "unknown_tokens": overlap.unknown_tokens if known else None,
        "unknown_words": overlap.unknown_words if known else None,
    }
    for name, counts in (("units", overlap.units), ("surfaces", overlap.surfaces)):
        told[name] = dict(zip(CLASSES, counts.tolist(), strict=True)) if known else None
    return told


def _inconsistencies(checked: Inconsistencies) -> dict[str, Any]:
    return {
        "context": checked.width,
        "contexts": checked.contexts,
        "recurring": checked.recurring,
        "inconsistent": checked.inconsistent,
        "within_gold": checked.within_gold,
        "gold_occurrences": checked.units,
        "examples": [
            {
                "before": one.before,
                "words": one.words,
                "behind": one.behind,
                "labels": [
                    {
                        "label": each.label,
                        "gold": each.gold,
                        "train": each.train,
                        "sentence": each.sentence or None,
                        "line": each.line or None,
                    }
                    for each in one.labels
                ],
            }
            for one in checked.examples
        ],
    }


def listings(found: Description) -> tuple[Listing, ...]:
    """Tables for people."""
    tables = [_size_table(found), _profile(found)]
    tables += [_label_table(found)] if any(found.labels) else []
    of_texts = "texts" in found.task.has  # units are as long as the texts that they are about
    if not of_texts and (found.task.open or len(found.gold.unit_lengths) > 2):
        tables.append(_unit_lengths(found))  # else all have one token
    if found.gold.tokens:
        tables.append(_sentence_lengths(found))
    if found.overlap is not None:
        tables.append(_sentence_overlap(found, found.overlap))
        tables += [_unit_overlap(found.overlap)] if found.train is not None else []
    if found.inconsistencies is not None and not of_texts:
        tables.append(_consistency(found, found.inconsistencies))
    return tuple(tables)


def _sides(found: Description) -> list[Side]:
    return [found.gold] if found.train is None else [found.gold, found.train]


def _heads(found: Description) -> list[str]:
    return ["gold", "training"][: len(_sides(found))]


def _of_units(found: Description) -> dict[str, Side]:
    """The sides whose units are known, by name."""
    sides = dict(zip(_heads(found), _sides(found), strict=True))
    known = found.overlap is None or found.overlap.labelled
    return sides if known else {"gold": found.gold}


def _size_table(found: Description) -> Listing:
    columns = [Column("size"), *(Column(name, "count") for name in _heads(found))]
    names = {"words": "different words", "sentences": found.task.words.places}
    rows: list[tuple[Cell, ...]] = [
        (names.get(name, name), *(int(getattr(side, name)) or None for side in _sides(found)))
        for name in _SIZES
        if name != "units" or found.task.words.context  # else they are the items
    ]
    return Listing("Sizes", tuple(columns), tuple(rows))


def _profile(found: Description) -> Listing:
    columns = (
        Column("attribute"), Column("zeta"), Column("bucket"), Column("range"),
        Column("gold", "count"), Column("share", "score"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for one in found.profile:
        total = max(1, int(one.gold.sum()))
        cells = zip(one.names, _ranges(one), one.gold.tolist(), strict=True)
        for place, (name, held, size) in enumerate(cells):
            head = (one.name, zeta_cell(one)) if not place else ("", "")
            rows.append((*head, name, held, size, size / total))
    words = found.task.words
    note = f"zeta: mean of {'gold units' if words.context else words.units}."
    if any(one.level == "token" for each in found.profile for one in each.attributes):
        note += " Token attributes of spans count the tokens of spans."
    return Listing("Attributes", columns, tuple(rows), note)


def _label_table(found: Description) -> Listing:
    columns, sides = [Column("label")], _of_units(found)
    for name in sides:
        columns += [Column("units", "count", group=name), Column("share", "score", group=name)]
    names = [*found.labels, ELSEWHERE]
    order = sorted(
        range(len(found.labels)), key=lambda code: (-found.gold.labels[code], names[code])
    )
    if found.train is not None and found.train.labels[len(found.labels)]:
        order.append(len(found.labels))
    rows: list[tuple[Cell, ...]] = []
    for code in order:
        cells: list[Cell] = [names[code]]
        for side in sides.values():
            count = int(side.labels[code]) if code < len(side.labels) else 0
            cells += [count, count / side.units if side.units else None]
        rows.append(tuple(cells))
    return Listing("Labels", tuple(columns), tuple(rows))


def _unit_lengths(found: Description) -> Listing:
    columns, sides = [Column("tokens")], _of_units(found)
    for name in sides:
        columns += [Column("units", "count", group=name), Column("share", "score", group=name)]
    longest = max(len(side.unit_lengths) for side in sides.values()) - 1
    rows: list[tuple[Cell, ...]] = []
    for length in range(1, min(longest, _LONGEST) + 1):
        last = length == _LONGEST and longest > _LONGEST
        cells: list[Cell] = [f"{length} or more" if last else str(length)]
        for side in sides.values():
            counts = side.unit_lengths[length:] if last else side.unit_lengths[length : length + 1]
            cells += [int(counts.sum()), int(counts.sum()) / side.units if side.units else None]
        rows.append(tuple(cells))
    return Listing("Lengths of units", tuple(columns), tuple(rows))


def _sentence_lengths(found: Description) -> Listing:
    words = found.task.words
    columns = [
        Column(f"tokens of {_article(words.place)} {words.place}"),
        *(Column(name) for name in _heads(found)),
    ]
    rows: list[tuple[Cell, ...]] = [
        (name, *(_written(_quantile(side.sentence_lengths, at)) for side in _sides(found)))
        for name, at in _QUANTILES.items()
    ]
    rows.append(("mean", *(f"{_mean(side.sentence_lengths):.2f}" for side in _sides(found))))
    return Listing(f"Lengths of {words.places}", tuple(columns), tuple(rows))


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _written(value: int | None) -> str | None:
    return None if value is None else str(value)


def _sentence_overlap(found: Description, overlap: TrainingOverlap) -> Listing:
    columns = (
        Column("gold text"), Column("count", "count"), Column("of", "count"),
        Column("share", "score"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    sentences, long = found.gold.sentences, f"the same, {LONG} tokens or more"
    places = found.task.words.places
    if found.train is not None:
        rows += [
            _share(f"{places} that stand in training too", overlap.in_training, sentences),
            _share(long, overlap.long_in_training, overlap.long),
        ]
    rows += [
        _share(f"{places} that stand in gold before", overlap.repeated, sentences),
        _share(long, overlap.long_repeated, overlap.long),
    ]
    if found.train is not None:
        rows += [
            _share("tokens not seen in training", overlap.unknown_tokens, overlap.tokens),
            _share("different words that are not", overlap.unknown_words, overlap.words),
        ]
    return Listing("Overlap", columns, tuple(rows))


def _share(name: str, count: int, whole: int) -> tuple[Cell, ...]:
    return name, count, whole, count / whole if whole else None


def _unit_overlap(overlap: TrainingOverlap) -> Listing:
    columns = (
        Column("in training"), Column("units", "count"), Column("share", "score"),
        Column("different", "count"), Column("share", "score"),
    )  # fmt: skip
    totals = int(overlap.units.sum()), int(overlap.surfaces.sum())
    rows: list[tuple[Cell, ...]] = []
    meanings = MEANINGS if overlap.labelled else UNLABELLED
    for meaning, units, surfaces in zip(
        meanings, overlap.units.tolist(), overlap.surfaces.tolist(), strict=True
    ):
        if not meaning:
            continue
        rows.append(
            (meaning, units, units / totals[0] if totals[0] else None,
             surfaces, surfaces / totals[1] if totals[1] else None)
        )  # fmt: skip
    note = "different: units with the same words and label count once."
    return Listing("Gold units in training", columns, tuple(rows), note)


def _consistency(found: Description, checked: Inconsistencies) -> Listing:
    heads, place = tuple(_of_units(found)), found.task.words.place
    columns = (
        Column("before"), Column("words"), Column("behind"), Column("label"),
        *(Column(name, "count") for name in heads), Column("first in gold"),
    )  # fmt: skip
    rows = tuple(row for one in checked.examples for row in _context_rows(one, len(heads), place))
    words = f"{checked.width} word{'s' * (checked.width != 1)}"
    note = (
        f"Of {checked.recurring:,} contexts that recur ({words} on either side) "
        f"{checked.inconsistent:,} have different labels, {checked.within_gold:,} of them within "
        f"gold; they stand in gold {checked.units:,} times."
    )
    return Listing("Inconsistent labels", columns, rows, note)


def _context_rows(one: Context, sides: int, place_name: str) -> Iterator[tuple[Cell, ...]]:
    for place, each in enumerate(one.labels):
        head = ("", "", "") if place else (one.before, one.words, one.behind)
        where = f"line {each.line}" if each.line else f"{place_name} {each.sentence}"
        yield *head, each.label, *(each.gold, each.train)[:sides], where if each.sentence else ""


def records(found: Description) -> Listing:
    """All numbers as one tidy table."""
    columns = (Column("part"), Column("name"), Column("measure"), Column("value", "score"))
    return Listing("describe", columns, (*_side_rows(found), *_attribute_rows(found)))


def _side_rows(found: Description) -> Iterator[tuple[Cell, ...]]:
    for head, side in zip(_heads(found), _sides(found), strict=True):
        for name in _SIZES:
            yield "sizes", head, name, int(getattr(side, name))
        for name, count in zip([*found.labels, ELSEWHERE], side.labels.tolist(), strict=False):
            yield "labels", name, head, count
        for part, counts in (
            ("unit_lengths", side.unit_lengths), ("sentence_lengths", side.sentence_lengths)
        ):  # fmt: skip
            for length in np.flatnonzero(counts).tolist():
                yield part, str(length), head, int(counts[length])


def _attribute_rows(found: Description) -> Iterator[tuple[Cell, ...]]:
    for one in found.profile:
        yield "attributes", one.name, "zeta", one.zeta
        for name, size in zip(one.names, one.gold.tolist(), strict=True):
            yield "attributes", one.name, f"units in {name}", size
    if found.overlap is not None:
        for part, values in _overlap(found, found.overlap).items():
            cells = values if isinstance(values, dict) else {"count": values}
            for name, value in cells.items():
                yield "overlap", part, name, value
    if found.inconsistencies is not None:
        told = _inconsistencies(found.inconsistencies)
        for name in ("contexts", "recurring", "inconsistent", "within_gold", "gold_occurrences"):
            yield "inconsistencies", "", name, told[name]
