"""The oracle and what systems contribute to it: hand-worked, against brute force, in every view."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from numpy.typing import NDArray

import finegrain as fg
from finegrain.analyses.compare.complementarity import MAX_PAIRED, contributions, greedy, pairs
from finegrain.analyses.result import pair_key
from finegrain.corpus import Corpus, Spans
from finegrain.corpus.clusters import Clusters
from finegrain.table import Outcome, Outcomes, Task
from finegrain.tasks import TASKS
from finegrain.testing import small_corpora
from finegrain.views import text_formats
from finegrain.views.terminal import as_text
from tests.conftest import Run
from tests.schema import is_refused, require_schema
from tests.table.corpora import TABLES

SOLVED = st_numpy.arrays(bool, st.tuples(st.integers(0, 8), st.integers(1, 5)))
TEXT = [["a", "b", "c"], ["d", "e"]]
GOLD = [["N", "V", "N"], ["V", "D"]]


def _tagged(*sentences: str) -> Corpus:
    return Corpus.of(TEXT, tags=[list(one) for one in sentences])


def _tags() -> fg.OutcomeTable:
    """Right about: one a b d, two a c d, three a; nobody e."""
    systems = {
        "one": _tagged("NVV", "VV"),
        "two": _tagged("NNN", "VN"),
        "three": _tagged("NXX", "XX"),
    }
    return fg.align(Corpus.of(TEXT, tags=GOLD), systems, task="tags")


def test_tags_by_hand() -> None:
    """5 units: one and two have 3, together 4 (all but e), three adds nothing.

    N (a, c): one 1, two 2, so no gain. V (b, d): one 2. D (e): nobody. Over the leader, which is
    `one` by its name, N gains 1 of 2.
    """
    found = fg.oracle(_tags()).to_json()
    overall = found["overall"]
    assert overall["systems"] == {"one": 0.6, "two": 0.6, "three": 0.2}
    assert (overall["units"], overall["correct"]) == (5, 4)
    assert (overall["oracle"], overall["best"], overall["best_system"]) == (0.8, 0.6, "one")
    assert overall["gain"] == pytest.approx(0.2)
    assert found["labels"]["N"]["best_system"] == "two"
    assert found["labels"]["N"]["gain"] == 0
    assert found["labels"]["N"]["gain_over_overall_best"] == 0.5
    assert found["labels"]["D"]["oracle"] == 0
    assert "X" not in found["labels"]  # only a system uses it
    assert "f1" not in found
    assert found["shapley"] == pytest.approx({
        "one": (1 / 3 + 1 + 1 / 2) / 5,  # a with all, b alone, d with two
        "two": (1 / 3 + 1 + 1 / 2) / 5,
        "three": (1 / 3) / 5,
    })  # fmt: skip
    assert [one["unique"] for one in found["contributions"].values()] == [1, 1, 0]
    assert [one["oracle_without"] for one in found["contributions"].values()] == [0.6, 0.6, 0.8]
    assert [step["system"] for step in found["greedy"]] == ["one", "two", "three"]
    assert [step["correct"] for step in found["greedy"]] == [3, 4, 4]
    assert found["pairs"]["one|three"] == {"correct": 3, "oracle": 0.6, "gain": 0.0}
    assert found["best_pair"] == {
        "systems": ["one", "two"], "correct": 4, "oracle": 0.8, "gain": pytest.approx(0.2),
    }  # fmt: skip


def test_the_vote_stands_beside_the_oracle() -> None:
    """a: N; b: V N X, c: V N X: in all outputs V has 5, N 6, X 4: N twice; d: V; e: V N X: N.

    Right about a, c, d: no more than the best system.
    """
    found = fg.oracle(_tags())
    assert found.bound().vote == 0.6
    assert found.bound().reached == 0
    assert found.to_json()["vote"] == {
        "name": "majority vote", "scores": {"accuracy": 0.6}, "reached": {"accuracy": 0.0},
    }  # fmt: skip


def test_spans_by_hand() -> None:
    """4 gold spans. one: 2 hits, 1 invented; two: 2 hits, one of them the same; nobody has the 4th.

    Oracle: R = 3/4, P = 1, F1 = 2 * 3/4 / (7/4) = 6/7. one: F1 = 4/7; two: 4/6 = 2/3.
    """
    found = fg.oracle(_spans())
    assert found.bound().oracle == 0.75
    assert found.bound("f1").oracle == pytest.approx(6 / 7)
    assert found.bound("precision").oracle == 1
    assert found.bound("f1").systems.tolist() == pytest.approx([4 / 7, 2 / 3])
    assert found.bound("f1").best_system == "two"
    assert found.bound("f1").gain == pytest.approx(6 / 7 - 2 / 3)
    assert found.to_json()["f1"]["labels"]["A"]["oracle"] == 1
    # the vote of two is what both have: 1 of 4, F1 = 2 / 5
    assert (found.bound().vote, found.bound("f1").vote) == (0.25, 0.4)


def _spans() -> fg.OutcomeTable:
    def corpus(*rows: tuple[int, int, int, str]) -> Corpus:
        return Corpus("spans", np.array([0, 9, 18, 27]), spans=Spans.of(rows))

    gold = corpus((0, 0, 2, "A"), (0, 3, 4, "B"), (1, 0, 1, "A"), (1, 4, 6, "B"))
    one = corpus((0, 0, 2, "A"), (0, 3, 4, "B"), (2, 5, 6, "A"))
    two = corpus((0, 0, 2, "A"), (1, 0, 1, "A"))
    return fg.align(gold, {"one": one, "two": two})


def test_whole_sentences_by_hand() -> None:
    """Sentences: N V N, V D. one has V wrong in the first, two D in the second.

    Choosing one system per sentence gets both; so does covering. With `third` and `fourth`, the
    first sentence is covered unit by unit, but no system has all of it.
    """
    gold = Corpus.of(TEXT, tags=GOLD)
    table = fg.align(gold, {"one": _tagged("NNN", "VD"), "two": _tagged("NVN", "VV")}, task="tags")
    found = fg.oracle(table).to_json()["sentences"]
    assert found["systems"] == {"one": 0.5, "two": 0.5}
    assert found["every_unit_covered"] == found["one_system_per_sentence"] == 1
    table = fg.align(
        gold, {"third": _tagged("NNN", "VD"), "fourth": _tagged("XVN", "VX")}, task="tags"
    )
    found = fg.oracle(table).to_json()["sentences"]
    assert (found["every_unit_covered"], found["one_system_per_sentence"]) == (1, 0.5)
    assert (found["best_system"], found["gain"], found["sentences"]) == ("third", 0.5, 2)


def test_a_sentence_with_something_invented_is_not_right_for_a_system() -> None:
    """Both have the gold span, and something else; the oracle leaves that out."""
    text = [["a", "b"], ["c", "d"]]
    made = Corpus.of(text, tags=[["B-A", "B-A"], ["O", "B-A"]])
    table = fg.align(Corpus.of(text, tags=[["B-A", "O"], ["O", "O"]]), {"s": made})
    found = fg.oracle(table).to_json()["sentences"]
    assert found["sentences"] == 1  # the second has no gold unit
    assert found["systems"] == {"s": 0}
    assert (found["every_unit_covered"], found["one_system_per_sentence"]) == (1, 0)


@given(SOLVED)
@settings(max_examples=80, deadline=None)
def test_shapley_is_the_mean_over_all_orders_and_adds_up(solved: NDArray[np.bool_]) -> None:
    """Of what a system adds to those before it, in every order of systems."""
    systems = solved.shape[1]
    added = np.zeros(systems)
    orders = list(permutations(range(systems)))
    for order in orders:
        for place, system in enumerate(order):
            added[system] += _union(solved, order[: place + 1]) - _union(solved, order[:place])
    found = contributions(solved)
    assert found.shapley.tolist() == pytest.approx((added / len(orders)).tolist())
    assert found.shapley.sum() == pytest.approx(_union(solved, range(systems)))
    for system in range(systems):
        others = [one for one in range(systems) if one != system]
        lost = _union(solved, range(systems)) - _union(solved, others)
        assert found.unique[system] == lost


@given(SOLVED)
@settings(max_examples=80, deadline=None)
def test_shapley_equals_the_sum_over_subsets(solved: NDArray[np.bool_]) -> None:
    """Its definition: marginal contributions to all subsets of the others, by their weight."""
    systems = solved.shape[1]
    for system in range(systems):
        others = [one for one in range(systems) if one != system]
        value = 0.0
        for size in range(systems):
            weight = math.factorial(size) * math.factorial(systems - size - 1)
            for subset in combinations(others, size):
                more = _union(solved, (*subset, system)) - _union(solved, subset)
                value += weight / math.factorial(systems) * more
        assert contributions(solved).shapley[system] == pytest.approx(value)


def _union(solved: NDArray[np.bool_], systems: Sequence[int] | range) -> int:
    return int(solved[:, list(systems)].any(axis=1).sum())


@given(SOLVED)
@settings(max_examples=80, deadline=None)
def test_pairs_and_greedy_equal_counting(solved: NDArray[np.bool_]) -> None:
    systems = solved.shape[1]
    names = [str(number) for number in range(systems)]
    expected = [[_union(solved, [one, two]) for two in range(systems)] for one in range(systems)]
    assert pairs(solved).tolist() == expected
    found = greedy(solved, names)
    assert sorted(found.order) == list(range(systems))
    for place in range(systems):
        taken, rest = found.order[:place], found.order[place:]
        reach = {one: _union(solved, (*taken, one)) for one in rest}
        assert found.order[place] == min(rest, key=lambda one: (-reach[one], names[one]))
        assert found.solved[place] == reach[found.order[place]]


def test_pairs_of_many_units_are_counted_in_blocks() -> None:
    solved = np.random.default_rng(1).random((150_000, 3)) < 0.7
    assert pairs(solved)[0, 2] == _union(solved, [0, 2])


@given(TABLES)
@settings(max_examples=100, deadline=None)
def test_the_oracle_is_at_least_the_best_system_and_the_vote(table: fg.OutcomeTable) -> None:
    found = fg.oracle(table)
    bounds = [
        found.bound(measure, label=label)
        for measure in found.measures[::2]
        for label in (None, *found.labels)
    ]
    for bound in (*bounds, found.sentence_bound()):
        if not math.isnan(bound.oracle):
            assert bound.oracle >= np.nanmax([*bound.systems, bound.vote])
            assert bound.gain >= 0
    whole = found.sentences
    assert max(whole.whole[:-2]) <= whole.one_system <= whole.whole[-1] <= whole.total
    shapley = [value for value in found.to_json()["shapley"].values() if value is not None]
    if shapley:
        assert sum(shapley) == pytest.approx(found.bound().oracle)


@given(TABLES)
@settings(max_examples=60, deadline=None)
def test_systems_have_the_numbers_that_score_gives_them(table: fg.OutcomeTable) -> None:
    """So do the vote's, of which score knows nothing but its column."""
    found, scores = fg.oracle(table), fg.score(fg.majority_vote(table))
    prefix = "traditional_" if table.task.name == "spans" else ""
    for measure in found.measures:
        bound = found.bound(measure)
        expected = scores.overall[prefix + measure]
        assert np.allclose([*bound.systems, bound.vote], expected, equal_nan=True)


