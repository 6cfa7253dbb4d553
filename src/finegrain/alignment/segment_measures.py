"""Statistics of segments by measure: counted when they are asked for, and only once.

A measure is a function of texts: what it counts of every segment and system, whose sums are scored.

>>> from finegrain.tasks.item_examples import generation
>>> from finegrain.tasks.generation import align
>>> table = align(*generation())
>>> per_segment(table, "lengths")[0].tolist()                       # [system, (output, reference)]
[[6.0, 6.0], [4.0, 6.0]]

The gold corpus of a table stays the same in all of its parts, so what was counted of its segments
is kept with it, for each system and its output, as long as it lives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.segment_texts import OUTPUT, SegmentTexts, of_table
from finegrain.corpus import Corpus
from finegrain.plugins import Late
from finegrain.table import OutcomeTable

Floats = NDArray[np.float64]
Counting = Callable[[SegmentTexts, Mapping[str, str]], Floats]
"""Texts and settings of the alignment -> ``[segment, system, k]``."""
_HERE = "finegrain.alignment"
MEASURES: dict[str, Counting] = {
    "bleu": Late(f"{_HERE}.bleu:counts"),
    "chrf": Late(f"{_HERE}.chrf:counts"),
    "chrf++": Late(f"{_HERE}.chrf:counts_with_words"),
    "ter": Late(f"{_HERE}.translation_edits:counts"),
    "rouge": Late(f"{_HERE}.rouge:counts"),
    "rougeLsum": Late(f"{_HERE}.rouge:summary_counts"),
    "meteor": Late(f"{_HERE}.meteor:counts"),
    "wer": Late(f"{_HERE}.error_rates:of_words"),
    "cer": Late(f"{_HERE}.error_rates:of_characters"),
    "lengths": Late(f"{_HERE}.segment_words:lengths"),
    "kept": Late(f"{_HERE}.kept_words:counts"),
    "kept_of_source": Late(f"{_HERE}.kept_words:source_counts"),
}


class _Known(NamedTuple):
    """``[segment]`` the outputs of a system whose statistics ``[segment, k]`` are known."""

    outputs: NDArray[np.object_]
    values: Floats


_KNOWN: WeakKeyDictionary[Corpus, dict[tuple[str, ...], _Known]] = WeakKeyDictionary()
_UNKNOWN = object()  # equals no output


def per_segment(table: OutcomeTable, measure: str) -> Floats:
    """``[unit, system, k]`` what a measure counts."""
    known = _KNOWN.setdefault(table.corpus, {})
    settings = [f"{name}={value}" for name, value in sorted(table.settings.items())]
    keys = [(measure, system, *settings) for system in table.systems]
    given = table.details[OUTPUT]
    lacking = np.zeros(len(table), bool)
    for system, key in enumerate(keys):
        own = known.get(key)
        lacking |= True if own is None else own.outputs[table.sentence] != given[:, system]
    rows = np.flatnonzero(lacking)
    if len(rows) or not table.n_systems:
        values = MEASURES[measure](of_table(table, rows), table.settings)
        for system, key in enumerate(keys):
            _keep(known, key, table, rows, system, values[:, system])
    if not table.n_systems:
        return np.zeros((len(table), 0, values.shape[-1]))
    return np.stack([known[key].values[table.sentence] for key in keys], axis=1)


def _keep(
    known: dict[tuple[str, ...], _Known],
    key: tuple[str, ...],
    table: OutcomeTable,
    rows: NDArray[np.int64],
    system: int,
    values: Floats,
) -> None:
    own = known.get(key)
    if own is None:
        size = table.corpus.n_sentences
        outputs = np.full(size, _UNKNOWN, object)
        own = known[key] = _Known(outputs, np.full((size, values.shape[-1]), np.nan))
    own.outputs[table.sentence[rows]] = table.details[OUTPUT][rows, system]
    own.values[table.sentence[rows]] = values
