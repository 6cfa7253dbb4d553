"""Tokens with log-probabilities: as files people have them, and what is wrong with others."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.formats import FORMATS, recognise
from finegrain.formats.decimals import decimals
from finegrain.formats.log_probabilities import looks_like, read
from finegrain.formats.source import source_of
from finegrain.tasks import TASKS

Lists = list[tuple[list[str], list[float | None]]]


def _lists(data: bytes) -> Lists:
    return _documents(read(source_of("file", data)))


def _documents(corpus: Corpus) -> Lists:
    rows = corpus.parts["tokens"]
    found: Lists = [([], []) for _ in range(corpus.n_sentences)]
    for row, parent in enumerate(rows.parent.tolist()):
        number = float(rows.fields["logprob"][row])
        found[parent][0].append(rows.fields["token"][row])
        found[parent][1].append(None if np.isnan(number) else number)
    return found


def test_lines_with_blank_lines_between_documents() -> None:
    data = b"\nSo\t-1.5\n it\t-2e-1\n\n\nYes\tnull\n.\t\n\n"
    assert _lists(data) == [(["So", " it"], [-1.5, -0.2]), (["Yes", "."], [None, None])]
    assert read(source_of("file", data)).fields["@line"].tolist() == [2, 6]


def test_a_header_is_recognised_and_brackets_are_tokens() -> None:
    assert _lists(b"token\tlogprob\n{\t-1.0\n") == [(["{"], [-1.0])]
    assert looks_like(source_of("file", b"{\t-1.0\n}\t-2.0\n"))
    assert looks_like(source_of("file", b"token\tlogprob\na\t-3.0\n"))


@pytest.mark.parametrize(
    "record",
    [
        {"tokens": ["So", " it"], "logprobs": [None, -0.5]},
        {"tokens": ["So", " it"], "token_logprobs": [None, -0.5]},
        {"logprobs": {"tokens": ["So", " it"], "token_logprobs": [None, -0.5]}},
        {"choices": [{"logprobs": {"tokens": ["So", " it"], "token_logprobs": [None, -0.5]}}]},
        {"logprobs": {"content": [
            {"token": "So", "logprob": None}, {"token": " it", "logprob": -0.5, "bytes": []},
        ]}},
    ],
)  # fmt: skip
def test_objects_of_scripts_and_apis(record: dict[str, Any]) -> None:
    data = json.dumps(record).encode()
    assert _lists(data) == [(["So", " it"], [None, -0.5])]
    assert recognise(source_of("file", data)).name == "logprobs"


def test_a_text_with_one_number_is_one_token() -> None:
    data = b'{"id": 7, "text": "So it is.", "logprob": -9.5}'
    assert _lists(data) == [(["So it is."], [-9.5])]
    corpus = read(source_of("file", data))
    assert (corpus.fields["id"][0], corpus.sentence(0)) == ("7", ["So", "it", "is."])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\t-1.0\nb\tx\n", r"file:2: the log-probability 'x' is not a number"),
        (b"a\t-1.0\nb\t-1,5\n", r"file:2: the log-probability '-1,5' is not a number"),
        (b"a\t-1.0\nb\n", r"file:2: expected a token and a number, found 1 field\."),
        (b"a\t-1.0\nb\t-1\t-2\n", r"file:2: expected a token and a number, found 3 fields"),
        (b'{"tokens": ["a"], "logprobs": []}', r"file:1: 1 tokens, but 0 log-probabilities"),
        (b'{"tokens": [1], "logprobs": [-1]}', r"file:1: token 1 is not text"),
        (b'{"tokens": ["a"], "logprobs": ["-1"]}', r"file:1: log-probability 1 is not a number"),
        (b'{"tokens": ["a"], "logprobs": [NaN]}', r"file:1: not JSON: NaN is not a number"),
        (b'{"tokens": "a"}', r"file:1: no tokens with log-probabilities"),
        (b'{"id": true, "tokens": ["a"], "logprobs": [-1]}', r"file:1: the id is not a name"),
        (b'{"tokens": [], "logprobs": []}', r"file: the file has no tokens"),
        (b"token\tlogprob\n", r"file: the file has no tokens"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(source_of("file", data))


def test_other_tables_are_not_taken_for_tokens() -> None:
    for data in (b"q1\t0.5\nq2\t1.5\n", b"a\tB-X\nb\tO\n", b"a\t-1.0\n", b"1\t-1\n2\t-2\n"):
        assert not looks_like(source_of("file", data)), data


def test_many_lines_over_several_blocks() -> None:
    lines = [f"w{at}\t{-at / 8}\n" + "\n" * (at % 1000 == 999) for at in range(60_000)]
    found = _lists("".join(lines).encode())
    assert len(found) == 60
    assert found[59] == (
        [f"w{at}" for at in range(59_000, 60_000)], [-at / 8 for at in range(59_000, 60_000)]
    )  # fmt: skip


@given(st.lists(st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.floats(-99, 0).map("{:.4f}".format),
    st.integers(-(10**18), 10**18).map(str),
    st.from_regex(r"[-+]?[0-9]{0,9}\.?[0-9]{0,9}(e-?[0-9]{1,2})?", fullmatch=True),
    st.text("0123456789.-+e_ ,:/", max_size=12),
), max_size=20))  # fmt: skip
def test_numbers_are_what_float_makes_of_them(cells: list[str]) -> None:
    data = np.frombuffer(("\n".join(cells) + "\n").encode() + bytes(32), np.uint8)
    lengths = np.array([len(cell) for cell in cells], np.int64)
    starts = np.cumsum(lengths + 1) - lengths - 1
    found = decimals(data, starts, lengths)
    assert np.array_equal(found, list(map(_number, cells)), equal_nan=True)


def _number(cell: str) -> float:
    try:
        return float("nan" if "_" in cell else cell)
    except ValueError:
        return float("nan")


def _parquet(columns: dict[str, Any], **how: Any) -> bytes:
    pa = pytest.importorskip("pyarrow", reason="needs the extra parquet")
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pa.table(columns), file, **how)
    return file.getvalue()


def test_parquet_of_lists_and_of_rows() -> None:
    listed = {"id": ["x", "y", "z"], "tokens": [["So", "ïs"], [], ["!"]],
              "logprobs": [[None, -0.5], [], [-1.0]]}  # fmt: skip
    expected: Lists = [(["So", "ïs"], [None, -0.5]), ([], []), (["!"], [-1.0])]
    assert _lists(_parquet(listed)) == expected
    assert list(read(source_of("file", _parquet(listed))).fields["id"]) == ["x", "y", "z"]
    rows = {"document": [1, 1, 2], "token": ["So", "ïs", "!"], "logprob": [None, -0.5, -1.0]}
    assert _lists(_parquet(rows)) == [expected[0], expected[2]]
    del rows["document"]
    assert _lists(_parquet(rows)) == [(["So", "ïs", "!"], [None, -0.5, -1.0])]


@pytest.mark.parametrize("block", [1, 40, 1 << 16])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"row_group_size": 7},
        {"dictionary_pagesize_limit": 60},  # the rest of the tokens is in no dictionary
        {"use_dictionary": False, "row_group_size": 9, "data_page_size": 50},
        {"dictionary_pagesize_limit": 60, "row_group_size": 11},
    ],
)
@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_parquet_is_read_alike_however_it_is_divided(
    block: int, how: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs the extra parquet")
    monkeypatch.setattr("finegrain.formats.parquet_tokens._BLOCK", block)
    lists: Lists = [
        ([f"ï{row * place % 31}" for place in range(row % 5)],
         [None if place == row else -float(row + place) for place in range(row % 5)])
        for row in range(40)
    ]  # fmt: skip
    tokens = pa.array([own for own, _ in lists], pa.list_(getattr(pa, kind)()))
    listed = {"id": [f"d{row}" for row in range(40)], "tokens": tokens,
              "logprobs": [numbers for _, numbers in lists]}  # fmt: skip
    assert _lists(_parquet(listed, **how)) == lists
    corpus = read(source_of("file", _parquet(listed, **how)))
    assert list(corpus.fields["id"]) == listed["id"]
    flat = [(row, token, number) for row, (own, numbers) in enumerate(lists)
            for token, number in zip(own, numbers, strict=True)]  # fmt: skip
    names, texts, numbers = zip(*flat, strict=True)
    rows = {"doc_id": names, "token": pa.array(texts, getattr(pa, kind)()), "logprob": numbers}
    assert _lists(_parquet(rows, **how)) == [one for one in lists if one[0]]


def test_parquet_of_nothing_and_of_documents_without_a_name() -> None:
    pa = pytest.importorskip("pyarrow", reason="needs the extra parquet")
    empty = {"tokens": pa.array([], pa.list_(pa.string())), "logprobs": pa.array([], pa.float64())}
    with pytest.raises(InputError, match="no token has a log-probability"):
        read(source_of("file", _parquet(empty)))
    rows = {"document": ["x", None], "token": ["a", "b"], "logprob": [-1.0, -2.0]}
    with pytest.raises(InputError, match=r"file:2: the document has no id\. Write one"):
        source_of("file", _parquet(rows))


def test_parquet_with_lists_of_other_lengths_is_refused() -> None:
    data = _parquet({"tokens": [["a"], ["b", "c"]], "logprobs": [[-1.0], [-1.0]]})
    with pytest.raises(InputError, match=r"file:2: 2 tokens, but 1 log-probabilities"):
        source_of("file", data)
    with pytest.raises(InputError, match="cannot be read"):
        source_of("file", _parquet({"tokens": [["a"]], "logprobs": [["x"]]}))


def test_a_task_reads_what_does_not_look_like_its_files_as_tokens() -> None:
    formats = TASKS["perplexity"].formats
    assert recognise(source_of("file", b"a\t2.5\nb\t1.5\n"), formats).name == "logprobs"
    assert recognise(source_of("file", b"So it is.\n"), formats).name == "text"
    assert FORMATS["text"].looks_like(source_of("file", b"So it is.\n"))


@pytest.mark.parametrize("size", [4, 9, 30, 1 << 18])
def test_documents_have_their_lines_wherever_blocks_of_the_file_end(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("finegrain.formats.fields._BLOCK", size)
    text = "token\tlogprob\n\na\t-1\nb\t-2\n\n\nc\t-1.5\n\nd\t\n\n"
    corpus = read(source_of("memory", text.encode()))
    assert list(corpus.fields["@line"]) == [3, 7, 9]
    assert corpus.parts["tokens"].parent.tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize("text", ["Ada met\t\n", "a\tnull\n\nb\tnan\n"])
def test_tokens_without_any_number_are_refused(text: str) -> None:
    """A text with tabs at the ends of its lines, say."""
    with pytest.raises(InputError, match=r"f: no token has a log-probability\. .*--input text"):
        read(source_of("f", text.encode()))


def test_numbers_without_tokens_are_refused() -> None:
    text = b'[{"id": "a", "logprobs": [-1]}, {"id": "b", "logprobs": [-2.5]}]'
    system = FORMATS["items"].read(source_of("f", text))
    gold = FORMATS["text"].read(source_of("g", b"So it is.\n"))
    with pytest.raises(InputError, match="there are no tokens with log-probabilities"):
        TASKS["perplexity"].align(gold, {"a": system})
