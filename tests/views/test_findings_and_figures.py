"""What findings say of small corpora worked by hand, and that figures tell what they show."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.corpus import Corpus
from finegrain.table.verdicts import right
from finegrain.views.charts import charts_of
from finegrain.views.charts.curves import bucket_curves, coverage_curve, feature_curves
from finegrain.views.charts.diagnosis_bars import comparison_of, diagnosis_bars
from finegrain.views.charts.palette import ERRORS


def _told(report: Report, rule: str) -> Finding:
    (found,) = [one for one in report.findings if one.rule == rule]
    return found


def _units_behind(report: Report, finding: Finding) -> list[tuple[int, int]]:
    """What every number of a finding says, and how many units its link leads to."""
    search = UnitSearch.of(report.units)
    links = [piece.evidence for piece in finding.pieces if piece.evidence is not None]
    return [(one.count, len(search.rows([one.where]))) for one in links]


def _tagged(**wrong: int) -> Report:
    """Sixty nouns and sixty verbs; each system takes so many of the nouns for X."""

    def tagged(nouns: int) -> Corpus:
        tags = [["X" if at < nouns else "N", "V"] for at in range(60)]
        return Corpus.of([["a", "b"]] * 60, tags=tags)

    systems = {name: tagged(nouns) for name, nouns in wrong.items()}
    return fg.report(fg.align(tagged(0), systems, task="tags"))


# --- findings -----------------------------------------------------------------------------------


def test_a_confusion_of_one_system_has_a_bar_for_every_system() -> None:
    """a takes 6 of 60 for X, too few to be told of it, and its bar is 6 / 60 all the same."""
    found = _tagged(a=6, b=30, c=12)
    told = _told(found, "confusion")
    assert told.text == "b takes 30 of 60 N for X (50 %); the others 6 to 12."
    assert told.strip is not None
    assert [(one.name, one.share, one.told, one.subject) for one in told.strip.bars] == [
        ("a", 0.1, "10 %", False), ("c", 0.2, "20 %", False), ("b", 0.5, "50 %", True),
    ]  # fmt: skip
    assert _units_behind(found, told) == [(n, n) for n in (30, 60, 30, 6, 12)]


def test_a_confusion_that_all_systems_make_is_told_of_all() -> None:
    """12 is at least half of 20."""
    found = _tagged(a=12, b=20, c=15)
    told = _told(found, "confusion")
    assert told.text == ("All systems take N for X: from 12 (a) to 20 (b) of 60 (20 % to 33 %).")
    assert _units_behind(found, told) == [(n, n) for n in (12, 20, 60, 12, 20)]


def test_a_confusion_of_many_systems_says_how_many_are_drawn() -> None:
    """Of nine the best five, s0 to s4, and s8, which it is about."""
    told = _told(_tagged(**{f"s{place}": place for place in range(8)}, s8=40), "confusion")
    assert told.strip is not None
    assert [one.name for one in told.strip.bars] == ["s0", "s1", "s2", "s3", "s4", "s8"]
    caption = "".join(part.text for part in told.strip.caption)
    assert caption == "N taken for X; n = 60; 6 of 9 systems"


def test_fewer_than_fifty_units_are_no_confusion() -> None:
    tags = [["X", "V"]] * 20 + [["N", "V"]] * 29
    text = [["a", "b"]] * 49
    gold = Corpus.of(text, tags=[["N", "V"]] * 49)
    report = fg.report(fg.align(gold, {"a": Corpus.of(text, tags=tags)}, task="tags"))
    assert "confusion" not in [one.rule for one in report.findings]


def test_a_system_that_invents_is_not_blamed_for_what_it_finds() -> None:
    """eager has all 60 PER and 120 more: precision 1/3, recall 1, F1 = 2/3 * 1 / (4/3) = 50.

    So it makes more errors of this kind; recall, by which buckets are tested, is perfect.
    """
    text = [["Ada", "the", "a", "Rome"]] * 60
    right, eager = ["B-PER", "O", "O", "B-LOC"], ["B-PER", "B-PER", "B-PER", "B-LOC"]
    systems = {
        "eager": Corpus.of(text, tags=[eager] * 60),
        "exact": Corpus.of(text, tags=[right] * 60),
    }
    report = fg.report(fg.align(Corpus.of(text, tags=[right] * 60), systems))
    told = [one for one in report.findings if one.kind == "tested"]
    assert [one.rule for one in told] == ["leaders", "profile"]
    assert told[1].text.startswith(
        "eager makes more invented spans than exact (0): 120, 100 % of its errors, "
    )


def test_systems_without_a_right_answer_are_said_to_have_none() -> None:
    text = [["Ada", "Rome"]] * 60
    silent = Corpus.of(text, tags=[["O", "O"]] * 60)
    gold = Corpus.of(text, tags=[["B-PER", "B-LOC"]] * 60)
    report = fg.report(fg.align(gold, {"x": silent, "y": silent}))
    assert [one.text for one in report.findings] == [
        "No system is right about any of 120 gold spans.",
        (
            "Searched for weaknesses were 2 groups of 120 spans, by 8 tests. There is none of "
            "which this test set, of 60 sentences, shows that any system is worse there than in "
            "the rest."
        ),
        "Of the 120 errors of x, 120 are missed spans (100 %).",
    ]


def test_the_system_that_solves_most_need_not_be_the_best() -> None:
    """many finds 60 of 60 with 120 inventions (F1 50), few 40 of 60 without any (F1 80)."""
    text = [["Ada", "the", "a"]] * 60
    outputs = {
        "many": [["B-PER", "B-PER", "B-PER"]] * 60,
        "few": [["B-PER", "O", "O"]] * 40 + [["O", "O", "O"]] * 20,
    }
    systems = {name: Corpus.of(text, tags=tags) for name, tags in outputs.items()}
    report = fg.report(fg.align(Corpus.of(text, tags=[["B-PER", "O", "O"]] * 60), systems))
    low, high = report.findings[0].interval or (0, 0)
    assert 0 < low < 0.3 < high
    assert report.findings[0].text.startswith(
        f"few leads with 80.00 F1, 30.00 [{100 * low:.2f}, {100 * high:.2f}] above many"
    )
    together = _told(report, "together")
    assert (
        together.text
        == "Together the systems solve 60 of 60 spans (100 %), no more than many alone."
    )
    assert together.strip is not None
    assert [one.name for one in together.strip.bars] == ["one", "all"]


def test_one_system_is_told_of_by_its_weaknesses() -> None:
    """Planted: neural is weak at WORK and in long sentences."""
    play = fg.simulate(tokens=20_000, seed=1)
    report = fg.report(fg.align(play.gold, {"neural": play.systems["neural"]}))
    told = {one.subject.units: one for one in report.findings if one.rule == "weakness"}
    assert set(told) == {"WORK", "sentence length 25 to 44"}
    for finding in told.values():
        assert "_" not in finding.text
        found = fg.select(report.table, finding.subject.where)
        assert len(found) == finding.n
        (said, behind), *_ = _units_behind(report, finding)
        assert said == behind == int((~right(found)[:, 0]).sum())


# --- figures ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> Report:
    play = fg.simulate(tokens=6_000, seed=1)
    return fg.report(fg.align(play.gold, play.systems), train=play.train)


@pytest.mark.parametrize("systems", [2, 3, 12, 45])
def test_the_axis_of_the_oracle_has_whole_numbers_once(systems: int) -> None:
    rows = [[place % 2, 1] * (systems // 2) + [1] * (systems % 2) for place in range(4)]
    values = coverage_curve(fg.oracle(fg.from_matrix(rows)))["encoding"]["x"]["axis"]["values"]
    assert values[0] == 1
    assert len(values) == len(set(values)) <= 23
    assert max(values) <= systems


def _by_length(order: tuple[int, ...]) -> tuple[Any, dict[str, Any]]:
    """a is right about one word, b about one word and two: b is the better of the two."""
    text = [["Ada", "saw", "New", "York"]] * 60
    both = ["B-PER", "O", "B-LOC", "I-LOC"]
    outputs = {
        "a": [["B-PER", "O", "O", "O"]] * 60,
        "b": [both] * 40 + [["O", "O", *both[2:]]] * 20,
    }
    systems = {name: Corpus.of(text, tags=tags) for name, tags in outputs.items()}
    found = fg.diagnose(fg.align(Corpus.of(text, tags=[both] * 60), systems), "entity_length")
    spec = diagnosis_bars(found, order)
    assert spec is not None
    return found, spec


def test_a_colour_of_the_diagnosis_means_one_system() -> None:
    """F1 at one word: a 1, b 2 * 40 / (40 + 60) = 0.8; at two words: a 0, b 1.

    Seen from b, the better: -0.2 and +1; the colour is that of whoever is ahead.
    """
    found, spec = _by_length((1, 0))
    left, right = (part["data"]["values"] for part in spec["hconcat"])
    assert [(one["difference"], one["ahead"]) for one in right] == [(100.0, 0), (-20.0, 1)]
    assert [one["system"] for one in left] == ["b", "a"]
    compared = comparison_of(found, 1)
    assert compared is not None
    assert (compared.system, compared.against) == (1, 0)
    assert "b +100.00 against a, n = 60" in right[0]["told"]
    assert not any(one["few"] for one in (*left, *right))
    mirrored = [one["difference"] for one in _by_length((0, 1))[1]["hconcat"][1]["data"]["values"]]
    assert mirrored == [20.0, -100.0]


def test_small_buckets_are_pale_have_their_size_and_no_interval(played: Report) -> None:
    specs = {name: chart.spec for name, chart in charts_of(played).items()}
    few, buckets = 0, played.results["buckets"]
    assert isinstance(buckets, Buckets)
    for one, plot in zip(buckets.attributes, specs["buckets"]["concat"], strict=True):
        for datum in plot["data"]["values"]:
            n = int(one.gold[datum["place"]])
            assert datum["bucket"].endswith(f"\n{n:,}")
            assert (datum["low"] is None) == (n < 50)
            few += n < 50
    assert few
    for datum in specs["diagnosis"]["hconcat"][0]["data"]["values"]:
        assert datum["told"].count("(n = ") == 2


def test_figures_for_print_say_what_they_show(played: Report) -> None:
    specs = {name: chart.spec for name, chart in charts_of(played).items()}
    best = played.systems[played.order[0]]
    colour = specs["buckets"]["concat"][0]["encoding"]["color"]
    assert colour["legend"]["values"] == [played.systems[place] for place in played.order[:3]]
    left = specs["diagnosis"]["hconcat"][0]["layer"][0]["encoding"]["color"]
    assert left["legend"]["orient"] == "top"
    assert specs["confusion"]["title"]["text"] == f"Errors of {best} by label"
    axes = specs["confusion"]["encoding"]
    assert (axes["y"]["title"], axes["x"]["title"]) == ("gold", "answer")
    assert axes["y"]["scale"]["domain"][-1] == "(invented)"
    assert axes["x"]["scale"]["domain"][-1] == "(missed)"
    missed = sum(one["value"] for one in specs["confusion"]["data"]["values"]
                 if one["column"] == "(missed)")  # fmt: skip
    assert missed == played.results["errors"].to_json()[best]["counts"]["FN"]
    assert specs["oracle"]["encoding"]["y"]["title"] == "gold units solved"
    assert specs["differences"]["title"].endswith("%")
    fair = played.results["score"].overall["fair_f1"]  # type: ignore[attr-defined]
    drawn = {one["system"]: one["fair"] for one in specs["scores"]["data"]["values"]}
    assert drawn == {
        name: pytest.approx(100 * value, abs=0.001)
        for name, value in zip(played.systems, fair.tolist(), strict=True)
    }


def test_the_same_means_are_drawn_once() -> None:
    """Of tokens, the characters and the characters per token are the same numbers."""
    text = [["a", "bb", "ccc", "dddd"]] * 10
    gold = Corpus.of(text, tags=[["N", "N", "N", "N"]] * 10)
    outputs = {"x": ["N", "N", "N", "V"], "y": ["N", "V", "V", "V"]}
    systems = {name: Corpus.of(text, tags=[tags] * 10) for name, tags in outputs.items()}
    found = fg.features(fg.align(gold, systems, task="tags"))
    spec = feature_curves(found)
    assert spec is not None
    drawn = [[one["mean"] for one in plot["data"]["values"]] for plot in spec["concat"]]
    assert len(drawn) == len({tuple(means) for means in drawn})
    assert "characters" in [plot["title"]["text"] for plot in spec["concat"]]


def test_many_buckets_have_their_sizes_too() -> None:
    """Eight labels: aslant, with the size behind the name."""
    tags = [[f"T{place}" for place in range(8)]] * 3
    text = [[f"w{place}" for place in range(8)]] * 3
    corpus = Corpus.of(text, tags=tags)
    found = fg.buckets(fg.align(corpus, {"a": corpus}, task="tags"), "label")
    spec = bucket_curves(found, (0,))
    assert spec is not None
    (plot,) = spec["concat"]
    assert "' · '" in plot["encoding"]["x"]["axis"]["labelExpr"]
    assert plot["encoding"]["x"]["sort"][0] == "T0\n3"


def _lightness(colour: str) -> float:
    """L* of CIE Lab, from 0 (black) to 100 (white)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return float(116 * y ** (1 / 3) - 16)


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_errors_differ_in_grey(ground: str) -> None:
    shades = [_lightness(getattr(one, ground)) for one in ERRORS.values()]
    assert min(abs(one - other) for one, other in combinations(shades, 2)) >= 5