@given(TABLES)
@settings(max_examples=60, deadline=None)
def test_adding_a_system_changes_no_other_and_never_lowers_the_oracle(
    table: fg.OutcomeTable,
) -> None:
    """Unique contributions, Shapley values and the vote depend on who else is there, of course."""
    less = replace(
        table,
        systems=table.systems[:1],
        outcome=table.outcome[:, :1],
        answer=table.answer[:, :1],
    )
    more, fewer = fg.oracle(table), fg.oracle(less)
    for measure in more.measures:
        one, other = more.bound(measure).systems[0], fewer.bound(measure).systems[0]
        assert one == other or (math.isnan(one) and math.isnan(other))
    assert more.pairs[0, 0] == fewer.pairs[0, 0]
    assert more.sentences.whole[0] == fewer.sentences.whole[0]
    assert more.sentences.total == fewer.sentences.total
    assert more.greedy.solved[-1] >= fewer.greedy.solved[-1]
    assert more.contributions.unique[0] <= fewer.contributions.unique[0]
    assert more.contributions.shapley[0] <= fewer.contributions.shapley[0] + 1e-12


@given(TABLES)
@settings(max_examples=60, deadline=None)
def test_the_order_of_systems_is_irrelevant(table: fg.OutcomeTable) -> None:
    turned = replace(
        table,
        systems=table.systems[::-1],
        outcome=table.outcome[:, ::-1],
        answer=table.answer[:, ::-1],
    )
    one, other = fg.oracle(table).to_json(), fg.oracle(turned).to_json()
    if one["best_pair"]:
        one["best_pair"]["systems"].sort()
        other["best_pair"]["systems"].sort()
    for pair in combinations(table.systems, 2):
        assert one["pairs"].pop(pair_key(*pair)) == other["pairs"].pop(pair_key(*pair[::-1]))
    for values in (one, other):
        values["shapley"] = {name: values["shapley"][name] for name in table.systems}
    assert one == other


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_the_order_of_documents_is_irrelevant(task: str) -> None:
    gold, systems = small_corpora(task)
    turned = {name: corpus.with_documents([1, 0]) for name, corpus in systems.items()}
    one = fg.oracle(fg.align(gold, systems))
    other = fg.oracle(fg.align(gold.with_documents([1, 0]), turned))
    assert one.to_json() == other.to_json()


