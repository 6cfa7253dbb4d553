"""Floors of label sets, worked by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.alignment.label_set_baselines import label_set
from finegrain.errors import InputError, UsageError
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of
from tests.conftest import Run

GOLD = "id,text,labels\na,dull,neg\nb,fine,pos|warm\nc,so so,\n"
TRAIN = "id,text,labels\nt,fine indeed,pos|warm\nu,dull,neg\nv,a fine one,pos\nw,nothing,\n"


def _read(text: str) -> fg.Corpus:
    return read(source_of("file", text.encode()))


def _labels(kind: str, train: str, gold: str) -> list[set[str]]:
    corpus = label_set(kind, _read(train), _read(gold))
    found = corpus.parts["labels"]
    sets: list[set[str]] = [set() for _ in range(corpus.n_sentences)]
    for item, label in zip(found.parent.tolist(), found.fields["value"], strict=True):
        sets[item].add(str(label))
    return sets


def test_majority_is_the_most_frequent_label() -> None:
    assert _labels("majority", TRAIN, GOLD) == [{"pos"}] * 3
    tied = "id,text,labels\nt,x,b\nu,y,a\n"
    assert _labels("majority", tied, GOLD) == [{"a"}] * 3


def test_random_labels_are_as_frequent_as_in_training() -> None:
    gold = "id,text,labels\n" + "".join(f"g{at},x,pos\n" for at in range(4000))
    found = _labels("random", TRAIN, gold)
    assert found == _labels("random", TRAIN, gold)
    for label, share in (("pos", 1 / 2), ("neg", 1 / 4), ("warm", 1 / 4)):
        assert np.mean([label in one for one in found]) == pytest.approx(share, abs=0.03)


def test_bag_of_words_decides_on_every_label() -> None:
    pytest.importorskip("sklearn")
    rows = ["fine indeed,pos|warm", "dull,neg", "plain,"] * 40
    many = "".join(f"{at},{row}\n" for at, row in enumerate(["text,labels", *rows]))
    many = many.replace("0,", "id,", 1)
    assert _labels("bag-of-words", many, GOLD)[:2] == [{"neg"}, {"pos", "warm"}]


def test_what_cannot_be_learnt_from_is_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown baseline 'mean'\. Known: majority, random"):
        label_set("mean", _read(TRAIN), _read(GOLD))
    with pytest.raises(InputError, match="no training item has a label"):
        label_set("majority", _read("id,text,labels\nt,x,\n"), _read(GOLD))


def test_baselines_on_the_command_line(run: Run, tmp_path: Path) -> None:
    run("simulate", "guests", "--task", "multilabel", "--tokens", "1500")
    files = ("guests/gold.jsonl", "guests/finetuned.jsonl", "--train", "guests/train.jsonl")
    found = run("score", *files, "--baseline", "majority", "--no-intervals")
    assert found.returncode == 0, found.stderr
    assert "majority" in found.stdout
    run("simulate", "topics", "--task", "clustering", "--tokens", "1500")
    refused = run("score", "topics/gold.jsonl", "topics/kmeans.jsonl", "--task", "clustering",
                  "--train", "topics/train.jsonl", "--baseline", "majority")  # fmt: skip
    assert refused.returncode == 2
    assert "there is no baseline for the task clustering" in refused.stderr
