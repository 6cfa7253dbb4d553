"""Files that hold gold and answer side by side, without having said so.

Such a file is no gold standard, since nothing tells which of its columns is meant; but where the
gold standard is given, the column that equals it is the gold, and the other one the answer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain.alignment.same_text import require_same_text
from finegrain.corpus import Coded, Corpus
from finegrain.errors import InputError, Problem

GOLD, ANSWER, TAGS = "gold", "answer", "tags"


def require_decided(corpus: Corpus, layer: str = TAGS) -> None:
    """Refuse a corpus of which nobody has said which column is its tags."""
    if corpus.undecided is not None and layer not in corpus.layers:
        raise InputError([corpus.undecided])


def decided(gold: Corpus, system: Corpus, layer: str = TAGS) -> Corpus:
    """The system with its answer as the tags, if what stands beside it is the gold."""
    fault = system.undecided
    if fault is None or layer in system.layers:
        return system
    expected = gold.layers.get(layer)
    if expected is None or gold.tokens is None:
        raise InputError([fault])
    require_same_text(gold, system)
    differs = _first_difference(expected, system.layers[GOLD])
    if differs is not None:
        what = f"{fault.what}, but the first of them is not that of {gold.source}"
        raise InputError([Problem(fault.path, system.line(differs), what, fault.mend)])
    note = f"{fault.what}: the first is the gold, so the second counts"
    return replace(
        system,
        layers={TAGS: system.layers[ANSWER]},
        notes=(*system.notes, note),
        undecided=None,
    )


def _first_difference(one: Coded, two: Coded) -> int | None:
    """The first token on which two columns of one length differ."""
    number = {name: code for code, name in enumerate(one.names)}
    codes = np.array([number.get(name, -1) for name in two.names] or [0], np.int64)[two.codes]
    differ = np.flatnonzero(codes != one.codes)
    return int(differ[0]) if len(differ) else None
