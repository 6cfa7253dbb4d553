"""Significance of tables, and intervals of scores: what they depend on and what they do not."""

from __future__ import annotations

import csv
import io
import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.interval_cells import SENTENCES_RESAMPLED
from finegrain.analyses.trust.significance import Significance
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.formats import delimited
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable
from finegrain.views.text_formats import as_csv, as_json, as_latex
from tests.conftest import Run
from tests.schema import require_schema


@pytest.fixture(scope="module")
def simulated() -> fg.simulation.Simulated:  # type: ignore[name-defined]
    return fg.simulate(tokens=6_000, seed=3)


@pytest.fixture(scope="module")
def table(simulated: object) -> OutcomeTable:
    return fg.align(simulated.gold, _with_another(simulated))  # type: ignore[attr-defined]


def _with_another(simulated: object) -> dict[str, Corpus]:
    """The simulated systems and one that finds nothing of LOC and calls it GPE."""
    gold = simulated.gold  # type: ignore[attr-defined]
    tags = [tag.replace("LOC", "GPE") for tag in gold.layers["tags"]]
    offsets = gold.offsets.tolist()
    rows = [tags[a:b] for a, b in pairwise(offsets)]
    words = [gold.sentence(at) for at in range(gold.n_sentences)]
    other = Corpus.of(words, documents=gold.documents.tolist(), tags=rows)
    return {**simulated.systems, "gpe": other}  # type: ignore[attr-defined]


def _tags(size: int, wrong: dict[str, int], **options: object) -> OutcomeTable:
    """``size`` sentences of one token; systems are wrong about the first so many."""
    text = [["a"]] * size
    gold = Corpus.of(text, tags=[["N"]] * size, **options)  # type: ignore[arg-type]
    systems = {
        name: Corpus.of(text, tags=[["V"]] * n + [["N"]] * (size - n), **options)  # type: ignore[arg-type]
        for name, n in wrong.items()
    }
    return fg.align(gold, systems, task="tags")


def test_mcnemar_by_hand() -> None:
    """a is wrong about 1 to 10, b about 1 to 2: 8 units are right in b only, none in a only:
    p = 2 x 2^-8 = 1 / 128; mid-p = 1 / 256."""
    found = fg.significance(_tags(40, {"a": 10, "b": 2}), test="mcnemar").pair("a", "b")
    assert found.difference == pytest.approx(8 / 40)
    assert found.p == pytest.approx(1 / 128)
    assert found.mid_p == pytest.approx(1 / 256)
    sign = fg.significance(_tags(40, {"a": 10, "b": 2}), test="sign").pair("a", "b")
    assert (sign.p, sign.mid_p) == (found.p, found.mid_p)


def test_randomisation_of_single_units_is_the_exact_test() -> None:
    found = fg.significance(_tags(40, {"a": 10, "b": 2}), resamples=40_000).pair("a", "b")
    assert found.p == pytest.approx(1 / 128, abs=0.0015)


def test_exact_tests_are_refused_where_units_are_not_independent(table: OutcomeTable) -> None:
    with pytest.raises(UsageError, match=r"a document holds up to .* --assume-independent"):
        fg.significance(table, test="mcnemar")
    with pytest.raises(UsageError, match="takes sentences for independent"):
        fg.significance(table, test="sign")
    found = fg.significance(table, test="mcnemar", assume_independent=True)
    assert "sample:unit" in found.signature
    assert all(0 < one.comparison.p <= 1 for one in found.pairs)


def test_exact_tests_look_at_sentences_where_there_are_no_documents() -> None:
    text, tags = [["a", "b"]] * 9, [["N", "N"]] * 9
    gold, same = Corpus.of(text, tags=tags), Corpus.of(text, tags=tags)
    table = fg.align(gold, {"a": same, "b": same}, task="tags")
    with pytest.raises(UsageError, match="a sentence holds up to 2"):
        fg.significance(table, test="mcnemar")
    assert fg.significance(table, test="sign").pairs[0].comparison.p == 1


