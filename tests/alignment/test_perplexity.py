"""Tokens of language models laid on a text: any tokenisation, marks, and what is refused."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.errors import AlignmentError, InputError, UsageError
from finegrain.formats import FORMATS, read_source
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable
from finegrain.tasks.perplexity import align

Document = Sequence[tuple[str, float | None]]


def _read(name: str, text: str) -> Corpus:
    return read_source(source_of("text.txt", text.encode()), FORMATS[name])


def _model(*documents: Document, **more: Sequence[str]) -> Corpus:
    lines = []
    for place, document in enumerate(documents):
        record: dict[str, Any] = {name: column[place] for name, column in more.items()}
        record["tokens"] = [token for token, _ in document]
        record["logprobs"] = [number for _, number in document]
        lines.append(json.dumps(record) + "\n")
    return FORMATS["logprobs"].read(source_of("model", "".join(lines).encode()))


def _bits(table: OutcomeTable, system: int = 0) -> list[float]:
    found: list[float] = table.values["surprisal"].matrix[:, system].round(9).tolist()
    return found


def _words(table: OutcomeTable) -> list[str]:
    return [table.text(row) for row in range(len(table))]


def test_pieces_add_up_to_their_word_and_white_space_goes_to_the_word_behind_it() -> None:
    """so: 1; it: 0.5 + 2 + 0.25; is: 3 + 1, and the blank at the end."""
    gold = _read("text", "so it is\n")
    model = _model([("so", -1), (" ", -0.5), ("i", -2), ("t", -0.25), (" is", -3), ("\n", -1)])
    table = align(gold, {"a": model}, base="2")
    assert (_words(table), _bits(table)) == (["so", "it", "is"], [1.0, 2.75, 4.0])
    assert table.columns["text_bytes"].tolist() == [2.0, 3.0, 3.0]
    assert table.columns["tokens"].tolist() == [1.0, 3.0, 2.0]


def test_a_token_across_words_is_shared_by_bytes() -> None:
    """``so it`` has 2 + 2 bytes, of which the token ``o it`` has 1 + 2: a third and two thirds."""
    model = _model([("s", -1), ("o it", -3), (" is", -1)])
    table = align(_read("text", "so it is\n"), {"a": model}, base="2")
    assert _bits(table) == [2.0, 2.0, 1.0]
    assert table.columns["tokens"].round(6).tolist() == [1.333333, 0.666667, 1.0]


@pytest.mark.parametrize(
    ("marks", "tokens"),
    [
        ("byte-level", ["The", "ĠcafÃ", "©", "Ċ", "so"]),
        ("sentencepiece", ["▁The", "▁caf", "<0xC3>", "<0xA9>", "▁so"]),
        ("wordpiece", ["The", "caf", "##é", "so"]),
        ("subword-nmt", ["The", "caf@@", "é", "so"]),
        ("none", ["The", " caf", "é", "\n", "so"]),
    ],
)
def test_marks_of_tokenisers_are_detected(marks: str, tokens: list[str]) -> None:
    gold = _read("text", "The café\nso\n\nend\n")
    model = _model([(token, -1.0) for token in tokens] + [("end", -1.0)])
    for chosen in ("auto", marks):
        table = align(gold, {"a": model}, base="2", marks=chosen)
        assert _words(table) == ["The", "café", "so", "end"]
        assert sum(_bits(table)) == len(tokens) + 1
    said = [note for note in table.notes if "marks" in note]
    assert not said, "what was asked for needs no note"
    alone = align(model, {"a": model}, base="2")
    assert _words(alone)[:2] == ["The", "café"]


def test_bytes_of_characters_and_white_space_count_once() -> None:
    """``é  x`` and its line end: 2 + 2 blanks + 1 byte, and 4 characters."""
    gold = _read("items", '{"id": "a", "text": " é  x\\n"}\n{"id": "b", "text": "y"}\n')
    model = _model([(" é  x\n", -1)], [("y", -2)], id=("a", "b"))
    table = align(gold, {"a": model}, base="2", unit="word")
    assert table.columns["text_bytes"].tolist() == [3.0, 4.0, 1.0]
    assert table.columns["text_characters"].tolist() == [2.0, 4.0, 1.0]
    coarse = align(gold, {"a": model}, base="2")
    assert coarse.settings["unit"] == "document"
    assert (_bits(coarse), coarse.columns["text_bytes"].tolist()) == ([1.0, 2.0], [7.0, 1.0])


def test_documents_with_ids_may_come_in_any_order() -> None:
    gold = _read("items", '{"id": "a", "text": "so it"}\n{"id": "b", "text": "is"}\n')
    model = _model([("is", -2)], [("so", -1), (" it", -3)], id=("b", "a"))
    assert _bits(align(gold, {"a": model}, base="2")) == [1.0, 3.0, 2.0]
    with pytest.raises(AlignmentError, match="1 document of the text missing, such as 'b'"):
        align(gold, {"a": _model([("so it", -2)], id=("a",))})
    with pytest.raises(AlignmentError, match="two documents have one id"):
        align(gold, {"a": _model([("so it", -2)], [("is", -1)], [("is", -1)], id=("a", "b", "b"))})


def test_first_tokens_without_a_number_are_left_out_for_all_systems() -> None:
    gold = _read("text", "so it is\nso is it\n")
    lacks = _model([("so", None), (" it", -1), (" is", -2)], [("so is", None), (" it", -3)])
    full = _model([("so it is", -3), ("\nso is it", -6)])
    table = align(gold, {"a": lacks, "b": full}, base="2")
    assert (_words(table), _bits(table)) == (["it", "is", "it"], [1.0, 2.0, 3.0])
    assert any("3 of 6 words are left out for all systems" in note for note in table.notes)


def test_special_tokens_stand_for_no_characters() -> None:
    gold = _read("text", "so\nis\n")
    model = _model([("<s>", None), ("so", -1), ("</s>", -2)], [("<s>", -9), ("is", -1)])
    assert _bits(align(gold, {"a": model}, base="2")) == [1.0, 1.0]
    counted = align(gold, {"a": model}, base="2", special="count")
    assert _bits(counted) == [3.0, 10.0]
    with pytest.raises(AlignmentError, match="go on with '<s>so"):
        align(gold, {"a": model}, special="text", missing="skip")
    literal = _model([("<s>", -1), ("is", -1)])
    assert _bits(align(_read("text", "<s>is\n"), {"a": literal}, base="2", special="text")) == [2.0]


def test_bases_of_logarithms() -> None:
    gold, model = _read("text", "so\n"), _model([("so", -1)])
    found = {base: _bits(align(gold, {"a": model}, base=base))[0] for base in ("e", "2", "10")}
    assert found == pytest.approx({"e": 1 / math.log(2), "2": 1.0, "10": math.log2(10)})


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ([("so", 0.5), (" it", -1)], "log-probability 0.5 of 'so' is positive"),
        ([("so", 0.5), (" it", 1)], "look like losses"),
        ([("so", -1), (" it", None)], "no log-probability for ' it', which is not the first"),
        ([("so", -1), (" is", -1)], r"go on with 'is' where the text has 'it' \(text.txt:1\)"),
        ([("so", -1)], r"tokens end where the text continues with 'it'"),
        ([("so", -1), (" it", -1), (" is", -2)], "go on with 'is' behind the end of text.txt"),
        ([("so", -1), (" <unk>", -1)], "stands for any unknown word"),
        ([("</s>", -1)], "no tokens of the text"),
    ],
)
def test_what_cannot_be_scored_is_refused(tokens: Document, message: str) -> None:
    with pytest.raises(InputError, match=message):
        align(_read("text", "so it\n"), {"a": _model(tokens)})


def test_infinite_surprisal_is_refused_or_left_out() -> None:
    lines = b"so\t-1.0\nit\t-inf\n"
    model = FORMATS["logprobs"].read(source_of("a.tsv", lines))
    with pytest.raises(InputError, match=r"a.tsv:2: the log-probability of 'it' is -inf"):
        align(_read("text", "so it\n"), {"a": model})
    table = align(_read("text", "so it\n"), {"a": model}, missing="skip", base="2")
    assert (_words(table), _bits(table)) == (["so"], [1.0])
    with pytest.raises(InputError, match=r"no .* has a log-probability of every system"):
        align(_read("text", "so\n"), {"a": _model([("s", None), ("o", -1.0)])})


def test_rounding_errors_above_zero_are_certain() -> None:
    assert _bits(align(_read("text", "so\n"), {"a": _model([("so", 1e-7)])})) == [0.0]


@pytest.mark.parametrize("name", ["unit", "base", "marks", "special", "missing"])
def test_unknown_options_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="unknown"):
        align(_read("text", "so\n"), {"a": _model([("so", -1)])}, **{name: "so"})


def test_tokens_as_units_need_the_same_tokens() -> None:
    gold = _read("text", "so it\n")
    one, two = _model([("so", -1), (" it", -2)]), _model([("so i", -1), ("t", -2)])
    table = align(gold, {"a": one, "b": one}, unit="token", base="2")
    assert (_words(table), _bits(table)) == (["so", " it"], [1.0, 2.0])
    with pytest.raises(AlignmentError, match="perplexities cannot be compared"):
        align(gold, {"a": one, "b": two}, unit="token")
    pair = align(gold, {"a": one, "b": two})
    assert "own_tokens" in pair.details
    with pytest.raises(UsageError, match="is not compared: the systems have other tokens"):
        fg.score(pair, ["token_perplexity"])
    assert "token_perplexity" in fg.score(align(gold, {"b": two})).overall


TEXTS = st.lists(
    st.lists(st.text("ab é日", min_size=1, max_size=4).filter(str.strip), min_size=1, max_size=5),
    min_size=1, max_size=4,
)  # fmt: skip


@given(TEXTS, st.integers(0, 2**32), st.sampled_from(["word", "character", "document", "token"]))
def test_sums_and_sizes_do_not_depend_on_tokens_or_units(
    lines: list[list[str]], seed: int, unit: str
) -> None:
    """A tokenisation at random keeps the surprisal and the bytes of every document."""
    draw = random.Random(seed)
    texts = [" ".join(words).strip() for words in lines]
    documents: list[Document] = []
    for text in texts:
        cuts = [at for at in range(1, len(text)) if draw.random() < 0.5]
        pieces = [text[one:two] for one, two in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        documents.append([(piece, -draw.randrange(1, 9)) for piece in pieces])
    gold = _read("items", "".join(json.dumps({"id": str(at), "text": text}) + "\n"
                                  for at, text in enumerate(texts)))  # fmt: skip
    table = align(gold, {"a": _model(*documents)}, unit=unit, base="2", marks="none")
    of = table.corpus.documents[table.sentence]  # type: ignore[index]
    bits = np.bincount(of, table.values["surprisal"].matrix[:, 0], minlength=len(texts))
    assert bits.round(6).tolist() == [-sum(number or 0 for _, number in one) for one in documents]
    sizes = np.bincount(of, table.columns["text_bytes"], minlength=len(texts))
    assert sizes.tolist() == [len(text.encode()) for text in texts]
    sizes = np.bincount(of, table.columns["text_characters"], minlength=len(texts))
    assert sizes.tolist() == [len(text) for text in texts]
    words = table.columns.get("words", np.ones(len(table)))
    assert np.bincount(of, words).tolist() == [len(text.split()) for text in texts]
    tokens = np.bincount(of, table.columns["tokens"])
    assert tokens.round(6).tolist() == [len(one) for one in documents]


def test_long_lines_are_divided_to_be_shown_and_documents_stay() -> None:
    words = [f"w{at}" for at in range(250)]
    gold = _read("text", " ".join(words) + "\nend\n")
    table = align(gold, {"a": _model([(f" {word}", -1) for word in [*words, "end"]])})
    assert np.diff(table.corpus.offsets).tolist() == [100, 100, 50, 1]
    assert table.corpus.documents.tolist() == [0, 0, 0, 1]  # type: ignore[union-attr]
    assert table.columns["document_position"][[0, 249, 250]].tolist() == [1.0, 250.0, 1.0]
