"""What findings claim of systems without a weakness, with one, and of too few documents."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
from finegrain.analyses.interval_cells import SENTENCES_RESAMPLED
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.corpus import Corpus


def _told(report: Report, rule: str) -> list[Finding]:
    return [one for one in report.findings if one.rule == rule]


def _names(prefix: str, number: int) -> list[str]:
    return [f"{prefix}{place}" for place in range(number)]


def test_answers_that_are_not_gold_make_no_group_hard() -> None:
    """120 names, half of them in the training data; each system has 48 of 60 of either half.

    12 known names are missed, 12 unknown ones too long, and there are 40 spans more; these 52 are
    names that training data do not have. So F1 is 2 * 48 / (60 + 48) of known and
    2 * 48 / (60 + 100) = 60.00 of unknown names, against 2 * 96 / (120 + 148) = 71.64 overall.
    """
    known, unknown = _names("Known", 60), _names("New", 60)
    text = [
        [one, other, "the", f"w{at}"]
        for at, (one, other) in enumerate(zip(known, unknown, strict=True))
    ]
    gold = [["B-PER", "B-PER", "O", "O"]] * 60
    train = Corpus.of([[name] for name in known], tags=[["B-PER"]] * 60)

    def output(first: int) -> Corpus:
        tags = [list(one) for one in gold]
        for step in range(12):
            tags[(first + step) % 60][0] = "O"
            tags[(first + step) % 60][1:3] = ["B-PER", "I-PER"]
        for step in range(40):
            tags[(first + 15 + step) % 60][3] = "B-PER"
        return Corpus.of(text, tags=tags)

    systems = {name: output(first) for name, first in (("x", 0), ("y", 20), ("z", 40))}
    table = fg.align(Corpus.of(text, tags=gold), systems)
    found = fg.buckets(table, "entity_consistency", train=train).attributes[0]
    assert found.recall().tolist() == [[0.8] * 3] * 2
    assert found.main()[0].tolist() == [0.6] * 3
    assert found.overall.round(4).tolist() == [0.7164] * 3
    report = fg.report(table, train=train)
    assert not [one.text for one in report.findings if "consistency" in one.text]


def test_a_weakness_of_all_systems_is_one_sentence_before_what_is_not_tested() -> None:
    """Both are wrong about 20 of 40 names in long sentences, and about 2 of 80 in short ones."""
    short, long = ["Ada", "ran"], ["Ada", *["ran"] * 9]
    text = [short] * 80 + [long] * 60
    gold = [["B-PER", *["O"] * (len(one) - 1)] for one in text]

    def output(shift: int) -> Corpus:
        wrong = {shift, shift + 10, *(80 + (shift + step) % 60 for step in range(30))}
        tags = [["O"] * len(one) if at in wrong else one for at, one in enumerate(gold)]
        return Corpus.of(text, tags=tags, documents=documents)

    documents = [at % 20 for at in range(140)]
    systems = {name: output(shift) for name, shift in (("x", 0), ("y", 17), ("z", 31))}
    report = fg.report(fg.align(Corpus.of(text, tags=gold, documents=documents), systems))
    (told,) = _told(report, "weakness")
    assert report.findings.index(told) == 1
    assert told.text.startswith("All 3 systems are weak at sentence length 10: recall 50.00 there ")
    assert "there and 97.50 in the rest, on average. The drop is estimated at " in told.text
    assert told.subject.where == "gold!=none and sentence_length>2"
    assert told.kind == "tested"
    assert len(report.findings) > 4


@pytest.mark.parametrize(("documents", "apart"), [(5, False), (10, True)])
def test_no_system_stands_apart_without_a_test(documents: int, apart: bool) -> None:
    """60 of 120 against 114 and 108; five documents cannot show anything at .05."""
    text, gold, none = [["Ada", "ran"]] * 120, ["B-PER", "O"], ["O", "O"]
    of = [at % documents for at in range(120)]

    def output(every: int) -> Corpus:
        tags = [none if at // documents % every == 0 else gold for at in range(120)]
        return Corpus.of(text, tags=tags, documents=of)

    systems = {"best": Corpus.of(text, tags=[gold] * 120, documents=of), "good": output(12),
               "poor": output(2)}  # fmt: skip
    report = fg.report(fg.align(Corpus.of(text, tags=[gold] * 120, documents=of), systems))
    said = " ".join(one.text for one in report.findings)
    assert ("stands apart" in said) is apart
    assert ("(no test: too few documents)" in said) is not apart


def _shared_by_three(*tags: str) -> Report:
    """Three systems with these tags in ten sentences; gold is New York as a place, and no more."""
    text = [["New", "York", "City", "in", "May"]] * 10
    gold = Corpus.of(text, tags=[["B-LOC", "I-LOC", "O", "O", "O"]] * 10)
    same = Corpus.of(text, tags=[list(tags)] * 10)
    return fg.report(fg.align(gold, {"x": same, "y": same, "z": same}))


_ALL = "All 3 systems have the same"


@pytest.mark.parametrize(
    ("tags", "same", "then"),
    [
        ("B-LOC I-LOC I-LOC O B-DATE", 20,
         (", such as May. Of these 10 are matched with no gold ones: "
         "the gold standard may lack them.")),
        ("B-LOC I-LOC O O B-DATE", 10,
         ", such as May. The gold standard may lack them."),
        ("B-LOC I-LOC I-LOC O O", 10, ". All overlap gold ones."),
    ],
)  # fmt: skip
def test_what_all_systems_have_is_invented_only_where_gold_has_nothing(
    tags: str, same: int, then: str
) -> None:
    report = _shared_by_three(*tags.split())
    (told,) = _told(report, "invented")
    assert told.text == f"{_ALL} {same} spans that are not gold (100 % of what any has){then}"
    search = UnitSearch.of(report.units)
    for piece in told.pieces:
        if piece.evidence is not None:
            assert len(search.rows([piece.evidence.where])) == piece.evidence.count


def _case(shared: Path, name: str) -> Report:
    folder = shared / "reviews" / "cases" / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    gold, *systems = (fg.read(str(folder / f"{one}.conll.gz")) for one in _FILES)
    train = folder / "train.conll.gz"
    table = fg.align(gold, dict(zip(_FILES[1:], systems, strict=True)))
    return fg.report(table, train=fg.read(str(train)) if train.exists() else None)


_FILES = ("gold", "alpha", "beta", "gamma")


def test_simulated_systems_without_a_weakness_have_none(shared: Path) -> None:
    assert not [one.text for one in _case(shared, "null").findings if one.kind == "tested"]


def test_a_simulated_weakness_is_named(shared: Path) -> None:
    one, other = _told(_case(shared, "longsent"), "weakness")
    assert "All 3 systems are weak at sentence length 14 to 17" in one.text
    assert "All 3 systems are weak at sentence length 18 to 31" in other.text
    assert (one.kind, other.kind) == ("tested", "tested")


def test_five_documents_have_no_test(shared: Path) -> None:
    said = [one.text for one in _case(shared, "five").findings]
    assert not [one for one in said if "stands apart" in one]


def test_missing_document_marks_are_warned_of(shared: Path) -> None:
    assert SENTENCES_RESAMPLED in _case(shared, "nodoc").notes
