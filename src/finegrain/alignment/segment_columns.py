"""Where files have references, sources and the outputs of systems.

>>> from finegrain.formats.items import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b'{"id": "a", "src": "Ahoj", "references": ["Hi", "Hello"]}'))
>>> gold_texts(gold).references, gold_texts(gold).sources
((('Hi', 'Hello'),), ('Ahoj',))
>>> outputs(read(source_of("mine", b'{"id": "a", "output": "Hello"}')), "mine")
['Hello']
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from finegrain.alignment.item_tables import first_column
from finegrain.alignment.references import strings
from finegrain.corpus import Corpus
from finegrain.corpus.columns import Rows
from finegrain.corpus.item_faults import item_faults
from finegrain.errors import InputError

LISTS = ("references", "refs", "reference", "ref", "targets", "answers")
"""Lists of references."""
REFERENCE = (
    "reference", "ref", "target", "tgt", "gold", "reference_summary", "highlights", "summary",
    "translation", "label", "answer", "text", "output", "hypothesis",
)  # fmt: skip
"""Columns with a reference, the first that there is; ``reference2`` and so on are further ones."""
SOURCE = ("source", "src", "input", "article", "prompt", "question", "text")
OUTPUT = (
    "hypothesis", "hyp", "output", "prediction", "predicted", "pred", "mt", "system",
    "generated", "candidate", "transcript", "translation", "summary", "answer", "response", "text",
    "reference", "ref", "target", "label",
)  # fmt: skip
"""Columns with the output of a system, the first that there is."""
HYPOTHESES = "hypotheses"
_FURTHER = re.compile(r"(reference|ref)[_ ]?\d+\Z")


class GoldTexts(NamedTuple):
    """``[segment]`` references and sources; ``used``: the columns that they were read from."""

    references: tuple[tuple[str, ...], ...]
    sources: tuple[str | None, ...] | None
    used: tuple[str, ...]


def gold_texts(gold: Corpus) -> GoldTexts:
    """References and sources of a gold corpus."""
    size, used = gold.n_sentences, []
    found: list[list[str]] = [[] for _ in range(size)]
    listed = next((name for name in LISTS if _column(gold.parts.get(name))), None)
    numbered = sorted(name for name in gold.fields if _FURTHER.match(name))
    if listed is not None:
        _gather(gold.parts[listed], found)
    else:
        first = next((name for name in REFERENCE if name in gold.fields), None)
        names = [*([first] if first and not (numbered and first == "text") else []), *numbered]
        if not names:
            first_column(gold, ("reference", *REFERENCE), "reference")  # says which there are
        for name in names:
            for place, told in enumerate(strings(gold.fields[name])):
                found[place] += [] if told is None else [told]
        used += names
    _require_references(gold, found)
    source = next((one for one in SOURCE if one in gold.fields and one not in used), None)
    used += [] if source is None else [source]
    sources = None if source is None else tuple(strings(gold.fields[source]))
    return GoldTexts(tuple(map(tuple, found)), sources, tuple(used))


def _column(rows: Rows | None) -> str:
    if rows is None:
        return ""
    return next((one for one in ("text", "value") if one in rows.fields), "")


def _gather(rows: Rows, found: list[list[str]]) -> None:
    for parent, text in zip(rows.parent.tolist(), strings(rows.fields[_column(rows)]), strict=True):
        found[parent] += [] if text is None else [text]


def _require_references(gold: Corpus, found: list[list[str]]) -> None:
    without = [item for item, own in enumerate(found) if not own]
    if without:
        mend = "Give every segment a reference; an empty one is an empty text."
        raise item_faults(gold, without, "a segment without a reference", mend)


def outputs(corpus: Corpus, system: str) -> list[str | None]:
    """What a system wrote, by segment of its own file; ``None`` where it has nothing.

    Of a file with the outputs of several systems, those of the system of this name.
    """
    rows = corpus.parts.get(HYPOTHESES)
    if rows is not None and "text" in rows.fields:
        return _of_system(corpus, rows, system)
    name = next((one for one in OUTPUT if one in corpus.fields), None)
    if name is None:
        listed = next((one for one in LISTS if _column(corpus.parts.get(one))), None)
        if listed is not None:  # a file of references stands as a system: its first ones
            found: list[list[str]] = [[] for _ in range(corpus.n_sentences)]
            _gather(corpus.parts[listed], found)
            return [own[0] if own else None for own in found]
    return strings(first_column(corpus, OUTPUT, "output"))


def _of_system(corpus: Corpus, rows: Rows, system: str) -> list[str | None]:
    names = strings(rows.fields["name"]) if "name" in rows.fields else [""] * rows.size
    known = list(dict.fromkeys(names))
    if len(known) > 1 and system not in known:
        shown = ", ".join(str(one) for one in known[:5])
        what = f"the file has the outputs of {len(known)} systems, none of which is {system!r}"
        mend = f"Name one of them: {shown}={corpus.source}."
        mend = mend if len(known) == 1 else f"Name one that it has, as in {known[0]}=FILE: {shown}."
        raise InputError.at(corpus.source, 0, what, mend)
    wanted = system if len(known) > 1 else known[0]
    found: list[str | None] = [None] * corpus.n_sentences
    texts = strings(rows.fields["text"])
    for parent, name, text in zip(rows.parent.tolist(), names, texts, strict=True):
        if name == wanted:
            found[parent] = text
    return found


def same_source(gold: Corpus, corpus: Corpus, sources: tuple[str | None, ...] | None) -> bool:
    """Whether a system's file, if it has sources, too, has those of the gold file, in its order."""
    name = next((one for one in SOURCE[:2] if one in corpus.fields), None)
    if sources is None or name is None or corpus is gold:
        return True
    own = strings(corpus.fields[name])
    return bool(np.array_equal(np.array(own, object), np.array(sources, object)))
