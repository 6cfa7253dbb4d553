"""Rules that are asked where others tell fewer than five sentences, worked by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.reports.error_findings import kinds, near_misses, sentences, words
from finegrain.analyses.reports.facts import Facts, Rule
from finegrain.analyses.reports.finding import Finding, percent
from finegrain.analyses.reports.findings import FEWEST, FURTHER, MOST, RULES
from finegrain.analyses.reports.pair_findings import alike, coincidence, exchange, resolution
from finegrain.analyses.reports.ranking_findings import spread
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_findings import alone_wrong
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.reports.weakness_findings import no_weakness, weaknesses
from finegrain.corpus import Corpus
from finegrain.table.verdicts import right
from finegrain.testing import small_corpora

_SCORE = re.compile(r"\b\d+\.\d\d\b|\d %|\bp [<=]")  # numbers that are about units
_NONE = re.compile(r"(?<![\d.])0 %|100\.00|a chance of 80 %")  # with nothing behind them
_ENDS = re.compile(r" \[[^]]*\]")


def _facts(report: Report) -> Facts:
    return Facts(
        report.table, report.results, report.metric, report.order, report.units.columns,
        lowered=report.units.lowered, claims=report.claims,
    )  # fmt: skip


def _told(report: Report, rule: Rule) -> Finding:
    (found,) = rule(_facts(report))
    return found


def _plain(report: Report, rule: Rule) -> str:
    """The sentence without its intervals, which other tests are about."""
    return _ENDS.sub("", _told(report, rule).text)


@pytest.fixture(scope="module")
def items() -> Report:
    """``best`` is right about 52 of 60, ``next`` about 47, ``last`` about 35."""
    rows = (
        [[1, 1, 1]] * 30 + [[1, 1, 0]] * 12 + [[1, 0, 0]] * 10 + [[0, 1, 1]] * 5 + [[0, 0, 0]] * 3
    )
    return fg.report(fg.from_matrix(rows, systems=["best", "next", "last"]))


@pytest.fixture(scope="module")
def tagged() -> Report:
    """Sixty nouns and sixty verbs; 30 of the nouns are taken for X."""
    text, gold = [["a", "b"]] * 60, [["N", "V"]] * 60
    tags = [["X" if at < 30 else "N", "V"] for at in range(60)]
    corpora = (Corpus.of(text, tags=one) for one in (gold, tags))
    return fg.report(fg.align(next(corpora), {"s": next(corpora)}, task="tags"))


def test_what_the_best_makes_of_the_errors_of_the_second(items: Report) -> None:
    """Of 10 + 3 it has 10 right; of 30 + 12 + 5 it has 5 wrong."""
    assert _plain(items, exchange) == (
        "Of 13 items that next gets wrong, best gets 10 right (77 %); of 47 that next gets right, "
        "best gets 5 wrong (11 %)."
    )


def test_who_alone_is_wrong(items: Report) -> None:
    assert _plain(items, alone_wrong) == (
        "last alone is wrong about 12 items (20 %) that all others solve, best 5 (8.3 %)."
    )


def test_the_pairs_that_are_most_and_least_alike(items: Report) -> None:
    """next and last differ on 12, best and next on 10 + 5, best and last on 12 + 10 + 5."""
    assert _plain(items, alike) == (
        "Most alike are last and next, which disagree on 12 of 60 items (20 %); least alike are "
        "best and last, which disagree on 27 of 60 items (45 %)."
    )


def test_the_best_two_are_not_said_to_disagree_twice() -> None:
    rows = [[1, 1, 1]] * 40 + [[1, 1, 0]] * 15 + [[1, 0, 1]] * 5
    told = _plain(fg.report(fg.from_matrix(rows, systems=["a", "b", "c"])), alike)
    assert told.startswith("Most alike are a and b, the best two; least alike are b and c, which")


def test_the_first_and_the_last_are_apart(items: Report) -> None:
    """The last does not stand apart here: it is told from the best, not from the next."""
    rows = [[1, 1, 1]] * 30 + [[1, 1, 0]] * 3 + [[1, 0, 1]] * 3 + [[0, 0, 0]] * 24
    close = fg.report(fg.from_matrix(rows, systems=["a", "b", "c"]))
    assert list(spread(_facts(items))) == []  # another rule tells that the last stands apart
    told = _plain(close, spread)
    assert told.startswith(
        "From the highest score to the lowest, a to c, it is 5.00 points of accuracy (p"
    )
    assert told.endswith("; this test set cannot tell any two systems apart.")


def test_errors_that_coincide() -> None:
    """Both are wrong about 15 of 60 and each about 20: 0.25 - (20 / 60)**2 = 0.1389."""
    rows = [[1, 1]] * 35 + [[1, 0]] * 5 + [[0, 1]] * 5 + [[0, 0]] * 15
    report = fg.report(fg.from_matrix(rows, systems=["a", "b"]))
    assert _plain(report, coincidence) == (
        "No system solves 15 of 60 items (25 %); if systems erred independently of each other, it "
        "would be 11 %, 13.89 points less."
    )
    bars = _told(report, coincidence).strip.bars
    assert [(bar.name, bar.told) for bar in bars] == [
        ("unsolved", "25 %"),
        ("if independent", "11 %"),
    ]
    assert [bar.share for bar in bars] == pytest.approx([1, (20 / 60) ** 2 / (15 / 60)])
    apart = [[1, 1]] * 20 + [[1, 0]] * 20 + [[0, 1]] * 20
    assert not list(coincidence(_facts(fg.report(fg.from_matrix(apart)))))


def test_a_lead_within_noise_is_told_with_one_that_would_show() -> None:
    """The differences are 1, -1 and 0: (12 + 8) / 60 - (4 / 60)**2 is their variance. a is right
    about F = 52 of 60; what is worse by d varies more: d = shown x
    sqrt((F (1 - F) + (F - d)(1 - F + d)) / (2 F (1 - F))) = 1.239 x shown.
    """
    rows = [[1, 1]] * 40 + [[1, 0]] * 12 + [[0, 1]] * 8
    report = fg.report(fg.from_matrix(rows, systems=["a", "b"]))
    error = ((20 / 60 - (4 / 60) ** 2) / 59) ** 0.5
    shown = 1.239 * 100 * (2.001 + 0.848) * error  # Student's t of 59 at 97.5 and 80 %
    told = re.fullmatch(
        r"60 items show a difference of ([\d.]+) points between a and b with a chance of 80 %; "
        r"there is one of 6\.67\.", _plain(report, resolution),
    )  # fmt: skip
    assert told is not None
    assert float(told[1]) == pytest.approx(shown, rel=0.02)
    clear = fg.from_matrix([[1, 1]] * 20 + [[1, 0]] * 40, systems=["a", "b"])
    assert not list(resolution(_facts(fg.report(clear))))


def test_kinds_sentences_and_words_of_one_system(tagged: Report) -> None:
    assert [_plain(tagged, rule) for rule in (kinds, sentences, words)] == [
        "Of the 30 errors of s, 30 are tokens wrongly tagged X (100 %).",
        (
            "s makes its 30 errors in 30 of 60 sentences (50 %) and has all tokens right in the "
            "others."
        ),
        "s is wrong about 30 of 60 a; of all units about 25 %.",
    ]


def test_another_system_changes_nothing_of_the_sentences_of_the_best() -> None:
    """``wild`` has spans in 40 sentences in which neither gold nor ``crf`` has any.

    ``crf`` misses two spans and invents two in 20 of 60 sentences.
    """
    text = [["Ada", "ran"] * 2] * 60 + [["it", "rains"] * 2] * 40
    names, none, verbs = (tags * 2 for tags in (["B-PER", "O"], ["O", "O"], ["O", "B-PER"]))
    gold = Corpus.of(text, tags=[names] * 60 + [none] * 40)
    crf = Corpus.of(text, tags=[names] * 40 + [verbs] * 20 + [none] * 40)
    wild = Corpus.of(text, tags=[names] * 20 + [verbs] * 80)
    alone = _plain(fg.report(fg.align(gold, {"crf": crf})), sentences)
    assert alone == _plain(fg.report(fg.align(gold, {"crf": crf, "wild": wild})), sentences)
    assert "80 errors in 20 of 60 sentences with spans (33 %)" in alone


def test_near_misses_are_counted_once_by_fair_scores() -> None:
    play = fg.simulate(tokens=6_000, seed=1)
    report = fg.report(fg.align(play.gold, {"crf": play.systems["crf"]}))
    wrong = ~right(report.table)[:, 0]
    far = report.table.is_outcome("FN")[:, 0] | report.table.is_outcome("FP")[:, 0]
    near, every = (int(np.count_nonzero(rows)) for rows in (wrong & ~far, wrong))
    fair = fg.score(report.table).value("fair_f1", "crf")
    told = _plain(report, near_misses)
    assert told.startswith(f"{near} of the {every} errors of crf ({percent(near, every)}) are near")
    assert told.endswith(f"once: {100 * fair:.2f} fair F1.")


def test_a_search_that_finds_no_weakness_is_told_of() -> None:
    play = fg.simulate(tokens=20_000, seed=1, systems={"even": ()}, noise=0.02)
    facts = _facts(fg.report(fg.align(play.gold, play.systems)))
    assert not list(weaknesses(facts))
    (told,) = no_weakness(facts)
    assert re.search(
        r"Searched for weaknesses were \d+ groups of 1,678 spans, by \d+ tests", told.text
    )
    assert (told.kind, told.p) == ("description", None)
    weak = fg.simulate(tokens=20_000, seed=1, systems={"short": ["long-entities"]})
    assert not list(no_weakness(_facts(fg.report(fg.align(weak.gold, weak.systems)))))


# --- all rules ----------------------------------------------------------------------------------


def _reports() -> dict[str, Report]:
    play = fg.simulate(tokens=6_000, seed=1)
    equal = fg.simulate(tokens=6_000, seed=1, systems={f"s{n}": () for n in range(3)})
    hard = np.random.default_rng(1).beta(2, 1, (120, 1))
    solved = (np.random.default_rng(2).random((120, 12)) < hard).astype(int)
    some = dict(list(play.systems.items())[:2])
    return {
        "one": fg.report(fg.align(play.gold, {"crf": play.systems["crf"]}), train=play.train),
        "two": fg.report(fg.align(play.gold, some)),
        "alike": fg.report(fg.align(equal.gold, equal.systems)),
        **{f"items of {n}": fg.report(fg.from_matrix(solved[:, :n].tolist())) for n in (2, 3, 12)},
    }


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    return _reports()


def test_every_page_has_five_to_ten_sentences(reports: dict[str, Report]) -> None:
    for name, report in reports.items():
        assert FEWEST <= len(report.findings) <= MOST, name
        texts = [one.text for one in report.findings]
        assert len(set(texts)) == len(texts)


def test_further_rules_are_asked_only_where_sentences_are_few(reports: dict[str, Report]) -> None:
    for report in reports.values():
        facts = _facts(report)
        first = sum(len(list(rule(facts))) for rule in RULES)
        further = {one.rule for rule in FURTHER for one in rule(facts)}
        if first >= FEWEST + 2:  # two can be told elsewhere
            assert not further & {one.rule for one in report.findings}


@pytest.mark.parametrize("task", ["spans", "tags", "dependencies", "coreference"])
def test_numbers_of_small_corpora_lead_to_units(task: str) -> None:
    gold, systems = small_corpora(task)
    _all_lead(fg.report(fg.align(gold, systems, task=task)))


def test_every_score_share_and_p_leads_to_as_many_units_as_it_says(
    reports: dict[str, Report],
) -> None:
    for report in reports.values():
        _all_lead(report)


def _all_lead(report: Report) -> None:
    """Of all rules, asked or not: numbers of the sentence, its caption and its bars."""
    search, facts = UnitSearch.of(report.units), _facts(report)
    for one in (one for rule in (*RULES, *FURTHER) for one in rule(facts)):
        strip = one.strip
        pieces = (*one.pieces, *(strip.pieces if strip else ()))
        for piece in pieces:
            text = "".join(part.text for part in piece.parts)
            if piece.evidence is None:
                for bucket in (
                    *one.subject.systems,
                    one.subject.units,
                ):  # it may have numbers in its name
                    text = text.replace(bucket, "")
                assert not _SCORE.findall(_NONE.sub("", text)), one.text
        bars = strip.bars if strip else ()
        assert all(bar.evidence is not None for bar in bars), one.text
        evidence = [*(piece.evidence for piece in pieces), *(bar.evidence for bar in bars)]
        for behind in evidence:
            if behind is not None:
                rows = search.rows([behind.where])
                assert len(rows) == behind.count, (one.text, behind)
