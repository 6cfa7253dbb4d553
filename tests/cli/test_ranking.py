"""Rankings from the command line: measures by name, and what is said of bad files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

QRELS = "1 0 d1 2\n1 0 d2 0\n2 0 d1 1\n"
RUN = "1\tQ0\td2\t1\t0.9\tx\n1\tQ0\td1\t2\t0.8\tx\n2\tQ0\td1\t1\t0.7\tx\n"


def _files(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text)


def test_measures_are_named_as_they_parse(run: Run, tmp_path: Path) -> None:
    _files(tmp_path, qrels=QRELS, good=RUN)
    asked = ("--task", "ranking", "--metric", "nDCG@10,AP,P(rel=2)@1", "--format", "json")
    done = run("score", "qrels", "a=good", *asked)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["result"]["a"]["overall"]
    # of query 1, 2 / log2(3) of 2 and 1 / 2; query 2 is perfect, but d1 has grade 1
    assert found["nDCG@10"] == pytest.approx((1 / 1.584962500721156 + 1) / 2)
    assert found["AP"] == 0.75
    assert found["P(rel=2)@1"] == 0.0
    assert run("score", "qrels", "a=good").returncode == 0  # recognised


@pytest.mark.parametrize(
    ("qrels", "ranked", "said"),
    [
        ("1 0 d1 x\n", RUN, "qrels:1: the grade 'x' is not an integer."),
        (QRELS, RUN + "1 Q0 d1 3 0.1 x\n",
         "run:4: the document 'd1' occurs twice in the query '1' (line 2)."),
        (QRELS, "1 Q0 d1 1 nan x\n", "run:1: the score 'nan' is not a number."),
        (QRELS, "1 Q0 d1 1 0.5\n", "run:1: expected 4 fields (judgements) or 6 (a run), found 5."),
        (QRELS, "7 Q0 d1 1 0.5 x\n", "run: no query of the run is in qrels."),
        (RUN, QRELS, "qrels:1: no judgements here: documents with an id and a grade."),
    ],
)  # fmt: skip
def test_bad_files_are_refused_with_file_and_line(
    run: Run, tmp_path: Path, qrels: str, ranked: str, said: str
) -> None:
    _files(tmp_path, qrels=qrels, run=ranked)
    done = run("score", "qrels", "run", "--task", "ranking")
    assert done.returncode == 3
    assert said in done.stderr


def test_a_measure_that_is_written_badly_is_a_wrong_option(run: Run, tmp_path: Path) -> None:
    _files(tmp_path, qrels=QRELS, run=RUN)
    done = run("score", "qrels", "run", "--metric", "P")
    assert (done.returncode, "needs a cutoff: P@10" in done.stderr) == (2, True)


def test_missing_and_foreign_queries_are_noted(run: Run, tmp_path: Path) -> None:
    _files(tmp_path, qrels=QRELS, run="1 Q0 d1 1 0.5 x\n9 Q0 d1 1 0.5 x\n")
    done = run("score", "qrels", "run", "--metric", "RR")
    assert done.returncode == 0
    said = " ".join(done.stdout.split())
    assert "run: 1 of 2 queries is not in the run and counts 0" in said
    assert "run: 1 query is not in qrels and left out ('9', line 2)" in said
    strict = run("score", "qrels", "run", "--strict")
    assert strict.returncode == 3


@pytest.mark.parametrize(
    "command",
    [
        ("difference",), ("oracle",), ("difficulty",), ("buckets", "--by", "relevant"),
        ("significance", "--metric", "AP"), ("seeds",), ("errors",), ("show",),
        ("gate", "--fail-if", "AP drops 50"), ("triage",), ("study", "--of", "first_relevant"),
        ("describe",), ("slices", "--by", "judged"),
    ],
)  # fmt: skip
def test_a_saved_table_serves_every_analysis(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    qrels = "".join(f"{q} 0 d{q % 7} {1 + q % 3}\n{q} 0 e{q} 0\n" for q in range(40))
    _files(tmp_path, qrels=qrels)
    for name, shift in (("a", 2), ("b", 3)):
        lines = (
            f"{q} Q0 d{d} 1 {(q * shift + d * 5) % 7}.25 {name}\n"
            for q in range(40)
            for d in range(7)
        )
        (tmp_path / name).write_text("".join(lines))
    assert run("align", "qrels", "a", "b", "--output", "t.parquet").returncode == 0
    name, *options = command
    done = run(name, "t.parquet", *options)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout.strip()
    assert "Traceback" not in done.stderr


def test_queries_that_a_run_lacks_count_0_are_left_out_or_refused(run: Run, tmp_path: Path) -> None:
    _files(tmp_path, qrels=QRELS, some=RUN[: RUN.index("2\tQ0")])
    asked = ("score", "qrels", "a=some", "--no-intervals", "--metric", "RR")
    assert "1 of 2 queries is not in the run and counts 0" in run(*asked).stdout
    skipped = run(*asked, "--missing", "skip").stdout
    assert "1 of 2 queries is left out for all systems" in skipped
    refused = run(*asked, "--missing", "error")
    assert refused.returncode == 3
    assert "some: 1 of 2 queries" in refused.stderr
    assert "'2'" in refused.stderr
