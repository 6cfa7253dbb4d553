"""What probes found: items and scores by seed, as tables, plots and JSON.

>>> import numpy as np
>>> found = Found((np.array([0, 1]),), np.array([0.5]), np.array([1.0]), np.array([0.25]), ())
>>> found.selectivity.tolist()
[0.75]
>>> listing_of({"layer0": found}, np.full((1, 2), np.nan)).rows[0][:2]
('layer0', 0.5)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.studies.content import Axis, Plot, Series
from finegrain.analyses.studies.drawn_ends import written
from finegrain.analyses.studies.probes import Code, Codes, Floats
from finegrain.corpus import Corpus
from finegrain.table.scale import Scale

MAJORITY, RANDOM = "majority", "random"
"""Systems without any knowledge: the most frequent label, and a random vector for each type."""
_BITS = Scale(higher=False, best=0.0, worst=None, shown="number")
_RATIO = Scale(best=None, worst=0.0, shown="number")


class Items(NamedTuple):
    """What is probed: the items, and their labels and types as codes."""

    corpus: Corpus
    names: tuple[str, ...]
    label: Codes
    type: Codes
    by_label: str
    by_type: str


class Found(NamedTuple):
    """What a system has, ``[seed]`` each; nan where there are no types with several items."""

    answers: tuple[Codes, ...]
    accuracy: Floats
    items: Floats
    control: Floats
    codes: tuple[Code, ...]

    @property
    def selectivity(self) -> Floats:
        return self.items - self.control


def _mean(values: Iterable[float]) -> float:
    known = [one for one in values if one == one]  # noqa: PLR0124 - nan
    return float(np.mean(known)) if known else float("nan")


def listing_of(found: Mapping[str, Found], ends: Floats) -> Listing:
    """The table of all systems."""
    rows: list[tuple[Cell, ...]] = [
        (
            name, _mean(one.accuracy), written(*ends[at].tolist()), _mean(one.items),
            _mean(one.control), _mean(one.selectivity), _mean(code.bits for code in one.codes),
            _mean(code.compression for code in one.codes),
        )
        for at, (name, one) in enumerate(found.items())
    ]  # fmt: skip
    columns = (
        Column("system"), Column("accuracy", "score", best="max"), Column("interval", "number"),
        Column("label", "score", group="items in folds"),
        Column("control", "score", group="items in folds"),
        Column("selectivity", "change", group="items in folds"),
        Column("bits", "score", best="max", scale=_BITS, group="online code"),
        Column("compression", "score", best="max", scale=_RATIO, group="online code"),
    )  # fmt: skip
    note = (
        "accuracy: on types that the probe has not seen. Items in folds: types are shared between "
        "training and test; control: a random label for each type. selectivity: label less "
        "control. bits: online code length of all labels; compression: times shorter than without "
        "vectors."
    )
    return Listing("Probes", columns, tuple(rows), note)


def data_of(items: Items, found: Mapping[str, Found], ends: Floats) -> dict[str, Any]:
    """All numbers, for JSON."""
    systems = {
        name: {
            "accuracy": number(_mean(one.accuracy)),
            "interval": [number(end) for end in ends[at].tolist()],
            "seeds": [number(float(value)) for value in one.accuracy],
            "accuracy_items": number(_mean(one.items)),
            "control": number(_mean(one.control)),
            "selectivity": number(_mean(one.selectivity)),
            "code_length": number(_mean(code.bits for code in one.codes)),
            "compression": number(_mean(code.compression for code in one.codes)),
            "learning_curve": [
                {"learnt_from": size, "accuracy": value} for size, value in _curve(one)
            ],
        }
        for at, (name, one) in enumerate(found.items())
    }  # fmt: skip
    return {
        "label": items.by_label,
        "type": items.by_type,
        "labels": list(items.names),
        "n": len(items.label),
        "types": len(np.unique(items.type)),
        "systems": systems,
    }


def _curve(one: Found) -> list[tuple[int, float]]:
    """Accuracy on the next block by the number of items learnt from, the mean over seeds."""
    steps = zip(*(code.steps for code in one.codes), strict=True) if one.codes else ()
    return [(at[0].size, _mean(step.accuracy for step in at)) for at in steps]


def plots_of(found: Mapping[str, Found], ends: Floats, names: list[str]) -> tuple[Plot, ...]:
    """Accuracy and selectivity by layer, and learning curves."""
    x = np.arange(len(names), dtype=float)
    accuracy = np.array([_mean(found[name].accuracy) for name in names])
    selectivity = np.array([_mean(found[name].selectivity) for name in names])
    told = tuple(f"{name}: {value:.1%}" for name, value in zip(names, accuracy, strict=True))
    own = ends[: len(names)]
    series = [Series("accuracy", x, accuracy, "line", own[:, 0], own[:, 1], told)]
    if not np.isnan(selectivity).all():
        words = zip(names, selectivity, strict=True)
        text = tuple(f"{name}: selectivity {value:.1%}" for name, value in words)
        series.append(Series("selectivity", x, selectivity, "line", text=text))
    lines = ((_mean(found[MAJORITY].accuracy), "most frequent label"),)
    by_layer = Plot(
        "Accuracy by layer", Axis("layer, in their order"), Axis("accuracy", shown="percent"),
        tuple(series), lines=lines,
    )  # fmt: skip
    curves = []
    for name in (*names, RANDOM):
        steps = _curve(found[name])
        sizes, values = (np.array(column, float) for column in zip(*steps, strict=True))
        text = tuple(f"{name}, {size} items: {value:.1%}" for size, value in steps)
        curves.append(Series(name, sizes, values, "line", text=text))
    learning = Plot(
        "Learning curves", Axis("items learnt from", logarithmic=True),
        Axis("accuracy on the next items", (0.0, 1.0), "percent"), tuple(curves),
    )  # fmt: skip
    return by_layer, learning


def notes_of(items: Items) -> tuple[str, ...]:
    """What must be known of types and labels."""
    types = len(np.unique(items.type))
    notes = []
    if types == len(items.label):
        notes.append(
            "every type has a single item: there is no control task, and nothing keeps words "
            "apart but their ids (type names a column)"
        )
    rare = [
        name for code, name in enumerate(items.names) if np.count_nonzero(items.label == code) < 2
    ]
    if rare:
        notes.append(f"labels with a single item cannot be learnt: {', '.join(rare[:5])}")
    return tuple(notes)
