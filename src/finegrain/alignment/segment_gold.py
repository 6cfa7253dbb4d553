"""The gold corpus of segments, with sources and references that other files have.

>>> from finegrain.formats.lines import read
>>> from finegrain.formats.source import source_of
>>> first, second = (read(source_of("gold", text)) for text in (b"Hello.\\n", b"Hi.\\n"))
>>> found = gold_of(first, references=[second], sources=[])
>>> list(found.corpus.parts["references"].fields["text"])
['Hello.', 'Hi.']

The text of a segment, whose words are its tokens, is the first reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from finegrain.alignment.item_tables import meet
from finegrain.alignment.references import strings
from finegrain.alignment.segment_columns import gold_texts
from finegrain.alignment.segment_texts import REFERENCES, SOURCE
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import LINE, of_fields
from finegrain.errors import UsageError
from finegrain.files_read import called
from finegrain.formats import read_source, recognise
from finegrain.formats.source import open_source

Files = str | Corpus | Sequence[str | Corpus]
"""Files by their paths (several are separated by commas), or corpora."""


class Gold(NamedTuple):
    """The gold corpus of a table; ``used``: columns that are told otherwise."""

    corpus: Corpus
    used: tuple[str, ...]


def opened(files: Files, *, formats: Sequence[str]) -> list[Corpus]:
    """The corpora of files."""
    listed = files.split(",") if isinstance(files, str) else files
    found = []
    for one in [listed] if isinstance(listed, Corpus) else listed:
        if isinstance(one, Corpus):
            found.append(one)
        elif one.strip():
            source = open_source(one.strip())
            called(one.strip(), "further")
            found.append(read_source(source, recognise(source, formats)))
    return found


def gold_of(gold: Corpus, references: Sequence[Corpus], sources: Sequence[Corpus]) -> Gold:
    """Gold texts with those of other files."""
    own = gold_texts(gold)
    every = [list(texts) for texts in own.references]
    for corpus in references:
        matched = with_ids(gold, corpus)
        rows = meet(gold, {"references": matched}, missing="error").rows[:, 0].tolist()
        theirs = gold_texts(matched).references
        every = [[*texts, *theirs[row]] for texts, row in zip(every, rows, strict=True)]
    told = own.sources
    if len(sources) > 1 or (sources and told is not None):
        raise UsageError("there is more than one source of each segment: give one file of them")
    for corpus in sources:
        matched = with_ids(gold, corpus)
        rows = meet(gold, {"source": matched}, missing="error").rows[:, 0]
        texts = _texts_of(matched)
        told = tuple(texts[row] for row in rows.tolist())
    return Gold(
        _corpus(gold, every, told, own.used),
        (*(name for name in own.used if name != SOURCE), "text"),
    )


def _texts_of(corpus: Corpus) -> list[str | None]:
    """The sources that a file of sources has."""
    name = next((one for one in (SOURCE, "src", "text") if one in corpus.fields), None)
    if name is None:
        return [texts[0] for texts in gold_texts(corpus).references]
    return strings(corpus.fields[name])


def _corpus(
    gold: Corpus,
    references: list[list[str]],
    sources: tuple[str | None, ...] | None,
    used: tuple[str, ...],
) -> Corpus:
    kept = {name: one for name, one in gold.fields.items() if name not in (*used, "text", LINE)}
    fields: dict[str, Column] = {**kept, "text": Texts.of(texts[0] for texts in references)}
    if sources is not None:
        column = np.empty(len(sources), object)
        column[:] = sources
        fields[SOURCE] = column
    parent = np.array([at for at, texts in enumerate(references) for _ in texts], np.int64)
    rows = Rows(parent, {"text": Texts.of(text for texts in references for text in texts)})
    lines = gold.fields.get(LINE)
    made = of_fields(
        gold.source, fields, parts={REFERENCES: rows}, notes=gold.notes, format=gold.format,
        lines=lines if isinstance(lines, np.ndarray) else None,
    )  # fmt: skip
    if gold.documents is None or made.documents is not None:
        return made
    return replace(made, documents=gold.documents, document_ids=gold.document_ids)


def with_ids(gold: Corpus, corpus: Corpus) -> Corpus:
    """The corpus with the ids of the gold file where it is lines, which have none, and as many."""
    here, there = "id" in gold.fields, "id" in corpus.fields
    if here == there or corpus.n_sentences != gold.n_sentences:
        return corpus
    if here and not set(corpus.fields) - {"text", LINE}:
        return replace(corpus, fields={**corpus.fields, "id": gold.fields["id"]})
    if there and not set(gold.fields) - {"text", LINE}:
        fields = {name: one for name, one in corpus.fields.items() if name != "id"}
        return replace(corpus, fields=fields)
    return corpus