@given(TABLES)
@settings(max_examples=60, deadline=None)
def test_json_keeps_to_its_schema_whatever_the_names(table: fg.OutcomeTable) -> None:
    found = fg.oracle(table)
    document = json.loads(text_formats.as_json(found, command="finegrain oracle"))
    require_schema(document, "oracle")
    assert document["result"]["overall"]["oracle"] is not None or found.notes


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_every_view_prints_it(task: str) -> None:
    found = fg.oracle(fg.align(*small_corpora(task)))
    document = json.loads(text_formats.as_json(found, command="finegrain oracle"))
    require_schema(document, "oracle")
    document["result"]["overall"]["oracle"] = 1.5
    assert is_refused(document)
    for text in (as_text(found), text_formats.as_latex(found), text_formats.as_markdown(found)):
        assert "majority vote" in text
        assert "oracle" in text
    rows = list(csv.DictReader(io.StringIO(text_formats.as_csv(found))))
    values = {
        (row["part"], row["label"], row["system"], row["measure"]): row["value"] for row in rows
    }
    assert float(values["overall", "", "oracle", found.measures[0]]) == found.bound().oracle
    assert float(values["pairs", "", "|".join(found.systems), "oracle"]) == found.bound().oracle
    assert repr(found).startswith("<Oracle of ")


