"""Downstream scores where the upstream output was right and wrong, worked by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from tests.command_line import run_finegrain

IDS = ["q1", "q2", "q3", "q4", "q5"]


def _answers() -> fg.OutcomeTable:
    return fg.from_items(
        ["a", "b", "a", "b", "a"],
        {"one": ["a", "b", "b", "b", "a"], "two": ["b", "b", "b", "a", "a"],
         "three": ["a", "b", "a", "b", "b"]},
        ids=IDS,
    )  # fmt: skip


def _upstream() -> fg.OutcomeTable:
    return fg.from_items(
        ["x", "y", "x", "y", "x"],
        {"three": ["x", "y", "x", "y", "y"], "two": ["y", "x", "x", "x", "x"],
         "one": ["x", "y", "y", "x", "x"]},
        ids=IDS,
    )  # fmt: skip


def test_scores_worked_by_hand() -> None:
    # upstream, one is right about q1 q2 q5: all three right downstream; q3 q4: one of two.
    # two is right about q3 q5: one of two; q1 q2 q4: one of three.
    # three is right about q1 to q4: all right; q5: wrong.
    found = fg.extrinsic(_answers(), _upstream())
    assert found.right.tolist() == [1.0, 0.5, 1.0]
    assert found.wrong.tolist() == pytest.approx([0.5, 1 / 3, 0.0])
    assert found.units.tolist() == [[3, 2, 4], [2, 3, 1]]
    assert found.overall.tolist() == pytest.approx([0.8, 0.4, 0.8])
    assert found.upstream.tolist() == pytest.approx([0.6, 0.4, 0.8])  # by name, not by place
    assert found.spearman == pytest.approx(math.sqrt(3) / 2)  # ranks 2 1 3 and 2.5 1 2.5


def test_the_parts_make_up_the_whole() -> None:
    found = fg.extrinsic(_answers(), _upstream())
    weighed = (found.units * np.stack([found.right, found.wrong])).sum(axis=0) / 5
    assert weighed.tolist() == pytest.approx(found.overall.tolist())


def test_sentences_meet_by_their_order() -> None:
    text = [["a", "b"], ["c", "d"]]
    gold = fg.Corpus.of(text, tags=[["N", "V"], ["N", "N"]])
    tags = fg.align(gold, {"s": fg.Corpus.of(text, tags=[["N", "V"], ["N", "V"]])}, task="tags")
    names = fg.align(
        fg.Corpus.of(text, tags=[["B-P", "O"], ["B-P", "O"]]),
        {"s": fg.Corpus.of(text, tags=[["B-P", "O"], ["O", "O"]])},
    )
    found = fg.extrinsic(names, tags)
    assert (found.right.tolist(), found.wrong.tolist()) == ([1.0], [0.0])


def test_intervals_are_those_of_the_parts() -> None:
    gold = ["a", "b"] * 40
    wrong = [name if at % 5 else "c" for at, name in enumerate(gold)]
    ids = [f"q{at}" for at in range(80)]
    up = ["x" if at < 40 else "y" for at in range(80)]
    table = fg.from_items(gold, {"s": wrong}, ids=ids)
    upstream = fg.from_items(["x"] * 80, {"s": up}, ids=ids)
    found = fg.extrinsic(table, upstream, intervals=1000)
    low, high = found.ends[1, 0].tolist()
    assert low < 0.8 < high
    alone = fg.from_items(gold[:40], {"s": wrong[:40]}, ids=ids[:40])
    # its own interval, but for the size of the part, which is drawn as well
    own = fg.score(alone, "accuracy", intervals=1000).interval("accuracy", "s")
    assert (low, high) == pytest.approx(own, abs=0.03)


def test_what_does_not_meet_is_refused_or_counted() -> None:
    other = fg.from_items(["x"], {"one": ["x"]}, ids=["q1"])
    with pytest.raises(fg.UsageError, match="two"):
        fg.extrinsic(_answers(), other)
    answers = fg.from_items(["a", "b"], {"one": ["a", "b"]}, ids=["q1", "q9"])
    found = fg.extrinsic(answers, other)
    assert any(note.startswith("1 item without the same id") for note in found.notes)
    graded = fg.from_items([1.5, 2.0], {"one": [1.0, 2.0]}, ids=["q1", "q2"], task="regression")
    with pytest.raises(fg.UsageError, match="graded"):
        fg.extrinsic(answers, graded)
    without = fg.from_items(["a", "b"], {"one": ["a", "b"]})
    with pytest.raises(fg.UsageError, match="ids"):
        fg.extrinsic(without, other)


def test_the_command_takes_a_saved_table(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    _upstream().save(str(tmp_path / "up.parquet"))
    rows = zip(IDS, "ababa", strict=True)
    (tmp_path / "gold.csv").write_text("id,label\n" + "".join(f"{a},{b}\n" for a, b in rows))
    rows = zip(IDS, "abbba", strict=True)
    (tmp_path / "one.csv").write_text("id,label\n" + "".join(f"{a},{b}\n" for a, b in rows))
    done = run_finegrain(
        "score", "gold.csv", "one.csv", "--given", "up.parquet", "--format", "json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    one = json.loads(done.stdout)["result"]["systems"]["one"]
    assert (one["upstream_right"], one["upstream_wrong"]) == (1.0, 0.5)
    both = run_finegrain(
        "score", "gold.csv", "one.csv", "--given", "up.parquet", "--by", "label", cwd=tmp_path
    )
    assert both.returncode == 2
