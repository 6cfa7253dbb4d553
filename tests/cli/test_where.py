"""``--where`` of analyses as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

WORDS = ("Ada", "met", "Bob", "in", "New", "York", "City")
GOLD = ("B-PER", "O", "B-PER", "O", "B-LOC", "I-LOC", "I-LOC")
HASTY = ("B-LOC", "B-PER", "O", "O", "B-LOC", "I-LOC", "O")
NEW = ("B-PER", "B-PER", "O", "O", "B-LOC", "I-LOC", "O")
FILES = ("gold.conll", "hasty.conll", "new.conll")
COMMANDS = (
    "score", "errors", "confusion", "difference", "oracle", "difficulty", "features", "words",
    "invented", "triage", "buckets", "diagnose", "significance", "seeds", "slices",
)  # fmt: skip
MORE = {
    "buckets": ("--by", "entity_length"),
    "diagnose": ("--by", "entity_length"),
    "slices": ("--by", "entity_length", "--fewest", "2"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, tags in zip(FILES, (GOLD, HASTY, NEW), strict=True):
        lines = (f"{word}\t{tag}\n" for word, tag in zip(WORDS, tags, strict=True))
        (tmp_path / name).write_text("".join(lines) * 3)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_analysis_has_it(run: Run, folder: Path, command: str) -> None:
    asked = (command, *FILES, "--quiet", *MORE.get(command, ()), "--where", "label=PER")
    told = json.loads(run(*asked, "--format", "json").stdout)
    assert "|where:label=PER|" in told["signature"]


def test_errors_keep_partners(run: Run, folder: Path) -> None:
    """Ada is a person taken for a place, Bob is missed, met is invented: three times."""
    asked = ("errors", *FILES, "--quiet", "--where", "label=PER", "--format", "json")
    counts = json.loads(run(*asked).stdout)["result"]["hasty"]["counts"]
    assert {name: n for name, n in counts.items() if n} == {"LE": 3, "FN": 3, "FP": 3}


def test_scores_are_those_of_the_label(run: Run, folder: Path) -> None:
    asked = ("score", *FILES, "--quiet", "--no-intervals", "--format", "json")
    whole = json.loads(run(*asked).stdout)["result"]["new"]
    part = json.loads(run(*asked, "--where", "label=PER").stdout)["result"]["new"]
    found, expected = part["overall"]["traditional"], whole["labels"]["PER"]["traditional"]
    assert {name: found[name] for name in expected} == expected


def test_training_data_tell_what_is_learnt(run: Run, folder: Path) -> None:
    asked = ("errors", *FILES, "--quiet", "--where", "entity_frequency>0", "--train", "gold.conll")
    assert "where:entity_frequency>0" in run(*asked).stdout


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("score", "--where", "label=NOPE"), "no span fits 'label=NOPE'"),
        (("oracle", "--where", "colour=red"), "unknown"),
        (("score", "--where", "label=PER", "--also-gold", "new.conll"), "not shown with"),
        (("difficulty", "--where", "label=PER", "--annotate", "bins.tsv"), "writes all units"),
    ],
)
def test_what_cannot_be(run: Run, folder: Path, more: tuple[str, ...], message: str) -> None:
    done = run(more[0], *FILES, *more[1:], "--quiet")
    assert done.returncode == 2
    assert message in done.stderr
