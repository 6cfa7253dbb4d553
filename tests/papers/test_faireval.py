"""Golden numbers of fair evaluation: Ortmann (2022), her data and 332 cases of her program.

Golden values come from running the released program; where it prints 0 for an undefined
precision or recall, finegrain has nan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.scores.score import Scores
from finegrain.corpus import Corpus, Spans
from finegrain.table import OutcomeTable

COUNTS = ("TP", "FP", "FN", "LE", "BE", "BES", "BEL", "BEO", "LBE")
FAMILIES = ("traditional", "fair", "weighted")
# equal copies are matched copy by copy here, by membership in the released program
TRADITIONAL_DIFFERS = {"dup_target", "dup_system", "le_same_label_left", "random134"}


@cache
def _table(folder: Path) -> OutcomeTable:
    def corpus(name: str) -> Corpus:
        plain = folder / f"{name}.csv"
        return fg.read(str(plain if plain.exists() else folder / f"{name}.csv.gz"))

    return fg.align(corpus("target"), {"s": corpus("system")})


@pytest.fixture(params=["ner", "chunk"])
def table(request: pytest.FixtureRequest, shared: Path) -> tuple[str, OutcomeTable]:
    return request.param, _table(shared / "data" / "spans-faireval" / f"{request.param}_spans")


@pytest.mark.parametrize("focus", ["target", "system"])
def test_scores_equal_the_published_ones(
    table: tuple[str, OutcomeTable], focus: Any, reference: Callable[[str], Any]
) -> None:
    name, outcomes = table
    golden = reference("faireval.json")[name][f"focus_{focus}"]
    result = fg.score(outcomes, focus=focus).to_json()["s"]
    for family in FAMILIES:
        _same_scores(result["overall"][family], golden["overall"][family])
        for label, values in golden["per_label"][family].items():
            _same_scores(result["labels"][label][family], values)
    for kind in COUNTS:
        assert result["counts"][kind] == golden["overall"]["fair"][kind]
        for label, values in golden["per_label"]["fair"].items():
            assert result["labels"][label]["counts"][kind] == values[kind], (label, kind)
    for label, values in golden["per_label"]["traditional"].items():
        counts = result["labels"][label]["counts"]
        assert counts["gold"] == values["TP"] + values["FN"]
        assert counts["predicted"] == values["TP"] + values["FP"]
        assert counts["gold"] == golden["data_stats"][label]


def _same_scores(found: dict[str, float | None], golden: dict[str, float]) -> None:
    for ours, theirs in (("precision", "Prec"), ("recall", "Rec"), ("f1", "F1")):
        assert (found[ours] or 0.0) == pytest.approx(golden[theirs], abs=1e-14)


def test_confusion_equals_the_published_one(
    table: tuple[str, OutcomeTable], reference: Callable[[str], Any]
) -> None:
    name, outcomes = table
    golden = reference("faireval.json")[name]["focus_target"]["conf"]
    ours = fg.confusion(outcomes).to_json()["s"]
    for row, cells in ours.items():
        for column, count in cells.items():
            assert count == golden.get(row, {}).get(column, 0), (row, column)


def _corpus(spans: Sequence[Any]) -> Corpus:
    length = max((end for _, _, end, _ in spans), default=0)
    rows = [
        (0, begin - 1, end, label, tuple(sorted(token - 1 for token in tokens)))
        for label, begin, end, tokens in spans
    ]
    return Corpus("case", np.array([0, length]), spans=Spans.of(rows))


@pytest.fixture(scope="module")
def cases(reference: Callable[[str], Any]) -> list[tuple[dict[str, Any], OutcomeTable]]:
    listed = reference("faireval_cases.json")["compare_spans"]
    return [
        (case, fg.align(_corpus(case["target"]), {"s": _corpus(case["system"])})) for case in listed
    ]


@pytest.mark.parametrize("focus", ["target", "system"])
def test_all_cases_have_the_fair_counts_of_the_program(
    cases: list[tuple[dict[str, Any], OutcomeTable]], focus: Any
) -> None:
    assert len(cases) == 332
    for case, table in cases:
        golden = case[f"out_focus_{focus}"]
        result = fg.score(table, focus=focus).to_json()["s"]
        fair = golden["overall"]["fair"]
        assert {kind: result["counts"][kind] for kind in COUNTS} == fair, case["name"]
        for label, counts in golden["per_label"]["fair"].items():
            found = result["labels"].get(label, {"counts": dict.fromkeys(COUNTS, 0)})["counts"]
            assert {kind: found[kind] for kind in COUNTS} == counts, (case["name"], label)


def test_traditional_counts_differ_only_for_equal_copies(
    cases: list[tuple[dict[str, Any], OutcomeTable]],
) -> None:
    differing = set()
    for case, table in cases:
        golden = case["out_focus_target"]["overall"]["traditional"]
        counts = fg.score(table).to_json()["s"]["counts"]
        ours = (counts["TP"], counts["predicted"] - counts["TP"], counts["gold"] - counts["TP"])
        if ours != (golden["TP"], golden["FP"], golden["FN"]):
            differing.add(case["name"])
    assert differing == TRADITIONAL_DIFFERS


def test_confusion_of_all_cases(cases: list[tuple[dict[str, Any], OutcomeTable]]) -> None:
    for case, table in cases:
        golden = case["out_focus_target"]["conf"]
        for row, cells in fg.confusion(table).to_json()["s"].items():
            for column, count in cells.items():
                assert count == golden.get(row, {}).get(column, 0), case["name"]


def test_rows_add_up_as_the_paper_says(shared: Path) -> None:
    """6178 gold rows and 794 others, of them 253 FP and 30 charged to an answered gold span."""
    table = _table(shared / "data" / "spans-faireval" / "ner_spans")
    outcome = table.outcome[:, 0]
    other = ~table.is_gold
    names = np.array(table.outcomes.names)[outcome]
    assert table.n_gold == 6178
    assert np.count_nonzero(other) == 794
    assert np.count_nonzero(names[other] == "FP") == 253
    assert np.count_nonzero(np.isin(names[other], ["BES", "BEL", "BEO", "LBE"])) == 30


# One sentence of the project's own, with one error of each type, worked by hand.
#            1     2    3     4    5    6      7    8   9   10   11  12  13  14
GOLD = [("PER", 1, 2), ("LOC", 4, 4), ("ORG", 6, 8), ("ORG", 10, 10), ("LOC", 12, 13)]
MADE = [
    ("PER", 1, 2),
    ("ORG", 4, 4),
    ("ORG", 6, 7),
    ("ORG", 10, 11),
    ("PER", 13, 14),
    ("PER", 16, 16),
]


def _own(spans: Sequence[tuple[str, int, int]]) -> Corpus:
    return _corpus([(label, begin, end, range(begin, end + 1)) for label, begin, end in spans])


@pytest.fixture
def own() -> Scores:
    return fg.score(fg.align(_own(GOLD), {"s": _own(MADE)}))


def test_one_error_of_each_type_by_hand(own: Scores) -> None:
    """TP PER 1-2; LE LOC 4; BES ORG 6-8; BEL ORG 10; LBE LOC 12-13; FP PER 16."""
    counts = own.to_json()["s"]["counts"]
    assert counts == {
        "TP": 1, "LE": 1, "BES": 1, "BEL": 1, "BEO": 0, "LBE": 1, "FN": 0, "FP": 1, "BE": 2,
        "gold": 5, "predicted": 6,
    }  # fmt: skip


def test_three_ways_to_score_it_by_hand(own: Scores) -> None:
    """Traditional: TP 1, FP 5, FN 4, so F1 = 2 / (2 + 9) = 2/11.

    Fair: four half errors on each side: TP 1, FP 1 + 4/2 = 3, FN 2, so F1 = 2 / (2 + 5) = 2/7.
    Weighted: BES .5 TP .5 FN, BEL .5 TP .5 FP, LE and LBE as fair: TP 2, FP 1 + .5 + 1 = 2.5,
    FN .5 + 1 = 1.5, so F1 = 4 / (4 + 4) = 1/2.
    """
    assert own.value("traditional_f1", "s") == pytest.approx(2 / 11)
    assert own.value("fair_f1", "s") == pytest.approx(2 / 7)
    assert own.value("weighted_f1", "s") == pytest.approx(1 / 2)
    assert own.value("fair_precision", "s") == pytest.approx(1 / 4)
    assert own.value("fair_recall", "s") == pytest.approx(1 / 3)
