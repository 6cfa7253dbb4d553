"""Scores by document and by column: hand-worked, additive, in every view."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.scores import breakdown as module
from finegrain.corpus import Corpus
from finegrain.testing import small_corpora
from finegrain.views import text_formats
from finegrain.views.terminal import as_text
from tests.conftest import Run
from tests.metrics.test_span_scores import corpora
from tests.schema import require_schema

TEXT = [["Ada", "in", "Rome"], ["Bob", "ran"]]
GENRE = [["news", "news", "chat"], ["chat", "chat"]]
GOLD = [["B-PER", "O", "B-LOC"], ["B-PER", "O"]]
MADE = [["B-PER", "B-LOC", "I-LOC"], ["O", "O"]]


def test_spans_by_column_by_hand() -> None:
    """news: Ada is right; the long LOC begins in news: TP 1, FP 1, F1 2/3.

    chat: Rome (answered by the long LOC) and Bob are missed. The boundary error is counted with
    its gold span, in chat.
    """
    gold = Corpus.of(TEXT, tags=GOLD, genre=GENRE)
    found = fg.score(fg.align(gold, {"s": Corpus.of(TEXT, tags=MADE)}), by="genre")
    by = found.to_json()["s"]["by"]
    assert list(by) == ["chat", "news"]  # the larger first
    assert by["news"]["overall"]["traditional"]["f1"] == pytest.approx(2 / 3)
    assert by["chat"]["overall"]["traditional"]["f1"] == 0
    assert by["chat"]["counts"] == {
        "TP": 0, "LE": 0, "BES": 0, "BEL": 1, "BEO": 0, "BE": 1, "LBE": 0, "FN": 1, "FP": 0,
        "gold": 2, "predicted": 0,
    }  # fmt: skip
    assert by["news"]["counts"]["predicted"] == 2
    assert by["chat"]["overall"]["traditional"]["precision"] is None
    assert "by genre: scores are undefined without gold units or without predictions" in found.notes
    assert "|by:genre|" in found.signature


def test_tags_by_document_by_hand() -> None:
    text, tags = [["a", "b"], ["c"]], [["N", "V"], ["N"]]
    gold = Corpus.of(text, documents=[0, 1], tags=tags)
    made = Corpus.of(text, tags=[["N", "N"], ["N"]])
    by = fg.score(fg.align(gold, {"s": made}), by="document").to_json()["s"]["by"]
    assert by["1"]["overall"]["accuracy"] == 0.5
    assert by["1"]["counts"] == {"correct": 1, "wrong": 1, "gold": 2, "predicted": 2}
    assert by["2"]["overall"]["sentence_accuracy"] == 1


def test_documents_go_by_their_names() -> None:
    from dataclasses import replace

    gold, systems = small_corpora("spans")
    table = fg.align(replace(gold, document_ids=("first", "second")), systems)
    assert set(fg.score(table, by="document").to_json()["short"]["by"]) == {"first", "second"}


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_a_document_scores_as_it_does_alone(task: str) -> None:
    table = fg.align(*small_corpora(task))
    assert table.corpus.documents is not None
    by = fg.score(table, by="document").to_json()
    for document in (0, 1):
        alone = fg.score(table.where(table.corpus.documents[table.sentence] == document)).to_json()
        for system in table.systems:
            part = by[system]["by"][str(document + 1)]
            expected = alone[system]["overall"]
            for family, values in part["overall"].items():
                if isinstance(values, dict):
                    for name, value in values.items():
                        assert value == pytest.approx(expected[family][name])
                else:
                    assert values == pytest.approx(expected[family])


@given(corpora, corpora, st.sampled_from([1, 50]))
@settings(max_examples=50, deadline=None)
def test_parts_add_up_however_many_are_counted_at_once(
    gold: Corpus, system: Corpus, cells: int
) -> None:
    from dataclasses import replace

    table = fg.align(replace(gold, documents=np.array([0, 1])), {"s": system})
    expected = fg.score(table, by="document").to_json()["s"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CELLS", cells)
        found = fg.score(table, by="document").to_json()["s"]
    assert found == expected
    for kind, count in found["counts"].items():
        assert count == sum(part["counts"][kind] for part in found["by"].values())


@pytest.mark.parametrize("task", ["spans", "tags"])
@pytest.mark.parametrize("systems", [1, 2])
def test_every_view_shows_it(task: str, systems: int) -> None:
    gold, corpora = small_corpora(task)
    chosen = dict(list(corpora.items())[:systems])
    schemes = ["all"] if task == "spans" else []
    result = fg.score(fg.align(gold, chosen), by="document", beta=0.5, schemes=schemes)
    kind = "span_scores" if task == "spans" else "tag_scores"
    require_schema(json.loads(text_formats.as_json(result, command="")), kind)
    assert "y document" in as_text(result)
    rows = list(csv.DictReader(io.StringIO(text_formats.as_csv(result))))
    assert {row["document"] for row in rows} == {"", "1", "2"}
    if schemes:
        assert "Match schemes" in as_text(result)
        assert {"strict_correct", "partial_f1"} <= {row["metric"] for row in rows}
    for text in (text_formats.as_latex(result), text_formats.as_markdown(result)):
        assert "y document" in text


def test_unknown_columns_name_the_known_ones() -> None:
    gold = Corpus.of(TEXT, tags=GOLD, genre=GENRE)
    table = fg.align(gold, {"s": Corpus.of(TEXT, tags=MADE)})
    with pytest.raises(fg.UsageError, match="Did you mean 'genre'") as caught:
        fg.score(table, by="gener")
    assert "document" in str(caught.value)
    with pytest.raises(fg.UsageError, match="no document boundaries"):
        fg.score(table, by="document")


def test_from_the_command_line(run: Run, tmp_path: Path) -> None:
    for name, tags in (("gold", GOLD), ("made", MADE)):
        lines = [
            "\n".join("\t".join(cells) for cells in zip(*sentence, strict=True))
            for sentence in zip(TEXT, GENRE, tags, strict=True)
        ]
        (tmp_path / f"{name}.tsv").write_text("\n\n".join(lines) + "\n")
    done = run(
        "score", "gold.tsv", "made.tsv", "--columns", "token=1,genre=2,tags=3", "--by", "genre",
        "--schemes", "--overlap", "0.4", "--beta", "0.5", "--format", "json",
    )  # fmt: skip
    found = json.loads(done.stdout)
    require_schema(found, "span_scores")
    made = found["result"]["made"]
    assert made["by"]["chat"]["counts"]["gold"] == 2
    assert made["schemes"]["overlap"]["correct"] == 2  # Rome in `in Rome`: 1/2
    assert (
        "|beta:0.5|schemes:strict,exact,partial,type,overlap|overlap:0.4|by:genre|"
        in (found["signature"])
    )
    for wrong, said in (
        (("--by", "domain"), "unknown column 'domain'"),
        (("--beta", "0"), "beta must be a number above 0"),
        (("--schemes", "--overlap", "2"), "overlap must be above 0"),
    ):
        done = run("score", "gold.tsv", "made.tsv", *wrong)
        assert done.returncode == 2
        assert said in done.stderr


def test_columns_beside_gold_and_answer(run: Run, tmp_path: Path) -> None:
    (tmp_path / "made.tsv").write_text("a\tnews\tB-X\tB-X\nb\tchat\tB-X\tO\n")
    done = run(
        "score", "made.tsv", "--columns", "token=1,genre=2,gold=3,answer=4", "--by", "genre",
        "--format", "json",
    )  # fmt: skip
    by = json.loads(done.stdout)["result"]["made"]["by"]
    assert by["news"]["overall"]["traditional"]["f1"] == 1
    assert by["chat"]["overall"]["traditional"]["f1"] == 0


def test_nothing_at_all_has_no_parts() -> None:
    empty = Corpus.of([["a", "b"]], documents=[0], tags=[["O", "O"]])
    found = fg.score(fg.align(empty, {"s": empty}, task="spans"), by="document", schemes=["all"])
    assert found.to_json()["s"]["by"] == {}
    assert found.to_json()["s"]["schemes"]["type"]["f1"] is None
    assert as_text(found)


def test_metrics_of_documents_are_left_out_where_a_column_cuts_them_and_only_these() -> None:
    gold, systems = small_corpora("coreference")
    found = fg.score(fg.align(gold, systems), by="upos")
    assert found.parts is not None
    left_out = found.parts.left_out
    assert left_out
    assert all(metric.whole_documents for metric in left_out)
    assert not any(metric.whole_documents for metric in found.metrics if metric not in left_out)
    whole = fg.score(fg.align(gold, systems), by="document").parts
    assert whole is not None
    assert whole.left_out == ()


def test_why_a_score_is_undefined_goes_by_what_it_is_in_its_family() -> None:
    gold, nothing = (Corpus.of([["a"]], tags=[[tag]]) for tag in ("B-PER", "O"))
    first, *_ = fg.score(fg.align(gold, {"s": nothing})).notes
    assert first.startswith("traditional_precision, ")
    assert first.endswith(": no predictions")
