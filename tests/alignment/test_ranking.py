"""Queries meet by their ids, documents by theirs, and ranks are those of scores."""

from __future__ import annotations

import json

import numpy as np
import pytest

import finegrain as fg
from finegrain.alignment import document_ranks
from finegrain.alignment.document_ranks import Judged, ranks, repeated
from finegrain.corpus import Texts
from finegrain.corpus.columns import Rows
from finegrain.corpus.text_order import places
from finegrain.errors import AlignmentError, InputError, UsageError
from finegrain.formats import items
from finegrain.formats.source import source_of
from finegrain.formats.trec import read
from finegrain.views.instances import shown_as_text

QRELS = b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n3 0 d3 1\n"


def _read(text: bytes, name: str = "file") -> fg.Corpus:
    return read(source_of(name, text))


def _json(*records: dict[str, object]) -> fg.Corpus:
    return items.read(source_of("json", "\n".join(map(json.dumps, records)).encode()))


def _ranks(table: fg.OutcomeTable, system: int = 0) -> dict[tuple[str, str], float]:
    rows, ids = table.parts["documents"], table.corpus.fields["id"]
    rank = rows.by_system["rank"][:, system].tolist()
    return {
        (ids[parent], rows.fields["document"][at]): rank[at]
        for at, parent in enumerate(rows.parent.tolist())
        if not np.isnan(rank[at])
    }


def test_ranks_are_by_score_whatever_the_file_says() -> None:
    run = _read(b"2 Q0 d1 1 7 x\n1 Q0 d2 1 0.1 x\n1 Q0 d9 9 3e2 x\n1 Q0 d1 2 0.2 x\n")
    table = fg.align(_read(QRELS), {"a": run}, missing="wrong")
    assert _ranks(table) == {("1", "d9"): 1, ("1", "d1"): 2, ("1", "d2"): 3, ("2", "d1"): 1}
    assert table.details["retrieved"].T.tolist() == [[3, 1, 0]]
    assert table.columns["relevant"].tolist() == [1, 1, 1]
    assert table.columns["judged"].tolist() == [2, 1, 1]


def test_documents_that_nobody_judged_are_kept_among_the_best_ten() -> None:
    """Of twelve such documents two are below; the judged one at 13 is kept."""
    lines = [f"1 Q0 u{at:02} 1 {50 - at} x\n" for at in range(12)] + ["1 Q0 d1 1 1 x\n"]
    table = fg.align(_read(QRELS), {"a": _read("".join(lines).encode())})
    kept = _ranks(table)
    assert len(kept) == 11
    assert kept["1", "d1"] == 13
    assert ("1", "u10") not in kept
    assert [table.outcomes.names[code] for code in table.outcome[:, 0]] == [
        "LOW", "UNRANKED", "UNRANKED",
    ]  # fmt: skip


def test_queries_that_are_only_in_the_run_are_counted_and_left_out() -> None:
    run = _read(b"1 Q0 d1 1 1 x\n8 Q0 d1 1 1 x\n9 Q0 d1 1 1 x\n2 Q0 d1 1 1 x\n3 Q0 d3 1 1 x\n")
    table = fg.align(_read(QRELS, "qrels"), {"a": run})
    assert table.notes == ("a: 2 queries are not in qrels and left out, the first ('8', line 2)",)
    assert len(table) == 3


def test_missing_queries_may_be_an_error_or_left_out() -> None:
    gold, run = _read(QRELS), _read(b"1 Q0 d1 1 1 x\n", "run")
    with pytest.raises(AlignmentError, match="2 of 3 queries are not in the run: '2', '3'"):
        fg.align(gold, {"a": run}, missing="error")
    table = fg.align(gold, {"a": run}, missing="skip")
    assert len(table) == 1
    assert fg.score(table).value("nDCG@10", "a") == 1.0
    with pytest.raises(UsageError, match="unknown missing"):
        fg.align(gold, {"a": run}, missing="some")


def test_a_run_of_other_queries_is_refused() -> None:
    with pytest.raises(AlignmentError, match="no query of the run is in qrels"):
        fg.align(_read(QRELS, "qrels"), {"a": _read(b"q1 Q0 d1 1 1 x\n")})


