"""A square table of counts is read as one if somebody says so, and never by accident."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
from finegrain.analyses.trust.agreement_listings import reading
from finegrain.formats.label_table import read_labels
from finegrain.formats.source import source_of
from finegrain.table.ratings import Ratings
from tests.conftest import Run

LECTURE = "\tyes\tno\nyes\t300\t20\nno\t10\t70\n"
FORMS = {
    "tabs": LECTURE,
    "commas": ",yes,no\nyes,300,20\nno,10,70\n",
    "blanks": "    yes  no\nyes 300  20\nno   10  70\n",
    "corner": "judges\tyes\tno\nyes\t300\t20\nno\t10\t70\n",
    "no row names": "yes\tno\n300\t20\n10\t70\n",
    "bare": "300 20\n10 70\n",
    "turned": "\tno\tyes\nyes\t20\t300\nno\t70\t10\n",
}


def _read(text: str, *, counts: bool | None = None) -> Ratings:
    return read_labels(source_of("t.tsv", text.encode()), counts=counts)


@pytest.mark.parametrize("form", FORMS)
def test_the_lecture_has_kappa_776_however_it_is_written(form: str) -> None:
    found = fg.agreement(_read(FORMS[form], counts=True), intervals=0)
    measures = found.view("units").together
    # 370 of 400 agree; pooled: yes 630 and no 170 of 800, chance 0.6653; (0.925 - 0.6653) / 0.3347
    assert round(float(measures["percent"].value), 4) == 0.925
    assert round(float(measures["pooled_kappa"].value), 3) == 0.776


@pytest.mark.parametrize("form", FORMS)
def test_what_may_be_counts_is_questioned(form: str) -> None:
    with pytest.raises(fg.InputError, match=r"Say which: --counts or --no-counts"):
        _read(FORMS[form])


def test_whoever_says_that_they_are_labels_gets_labels() -> None:
    found = _read("ann\tben\n1\t2\n2\t2\n", counts=False)
    assert (found.annotators, found.codes.tolist()) == (("ann", "ben"), [[0, 1], [1, 1]])


@pytest.mark.parametrize(
    "text",
    [
        "item\tann\tben\n1\t1\t2\n2\t2\t2\n",  # the first column names items
        "ann\tben\nyes\tno\nno\tno\n",
        "ann\tben\n1\t2\n2\t*\n",
        "ann\tben\n1\t2\n2\t2\n2\t1\n",
        "ann\tben\n1.5\t2\n2\t2\n",
    ],
)
def test_tables_that_can_only_be_labels_are_read(text: str) -> None:
    assert _read(text).annotators == ("ann", "ben")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("\ta\tb\na\t1\t2\n", "t.tsv:1: counts are a square"),
        ("\ta\tb\na\t1\t2\nb\t3\t4.5\n", "t.tsv:3: '4.5' is not a count"),
        ("\ta\tb\na\t1\t-2\nb\t3\t4\n", "t.tsv:2: '-2' is not a count"),
        ("\ta\tb\na\t1\t2\nc\t3\t4\n", "the label 'c' is not above one column"),
        ("\ta\ta\na\t1\t2\na\t3\t4\n", "two labels are called 'a'"),
        ("\ta\tTotal\na\t1\t2\nTotal\t3\t4\n", "'Total' is not a label"),
        ("a\tb\n0\t0\n0\t0\n", "add up to 0: from 1 to 10,000,000 can be taken"),
        ("a\tb\n1\t99999999999999999999\n0\t0\n", "add up to 100,000,000,000,000,000,000"),
    ],
)
def test_counts_that_are_wrong_are_told(text: str, what: str) -> None:
    with pytest.raises(fg.InputError, match=what.replace(".", r"\.")):
        _read(text, counts=True)


def test_lists_of_counts() -> None:
    counts = [[300, 20], [10, 70]]
    found = fg.ratings(counts, counts=True, labels=["yes", "no"], annotators=["a", "b"])
    rows = (
        [["yes", "yes"]] * 300 + [["yes", "no"]] * 20 + [["no", "yes"]] * 10 + [["no", "no"]] * 70
    )
    listed = fg.ratings(rows, annotators=["a", "b"])
    assert (found.annotators, found.labels) == (listed.annotators, listed.labels)
    assert found.codes.tolist() == listed.codes.tolist()
    with pytest.raises(fg.UsageError, match="counts=True or counts=False"):
        fg.ratings(counts)
    assert len(fg.ratings(counts, counts=False)) == 2
    assert len(fg.ratings(counts, annotators=["a", "b"])) == 2


@pytest.mark.parametrize(
    "counts", [[[1, 2]], [[1, 2.5], [3, 4]], [[1, -2], [3, 4]], [[0, 0], [0, 0]]]
)
def test_lists_that_are_no_counts(counts: list[list[int]]) -> None:
    with pytest.raises(fg.UsageError, match="counts"):
        fg.ratings(counts, counts=True)


def test_the_reading_goes_by_the_lower_end() -> None:
    # kappa 0.85 of few items: the value is good, what they show is not
    counts = [[24, 1], [2, 13]]
    found = fg.agreement(fg.ratings(counts, counts=True), seed=1)
    kappa = found.view("units").together["cohen_kappa"]
    assert float(kappa.value) > 0.8
    assert float(kappa.low) < 0.67
    (row,) = [row for row in found.listings()[0].rows if row[2] == "kappa (Cohen)"]
    assert row[-1] == "dubious" == reading(float(kappa.low))


def test_without_an_interval_there_is_no_reading() -> None:
    found = fg.agreement(fg.ratings([[300, 20], [10, 70]], counts=True), intervals=0)
    assert {row[-1] for row in found.listings()[0].rows} == {""}


def test_the_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "judges.tsv").write_text(LECTURE)
    asked = run("agreement", "judges.tsv")
    assert asked.returncode == 3
    assert "Say which: --counts or --no-counts." in asked.stderr
    found = run("agreement", "judges.tsv", "--counts")
    assert found.returncode == 0
    assert "table of counts; 400 items; 2 annotators" in found.stderr
    assert "kappa (pooled)   0.776  [0.697, 0.852]  fair" in found.stdout
    labels = run("agreement", "judges.tsv", "--no-counts", "--no-intervals")
    assert "-0.333" in labels.stdout
    two = run("agreement", "judges.tsv", "judges.tsv", "--counts")
    assert two.returncode == 2