def test_five_documents_get_no_p_but_a_reason() -> None:
    documents = [at // 10 for at in range(50)]
    found = fg.significance(_tags(50, {"a": 50, "b": 0}, documents=documents))
    assert math.isnan(found.pairs[0].comparison.p)
    assert any("2^-(5-1) = .062" in note for note in found.notes)
    assert found.to_json()["pairs"][0]["p"] is None
    six = [at // 10 for at in range(60)]
    assert fg.significance(_tags(60, {"a": 60, "b": 0}, documents=six)).pairs[0].comparison.p < 0.05


def test_five_documents_are_not_said_to_show_a_difference() -> None:
    """Errors of a in documents 1 and 2 only, so that differences of documents vary."""
    wrong = _tags(50, {"a": 14, "b": 0}, documents=[at // 10 for at in range(50)])
    found = fg.significance(wrong)
    assert found.detectable(found.pairs[0]) is None
    assert found.to_json()["pairs"][0]["detectable"] is None
    assert any(note.startswith("no p is given: with 5 documents") for note in found.notes)


def test_every_pair_has_its_own_detectable_difference() -> None:
    """a and b differ in 4 of 40 tokens, c from either in 16 or more: what they detect differs.

    Of a and b the differences of sentences are 1, -1 and 0, two each of the first two; so their
    variance is 4 / 40, SE = sqrt(0.1 / 39) = 0.0506. Of three tests the first is held against
    .05 / 3: t(39) at 99.17 and 80 % is 2.502 + 0.851, and 3.353 x SE = 0.1698. A system that is
    worse than 95 % by d varies more: d = 0.1698 sqrt((.0475 + (.95 - d)(.05 + d)) / .095) = 0.2866.
    """
    text, wrong = [["x"]] * 40, {"a": {0, 1}, "b": {2, 3}, "c": set(range(20, 36))}
    tags = {
        name: [["V" if at in some else "N"] for at in range(40)] for name, some in wrong.items()
    }
    systems = {name: Corpus.of(text, tags=one) for name, one in tags.items()}
    table = fg.align(Corpus.of(text, tags=[["N"]] * 40), systems, task="tags")
    found = fg.significance(table)
    near, *far = (found.detectable(one) or 0 for one in found.pairs)
    assert near == pytest.approx(0.2866, abs=1e-3)
    assert all(one > 1.2 * near for one in far)
    _, pairs = found.listings()
    columns = [column.name for column in pairs.columns]
    told = [str(row[columns.index("detects")]) for row in pairs.rows]
    assert [one.split()[0] for one in told] == [f"{100 * one:.2f}" for one in (near, *far)]
    low, high = found.detectable_range(found.pairs[0]) or (0, 0)
    assert low < near < high
    assert told[0].endswith(f"[{100 * low:.2f}, {100 * high:.2f}]")
    needs = [one["samples_needed"] for one in found.to_json()["pairs"]]
    assert [row[columns.index("needs")] for row in pairs.rows] == [
        round(size, 2 - len(str(size))) for size in needs
    ]
    records = [column.name for column in found.records().columns]
    assert [row[records.index("detectable")] for row in found.records().rows] == [near, *far]


def test_the_difference_to_find_is_in_the_words_of_the_scale() -> None:
    points = fg.significance(_tags(40, {"a": 4, "b": 9}), resamples=50, detect=0.02)
    assert "to find 2 points with the same power" in " ".join(str(points).split())
    text = "id,value " + " ".join(f"{at},{at % 7}" for at in range(40))
    gold, one, two = (
        delimited.read(source_of("v.csv", "\n".join(lines.split()).encode()))
        for lines in (text, text.replace(",3", ",4"), text.replace(",5", ",4"))
    )
    table = fg.align(gold, {"a": one, "b": two}, task="regression")
    found = fg.significance(table, "mae", resamples=50, detect=0.5)
    assert found.detect == 0.5 * 0.125  # a share of the best score
    assert "to find 0.0625 with the same power" in " ".join(str(found).split())


def test_documents_are_what_is_exchanged(table: OutcomeTable) -> None:
    n = table.corpus.n_documents
    assert f"sample:document|n:{n}" in fg.significance(table).signature
    free = fg.significance(table, assume_independent=True)
    assert f"sample:sentence|n:{table.corpus.n_sentences}" in free.signature


def _rounded(value: object) -> object:
    """Without what the order of adding up does to the last digit."""
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return round(value, 12) if isinstance(value, float) else value


def _same(one: Significance, other: Significance, first: str, second: str) -> None:
    ours, theirs = one.pair(first, second)[:5], other.pair(first, second)[:5]
    assert np.allclose(ours, theirs, rtol=1e-12, atol=0, equal_nan=True)
    for name in (first, second):
        systems = [found.to_json()["systems"][name] for found in (one, other)]
        assert _rounded(systems[0]["interval"]) == _rounded(systems[1]["interval"])


@pytest.mark.parametrize(
    "metric", ["fair_f1", "traditional_macro_f1", "weighted_document_macro_f1"]
)
@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_other_systems_and_their_order_change_no_digit(
    simulated: object, table: OutcomeTable, metric: str, test: str
) -> None:
    one, two, three = table.systems[0], table.systems[1], table.systems[-1]
    options = {"metric": metric, "test": test, "resamples": 200, "correction": "none"}
    systems = _with_another(simulated)
    gold = simulated.gold  # type: ignore[attr-defined]
    full = fg.significance(table, **options)
    alone = fg.significance(fg.align(gold, {one: systems[one], two: systems[two]}), **options)
    turned = fg.significance(fg.align(gold, {n: systems[n] for n in (three, two, one)}), **options)
    _same(full, alone, one, two)
    _same(full, turned, one, two)


@given(st.randoms(use_true_random=False))
@settings(max_examples=5, deadline=None)
def test_the_order_of_documents_changes_no_digit(shuffle: object) -> None:
    made = fg.simulate(tokens=2_000, seed=3)
    order = list(range(made.gold.n_documents))
    shuffle.shuffle(order)  # type: ignore[attr-defined]
    systems = {name: corpus.with_documents(order) for name, corpus in made.systems.items()}
    one = fg.align(made.gold, made.systems)
    other = fg.align(made.gold.with_documents(order), systems)
    options = {"metric": "fair_macro_f1", "resamples": 100}
    first, second = one.systems[:2]
    _same(fg.significance(one, **options), fg.significance(other, **options), first, second)
    ours, theirs = (fg.score(table, intervals=400).to_json() for table in (one, other))
    assert _rounded(ours) == _rounded(theirs)


def test_intervals_of_scores_do_not_depend_on_other_systems(
    simulated: object, table: OutcomeTable
) -> None:
    scores = fg.score(table, intervals=100)
    systems = _with_another(simulated)
    for name, corpus in systems.items():
        alone = fg.score(fg.align(simulated.gold, {name: corpus}), intervals=100)  # type: ignore[attr-defined]
        for metric in ("traditional_f1", "fair_macro_f1", "weighted_document_macro_f1"):
            found = scores.interval(metric, name)
            assert found == pytest.approx(alone.interval(metric, name), rel=1e-12, nan_ok=True)
        found = scores.interval("fair_f1", name, label="PER")
        expected = alone.interval("fair_f1", name, label="PER")
        assert found == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_intervals_lie_around_their_scores(table: OutcomeTable) -> None:
    scores = fg.score(table, intervals=300)
    assert scores.intervals is not None
    for metric in scores.overall_metrics():
        for place, value in enumerate(scores.overall[metric.name]):
            low, high = scores.intervals.overall[metric.name][place]
            assert math.isnan(low) or low < value < high


def test_scores_are_the_same_with_and_without_intervals(table: OutcomeTable) -> None:
    with_them, without = fg.score(table, intervals=400).to_json(), fg.score(table).to_json()
    for name, found in with_them.items():
        ends = found.pop("intervals")
        assert found == without[name]
        low, high = ends["overall"]["fair"]["f1"]
        assert low < found["overall"]["fair"]["f1"] < high
    with pytest.raises(UsageError, match="intervals=1000"):
        fg.score(table).interval("fair_f1", table.systems[0])


def test_a_perfect_label_has_no_interval_and_a_reason() -> None:
    scores = fg.score(_tags(40, {"a": 0, "b": 4}), intervals=50)
    assert all(math.isnan(end) for end in scores.interval("accuracy", "a"))
    assert not any(math.isnan(end) for end in scores.interval("accuracy", "b"))
    assert any("no interval is given" in note for note in scores.notes)


def _inventive(empty: int) -> OutcomeTable:
    """Both find the span of 40 sentences; in further sentences without one, one system invents."""
    text = [["a", "b"]] * (40 + empty)
    found, invented = [["B-PER", "O"]] * 40, [["O", "B-PER"]] * empty
    gold = Corpus.of(text, tags=found + [["O", "O"]] * empty)
    systems = {"silent": gold, "inventive": Corpus.of(text, tags=found + invented)}
    return fg.align(gold, systems, task="spans")


@pytest.mark.parametrize("test", ["wilcoxon", "t", "sign"])
def test_what_is_invented_where_nothing_is_to_be_found_counts(test: str) -> None:
    """F1 of a sentence without spans has no value: a right silence counts as 1, beside the 0."""
    found = fg.significance(_inventive(12), test=test)  # type: ignore[arg-type]
    pair = found.pair("silent", "inventive")
    assert (pair.better, pair.worse, pair.half_scored) == (0, 12, 0)
    assert pair.p < 0.01
    assert found.pair("inventive", "silent").p == pair.p


def test_sentences_with_one_score_of_two_are_left_out_and_counted() -> None:
    """Precision of a system that answers nothing has no value, and is not right for it."""
    text, gold = [["a"]] * 20, [["B-PER"]] * 20
    systems = {
        name: Corpus.of(text, tags=[["B-PER"]] * number + [["O"]] * (20 - number))
        for name, number in (("some", 12), ("more", 19))
    }
    table = fg.align(Corpus.of(text, tags=gold), systems, task="spans")
    found = fg.significance(table, metric="traditional_precision", test="wilcoxon")
    assert found.pairs[0].comparison.half_scored == 7
    said = "sentences left out because only one of a pair has a score in them: 7"
    assert said in found.notes


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"resamples": 10}, "the smallest possible is .091 (times 3 tests); use --resamples 1000"),
        ({"resamples": 10, "correction": "none"}, "is .091; use --resamples 1000"),
        ({"resamples": 1000}, ""),
    ],
)
def test_a_p_that_nothing_can_reach_is_told(options: dict[str, Any], said: str) -> None:
    found = fg.significance(_tags(40, {"a": 4, "b": 20, "c": 30}), **options)
    notes = [note for note in found.notes if note.startswith("no p can reach .05")]
    assert [said in note for note in notes] == ([True] if said else [])


