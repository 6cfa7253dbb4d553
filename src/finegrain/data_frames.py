"""From data frames, with a row for each token or for each item, to the outcome table.

Anything with columns by name will do: pandas, polars, a dictionary of lists.

>>> import finegrain as fg
>>> tokens = {
...     "sentence": [1, 1, 1, 2], "token": ["Ada", "met", "Bob", "No"],
...     "gold": ["B-PER", "O", "B-PER", "O"], "crf": ["B-PER", "O", "O", "O"],
... }
>>> table = fg.from_pandas(tokens, ["crf"])
>>> table.task.name, fg.score(table)["crf"].recall
('spans', 0.5)
>>> items = {"id": ["a", "b"], "text": ["fine", "dull"], "gold": ["+", "-"], "svm": ["+", "+"]}
>>> table = fg.from_pandas(items, ["svm"])
>>> table.task.name, fg.score(table)["svm"]["accuracy"]
('classification', 0.5)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from finegrain.corpus import LAYER, Corpus
from finegrain.errors import InputError, UsageError
from finegrain.item_lists import from_items
from finegrain.table import OutcomeTable
from finegrain.tasks import Task, align, by_name, guess

ID = "id"


def from_pandas(
    frame: Any,
    systems: Sequence[str],
    *,
    gold: str = "gold",
    token: str = "token",  # noqa: S107 - the name of a column
    sentence: str = "sentence",
    document: str = "document",
    task: str | Task | None = None,
    **options: Any,
) -> OutcomeTable:
    """Align columns of a data frame into an outcome table.

    With the columns ``token`` and ``sentence`` its rows are tokens in the order of the text;
    otherwise they are items, whose other columns are fields of them (``id`` names them).

    Parameters
    ----------
    frame: a data frame, or a dictionary of columns
    systems: the columns of the systems
    gold: the column of the gold standard
    token, sentence, document: the columns of words and of what they are in; a sentence ends where
        its value, or that of the document, changes. ``document`` may be missing
    task: by default found out
    options: of the task, as in ``align``
    """
    names = [str(name) for name in (frame if isinstance(frame, Mapping) else frame.columns)]
    chosen = [systems] if isinstance(systems, str) else list(systems)
    for name in [gold, *chosen]:
        if name not in names:
            raise UsageError.unknown("column", name, names)
    if token in names and sentence in names:
        documents = _values(frame, document) if document in names else None
        words, ends = _values(frame, token), _values(frame, sentence)
        begins = _changes(ends, documents)
        corpora = {
            name: _corpus(name, words, _values(frame, name), begins, documents)
            for name in [gold, *chosen]
        }
        known = by_name(task) if isinstance(task, str) else task or guess(corpora[gold])
        pairs = [(name, corpora[name]) for name in chosen]
        return align(corpora[gold], pairs, task=known, **options)
    fields = {name: _values(frame, name) for name in names if name not in (gold, ID, *chosen)}
    answers = {name: _values(frame, name) for name in chosen}
    ids = _values(frame, ID) if ID in names else None
    return from_items(_values(frame, gold), answers, fields=fields, ids=ids, task=task, **options)


def _values(frame: Any, name: str) -> list[Any]:
    column = frame[name]
    listed = column.to_list() if hasattr(column, "to_list") else column
    return list(listed.tolist() if hasattr(listed, "tolist") else listed)


def _changes(sentences: Sequence[Any], documents: Sequence[Any] | None) -> list[int]:
    """Rows with which a sentence begins."""
    pairs = list(zip(sentences, documents or sentences, strict=True))
    return [row for row, pair in enumerate(pairs) if not row or pair != pairs[row - 1]]


def _corpus(
    name: str,
    words: Sequence[Any],
    tags: Sequence[Any],
    begins: Sequence[int],
    documents: Sequence[Any] | None,
) -> Corpus:
    for row, (word, tag) in enumerate(zip(words, tags, strict=True)):
        if not isinstance(word, str) or not isinstance(tag, str):
            what = "token" if not isinstance(word, str) else "tag"
            value = word if what == "token" else tag
            raise InputError.at(name, row + 1, f"the {what} is {value!r}, not a text",
                                "Fill in what is missing; read cells as text.")  # fmt: skip
    ends = [*begins[1:], len(words)]
    parts = list(zip(begins, ends, strict=True))
    numbers = None
    if documents is not None:
        changed = [not at or documents[begins[at]] != documents[begins[at - 1]]
                   for at in range(len(begins))]  # fmt: skip
        numbers = (np.cumsum(changed) - 1).tolist()
    return Corpus.of(
        [list(words[begin:end]) for begin, end in parts],
        source=name,
        documents=numbers,
        **{LAYER: [list(tags[begin:end]) for begin, end in parts]},
    )
