"""What Inspect, langextract and lm-evaluation-harness write is read: kept files, and new ones."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import finegrain as fg
from tests.grounding.packages import TEXTS, TOKENS_IN, TOKENS_OUT, WRITERS, WRITTEN

SCHEMA = ["PER", "LOC"]
pytestmark = pytest.mark.filterwarnings("ignore")  # of packages that are not ours


@pytest.fixture(scope="module", params=["kept", *WRITERS])
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that are kept, or those that an installed package writes now."""
    if request.param == "kept":
        return WRITTEN
    if importlib.util.find_spec(request.param) is None:
        pytest.skip(f"{request.param} is not installed: the files in {WRITTEN.name} are tested")
    folder: Path = tmp_path_factory.mktemp("written")
    WRITERS[request.param](folder)
    return folder


def _there(folder: Path, name: str) -> str:
    if not (folder / name).exists():
        pytest.skip(f"{name} is written by another package")
    return str(folder / name)


@pytest.mark.parametrize("name", ["inspect.eval", "inspect.json"])
def test_logs_of_inspect(files: Path, name: str) -> None:
    if name.endswith(".eval"):
        pytest.importorskip("zstandard", reason="needs the extra zstd")
    found = fg.ground(_there(files, name), TEXTS, schema=SCHEMA)
    assert found.systems == ("1", "2")
    for run in found.systems:  # thoughts of the second are no answer
        assert {kind: n for kind, n in found.counts_of([run]).items() if n} == {
            "exact": 2, "normalised": 1, "hallucinated": 1, "refused": 1,
        }  # fmt: skip
        used = found.usage(run)
        assert (used["input_tokens"], used["output_tokens"]) == (3 * TOKENS_IN, 3 * TOKENS_OUT)
        assert 0 <= used["latency"] < 600


def test_documents_of_langextract(files: Path) -> None:
    found = fg.ground(_there(files, "langextract-documents.jsonl"), TEXTS, schema=SCHEMA)
    assert {kind: n for kind, n in found.counts.items() if n} == {
        "exact": 3, "normalised": 3, "hallucinated": 3,
    }  # fmt: skip


def test_a_text_to_which_langextract_gave_an_id(files: Path) -> None:
    answers = _there(files, "langextract-text.jsonl")
    found = fg.ground(answers, TEXTS, schema=SCHEMA, missing="count")
    spans = [one.placed.items for one in found.runs[""] if one.text.id == "d1"]
    assert [item.kind for item in spans[0]] == ["exact", "normalised", "hallucinated"]
    assert found.counts["unparseable"] == 2


def test_generated_samples_of_the_harness(files: Path) -> None:
    found = fg.ground(_there(files, "harness-generated.jsonl"), TEXTS, kind="text")
    assert found.systems == ("1", "2")
    answers = {one.placed.items[0].label for run in found.runs.values() for one in run}
    assert answers == {"lol"}  # what its dummy model always says


def test_options_that_the_harness_weighed(files: Path) -> None:
    path = _there(files, "harness-chosen.jsonl")
    letters, words = (
        [one.placed.items[0].label for one in fg.ground(path, TEXTS, **how).runs[""]]
        for how in ({"kind": "option", "schema": ["A", "B"]}, {"kind": "text"})
    )
    assert [{"A": "Ada", "B": "Bob"}[letter] for letter in letters] == words