def test_documents_that_no_correction_leaves_a_chance() -> None:
    """7 documents: 2^-6 = 0.016, times 6 pairs more than 0.05."""
    documents = [place // 4 for place in range(28)]
    table = _tags(28, {"a": 1, "b": 9, "c": 17, "d": 27}, documents=documents)
    notes = fg.significance(table).notes
    assert any(".016 (times 6 tests); compare fewer systems" in note for note in notes)


def test_what_needs_documents_is_told_of_once() -> None:
    text, gold = [["a", "b"]] * 9, [["B-PER", "O"]] * 9
    system = Corpus.of(text, tags=[["B-PER", "O"]] * 6 + [["O", "B-PER"]] * 3)
    table = fg.align(Corpus.of(text, tags=gold), {"system": system}, task="spans")
    metrics = ["traditional_f1", "traditional_document_macro_f1"]
    notes = fg.score(table, metrics, intervals=400).notes
    told = "document_macro_f1 is undefined: the gold corpus has no document boundaries"
    assert notes == (told, SENTENCES_RESAMPLED)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "wilcoxon", "t"])
def test_results_keep_to_the_schema(table: OutcomeTable, test: str) -> None:
    found = fg.significance(table, test=test, resamples=100)
    document = json.loads(as_json(found, command="finegrain test"))
    require_schema(document, "significance")
    assert document["result"]["tests"] == 10
    scores = json.loads(as_json(fg.score(table, intervals=50), command="finegrain test"))
    require_schema(scores, "span_scores")


