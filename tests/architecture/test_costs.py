"""A task, a metric and an attribute each cost one file and one line that registers it."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import finegrain as fg
from tests.conftest import ROOT

TASK = """
import numpy as np
from finegrain.alignment.item_tables import codes_of, field, item_table, meet
from finegrain.table import Outcome, Outcomes, Task
from finegrain.table.task import Words

def align(task, gold, systems):
    met = meet(gold, systems)
    expected, given = field(gold, "tone"), met.column("tone")
    labels = tuple(sorted({*expected, *given.flat} - {None}))
    label, answer = codes_of(expected, labels), codes_of(given, labels)
    outcome = (answer != label[:, None]).astype(np.uint8)
    return item_table(task, met, outcome=outcome, labels=labels, label=label, answer=answer)

OUTCOMES = Outcomes((
    Outcome("FITS", "fits", "the tone fits", role="right", right=True),
    Outcome("JARS", "jars", "another tone", "letters in another tone", "label"),
))
TASK = Task(
    "tones", "a tone for each letter", "every letter", OUTCOMES,
    Words("letter", "letters", "letter", label="tone", context=""),
    aligner=align, recognise=lambda corpus, layer: "tone" in corpus.fields,
)
"""
METRIC = """
from finegrain.metrics.metric import Metric, ratio
from finegrain.metrics.unit_scores import solved_counts

def score(sums):
    return ratio(sums[..., 1] - sums[..., 0], sums[..., 1])

METRIC = Metric("jarring", solved_counts, score, "letters in another tone", "the manual")
"""
ATTRIBUTE = """
from finegrain.attributes.attribute import Attribute
from finegrain.corpus import Coded

def first_letter(units):
    return Coded.of(str(value)[0] for value in units.table.corpus.fields["id"])

ATTRIBUTE = Attribute("first_letter", "category", first_letter, "of the id", "id[0]")
"""
PERTURBATION = """
from finegrain.perturbations import Edit, Perturbation

def shout(text, draw):
    return (Edit.word(at, text.words[at] + "!") for at in draw.hits(range(len(text.words))))

PERTURBATION = Perturbation("shout", "adds exclamation marks to words", shout, rate=1.0)
"""
KINDS = {
    "tasks": ("tones", TASK),
    "metrics": ("jarring", METRIC),
    "attributes": ("first_letter", ATTRIBUTE),
    "perturbations": ("shout", PERTURBATION),
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with one file and one line of entry points for each kind."""
    site = tmp_path / "site"
    info = site / "tones-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tones\nVersion: 1.0\n")
    lines = []
    for kind, (name, text) in KINDS.items():
        (site / f"tones_{kind}.py").write_text(text)
        lines += [f"[finegrain.{kind}]", f"{name} = tones_{kind}:{kind[:-1].upper()}"]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    for name, tones in {"gold": "warm cold warm cold", "flat": "warm warm warm warm"}.items():
        rows = (f'{{"id": "{"ab"[at % 2]}{at}", "tone": "{tone}"}}\n'
                for at, tone in enumerate(tones.split()))  # fmt: skip
        (tmp_path / f"{name}.jsonl").write_text("".join(rows))
    return site


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["score"], "50.00"),  # accuracy: 2 of 4
        (["score", "-m", "jarring"], "50.00"),
        (["buckets", "--by", "first_letter"], "100.00"),  # ids with a are warm, and all are right
    ],
)
def test_one_file_and_one_line_each(package: Path, arguments: list[str], shown: str) -> None:
    path = os.pathsep.join(map(str, (package, ROOT / "src")))
    command, *options = arguments
    done = subprocess.run(
        [sys.executable, "-m", "finegrain", command, "gold.jsonl", "flat.jsonl", *options],
        cwd=package.parent, env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout
    assert "task:tones" in done.stdout


# docs/how_it_works.md: intervals where uncertainty is the question, else when asked for
DESCRIBES = (
    "score", "buckets", "difference", "differences", "oracle", "difficulty", "extrinsic",
)  # fmt: skip
RESAMPLES = {
    "significance": 10_000, "gate": 10_000, "validate": 10_000, "robustness": 10_000,  # p values
    "slices": 2_000,  # the largest of many
}  # fmt: skip


def _parameters(name: str) -> dict[str, inspect.Parameter]:
    public = getattr(fg, name)
    return dict(inspect.signature(public).parameters) if inspect.isfunction(public) else {}


def test_one_default_for_one_thing() -> None:
    """What is new has intervals by default, or is listed above."""
    every = {name: _parameters(name) for name in fg.__all__}
    intervals = {name: one["intervals"] for name, one in every.items() if "intervals" in one}
    for name, one in intervals.items():
        assert one.default == (0 if name in DESCRIBES else 1000), name
    assert set(DESCRIBES) <= set(intervals)
    resamples = {name: one["resamples"] for name, one in every.items() if "resamples" in one}
    for name, one in resamples.items():
        assert one.default == RESAMPLES.get(name, 1000), name
    for option, default in (("confidence", 0.95), ("seed", 1), ("where", ""), ("fold_case", True)):
        given = {one[option].default for one in every.values() if option in one}
        assert given - {inspect.Parameter.empty} == {default}, option


def test_options_of_analyses_are_named() -> None:
    """Only what tasks and formats take is up to them; analyses say what can be chosen."""
    anything = {
        name
        for name in fg.__all__
        for one in _every_parameter(name)
        if one.kind is one.VAR_KEYWORD and one.annotation == "Any"
    }
    to_tables = {"align", "align_perturbed", "evaluate", "from_docs", "from_items", "from_pandas"}
    assert anything == {"Task", *to_tables, "from_spans", "read"}


def _every_parameter(name: str) -> Iterator[inspect.Parameter]:
    """Those of a function, or of all public methods of a class."""
    public = getattr(fg, name)
    methods = vars(public) if inspect.isclass(public) else {}
    for one in (public, *(getattr(public, key) for key in methods if not key.startswith("_"))):
        if inspect.isroutine(one):
            yield from inspect.signature(one).parameters.values()


def test_a_perturbation_is_one_function(package: Path) -> None:
    path = os.pathsep.join(map(str, (package, ROOT / "src")))
    (package.parent / "text.tsv").write_text("id\ttext\tlabel\na\tso it is\tpos\n")
    command = ["perturb", "text.tsv", "-o", "copies", "--with", "shout"]
    done = subprocess.run(
        [sys.executable, "-m", "finegrain", *command],
        cwd=package.parent, env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    copy = package.parent / "copies" / "shout" / "text.tsv"
    assert copy.read_text() == "id\ttext\tlabel\na\tso! it! is!\tpos\n"
