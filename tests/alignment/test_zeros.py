"""Mentions without words (zeros): where they stand, how they are shown, and that nothing fails."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.scores.breakdown import breakdown
from finegrain.analyses.units.context import Places
from finegrain.analyses.units.show import show
from finegrain.explorer.answers import Answers
from finegrain.metrics import METRICS
from finegrain.table import OutcomeTable
from finegrain.tasks.coreference import align
from finegrain.views.html.unit_data import unit_data
from finegrain.views.instances import shown_as_text
from tests.conftest import Run

# Lines 5 and 9 are zeros: one behind the last word of a sentence, one behind the last of all.
GOLD = """# newdoc id = d
# global.Entity = eid-etype-head
1	Ada	Ada	PROPN	NNP	_	2	nsubj	2:nsubj	Entity=(e1-x-1)
2	came	come	VERB	VBD	_	0	root	0:root	_
2.1	_	_	PRON	PRP	_	_	_	2:obl	Entity=(e1-x-1)

1	She	she	PRON	PRP	_	2	nsubj	2:nsubj	Entity=(e1-x-1)
2	left	leave	VERB	VBD	_	0	root	0:root	_
2.1	_	_	PRON	PRP	_	_	_	2:obj	Entity=(e1-x-1)

"""
APART = GOLD.replace("2:obl	Entity=(e1", "2:obl	Entity=(e2")  # the zero of line 5 is FN


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "gold.conllu").write_text(GOLD, encoding="utf-8")
    (tmp_path / "apart.conllu").write_text(APART, encoding="utf-8")
    return ["gold.conllu", "a=gold.conllu", "b=apart.conllu"]


@pytest.fixture
def table(files: list[str], tmp_path: Path) -> OutcomeTable:
    gold, apart = (fg.read(str(tmp_path / name)) for name in ("gold.conllu", "apart.conllu"))
    return align(gold, {"a": gold, "b": apart})


def test_a_zero_has_the_line_of_its_node_and_a_sign_for_its_text(table: OutcomeTable) -> None:
    rows = np.arange(len(table))
    assert table.lines(rows).tolist() == [3, 5, 7, 9]
    assert [table.lines(rows[row : row + 1]).tolist() for row in (1, 2)] == [[5], [7]]
    assert [table.text(row) for row in range(4)] == ["Ada", "∅", "She", "∅"]
    assert [(unit.line, unit.text) for unit in show(table).units()] == [
        (5, "∅"), (7, "She"), (9, "∅"),
    ]  # fmt: skip
    assert show(table, 'text="∅"').found == 2
    assert Places.of(table, rows).line(3) == 9
    assert Places.of(table, rows).context(3).before == "She left"
    assert table.to_arrow()["text"].to_pylist() == ["Ada", "∅", "She", "∅"]


def test_a_zero_that_only_a_system_has_is_told_by_the_word_before_it(tmp_path: Path) -> None:
    """Lines of the gold file: 3 Ada, 4 came. The system's zero 2.1 is no line of it."""
    lines = GOLD.splitlines(keepends=True)
    (tmp_path / "gold.conllu").write_text("".join([*lines[:4], "\n"]), encoding="utf-8")
    (tmp_path / "s.conllu").write_text("".join([*lines[:5], "\n"]), encoding="utf-8")
    gold, system = (fg.read(str(tmp_path / name)) for name in ("gold.conllu", "s.conllu"))
    table = align(gold, {"s": system})
    assert table.lines(np.arange(2)).tolist() == [3, 4]


def test_a_zero_is_drawn_between_the_words(table: OutcomeTable) -> None:
    drawn = shown_as_text(show(table, "outcome[b]=FN"))
    assert drawn.splitlines()[2:7] == [
        "∅  document d, sentence 1, line 5",
        "      Ada came",
        "gold          ∅ zero → Ada",
        "a             ∅ zero → Ada  TP",
        "b     nothing  FN",
    ]
    assert "pronoun → ∅" in shown_as_text(show(table, "text=She"))


def test_zeros_have_no_part_of_speech_of_another_word(table: OutcomeTable) -> None:
    found = breakdown(table, [METRICS["arcs_recall"]], by="upos")
    assert dict(zip(found.names, found.size.tolist(), strict=True)) == {
        "PRON": 1, "PROPN": 0, "∅": 2,
    }  # fmt: skip


def test_pages_hold_the_lines_of_zeros(table: OutcomeTable) -> None:
    report = fg.report(table, instances=len(table))
    assert report.units is not None
    assert unit_data(report.units)["line"] == [3, 5, 7, 9]
    told = b"".join(Answers.of(report, command="x").units([("page", "1"), ("size", "5")]))
    assert b'"line":[3,5,7,9]' in told


@pytest.mark.parametrize(
    "command",
    [("show",), ("difference", "--examples", "1"), ("report", "-o", "report.html"),
     ("difference", "--export", "changes.tsv"), ("difference", "--export", "folder"),
     ("triage",), ("buckets",), ("errors",), ("difficulty",)],
)  # fmt: skip
def test_no_command_fails_on_zeros(files: list[str], run: Run, command: tuple[str, ...]) -> None:
    done = run(command[0], *files, "-t", "coreference", *command[1:])
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
