"""Slices that matter: what is tested, what is reported, and that it is real."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.resampling.against_rest import Clusters, against_rest, given_other
from finegrain.resampling.max_t import critical, step_down
from finegrain.resampling.subsets import Subsets
from finegrain.resampling.swapped_subsets import Outputs, swapped
from finegrain.simulation import simulate_groups
from finegrain.table import OutcomeTable
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.conftest import Run
from tests.schema import require_schema

NAMES = ["label", "topic", "kind"]


def made(
    seed: int,
    *,
    units: int = 600,
    documents: int = 0,
    weak: str = "",
    systems: int = 1,
    order: np.ndarray[Any, Any] | None = None,
) -> OutcomeTable:
    """Tagged tokens with two further attributes; system 1 misses half of what is ``weak``."""
    generator = np.random.default_rng(seed)
    sentences = units // 5
    document = np.sort(generator.integers(0, max(1, documents), sentences))
    labels = generator.choice(["A", "B", "C"], units, p=[0.5, 0.3, 0.2])
    topic = generator.choice(["x", "y", "z"], units)
    kind = generator.choice(["k", "l"], units)
    hard = generator.normal(0, 0.5, max(1, documents))[document].repeat(5)
    chance = 1 / (1 + np.exp(hard - 1.7))
    right = generator.random((units, systems)) < chance[:, None]
    if weak:
        right[:, -1] &= ~(topic + kind == weak) | (generator.random(units) < 0.5)
    if order is None:
        order = np.arange(max(1, documents))
    place = np.argsort(order[document], kind="stable")
    rows = (place[:, None] * 5 + np.arange(5)).ravel()
    return _table(
        labels[rows], right[rows], order[document][place], topic[rows], kind[rows], documents
    )


def _table(
    labels: Any, right: Any, document: Any, topic: Any, kind: Any, documents: int
) -> OutcomeTable:
    count = len(labels) // 5
    text = [[f"w{sentence}"] * 5 for sentence in range(count)]
    _, codes = np.unique(document, return_inverse=True)
    options = {"documents": codes.tolist()} if documents else {}

    def corpus(tags: Any) -> Corpus:
        return Corpus.of(text, tags=tags.reshape(count, 5).tolist(), **options)

    answers = {
        f"s{one}": corpus(np.where(right[:, one], labels, "Z")) for one in range(right.shape[1])
    }
    table = fg.align(corpus(labels), answers, task="tags")
    return table.with_column("topic", topic.astype(object)).with_column("kind", kind.astype(object))


# statistics


def test_the_second_largest_is_compared_with_the_largest_of_the_others() -> None:
    """Maxima of both: 2, 3, 1, 2 (one of 4 reaches 3); of the second alone: 1, 3, 1, 2."""
    drawn = np.array([[2.0, 1.0], [0.0, 3.0], [1.0, 1.0], [0.0, 2.0]])
    # observed 3: (1 + 1) / 5; observed 1.5, without the first test: (1 + 2) / 5
    assert step_down(np.array([3.0, 1.5]), drawn).tolist() == [0.4, 0.6]
    assert critical(drawn, level=0.6) == 2.0  # the third of 1, 2, 2, 3
    assert critical(drawn, level=0.99) == np.inf  # 4 resamples cannot show 1 %


def test_adjusted_p_never_falls_below_that_of_a_stronger_test() -> None:
    drawn = np.array([[5.0, 0.0], [5.0, 0.0], [0.0, 0.0]])
    assert step_down(np.array([4.0, 3.0]), drawn).tolist() == [0.75, 0.75]


def test_within_documents_the_effect_is_that_of_mantel_and_haenszel() -> None:
    """Two documents of 10: 4 of 5 and 2 of 5 wrong; 2 of 4 and 0 of 6 wrong.

    Weights 5 * 5 / 10 and 4 * 6 / 10, differences 0.4 and 0.5: (2.5 * 0.4 + 2.4 * 0.5) / 4.9.
    """
    wrong = np.array([1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], bool)
    inside = np.array([0] * 5 + [-1] * 5 + [0] * 4 + [-1] * 6, np.int32)[None]
    document = np.repeat([0, 1], 10)
    found = against_rest(wrong, Subsets(inside, 1), Clusters(document, within=True), resamples=9)
    assert found.effect[0] == pytest.approx(-2.2 / 4.9)


def test_a_hard_document_is_no_weakness_of_what_it_is_about() -> None:
    """All A are in documents where everything is wrong more often."""
    generator = np.random.default_rng(3)
    document = np.repeat(np.arange(20), 50)
    inside = generator.random(1000) < np.where(document < 5, 0.9, 0.1)
    wrong = generator.random(1000) < np.where(document < 5, 0.6, 0.1)
    codes = np.where(inside, 0, -1).astype(np.int32)[None]
    found = against_rest(wrong, Subsets(codes, 1), Clusters(document, within=True))
    assert found.p[0] > 0.05
    naive = against_rest(wrong, Subsets(codes, 1), Clusters(np.arange(1000)))
    assert naive.p[0] < 0.01


def test_an_exchange_of_single_units_is_the_exact_mcnemar_test() -> None:
    right = np.repeat([[True, True], [True, False], [False, True]], [50, 14, 4], axis=0)
    every = Subsets(np.zeros((1, 68), np.int32), 1)
    found = swapped(Outputs(right, np.ones_like(right)), every, np.arange(68), resamples=20_000)
    assert found.effect[0] == pytest.approx(-10 / 68)
    assert found.p[0] == pytest.approx(stats.binomtest(4, 18).pvalue, abs=0.003)


def test_precision_of_two_systems_has_its_own_predictions() -> None:
    """The first is right about 30 of 40 predictions, the second about 30 of 60."""
    hits = np.zeros((100, 2), bool)
    sizes = np.zeros((100, 2), bool)
    hits[:30, 0] = hits[40:70, 1] = True
    sizes[:40, 0] = sizes[40:, 1] = True
    every = Subsets(np.zeros((1, 100), np.int32), 1)
    found = swapped(Outputs(hits, sizes), every, np.arange(100))
    assert found.effect[0] == pytest.approx(0.5 - 0.75)
    assert found.p[0] < 0.05
    assert found.high[0] < 0


def test_intervals_exclude_nothing_where_p_is_at_the_level() -> None:
    """Ends and tests agree: a single subset, at many sizes of the effect."""
    for errors in range(2, 20):
        wrong = np.zeros(300, bool)
        wrong[:errors] = wrong[40:60] = True
        codes = np.where(np.arange(300) < 40, 0, -1).astype(np.int32)[None]
        found = against_rest(wrong, Subsets(codes, 1), Clusters(np.arange(300)), resamples=999)
        assert (found.high[0] < -1e-6) == (found.value[0] > found.threshold + 1e-5), errors


def test_what_a_larger_slice_explains_is_nothing_new() -> None:
    generator = np.random.default_rng(1)
    larger = np.arange(2000) < 500
    smaller = larger & (generator.random(2000) < 0.4)
    wrong = generator.random(2000) < np.where(larger, 0.4, 0.1)
    clusters = Clusters(np.arange(2000))
    assert abs(given_other(wrong, smaller, larger, clusters)) < 2
    assert given_other(wrong, larger, smaller, clusters) < -5
    assert given_other(wrong, larger, larger, clusters) == 0


# what is found


def test_the_planted_slice_is_found_and_nothing_else() -> None:
    found = fg.slices(made(1, units=3000, weak="yk"), by=NAMES, resamples=499)
    (one,) = found.findings
    assert one.slice.name == "topic y and kind k"
    assert one.where == "topic=y and kind=k"
    assert one.instances == "topic=y and kind=k and correct[s0]=no"
    assert one.high < 0 < one.p < 0.05
    assert one.sentence.startswith("s0 is weak on topic y and kind k: recall -")


def test_the_planted_slice_is_found_within_documents_and_for_a_pair() -> None:
    table = made(2, units=3000, documents=30, weak="zl", systems=2)
    for of in ("s1", ("s0", "s1")):
        names = [one.slice.name for one in fg.slices(table, of, by=NAMES, resamples=499).findings]
        assert names == ["topic z and kind l"]
    (lost,) = fg.slices(table, ("s0", "s1"), by=NAMES, resamples=499).findings
    assert lost.sentence.startswith("s1 loses to s0 on topic z and kind l: recall -")
    assert lost.instances.endswith("correct[s0]=yes and correct[s1]=no")


def test_records_compare_with_the_rest_or_with_the_baseline() -> None:
    table = made(2, units=3000, documents=30, weak="zl", systems=2)
    (alone,) = (found := fg.slices(table, "s1", by=NAMES, resamples=499)).findings
    assert _recorded(found) == {
        "system": "s1", "baseline": "", "value": alone.values[0], "compared_with": alone.rest,
    }  # fmt: skip
    (pair,) = (found := fg.slices(table, ("s0", "s1"), by=NAMES, resamples=499)).findings
    assert _recorded(found) == {
        "system": "s1", "baseline": "s0", "value": pair.values[1], "compared_with": pair.values[0],
    }  # fmt: skip


def _recorded(found: Any) -> dict[str, Any]:
    records = found.records()
    (row,) = records.rows
    told = dict(zip((column.name for column in records.columns), row, strict=True))
    return {name: told[name] for name in ("system", "baseline", "value", "compared_with")}


def test_what_two_systems_answer_differently_in_a_slice_is_counted() -> None:
    """Also what both get wrong in different ways, which is no part of the effect."""
    play = fg.simulate(tokens=6_000, seed=1)
    table = fg.align(play.gold, play.systems)
    found = fg.slices(table, ("neural", "crf"), by=["label", "entity_length"], resamples=200)
    assert found.findings
    for one in found.findings:
        there = fg.show(table, f"{one.where} and changed[neural,crf]=yes").found
        assert one.changed == there >= abs(round(one.effect * one.n))


def test_two_systems_may_differ_everywhere() -> None:
    """One is right about 85 %, the other about 60 % of all."""
    generator = np.random.default_rng(5)
    right = generator.random((1500, 2)) < [0.85, 0.6]
    labels = generator.choice(["A", "B"], 1500)
    column = generator.choice(["x", "y"], 1500)
    table = _table(labels, right, np.zeros(300, int), column, column, 0)
    (one,) = fg.slices(table, by=["label", "topic"], resamples=499).findings
    assert one.slice.name == "all units"
    assert fg.show(table, one.where).found == one.n == 1500


@pytest.mark.parametrize("apart", [0.0, 0.8])
def test_of_two_slices_that_are_nearly_the_same_the_larger_is_told(apart: float) -> None:
    """All units but 10; of these the second system is right about some, or about none, too."""
    generator = np.random.default_rng(3)
    size = 3_000
    second = generator.random(size) < 0.9
    first = second & (generator.random(size) < 0.8)
    kind = np.where(np.arange(size) < 10, "rare", "usual")
    first[:10] = second[:10] & (generator.random(10) < 1 - apart / 2)
    right = np.stack([first, second], axis=1)
    sentence = np.zeros(size // 5, int)
    table = _table(np.full(size, "A"), right, sentence, np.full(size, "x"), kind, 0)
    (one,) = fg.slices(table, by=["kind"], resamples=499, fewest=2).findings
    assert (one.slice.name, one.n) == ("all units", size)


def test_few_documents_may_mislead_and_ends_stay_in_range() -> None:
    table = made(4, units=900, documents=12, weak="yk")
    found = fg.slices(table, by=NAMES, resamples=199)
    assert sum(note.startswith("12 documents are few") for note in found.notes) == 1
    assert not any("are few" in note for note in fg.slices(made(4), by=NAMES, resamples=9).notes)
    half = np.arange(300) % 2 == 0
    kind = np.where(half, "k", "l")
    sure = _table(np.full(300, "A"), half[:, None], np.zeros(60, int), kind, kind, 0)
    for one in fg.slices(sure, by=["kind"], resamples=199).findings:
        assert -1 <= one.low <= one.effect <= one.high <= 1
        assert abs(one.effect) == 1


def test_spans_recall_and_precision_lead_to_their_units(tmp_path: Path) -> None:
    play = fg.simulate(tokens=15_000, seed=2, systems={"bad": ["long-entities", "spurious"]})
    table = fg.align(play.gold, play.systems)
    learnt = fg.annotate(table, ["novelty", "oov_density", "entity_consistency"], train=play.train)
    told = 0
    for measure in ("recall", "precision"):
        found = fg.slices(table, train=play.train, measure=measure, resamples=199)
        for one in found.findings:
            assert fg.show(learnt, one.where).found == one.n, one.where
            assert 0 < fg.show(learnt, one.instances).found < one.n
            told += 1
    assert told > 1
    del tmp_path


def test_every_candidate_can_be_selected() -> None:
    from finegrain.analyses.explain.bucket_selection import GOLD
    from finegrain.analyses.selection.selecting import selected
    from finegrain.analyses.trust.slice_candidates import candidates
    from finegrain.attributes import by_name
    from finegrain.attributes.units import Units

    play = fg.simulate(tokens=8_000, seed=3)
    table = fg.align(play.gold, play.systems)
    names = ["label", "entity_length", "sentence_length", "entity_density", "hapax", "shape"]
    found = candidates(Units(table), [by_name(name) for name in names], table.is_gold, fewest=10)
    assert len(found.slices) > 50
    for place, one in enumerate(found.slices):
        chosen = selected(table, one.where(GOLD)) & table.is_gold
        assert np.array_equal(chosen[table.is_gold], found.subsets.members(place)), one.name


def test_precision_of_tags_goes_by_the_answer() -> None:
    """Whoever answers Z is always wrong; slices by gold labels would not say so."""
    found = fg.slices(
        made(4, units=1500), "s0", by=["label", "topic"], measure="precision", resamples=199
    )
    assert [one.slice.name for one in found.findings] == ["Z"]
    assert found.findings[0].where == "answer[s0]=Z"
    assert found.findings[0].values == (0.0,)


def test_several_systems_share_the_level() -> None:
    table = made(1, units=3000, weak="yk", systems=3)
    found = fg.slices(table, by=NAMES, resamples=499)
    assert [search.systems for search in found.searches] == [("s0",), ("s1",), ("s2",)]
    (one,) = found.findings
    assert one.systems == ("s2",)
    assert one.p == pytest.approx(3 * fg.slices(table, "s2", by=NAMES, resamples=499).findings[0].p)


# calibration; benchmarks/slices_study.py is the large one


@pytest.mark.parametrize(("documents", "systems"), [(0, 1), (15, 1), (0, 2), (15, 2)])
def test_without_a_weakness_hardly_anything_is_reported(documents: int, systems: int) -> None:
    """Of 40 corpora 2 are expected; more than 6 have a chance of 0.3 % if 5 % are kept."""
    reported = 0
    for seed in range(40):
        table = made(100 + seed, documents=documents, systems=systems)
        reported += bool(fg.slices(table, by=NAMES, resamples=99, seed=seed).findings)
    assert reported <= 6


# invariances


def _told(result: Any) -> list[tuple[str, float, float, float]]:
    return [(one.slice.name, one.effect, one.low, one.p) for one in result.findings]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.permutations(range(12)), st.sampled_from([1, 2]))
def test_the_order_of_documents_is_irrelevant(seed: int, order: list[int], systems: int) -> None:
    how = {"documents": 12, "weak": "xk", "systems": systems, "units": 1200}
    one = fg.slices(made(seed, **how), by=NAMES, resamples=99)  # type: ignore[arg-type]
    other = fg.slices(made(seed, order=np.array(order), **how), by=NAMES, resamples=99)  # type: ignore[arg-type]
    assert [row[0] for row in _told(one)] == [row[0] for row in _told(other)]
    for left, right in zip(_told(one), _told(other), strict=True):
        assert left[1:] == pytest.approx(right[1:])


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_a_pair_the_other_way_round_is_its_mirror(seed: int) -> None:
    table = made(seed, documents=12, weak="xk", systems=2, units=1200)
    one = fg.slices(table, ("s0", "s1"), by=NAMES, resamples=99)
    other = fg.slices(table, ("s1", "s0"), by=NAMES, resamples=99)
    for left, right in zip(one.findings, other.findings, strict=True):
        assert left.slice.name == right.slice.name
        assert left.p == right.p
        assert (left.effect, left.low) == pytest.approx((-right.effect, -right.high))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_other_systems_and_a_second_call_change_nothing(seed: int) -> None:
    table = made(seed, weak="xk", systems=3, units=1200)
    alone = fg.align(_gold(table), {"s2": _answers(table, 2)}, task="tags")
    for name in ("topic", "kind"):
        alone = alone.with_column(name, table.columns[name])
    found = [fg.slices(one, "s2", by=NAMES, resamples=99) for one in (table, table, alone)]
    assert _told(found[0]) == _told(found[1]) == _told(found[2])


def _gold(table: OutcomeTable) -> Corpus:
    return table.corpus


def _answers(table: OutcomeTable, system: int) -> Corpus:
    count = table.corpus.n_sentences
    tags = np.array(table.labels, object)[table.answer[:, system]].reshape(count, 5).tolist()
    return Corpus.of([list(table.corpus.sentence(one)) for one in range(count)], tags=tags)


def test_slices_with_the_same_units_are_told_once_and_simply() -> None:
    table = made(1, units=3000, weak="yk")
    table = table.with_column("copy", table.columns["topic"])
    found = fg.slices(table, by=[*NAMES, "copy"], resamples=499)
    (one,) = found.findings
    assert one.slice.name == "topic y and kind k"


# views, options, bad input


def test_all_views_and_the_schema() -> None:
    table = made(2, units=2000, weak="yk", systems=2)
    for of in ("s1", ("s0", "s1"), "s0"):
        result = fg.slices(table, of, by=NAMES, resamples=199)
        document = json.loads(as_json(result, command="finegrain slices"))
        require_schema(document, "slices")
        assert document["result"]["searches"][0]["candidates"] > 10
        for view in (as_csv, as_latex, as_markdown):
            assert view(result)
        assert ("No slice differs" in str(result)) == (not result.findings)


def test_names_of_buckets_are_quoted_in_selections_and_escaped_in_views() -> None:
    table = made(1, units=3000, weak="yk")
    hostile = '"\x1b[31m<b>]'
    column = np.where(table.columns["topic"] == "y", hostile, "plain").astype(object)
    one = fg.slices(table.with_column("topic", column), by=["topic", "kind"], resamples=199)
    for finding in one.findings:
        assert fg.show(table.with_column("topic", column), finding.where).found == finding.n
    assert one.findings
    assert "\x1b" not in str(one)
    assert "\x1b" not in as_markdown(one)


def test_few_documents_are_said_and_not_tested() -> None:
    table = made(1, documents=4, weak="yk")
    found = fg.slices(table, by=NAMES, resamples=99)
    assert found.searches == ()
    assert "with 4 documents no test of documents can reach .05" in found.notes[-1]
    assert fg.slices(table, by=NAMES, resamples=99, assume_independent=True).searches


def test_without_enough_units_there_are_no_candidates() -> None:
    (search,) = fg.slices(made(1, units=50), by=NAMES, resamples=9).searches
    assert search == (("s0",), 0, 0, ()) or search.candidates < 4


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"measure": "f1"}, "unknown measure 'f1'. Known: recall, precision"),
        ({"by": "label"}, "by takes Sequence"),
        ({"by": ["label+topic"]}, "name attributes one by one"),
        ({"by": ["label", "label"]}, "named twice"),
        ({"by": ["lable"]}, "Did you mean 'label'"),
        ({"by": ["label"], "fewest": 1}, "at least 2 units"),
        ({"by": ["label"], "resamples": 0}, "resamples: from 1 to"),
        ({"by": ["label"], "of": "s9"}, "unknown system 's9'"),
        ({"by": ["label"], "of": ("s0", "s0")}, "not compared with itself"),
        ({"by": ["word_frequency"]}, "is learnt: give training data"),
        ({"by": ["label"], "train": "train.conll"}, "train takes a corpus"),
    ],
)
def test_what_cannot_be_searched_is_said(how: dict[str, Any], message: str) -> None:
    with pytest.raises(fg.UsageError, match=message.replace("(", r"\(")):
        fg.slices(made(1), **{"resamples": 9, **how})


def test_the_command_leads_to_its_instances(run: Run) -> None:
    run(
        "simulate", "play", "--tokens", "12000", "--system", "long=long-entities", "--system", "ok="
    )
    files = ["play/gold.conll", "play/ok.conll", "play/long.conll", "--train", "play/train.conll"]
    done = run("slices", *files, "--format", "json", "--resamples", "199", "-q")
    assert done.returncode == 0, done.stderr
    (search,) = json.loads(done.stdout)["result"]["searches"]
    assert search["systems"] == ["ok", "long"]
    for one in search["findings"]:
        shown = run("show", *files, "--where", one["where"], "--format", "json", "-q")
        assert json.loads(shown.stdout)["result"]["found"] == one["n"]
    assert search["findings"]
    both = run("slices", *files, "--pair", "ok,long", "--system", "ok")
    assert both.returncode == 2
    assert "give one of them" in both.stderr


def test_learnt_attributes_in_selections_need_training_data(run: Run) -> None:
    run("simulate", "play", "--tokens", "1000", "--system", "ok=")
    files = ["play/gold.conll", "play/ok.conll", "--where", "novelty=unseen and entity_length>1"]
    done = run("show", *files)
    assert done.returncode == 2
    assert "'novelty' is learnt: give training data (--train FILE)" in done.stderr
    assert run("show", *files, "--train", "play/train.conll").returncode == 0


def test_pairs_of_attributes_are_crossed_once() -> None:
    from finegrain.analyses.trust.slice_candidates import candidates
    from finegrain.attributes.choosing import chosen
    from finegrain.attributes.units import Units

    table = made(1)
    attributes = chosen(table, NAMES)
    found = candidates(Units(table), attributes, table.is_gold, fewest=1)  # type: ignore[arg-type]
    sizes = [3, 3, 2]
    crossed = sum(one * other for one, other in combinations(sizes, 2))
    assert len(found.slices) == sum(sizes) + crossed


def test_slices_do_not_go_by_what_systems_answer() -> None:
    made = simulate_groups(tokens=400, seed=1)
    table = fg.align(made.gold, made.systems, task="clustering")
    signature = fg.slices(table, table.systems[0], resamples=50).signature
    assert "|by:label,text_length,channel|" in signature


def test_searches_of_one_call_share_the_level() -> None:
    """What one search alone finds is three times as probable among three, and may be too little."""
    kept, dropped = 0, 0
    for seed in range(30):
        table = made(seed, weak="xk", units=120, systems=3)
        alone, together = (
            {one.slice.name: one.p for one in found.findings if one.systems == ("s2",)}
            for found in (
                fg.slices(table, of, by=NAMES, resamples=300, fewest=15) for of in ("s2", None)
            )
        )
        assert all(p <= 0.05 for p in (*alone.values(), *together.values()))
        assert all(p == pytest.approx(3 * alone[name]) for name, p in together.items())
        kept += len(together)
        dropped += sum(3 * p > 0.05 for p in alone.values())
    assert kept
    assert dropped
