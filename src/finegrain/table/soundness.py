"""Whether a restored table is one: nobody checks types, lengths and ranges of its fields later.

>>> import numpy as np
>>> from finegrain.corpus import Corpus
>>> from dataclasses import replace
>>> corpus = Corpus.of([["Ada"]], tags=[["B-PER"]])
>>> require_corpus(corpus)
>>> require_corpus(replace(corpus, notes=(7,)))
Traceback (most recent call last):
TypeError: the field notes of Corpus has the wrong type
>>> require_corpus(replace(corpus, documents=np.array([9])))
Traceback (most recent call last):
ValueError: a document of Corpus stands for nothing
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Clusters, Corpus, IntArray, Spans, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.names import misnamed
from finegrain.corpus.texts import PADDING
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.outcomes import Outcomes
from finegrain.table.task import OF_DATA, Task

_LONGEST = np.iinfo(np.int32).max


def require_sound(table: Any) -> None:
    """Raise ``TypeError`` or ``ValueError`` unless all fields of a table fit together."""
    if not isinstance(table, OutcomeTable) or not isinstance(table.corpus, Corpus):
        raise TypeError("there is no outcome table in it")
    _require_types(table)
    require_corpus(table.corpus)
    _require_outcomes(table.outcomes)
    what = misnamed(table.systems, "system")
    if what:
        raise ValueError(what)
    if len(set(table.labels)) < len(table.labels):
        raise ValueError("a label occurs in it twice")
    units, shape = len(table), (len(table), table.n_systems)
    alone = (table.sentence, table.begin, table.end, table.label, table.is_gold, table.token_set)
    if any(column.shape != (units,) for column in alone):
        raise ValueError("its columns have different lengths")
    if any(column.shape[:1] != (units,) for column in table.columns.values()):
        raise ValueError("its columns have different lengths")
    if any(column.shape != shape for column in (table.outcome, table.answer)):
        raise ValueError("outcomes and answers are not one per unit and system")
    _require_graded(table)
    answers = units if table.answers_are_rows else table.n_labels
    _require_within("label", table.label, 0, table.n_labels)
    _require_within("outcome", table.outcome, 0, len(table.outcomes))
    _require_within("answer", table.answer, -1, answers)
    _require_within("sentence", table.sentence, 0, table.corpus.n_sentences)
    _require_places(table, table.corpus)
    if min([table.gold_repairs, *table.repairs.values()]) < 0:
        raise ValueError("a number of repairs is negative")
    if table.repairs and not set(table.systems) <= set(table.repairs):
        raise ValueError("the repairs are not those of its systems")
    cuts = [table.columns[name] for name in ("begin_cut", "end_cut") if name in table.columns]
    if len(cuts) == 1 or any(column.dtype.kind not in "iu" for column in cuts):
        raise ValueError("spans that do not fit their tokens lack one of their ends")


def _require_graded(table: OutcomeTable) -> None:
    """Values, columns by system and facets are those of its systems; parts belong to its units."""
    shape = (len(table), table.n_systems)
    if any(one.matrix.shape != shape for one in table.values.values()):
        raise ValueError("a value is not one per unit and system")
    if any(column.shape[:2] != shape for column in table.details.values()):
        raise ValueError("a column by system is not one per unit and system")
    if any(len(one) != table.n_systems for one in table.facets.values()):
        raise ValueError("a facet is not one per system")
    _require_parts(table.parts, len(table), table.n_systems)


def _require_parts(parts: Mapping[str, Rows], owners: int, systems: int) -> None:
    for rows in parts.values():
        _require_fields(rows.fields, rows.size)
        _require_within("owner of a part", rows.parent, 0, owners)
        if (np.diff(rows.parent) < 0).any():
            raise ValueError("parts are not in the order of what they belong to")
        if any(one.shape[:2] != (rows.size, systems) for one in rows.by_system.values()):
            raise ValueError("a column of parts is not one per part and system")


def _require_fields(fields_of: Mapping[str, Column], size: int) -> None:
    for column in fields_of.values():
        if isinstance(column, Texts):
            _require_texts(column, size)
        elif isinstance(column, np.ndarray):
            if column.shape[:1] != (size,):
                raise ValueError("a field does not have one value for each row")
        else:
            if column.codes.shape != (size,):
                raise ValueError("a field does not have one value for each row")
            _require_within("value of Coded", column.codes, 0, len(column.names))


def _require_outcomes(outcomes: Outcomes) -> None:
    if len(set(outcomes.names)) < len(outcomes):
        raise ValueError("the outcomes are not named apart")
    if sum(one.right and one.charged for one in outcomes) != 1:
        raise ValueError("no outcome is the right one")


def require_corpus(corpus: Corpus) -> None:
    """Raise ``TypeError`` or ``ValueError`` unless all fields of a corpus fit together."""
    _require_types(corpus)
    offsets = corpus.offsets
    if offsets.ndim != 1 or not len(offsets) or offsets[0] or (np.diff(offsets) < 0).any():
        raise ValueError("sentences do not follow each other")
    if corpus.tokens is not None:
        _require_texts(corpus.tokens, corpus.n_tokens)
    for layer in corpus.layers.values():
        if layer.codes.shape != (corpus.n_tokens,):
            raise ValueError("a layer does not have one value for each token")
        _require_within("value of Coded", layer.codes, 0, len(layer.names))
    _require_documents(corpus)
    _require_fields(corpus.fields, corpus.n_sentences)
    _require_parts(corpus.parts, corpus.n_sentences, 0)
    for spans in (corpus.spans, corpus.multiword):
        if spans is not None:
            _require_spans(spans, corpus)
    if corpus.clusters is not None:
        _require_clusters(corpus.clusters, corpus)


def _require_texts(texts: Texts, size: int) -> None:
    starts, lengths = texts.starts, texts.lengths
    if starts.shape != (size,) or lengths.shape != (size,):
        raise ValueError("there is not one text for each token")
    room = len(texts.buffer) - PADDING
    _require_within("text", starts, 0, room + 1)
    _require_within("text", lengths, 0, room + 1)
    ends = starts.astype(np.int64) + lengths
    _require_within("text", ends, 0, room + 1)
    if not texts.buffer.isascii():
        str(memoryview(texts.buffer), "utf-8")
        data = np.frombuffer(texts.buffer, np.uint8)
        if ((data[np.concatenate([starts, ends])] & 0xC0) == 0x80).any():
            raise ValueError("a token begins or ends inside of a character")


def _require_documents(corpus: Corpus) -> None:
    ids = corpus.document_ids
    if corpus.documents is None:
        return
    if corpus.documents.shape != (corpus.n_sentences,):
        raise ValueError("there is not one document for each sentence")
    known = corpus.n_sentences if ids is None else len(ids)
    _require_within("document of Corpus", corpus.documents, 0, known)


def _require_spans(spans: Spans, corpus: Corpus) -> None:
    columns: list[IntArray] = [spans.begin, spans.end, spans.label, spans.token_set, *spans.cuts()]
    if any(column.shape != (len(spans),) for column in (spans.sentence, *columns)):
        raise ValueError("the columns of spans have different lengths")
    _require_within("label of Spans", spans.label, 0, len(spans.labels))
    _require_within("sentence of Spans", spans.sentence, 0, corpus.n_sentences)
    _require_places(spans, corpus)


def _require_clusters(clusters: Clusters, corpus: Corpus) -> None:
    _require_spans(clusters.spans, corpus)
    columns = (clusters.head, clusters.empty_set, clusters.parent_set, clusters.line)
    if any(column.shape != (len(clusters.spans),) for column in (clusters.chain, *columns)):
        raise ValueError("the columns of mentions have different lengths")
    _require_within("chain", clusters.chain, 0, len(clusters.names))
    _require_within("set of empty nodes", clusters.empty_set, 0, len(clusters.empty_sets) + 1)
    _require_within("set of parents", clusters.parent_set, 0, len(clusters.parent_sets) + 1)


def _require_places(rows: OutcomeTable | Spans, corpus: Corpus) -> None:
    """Units or spans lie in their sentences, and the tokens of those with gaps inside of them."""
    begin, end = rows.begin, rows.end
    _require_within("begin", begin, 0, _LONGEST)
    _require_within("end", end, 0, _LONGEST)
    if (end < begin).any():
        raise ValueError("a span ends before it begins")
    if corpus.tokens is not None and (end > np.diff(corpus.offsets)[rows.sentence]).any():
        raise ValueError("a span goes beyond its sentence")
    _require_within("token set", rows.token_set, 0, len(rows.token_sets) + 1)
    if not all(tokens and tuple(sorted(set(tokens))) == tokens for tokens in rows.token_sets):
        raise ValueError("tokens of a span are not in order")
    gaps = np.flatnonzero(rows.token_set)
    for row, code in zip(gaps.tolist(), rows.token_set[gaps].tolist(), strict=True):
        tokens = rows.token_sets[code - 1]
        if tokens[0] < begin[row] or tokens[-1] >= end[row]:
            raise ValueError("a span has tokens outside of its ends")


def _require_within(what: str, values: NDArray[Any], lowest: int, size: int) -> None:
    if values.size and not (lowest <= values.min() and values.max() < size):
        raise ValueError(f"a {what} stands for nothing")


def _require_types(value: Any) -> None:
    """Raise ``TypeError`` unless the fields of a dataclass have the types that it says."""
    hints = get_type_hints(type(value))
    names = OF_DATA if isinstance(value, Task) else [one.name for one in fields(value)]
    for name in names:
        if not _conforms(getattr(value, name), hints[name]):
            raise TypeError(f"the field {name} of {type(value).__name__} has the wrong type")


def _conforms(value: Any, hint: Any) -> bool:
    """Whether a value is of a type: one of several, a container, an array or a class."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind is Literal:
        return value in inner
    if kind in (Union, UnionType):
        return any(_conforms(value, one) for one in inner)
    if kind is not None:
        return isinstance(value, kind) and _CONTENT[kind](value, inner)
    if hint is Any:
        return True
    if is_dataclass(value):
        _require_types(value)
    return isinstance(value, hint) and not (hint is int and isinstance(value, bool))


def _tuple_conforms(value: tuple[Any, ...], inner: tuple[Any, ...]) -> bool:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return all(_conforms(one, inner[0]) for one in value)
    return len(value) == len(inner) and all(map(_conforms, value, inner))


def _mapping_conforms(value: Mapping[Any, Any], inner: tuple[Any, ...]) -> bool:
    pairs = value.items()
    return all(_conforms(key, inner[0]) and _conforms(one, inner[1]) for key, one in pairs)


def _array_conforms(value: NDArray[Any], inner: tuple[Any, ...]) -> bool:
    """Integers of any size are fine where integers are expected."""
    (scalar,) = get_args(inner[1])
    if scalar is Any:
        return True
    expected = np.integer if issubclass(get_origin(scalar) or scalar, np.integer) else scalar
    return bool(np.issubdtype(value.dtype, expected))


_CONTENT: dict[Any, Callable[[Any, tuple[Any, ...]], bool]] = {
    tuple: _tuple_conforms, Mapping: _mapping_conforms, np.ndarray: _array_conforms
}  # fmt: skip
