"""Minimal pairs: preferences, ties, what is missing, and samples of lm-evaluation-harness."""

from __future__ import annotations

import json

import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.errors import InputError, UsageError
from finegrain.formats import FORMATS, recognise
from finegrain.formats.source import source_of
from finegrain.tasks import guess
from finegrain.tasks.minimal_pairs import align
from finegrain.tasks.perplexity import align as align_text

PAIRS = (
    "id,sentence_good,sentence_bad,phenomenon\n"
    "a,he is,he are,agreement\nb,I am,I is,agreement\nc,so it,it so,order\n"
)


def _csv(text: str) -> Corpus:
    return FORMATS["csv"].read(source_of("pairs.csv", text.encode()))


def _samples(*samples: object) -> Corpus:
    lines = "".join(json.dumps(sample) + "\n" for sample in samples)
    source = source_of("samples.jsonl", lines.encode())
    assert recognise(source).name == "lm_eval"
    return FORMATS["lm_eval"].read(source)


def test_a_tie_is_not_right_and_margins_keep_their_sign() -> None:
    table = align(_csv(PAIRS), {"m": _csv("id,good,bad\nc,-4,-4\na,-1,-3\nb,-9,-8.5\n")})
    names = [table.outcomes.names[code] for code in table.outcome[:, 0]]
    assert names == ["PREFERRED", "OTHER", "TIED"]
    assert table.values["margin"].matrix[:, 0].tolist() == [2.0, -0.5, 0.0]
    assert fg.score(table).value("accuracy", "m") == pytest.approx(1 / 3)
    assert table.columns["phenomenon"].tolist() == ["agreement", "agreement", "order"]
    assert table.text(0) == "he is"
    assert guess(_csv(PAIRS)).name == "minimal_pairs"


def test_pairs_without_numbers_are_refused_wrong_or_left_out() -> None:
    lacking = _csv("id,good,bad\na,-1,-3\nb,,-8.5\nc,-4,-5\n")
    with pytest.raises(InputError, match=r"pairs.csv:3: no log-probability"):
        align(_csv(PAIRS), {"m": lacking})
    wrong = align(_csv(PAIRS), {"m": lacking}, missing="wrong")
    assert fg.score(wrong).value("accuracy", "m") == pytest.approx(2 / 3)
    assert len(align(_csv(PAIRS), {"m": lacking}, missing="skip")) == 2
    with pytest.raises(InputError, match="is positive"):
        align(_csv(PAIRS), {"m": _csv("id,good,bad\na,1,-3\nb,-1,-8.5\nc,-4,-5\n")})


def test_samples_of_pairs() -> None:
    """Numbers may be strings; the target says which sentence is the good one."""
    doc = {"sentence_good": "he is", "sentence_bad": "he are", "UID": "agreement"}
    one = {"doc_id": 0, "doc": doc, "target": 0,
           "resps": [[["-9", "False"]], [["-8", "False"]]],
           "filtered_resps": [["-9.0", "False"], ["-12.5", "False"]]}  # fmt: skip
    two = {"doc_id": 1, "doc": doc, "target": 1, "filtered_resps": [[-3.0, False], [-2.0, False]]}
    corpus = _samples(one, two)
    table = align(corpus, {"m": corpus})
    assert table.values["margin"].matrix[:, 0].tolist() == [3.5, 1.0]
    assert table.columns["UID"].tolist() == ["agreement", "agreement"]


def test_samples_of_texts_are_documents() -> None:
    """Bits per byte of 8 + 4 bytes with 6 nats."""
    corpus = _samples(
        {"doc_id": 0, "doc": {"page": "so it is"}, "resps": [[[-4.0]]]},
        {"doc_id": 1, "doc": {"page": " it "}, "resps": [[["-2.0", "False"]]]},
    )
    table = align_text(corpus, {"m": corpus})
    assert table.settings["unit"] == "document"
    assert fg.score(table).value("bits_per_byte", "m") == pytest.approx(6 / 0.6931471805599453 / 12)


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        ({"doc": {"page": "a"}, "resps": [1, 2, 3]}, "3 responses"),
        ({"doc": {"x": 1}, "resps": [-1]}, "the document has no text"),
        ({"doc": {"page": "a"}, "resps": ["yes"]}, "'yes' is not a log-probability"),
        ({"resps": [-1]}, "no sample"),
    ],
)
def test_other_samples_are_refused(sample: object, message: str) -> None:
    first = {"doc": {"page": "a"}, "resps": [-1]}
    with pytest.raises(InputError, match=message):
        _samples(first, sample)
    with pytest.raises(UsageError, match="needs log-probabilities"):
        FORMATS["lm_eval"].write(_csv(PAIRS))