def test_csv_has_the_ends_of_intervals(table: OutcomeTable) -> None:
    scores = fg.score(table, intervals=400, schemes=["all"])
    rows = list(csv.DictReader(io.StringIO(as_csv(scores))))
    found = next(row for row in rows if row["metric"] == "fair_f1" and not row["label"])
    assert float(found["low"]) < float(found["value"]) < float(found["high"])
    assert next(row for row in rows if row["metric"] == "strict_f1")["low"] == ""
    parts = as_csv(fg.score(table, intervals=50, by="document"))
    assert {len(row) for row in csv.reader(io.StringIO(parts))} == {7}


def test_tables_state_multiplicity(table: OutcomeTable) -> None:
    found = fg.significance(table, resamples=100)
    assert "10 tests, Holm-corrected" in str(found)
    assert r"\begin{tabular}" in as_latex(found)
    plain = fg.significance(table, resamples=100, correction="none")
    assert "not corrected" in str(plain)
    assert [one.adjusted for one in plain.pairs] == [one.comparison.p for one in plain.pairs]


def test_jobs_change_nothing(table: OutcomeTable) -> None:
    one, two = (fg.significance(table, resamples=300, jobs=jobs).to_json() for jobs in (1, 3))
    assert one == two


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"test": "chi2"}, "unknown test"),
        ({"correction": "bonferoni"}, "unknown correction"),
        ({"metric": "accuracy"}, "needs tags"),
        ({"resamples": 0}, "from 1 to"),
        ({"confidence": 95}, "between 0 and 1"),
        ({"detect": 50}, "between 0 and 1"),
        ({"metric": "fair_document_macro_f1", "test": "sign"}, "scores whole documents"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    table: OutcomeTable, options: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        fg.significance(table, **options)  # type: ignore[arg-type]


def test_one_system_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="two or more"):
        fg.significance(_tags(10, {"a": 1}))


