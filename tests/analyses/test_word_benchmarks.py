"""Word vectors on benchmarks: cosines and fourth words, worked by hand; scored like any output."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.studies.word_benchmarks import completed
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.vectors import of_vectors
from finegrain.errors import InputError, UsageError
from tests.command_line import run_finegrain

WORDS = ["man", "woman", "king", "queen", "apple", "Pear"]
VECTORS = np.array([[1.0, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [0.1, 0.2, -1], [0.2, 0.1, -1]])


def _vectors(words: list[str] = WORDS, scale: float = 1.0) -> Corpus:
    return of_vectors("given", {"vector": scale * VECTORS}, {"id": Texts.of(words)})


def _file(folder: Path, text: str) -> str:
    path = folder / "benchmark.txt"
    path.write_text(text)
    return str(path)


def test_similarities_are_cosines(tmp_path: Path) -> None:
    path = _file(
        tmp_path, "word1,word2,score\nman,woman,8\nking,queen,9\napple,Pear,9.5\nman,x,1\n"
    )
    found = fg.word_benchmark(path, {"m": _vectors(scale=7)})
    assert found.answers["m"].fields["score"].tolist() == pytest.approx(
        [1 / 2**0.5, 2 / 6**0.5, (0.02 + 0.02 + 1) / 1.05]
    )
    assert found.notes == ("m: 1 line with a word that has no vector",)
    table = found.table
    assert str(table.task) == "regression"
    assert len(table) == 3
    assert fg.score(table).value("spearman", "m") == pytest.approx(1)


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
def test_analogies_are_those_of_a_loop(method: str) -> None:
    draw = np.random.default_rng(1)
    vectors = draw.normal(size=(30, 5))
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = np.array([draw.choice(30, 3, replace=False) for _ in range(20)])
    for (a, b, c), found in zip(rows.tolist(), completed(vectors, rows, method), strict=True):
        best = {}
        for x in set(range(30)) - {a, b, c}:
            near = [float(unit[x] @ unit[one]) for one in (a, b, c)]
            if method == "3cosadd":
                best[x] = near[1] - near[0] + near[2]
            else:
                shifted = [(one + 1) / 2 for one in near]
                best[x] = shifted[1] * shifted[2] / (shifted[0] + 0.001)
        assert found == max(best, key=best.__getitem__)


def test_analogies_are_answers_of_classification(tmp_path: Path) -> None:
    path = _file(tmp_path, ": royal\nman woman king queen\nking queen man woman\n: x\nman a b c\n")
    found = fg.word_benchmark(path, {"m": _vectors()})
    table = found.table
    assert str(table.task) == "classification"
    assert fg.score(table).value("accuracy", "m") == pytest.approx(2 / 3)
    assert "royal" in str(fg.buckets(table, by=["group"]))


def test_case_can_be_folded(tmp_path: Path) -> None:
    path = _file(tmp_path, "apple\tpear\t9\nMan\tWoman\t8\n")
    with pytest.raises(InputError, match=r"no line of .* has all its words here"):
        fg.word_benchmark(path, {"m": _vectors()}, fold_case=False)
    found = fg.word_benchmark(path, {"m": _vectors()})
    assert len(found.answers["m"].fields["score"]) == 2


def test_folded_answers_are_right(tmp_path: Path) -> None:
    path = _file(tmp_path, "Man Woman King Queen\n")
    assert fg.score(fg.word_benchmark(path, {"m": _vectors()}).table).value(
        "accuracy", "m"
    ) == 1.0  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,1\na,b\n", "benchmark.txt:2: expected two words and a number"),
        ("a,b,1\na,b,x\n", "benchmark.txt:2: no number: 'x'"),
        ("a b c d\na b c\n", "benchmark.txt:2: 3 words where 4"),
        ("word1,word2,score\n", "no pairs of words"),
    ],
)
def test_lines_that_are_neither_say_so(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        fg.word_benchmark(_file(tmp_path, text), {"m": _vectors()})


def test_vectors_need_words(tmp_path: Path) -> None:
    path = _file(tmp_path, "a,b,1\n")
    with pytest.raises(InputError, match="the vectors have no words"):
        fg.word_benchmark(path, {"m": of_vectors("m", {"vector": VECTORS})})
    with pytest.raises(UsageError, match="Known: 3cosadd, 3cosmul"):
        fg.word_benchmark(path, {"m": _vectors()}, method="cosadd")  # type: ignore[arg-type]


def test_what_is_written_is_scored(tmp_path: Path) -> None:
    _file(tmp_path, "man,woman,8.5\nking,queen,9\napple,man,1\nwoman,queen,6\n")
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(WORDS, VECTORS, strict=True)]
    (tmp_path / "m.vec").write_text("6 3\n" + "\n".join(lines) + "\n")
    done = run_finegrain("vectors", "benchmark.txt", "m.vec", "-p", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["out/gold.csv", "out/m.csv"]
    scored = run_finegrain("score", "out/gold.csv", "out/m.csv", cwd=tmp_path)
    assert "task regression (recognised)" in scored.stderr
    assert "Spearman" in scored.stdout
