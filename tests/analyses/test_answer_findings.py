"""Rules about the answers of one system, and about what a rival has to differ by."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.analyses.evidence import lowers
from finegrain.analyses.reports.answer_findings import baseline, reliability, usage
from finegrain.analyses.reports.facts import Facts, Rule
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.findings import FEWEST
from finegrain.analyses.reports.pair_findings import rival
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.corpus import Corpus
from finegrain.testing import small_corpora

_ENDS = re.compile(r" \[[^]]*\]")
Pairs = dict[tuple[str, str], int]  # gold label and answer: how often


def _classified(pairs: Pairs, **others: str) -> Report:
    """Items with one label each; ``others`` answer the same label always."""
    rows = list(chain.from_iterable([pair] * n for pair, n in pairs.items()))
    text = [[f"item {place}"] for place in range(len(rows))]
    gold, answers = ([[one[side]] for one in rows] for side in (0, 1))
    systems = {"s": answers, **{name: [[label]] * len(rows) for name, label in others.items()}}
    corpora = {name: Corpus.of(text, tags=tags) for name, tags in systems.items()}
    return fg.report(fg.align(Corpus.of(text, tags=gold), corpora, task="tags"))


def _facts(report: Report) -> Facts:
    return Facts(report.table, report.results, report.metric, report.order)


def _found(report: Report, rule: Rule) -> Finding | None:
    return next(iter(rule(_facts(report))), None)


def _plain(report: Report, rule: Rule) -> str:
    found = _found(report, rule)
    return "" if found is None else _ENDS.sub("", found.text)


@pytest.fixture(scope="module")
def mail() -> Report:
    """Of 140 ham 20 are taken for spam, of 60 spam 10 for ham."""
    counts = {("ham", "ham"): 120, ("ham", "spam"): 20, ("spam", "spam"): 50, ("spam", "ham"): 10}
    return _classified(counts)


def test_a_system_is_compared_with_the_commonest_label(mail: Report) -> None:
    """170 of 200 are right, 140 would be: 85 - 70."""
    assert _plain(mail, baseline) == (
        "To answer ham always would be right about 140 of 200 tokens (70 %); s is 15.00 points "
        "above that."
    )


def test_a_system_below_the_commonest_label_is_said_to_be() -> None:
    """50 of 100 are right, 60 would be; the difference lies within its interval of chance."""
    worse = _classified({("a", "a"): 30, ("a", "b"): 30, ("b", "b"): 20, ("b", "a"): 20})
    assert _plain(worse, baseline).endswith(
        "s is 10.00 points below that; this test set cannot tell them apart."
    )
    found = _found(worse, baseline)
    assert found is not None
    assert found.interval is not None
    assert found.interval[0] < -0.1 < 0 < found.interval[1]


def test_no_baseline_is_told_where_no_label_is_common() -> None:
    """Four labels of a quarter each."""
    assert not _plain(_classified({(label, label): 50 for label in "abcd"}), baseline)


def test_a_label_that_is_answered_too_often(mail: Report) -> None:
    """spam: 20 + 50 answers, 60 in the gold standard; 10 more are 17 %: counted, not tested."""
    assert _plain(mail, usage) == "s answers spam 70 times, where gold has it 60 times (17 % more)."
    eager = _classified({("ham", "ham"): 100, ("ham", "spam"): 40, ("spam", "spam"): 60})
    assert _plain(eager, usage) == (
        "s answers spam 100 times, where gold has it 60 times (67 % more)."
    )
    shy = _classified({("a", "a"): 50, ("a", "b"): 25, ("b", "b"): 150, ("c", "c"): 75})
    assert _plain(shy, usage).startswith("s answers b 175 times, where gold has it 150")


def test_a_label_that_is_answered_more_than_twice_as_often() -> None:
    """150 answers for 60: 150 % more, which is no share of a whole."""
    wild = _classified({("ham", "ham"): 50, ("ham", "spam"): 90, ("spam", "spam"): 60})
    assert _plain(wild, usage).endswith("150 times, where gold has it 60 times (150 % more).")


def test_the_answers_that_are_right_least_and_most_often(mail: Report) -> None:
    """spam: 50 of 70; ham: 120 of 130."""
    assert _plain(mail, reliability) == (
        "When s answers spam, it is right about 50 of 70 (71 %), the lowest share of all labels; "
        "when it answers ham, it is right about 120 of 130 (92 %), the highest."
    )


def test_what_a_rival_has_to_differ_by() -> None:
    """Half an interval is t standard errors, and the variances of two systems add up."""
    report = fg.report(fg.from_matrix([[1]] * 45 + [[0]] * 15, systems=["a"]))
    found = _found(report, rival)
    assert found is not None
    assert found.interval is not None
    half = 100 * (found.interval[1] - found.interval[0]) / 2
    shown = (2.001 + 0.848) * 2**0.5 * half / 2.001  # Student's t of 59 at 97.5 and 80 %
    told = re.fullmatch(
        r"The accuracy of a is known to ± ([\d.]+) points\. On these 60 items a rival that errs "
        r"independently of it has to differ by ([\d.]+) points to be told apart with a chance of "
        r"80 %; one that errs alike, by fewer\.", found.text,
    )  # fmt: skip
    assert told is not None
    assert float(told[1]) == pytest.approx(half, abs=0.006)
    assert float(told[2]) == pytest.approx(shown, rel=0.002)


def test_the_standard_error_of_few_documents_is_that_of_their_interval() -> None:
    """Eight documents, in which 1 to 8 of 10 nouns are wrong: as a mean of eight numbers.

    Their deviation from 55 % is (3.5² + 2.5² + 1.5² + 0.5²) * 2 / 7 = 6, SE = sqrt(0.06 / 8) of
    a noun or 4.33 points of a token; a normal quantile would make it a fifth larger.
    """
    wrong = [at % 10 < 1 + at // 10 for at in range(80)]
    text, documents = [["a", "b"]] * 80, [at // 10 for at in range(80)]
    tags = [["X" if one else "N", "V"] for one in wrong]
    gold, system = (Corpus.of(text, tags=one, documents=documents)
                    for one in ([["N", "V"]] * 80, tags))  # fmt: skip
    told = _plain(fg.report(fg.align(gold, {"s": system}, task="tags")), rival)
    found = re.search(r"has to differ by ([\d.]+) points", told)
    assert found is not None
    expected = 100 * (2.365 + 0.896) * 2**0.5 * (0.06 / 8) ** 0.5 / 2
    assert float(found[1]) == pytest.approx(expected, rel=0.06)


def test_few_documents_do_not_tell_what_a_rival_has_to_differ_by() -> None:
    text, gold = [["a", "b"]] * 60, [["N", "V"]] * 60
    tags = [["X" if at % 7 == 0 else "N", "V"] for at in range(60)]
    corpora = [Corpus.of(text, tags=one, documents=[at // 10 for at in range(60)])
               for one in (gold, tags)]  # fmt: skip
    report = fg.report(fg.align(corpora[0], {"s": corpora[1]}, task="tags"))
    assert _plain(report, rival).endswith("; 6 documents are too few to say by how much.")


def test_rivals_are_told_of_one_system_only(mail: Report) -> None:
    assert _found(mail, rival) is not None
    assert _found(_classified({("a", "a"): 90, ("b", "a"): 10}, other="a"), rival) is None


def test_labels_without_a_letter_stand_in_quotes() -> None:
    report = _classified({("0", "0"): 60, ("1", "0"): 30, ("1", "1"): 40})
    assert "s takes 30 of 70 “1” for “0” (43 %" in " ".join(one.text for one in report.findings)


def test_a_binary_classifier_has_five_sentences_that_lead_to_their_units(mail: Report) -> None:
    assert len(mail.findings) == FEWEST
    rules = [one.rule for one in mail.findings]
    assert "kinds" not in rules  # of two labels it repeats the confusion
    search = UnitSearch.of(mail.units)
    for one in (*mail.findings, _found(mail, usage), _found(mail, reliability)):
        for piece in () if one is None else one.pieces:
            if piece.evidence is not None:
                rows = search.rows([piece.evidence.where])
                assert len(rows) == piece.evidence.count, (one, piece)


def test_a_column_of_right_and_wrong_has_two_sentences() -> None:
    report = fg.report(fg.from_matrix([[1]] * 45 + [[0]] * 15, systems=["a"]))
    assert [one.rule for one in report.findings] == ["leader", "rival"]


def test_the_score_of_trees_leads_to_the_words_that_lower_it() -> None:
    gold, systems = small_corpora("dependencies")
    report = fg.report(fg.align(gold, systems, task="dependencies"))
    links = {one.evidence for one in report.findings[0].pieces if one.evidence}
    best = report.systems[report.order[0]]
    lowering = [one for one in links if one.where == lowers(best, "las")]
    assert [one.count for one in lowering] == [report.units.lowered.count("las", report.order[0])]


def test_systems_that_make_no_error_are_told_of_once() -> None:
    report = fg.report(fg.from_matrix([[1, 1, 1]] * 60, systems=["a", "b", "c"]))
    assert [one.text for one in report.findings] == [
        "a, b and c all reach 100.00 accuracy. a and b answer all items alike."
    ]


def test_two_systems_are_both() -> None:
    rows = [[1, 1]] * 40 + [[1, 0]] * 12 + [[0, 0]] * 8
    report = fg.report(fg.from_matrix(rows, systems=["a", "b"]))
    told = next(one.text for one in report.findings if one.rule == "all_or_none")
    assert _ENDS.sub("", told) == (
        "Both systems are right about the same 40 items (67 %); neither is right about 8 (13 %)."
    )


def test_a_real_classifier_has_five_sentences(shared: Path) -> None:
    """Counted by hand in the files: 1,603 of 1,821 are right, 118 of 909 positive are missed."""
    folder = shared / "data" / "classification" / "sst2"
    lines = (folder / "sst2-dataset.tsv").read_text().splitlines()
    text, gold = ([[line.rsplit("\t", 1)[side]] for line in lines] for side in (0, 1))
    answers = [[line] for line in (folder / "sst2-lstm-output.txt").read_text().split()]
    system = Corpus.of(text, tags=answers)
    report = fg.report(fg.align(Corpus.of(text, tags=gold), {"s": system}, task="tags"))
    assert [one.rule for one in report.findings][:3] == ["leader", "no_weakness", "confusion"]
    assert len(report.findings) == FEWEST
    told = _ENDS.sub("", " ".join(one.text for one in report.findings))
    assert "s takes 118 of 909 positive for negative (13 %)" in told
    assert "about 912 of 1,821 tokens (50 %); s is 37.95 points above that" in told