def test_the_command(run: Run, tmp_path: Path) -> None:
    run("simulate", "play", "--tokens", "3000", "-s", "careful=", "-s", "hasty=spurious")
    files = ["play/gold.conll", "play/careful.conll", "play/hasty.conll"]
    done = run("significance", *files, "--format", "json", "--resamples", "500", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    require_schema(document, "significance")
    refused = run("significance", *files, "--test", "mcnemar")
    assert refused.returncode == 2
    assert "--assume-independent" in refused.stderr
    quick = run("score", *files, "--no-intervals")
    shown = run("score", *files)
    assert "95 %" in shown.stdout
    assert "95 %" not in quick.stdout
    again = run("score", *files)
    assert again.stdout == shown.stdout


def _of_documents(documents: list[int] | None) -> fg.OutcomeTable:
    """Forty sentences of two tokens; x is right about 30 and y about 20 of 40 spans."""
    text, gold, none = [["a", "b"]] * 40, ["B-PER", "O"], ["O", "O"]
    systems = {
        name: Corpus.of(text, tags=[gold] * right + [none] * (40 - right))
        for name, right in (("x", 30), ("y", 20))
    }
    return fg.align(Corpus.of(text, tags=[gold] * 40, documents=documents), systems)


@pytest.mark.parametrize("marked", [True, False])
def test_sentences_that_stand_in_for_documents_are_warned_of(marked: bool) -> None:
    """In every result that resamples: sentences of one document are not independent."""
    table = _of_documents([place // 4 for place in range(40)] if marked else None)
    results = {
        "score": fg.score(table, intervals=200),
        "significance": fg.significance(table, metric="traditional_f1"),
        "difference": fg.difference(table, "x", "y", intervals=200),
        "differences": fg.differences(table, intervals=200),
        "difficulty": fg.difficulty(table, intervals=200),
        "oracle": fg.oracle(table, intervals=200),
        "buckets": fg.buckets(table, "entity_length", intervals=200),
        "slices": fg.slices(table, "x", by=["entity_length"]),
        "seeds": fg.seeds(table, metric="traditional_f1"),
        "gate": fg.gate(table, ["traditional_f1 drops 0.1 at p < .05"]),
        "report": fg.report(table),
    }
    for name, found in results.items():
        assert (SENTENCES_RESAMPLED in found.notes) is not marked, name


def test_independence_that_is_asked_for_is_not_warned_of() -> None:
    table = _of_documents(None)
    found = fg.significance(table, metric="traditional_f1", assume_independent=True)
    assert SENTENCES_RESAMPLED not in found.notes
    assert SENTENCES_RESAMPLED not in fg.slices(table, "x", assume_independent=True).notes
    assert SENTENCES_RESAMPLED not in fg.score(table).notes  # nothing is resampled


def test_items_are_resampled_as_items() -> None:
    """Of a 0/1 table there are no sentences to speak of."""
    table = fg.from_matrix([[1, 0]] * 20 + [[1, 1]] * 20, systems=["a", "b"])
    found = fg.significance(table, metric="accuracy")
    assert found.sampling == ("item", 40)
    assert "sample:item|n:40" in found.signature
    assert not [note for note in found.notes if "sentence" in note]