def test_tables_for_people_fit_one_system_and_many() -> None:
    gold, systems = small_corpora("tags")
    corpora = list(systems.values())
    alone = fg.oracle(fg.align(gold, {"one": corpora[0]}))
    assert [one.title for one in alone.listings()] == [
        "Oracle of 1 system on 30 gold units",
        "Accuracy by label",
        "Whole sentences, of 4 with gold units",
    ]
    assert alone.to_json()["best_pair"] is None
    for count, title in (
        (8, "Accuracy of the oracle of every pair"),
        (20, "The 15 best pairs of 190"),
    ):
        many = fg.oracle(fg.align(gold, {f"s{at:02}": corpora[at % 2] for at in range(count)}))
        assert title in [one.title for one in many.listings()]
        assert len(many.to_json()["pairs"]) == count * (count - 1) // 2


def test_pairs_of_very_many_systems_are_left_out_with_a_note() -> None:
    """Time and memory would grow with the square of the systems; all else is told."""
    generator = np.random.default_rng(1)
    few, many = MAX_PAIRED, MAX_PAIRED + 1
    cells = np.where(generator.random((20, many)) < 0.6, "1", "0")
    for count in (few, many):
        columns = {f"s{at}": [[cell] for cell in cells[:, at].tolist()] for at in range(count)}
        table = TASKS["items"].align(Corpus.of([[f"q{at}"] for at in range(20)], **columns), {})
        found = fg.oracle(table)
        told = found.to_json()
        assert len(told["pairs"]) == (math.comb(few, 2) if count == few else 0)
        assert (told["best_pair"] is None) == (count == many)
        assert len(told["contributions"]) == len(told["greedy"]) == count
        titles = [one.title for one in found.listings()]
        assert ("The 15 best pairs of 124,750" in titles) == (count == few)
        note = "pairs of systems are compared for up to 500 systems, not for 501"
        assert (note in found.notes) == (count == many)


def test_a_greedy_order_need_not_begin_with_the_best_pair() -> None:
    """best solves 4 units; left and right solve 3 each, and all 6 together."""
    solved = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [0, 1, 0], [0, 0, 1]], bool)
    assert greedy(solved, ("best", "left", "right")).solved == (4, 5, 6)
    assert pairs(solved)[1, 2] == 6


def test_no_gold_units_are_undefined_with_a_reason() -> None:
    text = [["a", "b"]]
    none, some = (Corpus.of(text, tags=[tags]) for tags in (["O", "O"], ["B-A", "O"]))
    found = fg.oracle(fg.align(none, {"one": none, "two": some}))
    result = found.to_json()
    assert result["overall"]["oracle"] is None
    assert result["overall"]["best_system"] is None
    assert result["shapley"] == {"one": None, "two": None}
    assert result["sentences"]["every_unit_covered"] is None
    assert "the oracle is undefined: there are no gold units" in found.notes
    assert "n/a" in as_text(found)


def test_identical_systems_gain_nothing() -> None:
    gold, systems = small_corpora("tags")
    nouns = systems["nouns"]
    found = fg.oracle(fg.align(gold, {"one": nouns, "two": nouns}))
    assert found.bound().gain == 0
    assert math.isnan(found.bound().reached)
    assert "together the systems solve no more than one alone: there is no gain" in found.notes
    assert found.to_json()["vote"]["reached"] == {"accuracy": None}