@pytest.mark.parametrize(
    ("gold", "run", "said"),
    [
        (QRELS, b"1 Q0 d1 1 2 x\n2 Q0 d1 1 1 x\n1 Q0 d1 2 1 x\n",
         r"run:3: the document 'd1' occurs twice in the query '1' \(line 1\)"),
        (QRELS + b"1 0 d2 1\n", b"1 Q0 d1 1 2 x\n",
         r"gold:5: the document 'd2' occurs twice in the query '1' \(line 2\)"),
        (b"1 Q0 d1 1 2 x\n", QRELS, "gold:1: no judgements here"),
        (QRELS, QRELS, "run:1: no run here"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used_are_refused(gold: bytes, run: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        fg.align(_read(gold, "gold"), {"a": _read(run, "run")}, task="ranking")


def test_queries_with_texts_come_as_json() -> None:
    gold = _json(
        {"id": "1", "query": "red wine", "lang": "en", "documents": [{"id": "d1", "grade": 1}]},
        {"id": "2", "query": "a glass", "lang": "de", "documents": [{"id": "d1", "grade": 0},
                                                                   {"id": "d4", "grade": 3}]},
    )  # fmt: skip
    table = fg.align(gold, {"a": _read(b"2 Q0 d4 1 1 x\n1 Q0 d1 1 1 x\n")})
    assert table.task.name == "ranking"
    assert fg.score(table).value("nDCG@10", "a") == 1.0
    assert table.columns["lang"].tolist() == ["en", "de"]
    assert fg.score(table, where="lang=de").value("nDCG@10", "a") == 1.0
    assert fg.show(table, "relevant>0 and judged=2").found == 1
    with pytest.raises(InputError, match=r"the grade 0\.5 is not an integer"):
        fg.align(_json({"id": "1", "documents": [{"id": "d", "grade": 0.5}]}), {}, task="ranking")
    bad = _json({"id": "1", "documents": [{"id": "d", "score": None}, {"id": "e", "score": 1}]})
    with pytest.raises(InputError, match="a score is missing or no number"):
        fg.align(gold, {"a": bad})


def test_documents_are_told_apart_also_if_their_hashes_are_equal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        document_ranks, "_keys", lambda query, hashes: np.zeros(len(query), np.uint64)
    )
    parent, names = np.array([0, 0, 1]), Texts.of(["a", "b", "a"])
    judged = Judged.of(Rows(parent, {"id": names}))
    query, asked = np.array([1, 0, 0, 1]), Texts.of(["a", "b", "c", "b"])
    assert judged.find(query, asked, asked.hashes()).tolist() == [2, 1, -1, -1]
    assert repeated(Rows(np.array([0, 1, 1]), {"id": Texts.of(["a", "a", "a"])})) == [(2, 1)]


def test_strings_are_ordered_by_bytes_within_groups() -> None:
    words = ["b", "", "a" * 8, "a" * 16 + "b", "a" * 16 + "a", "a" * 9, "é", "z", "b"]
    group = [1, 0, 1, 1, 1, 0, 0, 0, 1]
    expected = sorted(zip(group, (word.encode() for word in words), strict=True))
    keys = list(zip(group, (word.encode() for word in words), strict=True))
    found = places(Texts.of(words), np.array(group)).tolist()
    assert found == [expected.index(key) for key in keys]


def test_ties_are_ranked_within_their_query() -> None:
    rows = Rows(
        np.array([0, 0, 0, 1, 1]),
        {"id": Texts.of(["a", "c", "b", "b", "a"]), "score": np.array([1.0, 1, 2, 1, 1])},
    )
    assert ranks(rows).tolist() == [3, 2, 1, 1, 2]


def test_the_best_documents_are_shown_side_by_side_with_what_is_missed() -> None:
    gold = _read(b"q 0 d1 2\nq 0 d2 1\nq 0 d3 0\nq 0 d4 1\n")
    one = _read(b"q Q0 d3 1 9 x\nq Q0 d1 2 8 x\n")
    far = [f"q Q0 u{at} 1 {100 - at} x\n" for at in range(10)] + ["q Q0 d2 1 1 x\n"]
    table = fg.align(gold, {"one": one, "far": _read("".join(far).encode())})
    text = shown_as_text(fg.show(table)).split("\n")
    assert "rank  one  FOUND  far  LOW" in text
    assert "1     d3 (0)      u0 (–)" in text
    assert "2     d1 (2)      u1 (–)" in text
    assert "missed by one: d2 (1) not retrieved, d4 (1) not retrieved" in text
    assert "missed by far: d1 (2) not retrieved, d2 (1) at 11, d4 (1) not retrieved" in text
    (unit,) = fg.show(table, systems=["far"]).to_json()["units"]
    assert unit["lists"]["columns"] == ["rank", "far"]
    assert unit["lists"]["rows"][0] == ["1", "u0 (–)"]


def test_ids_of_documents_are_the_same_as_numbers_and_as_texts() -> None:
    gold = _json({"id": 1, "documents": [{"id": 7, "grade": 1}]})
    run = _json({"id": "1", "documents": [{"id": "7", "score": 2}]})
    table = fg.align(gold, {"mine": run}, task="ranking")
    assert table.values["nDCG@10"].matrix.tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ([{"id": "1", "documents": [{"id": "7", "score": 2}, {"score": 1}]}],
         "json:1: a document has no id"),
        ([{"id": "1", "documents": [{"id": "7", "score": 2}]}, {"documents": []}],
         "json:2: this item has no id"),
    ],
)  # fmt: skip
def test_queries_and_documents_without_an_id_are_refused(
    run: list[dict[str, object]], said: str
) -> None:
    gold = _json({"id": "1", "documents": [{"id": "7", "grade": 1}]})
    with pytest.raises(InputError, match=said):
        fg.align(gold, {"mine": _json(*run)}, task="ranking")
