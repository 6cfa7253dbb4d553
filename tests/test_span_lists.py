"""Spans of texts in memory, documents of spaCy, and its scorer."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any, NamedTuple

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import InputError, UsageError

TEXTS = ["Ada met Bob.", "Bern is quiet."]
GOLD = [[(0, 3, "PER"), (8, 11, "PER")], [(0, 4, "LOC")]]
CRF = [[(0, 3, "PER")], [(0, 4, "PER")]]


class Span(NamedTuple):
    """What matters of a span of spaCy."""

    start_char: int
    end_char: int
    label_: str


class Doc:
    """What matters of a document of spaCy."""

    def __init__(self, text: str, spans: Any) -> None:
        self.text = text
        self.ents = tuple(Span(*span) for span in spans)
        self.spans = {"sc": self.ents}


class Example(NamedTuple):
    """What matters of an example of spaCy."""

    reference: Doc
    predicted: Doc


def docs(spans: Any) -> list[Doc]:
    return [Doc(text, some) for text, some in zip(TEXTS, spans, strict=True)]


def counts(table: fg.OutcomeTable, system: str = "crf") -> dict[str, int]:
    found = fg.error_types(table).to_json()[system]["counts"]
    return {name: count for name, count in found.items() if count}


def test_spans_of_every_usual_form_are_the_same() -> None:
    forms: list[Any] = [
        CRF,
        [[list(span) for span in row] for row in CRF],
        [[{"start": a, "end": b, "label": c} for a, b, c in row] for row in CRF],
        [[{"entity_group": c, "start": np.int64(a), "end": b, "score": 0.9, "word": "?"}
          for a, b, c in row] for row in CRF],
    ]  # fmt: skip
    forms[3] = [[{k: v for k, v in one.items() if k != "word"} for one in row] for row in forms[3]]
    for form in forms:
        assert counts(fg.from_spans(TEXTS, GOLD, {"crf": form})) == {"TP": 1, "LE": 1, "FN": 1}
    assert fg.from_spans(TEXTS, GOLD, CRF).systems == ("system",)


def test_documents_have_names_and_every_text_is_one() -> None:
    table = fg.from_spans(TEXTS, GOLD, {"crf": CRF}, ids=["a", "b"])
    assert table.corpus.n_documents == 2
    assert table.corpus.document_ids == ("a", "b")


@pytest.mark.parametrize(
    ("spans", "what"),
    [
        ([[(0, 99, "PER")], []], "system:1: .*0:99|system:1: "),
        ([[(0, 3)], []], "span 1 has 2 parts"),
        ([[(0, 3, "PER")]], "system: spans of 1 text, but there are 2"),
        ([[{"start": 0, "end": 3}], []], "span 1 has no label"),
    ],
)
def test_what_is_wrong_with_spans_is_told(spans: Any, what: str) -> None:
    with pytest.raises((InputError, UsageError, ValueError), match=what):
        fg.from_spans(TEXTS, GOLD, spans)


def test_documents_of_spacy_and_groups_of_spans() -> None:
    for key in (None, "sc"):
        table = fg.from_docs(docs(GOLD), {"crf": docs(CRF)}, spans_key=key)
        assert counts(table) == {"TP": 1, "LE": 1, "FN": 1}
    with pytest.raises(UsageError, match="unknown group of spans 'ner'"):
        fg.from_docs(docs(GOLD), docs(CRF), spans_key="ner")
    with pytest.raises(UsageError, match="system: document 2 has another text"):
        fg.from_docs(docs(GOLD), [docs(CRF)[0], Doc("Bern was quiet.", [])])
    with pytest.raises(UsageError, match="system: 1 document, but the gold has 2"):
        fg.from_docs(docs(GOLD), docs(CRF)[:1])


def test_the_scorer_has_the_names_of_spacy() -> None:
    """One span of two right, of three gold ones; PER: one of two, LOC none of none."""
    examples = [Example(*pair) for pair in zip(docs(GOLD), docs(CRF), strict=True)]
    found = fg.SpacyScorer().score(examples)
    assert (found["ents_p"], found["ents_r"], found["ents_f"]) == (0.5, 1 / 3, 0.4)
    assert found["ents_per_type"]["PER"] == {"p": 0.5, "r": 0.5, "f": 0.5}
    assert found["ents_per_type"]["LOC"]["p"] is None
    # the wrong label is one error, not two: 2 TP / (2 TP + FN + LE) = 2 / (2 + 1 + 1)
    assert found["ents_fair_f"] == pytest.approx(0.5)


def test_real_documents_of_spacy() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    training = pytest.importorskip("spacy.training")
    nlp = spacy.blank("en")
    examples = []
    for text, gold, crf in zip(TEXTS, GOLD, CRF, strict=True):
        predicted, reference = nlp.make_doc(text), nlp.make_doc(text)
        predicted.ents = [predicted.char_span(a, b, label=c) for a, b, c in crf]
        reference.ents = [reference.char_span(a, b, label=c) for a, b, c in gold]
        examples.append(training.Example(predicted, reference))
    theirs = spacy.scorer.Scorer.score_spans(examples, "ents")
    ours = fg.SpacyScorer().score(examples)
    for name in ("ents_p", "ents_r", "ents_f"):
        assert ours[name] == pytest.approx(theirs[name])
    (point,) = entry_points(group="spacy_scorers", name="finegrain.spans.v1")
    assert point.load()()(examples) == ours
    assert spacy.registry.scorers.get("finegrain.spans.v1") is point.load()
