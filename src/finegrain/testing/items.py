"""Corpora of items in another order, or with other labels: for the contract checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, chosen
from finegrain.corpus.items import numbers, of_fields, plain


def reordered_items(corpus: Corpus, order: Sequence[int]) -> Corpus:
    """The same items in another order (or fewer of them), with their parts."""
    rows = np.array(order)
    fields = {name: chosen(column, rows) for name, column in corpus.fields.items()}
    parts = {name: part.of(rows) for name, part in corpus.parts.items()}
    return of_fields(corpus.source, fields, parts=parts, format=corpus.format)


def renamed_items(corpus: Corpus) -> Corpus:
    """The same items with every name changed but those of items and systems; numbers stay.

    A column for each label (``probabilities.pos``) has another name, too.
    """
    fields = {_key(name): _values(name, column) for name, column in corpus.fields.items()}
    parts = {
        name: replace(
            part, fields={key: _values(key, column) for key, column in part.fields.items()}
        )
        for name, part in corpus.parts.items()
    }
    return of_fields(corpus.source, fields, parts=parts, format=corpus.format)


def _key(name: str) -> str:
    return name + ":x" if "." in name else name


def _values(name: str, column: Column) -> Column:
    if name in ("id", "system", "token") or numbers(column) is not None:
        return column
    return Texts.of("" if value is None else f"{value}:x" for value in plain(column))