def test_a_task_without_a_vote_has_an_oracle() -> None:
    """Tasks may come whose outputs cannot be voted on; all else works."""
    table = _tags()
    names = (Outcome("YES", "", "", right=True), Outcome("NO", "", ""))
    absent = Outcome("ABSENT", "", "", right=True, charged=False, produced="never", absent=True)
    links = Task("links", "", "", Outcomes((*names, absent)), answers="none")
    found = fg.oracle(replace(table, task=links))
    assert found.bound("recall").oracle == 0.8
    assert math.isnan(found.bound().vote)
    assert math.isnan(found.bound("f1").vote)
    result: dict[str, Any] = found.to_json()
    assert result["vote"]["scores"] == {"recall": None, "precision": None, "f1": None}
    assert result["sentences"]["vote"] is None
    assert "there is no majority vote for the task links" in found.notes
    assert "n/a" in as_text(found)


def test_unknown_names_and_no_systems_are_usage_errors() -> None:
    found = fg.oracle(_tags())
    with pytest.raises(fg.UsageError, match="unknown measure"):
        found.bound("f1")
    with pytest.raises(fg.UsageError, match="unknown label"):
        found.bound(label="NOUN")
    table = _tags()
    empty = replace(table, systems=(), outcome=table.outcome[:, :0], answer=table.answer[:, :0])
    with pytest.raises(fg.UsageError, match="needs systems"):
        fg.oracle(empty)


def test_command(run: Run, tmp_path: Path) -> None:
    run("simulate", "play", "--tokens", "500", "--system", "a=spurious", "--system", "b=")
    files = [f"play/{name}.conll" for name in ("gold", "a", "b")]
    done = run("oracle", *files)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Oracle of 2 systems on ")
    result = json.loads(run("oracle", *files, "--format", "json").stdout)["result"]
    assert result["overall"]["gain"] >= 0
    assert run("oracle", *files, "-o", "oracle.tex").returncode == 0
    assert r"\toprule" in (tmp_path / "oracle.tex").read_text()
    token = run("oracle", *files, "--level", "token", "--format", "json")
    assert json.loads(token.stdout)["result"]["overall"]["units"] > result["overall"]["units"]
    assert run("oracle", *files, "--vote").returncode == 2  # it has one anyway


def test_a_table_of_zeros_and_ones_has_an_oracle_but_no_vote() -> None:
    """q1 is solved by both, q2 by one, q3 by none: oracle 2/3, Shapley of a 1 1/2 / 3."""
    table = fg.from_matrix([[1, 1], [1, 0], [0, 0]], systems=["a", "b"])
    found = fg.oracle(table)
    assert (found.bound().oracle, found.bound().best) == (
        pytest.approx(2 / 3),
        pytest.approx(2 / 3),
    )
    assert found.to_json()["shapley"] == pytest.approx({"a": 0.5, "b": 1 / 6})
    assert found.to_json()["overall"]["vote"] is None
    assert "there is no majority vote for the task items" in found.notes
    assert "Whole sentences" not in as_text(found)
    assert "majority vote  " not in as_text(found)
    with pytest.raises(fg.UsageError, match="no majority vote for the task items"):
        fg.majority_vote(table)


def test_chains_without_any_mention_have_no_vote_and_no_oracle() -> None:
    text = [["Ada", "ran"]]
    empty = replace(Corpus.of(text), clusters=Clusters.of([], documents=[0]))
    found = fg.oracle(fg.align(empty, {"s": empty}, task="coreference"))
    assert not found.has_vote
    assert not any("majority vote" in str(row) for one in found.listings() for row in one.footer)
    assert found.to_json()["sentences"]["sentences"] == 0


def test_contributions_are_headed_by_what_they_count() -> None:
    *_, last = fg.oracle(fg.from_matrix([[1, 0], [1, 1], [0, 0]])).listings()
    assert [(column.name, column.kind) for column in last.columns] == [
        ("system", "text"), ("solves", "count"), ("only it", "count"),
        ("oracle without it", "score"), ("Shapley", "score"), ("share", "score"),
    ]  # fmt: skip


def test_the_greedy_order_as_a_table() -> None:
    """one: 3 of 5, two adds 1, which is all that there is to gain, three adds nothing."""
    (table,) = (
        one
        for one in fg.oracle(_tags()).listings()
        if "added" in [head.name for head in one.columns]
    )
    steps = [row[:4] for row in table.rows]
    assert [row[:2] for row in steps] == [(1, "one"), (2, "two"), (3, "three")]
    assert [row[2] for row in steps] == [0.6, 0.8, 0.8]
    assert [round(row[3], 9) for row in steps] == [0.6, 0.2, 0.0]
