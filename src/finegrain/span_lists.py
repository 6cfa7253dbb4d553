"""From texts with character spans in memory, and from documents of spaCy, to the table.

>>> import finegrain as fg
>>> texts = ["Ada met Bob.", "Bern is quiet."]
>>> gold = [[(0, 3, "PER"), (8, 11, "PER")], [(0, 4, "LOC")]]
>>> table = fg.from_spans(texts, gold, {"crf": [[(0, 3, "PER")], [(0, 4, "PER")]]})
>>> fg.score(table)["crf"].recall, table.text(0)
(0.3333333333333333, 'Ada')
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any

from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.formats import jsonl
from finegrain.formats.source import source_of
from finegrain.formats.tool_exports import spans_of
from finegrain.lists import GOLD, SYSTEM
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.tasks import align
from finegrain.tasks.spans import SPANS

SpanLists = Iterable[Iterable[Any]]


def from_spans(
    texts: Sequence[str],
    gold: SpanLists,
    systems: Mapping[str, SpanLists] | SpanLists,
    *,
    ids: Sequence[str] | None = None,
    **options: Any,
) -> OutcomeTable:
    """Align spans of texts, which count characters, into an outcome table.

    Parameters
    ----------
    texts: one for each document
    gold: of each text the spans: ``(start, end, label)``, or dictionaries with ``start``, ``end``
        and ``label`` (or ``entity_group``), as tools and pipelines give them
    systems: name -> spans of each text, or those of one system
    ids: names of the documents
    options: of the task, as in ``align``
    """
    names = [None] * len(texts) if ids is None else [str(name) for name in ids]
    given = systems if isinstance(systems, Mapping) else {SYSTEM: systems}
    corpora = {str(name): _corpus(str(name), texts, names, one) for name, one in given.items()}
    return align(_corpus(GOLD, texts, names, gold), corpora, task=SPANS, **options)


def from_docs(
    gold: Iterable[Any],
    systems: Mapping[str, Iterable[Any]] | Iterable[Any],
    *,
    spans_key: str | None = None,
    **options: Any,
) -> OutcomeTable:
    """Align documents of spaCy into an outcome table: their entities, or a group of spans.

    Parameters
    ----------
    gold: annotated documents
    systems: name -> documents with the same texts, in the same order, or those of one system
    spans_key: a group of spans (``doc.spans``) in place of ``doc.ents``
    options: of the task, as in ``align``
    """
    wanted = list(gold)
    texts = [str(doc.text) for doc in wanted]
    given = systems if isinstance(systems, Mapping) else {SYSTEM: systems}
    answers = {}
    for name, docs in given.items():
        listed = list(docs)
        _require_texts(str(name), listed, texts)
        answers[str(name)] = [_marked(doc, spans_key) for doc in listed]
    return from_spans(texts, [_marked(doc, spans_key) for doc in wanted], answers, **options)


class SpacyScorer:
    """A scorer for ``nlp.evaluate(examples, scorer=SpacyScorer())`` and for spaCy's configuration.

    The names are spaCy's, with fair evaluation beside them: ``ents_p``, ``ents_r``, ``ents_f``,
    ``ents_fair_p``, ``ents_fair_r``, ``ents_fair_f``, ``ents_per_type``.
    """

    def __init__(self, *, spans_key: str | None = None) -> None:
        self.spans_key = spans_key

    def score(self, examples: Iterable[Any], *, per_component: bool = False) -> dict[str, Any]:
        """Scores of predicted against reference documents; undefined is ``None``."""
        del per_component
        return ents_score(examples, spans_key=self.spans_key)


def ents_score(examples: Iterable[Any], *, spans_key: str | None = None) -> dict[str, Any]:
    """Scores of the entities of spaCy's examples, as the scorer of a component returns them."""
    from finegrain.analyses.scores.score import score  # noqa: PLC0415 - imports all metrics

    listed = list(examples)
    table = from_docs(
        [one.reference for one in listed], [one.predicted for one in listed], spans_key=spans_key
    )
    found = score(table).to_json()[SYSTEM]
    overall, name = found["overall"], spans_key or "ents"
    shorter = {"p": "precision", "r": "recall", "f": "f1"}
    scores: dict[str, Any] = {
        f"{name}_{short}": overall["traditional"][long] for short, long in shorter.items()
    }
    scores |= {f"{name}_fair_{short}": overall["fair"][long] for short, long in shorter.items()}
    scores[f"{name}_per_type"] = {
        label: {short: values["traditional"][long] for short, long in shorter.items()}
        for label, values in found["labels"].items()
    }
    return scores


def spacy_scorer(spans_key: str | None = None) -> Any:
    """What the entry point ``finegrain.spans.v1`` of ``spacy_scorers`` makes."""

    def scorer(examples: Iterable[Any], **_: Any) -> dict[str, Any]:
        return ents_score(examples, spans_key=spans_key)

    return scorer


def _marked(doc: Any, spans_key: str | None) -> list[tuple[int, int, str]]:
    if spans_key is not None and spans_key not in doc.spans:
        raise UsageError.unknown("group of spans", spans_key, list(doc.spans))
    spans = doc.ents if spans_key is None else doc.spans[spans_key]
    return [(span.start_char, span.end_char, span.label_) for span in spans]


def _require_texts(name: str, docs: Sequence[Any], texts: Sequence[str]) -> None:
    if len(docs) != len(texts):
        raise UsageError(f"{name}: {sized(len(docs), 'document')}, but the gold has {len(texts):,}")
    for number, (doc, text) in enumerate(zip(docs, texts, strict=True), 1):
        if doc.text != text:
            raise UsageError(f"{name}: document {number} has another text than that of the gold")


def _corpus(name: str, texts: Sequence[str], ids: Sequence[str | None], spans: SpanLists) -> Corpus:
    listed = [list(one) for one in spans]
    if not len(texts) == len(ids) == len(listed):
        raise UsageError(
            f"{name}: spans of {sized(len(listed), 'text')}, but there are {len(texts):,}"
        )
    lines = "\n".join(_lines(texts, ids, listed))
    return jsonl.read(source_of(name, lines.encode()))


def _lines(
    texts: Sequence[str], ids: Sequence[str | None], spans: Sequence[list[Any]]
) -> Iterator[str]:
    """Records as the reader of files takes them, which checks them."""
    for text, name, marked in zip(texts, ids, spans, strict=True):
        record: dict[str, Any] = {} if name is None else {"id": name}
        record |= {"text": text, "spans": spans_of(marked)}
        yield json.dumps(record, default=_plain)


def _plain(value: Any) -> Any:
    """Numbers of arrays as plain ones; anything else stays a fault."""
    if isinstance(value, Integral):
        return int(value)
    raise UsageError(f"{value!r} is neither a number nor a text")
