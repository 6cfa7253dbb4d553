"""Agreement of annotators: tags, spans, tables of labels; people beside systems; every view."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.trust.agreement_sums import Estimate
from finegrain.corpus import Corpus, Spans
from finegrain.formats import conllu
from finegrain.formats.source import source_of
from finegrain.testing import small_corpora
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.conftest import Run
from tests.schema import require_schema
from tests.table.corpora import TABLES

TEXT = [["in", "New", "York", "City", "."], ["Ada", "slept"]]
ANN = Corpus.of(TEXT, tags=[["O", "B-LOC", "I-LOC", "I-LOC", "O"], ["B-PER", "O"]])
BEN = Corpus.of(TEXT, tags=[["O", "B-LOC", "I-LOC", "O", "O"], ["B-PER", "O"]])
CHO = Corpus.of(TEXT, tags=[["O", "B-ORG", "I-ORG", "I-ORG", "O"], ["B-PER", "O"]])


def _value(one: Estimate) -> float:
    return float(one.value)


def test_spans_of_two_annotators_by_hand() -> None:
    """Ann: New York City, Ada. Ben: New York, Ada.

    F1 = 2 * 1 / (2 + 2). Stretches: NYC LOC/none, NY none/LOC, Ada PER/PER; alpha: n = 6 with none
    2, LOC 2, PER 2; seen 4, expected 2 * (4 + 4 + 4) / 5 = 4.8; alpha = 1 - 4 / 4.8.
    Tokens: LOC LOC LOC against LOC LOC O, PER, three O: 6 of 7 agree; pooled shares O 7/14,
    LOC 5/14, PER 2/14: P(E) = (49 + 25 + 4) / 196. Annotated tokens: 4, of which 3 agree; pooled
    shares O 1/8, LOC 5/8, PER 2/8: P(E) = 30 / 64.
    """
    found = fg.agreement(fg.align(ANN, {"ben": BEN}), first="ann")
    spans, tokens, annotated = (
        found.view(name).together for name in ("spans", "tokens", "annotated tokens")
    )
    assert _value(spans["f1"]) == pytest.approx(0.5)
    assert _value(spans["alpha"]) == pytest.approx(1 - 4 / 4.8)
    assert _value(tokens["percent"]) == pytest.approx(6 / 7)
    expected = 78 / 196
    assert _value(tokens["pooled_kappa"]) == pytest.approx((6 / 7 - expected) / (1 - expected))
    assert found.view("annotated tokens").units == 4
    expected = 30 / 64
    assert _value(annotated["pooled_kappa"]) == pytest.approx((0.75 - expected) / (1 - expected))
    labels = found.view("spans").labels
    assert {label: (one.uses, _value(one.measures["f1"])) for label, one in labels.items()} == {
        "LOC": (1.0, 0.0),
        "PER": (1.0, 1.0),
    }


def test_pairwise_f1_is_traditional_f1() -> None:
    gold, systems = small_corpora("spans")
    table = fg.align(gold, systems)
    scores = fg.score(table).to_json()
    for pair in fg.agreement(table, intervals=0).view("spans").pairs:
        if pair.first == 0:
            name = table.systems[pair.second - 1]
            f1 = scores[name]["overall"]["traditional"]["f1"]
            assert _value(pair.measures["f1"]) == pytest.approx(f1, nan_ok=True)


def test_percent_agreement_of_tags_is_accuracy() -> None:
    gold, systems = small_corpora("tags")
    table = fg.align(gold, systems)
    found = fg.agreement(table, intervals=0)
    for pair in found.view("units").pairs:
        if pair.first == 0:
            accuracy = fg.score(table).to_json()[table.systems[pair.second - 1]]["overall"][
                "accuracy"
            ]
            assert _value(pair.measures["percent"]) == pytest.approx(accuracy)


def test_the_mean_over_pairs_and_systems_beside_people() -> None:
    """Whole spans: ann-ben 0.5, ann-cho 2 * 1 / 4 = 0.5, ben-cho 0.5; two labels on one stretch."""
    table = fg.align(ANN, {"ben": BEN, "cho": CHO})
    found = fg.agreement(table, first="ann", systems=["cho"])
    assert found.people == ("ann", "ben")
    view = found.view("spans")
    assert _value(view.together["f1"]) == pytest.approx(0.5)
    assert _value(view.systems["cho"]["f1"]) == pytest.approx(0.5)
    tokens = found.view("tokens")
    with_people = [_value(pair.measures["percent"]) for pair in tokens.pairs if pair.second == 2]
    assert _value(tokens.systems["cho"]["percent"]) == pytest.approx(np.mean(with_people))


def test_nested_spans_make_joint_labels_of_tokens() -> None:
    text = [["the", "University", "of", "Bonn"]]
    base = Corpus.of(text)
    nested = Spans.of([(0, 0, 4, "ORG"), (0, 3, 4, "LOC")])
    flat = Spans.of([(0, 0, 4, "ORG")])
    table = fg.align(replace(base, spans=nested), {"flat": replace(base, spans=flat)}, task="spans")
    found = fg.agreement(table, intervals=0)
    assert _value(found.view("tokens").together["percent"]) == pytest.approx(3 / 4)
    assert _value(found.view("spans").together["f1"]) == pytest.approx(2 / 3)


def test_corpora_without_text_have_whole_spans_only() -> None:
    gold = Corpus("a", np.array([0, 3]), spans=Spans.of([(0, 0, 1, "A")]))
    other = Corpus("b", np.array([0, 3]), spans=Spans.of([(0, 0, 1, "A"), (0, 1, 2, "B")]))
    found = fg.agreement(fg.align(gold, {"b": other}, task="spans"))
    assert [view.name for view in found.views] == ["spans"]
    assert any("without text" in note for note in found.notes)


def test_words_of_trees_agree_if_head_and_relation_do() -> None:
    """Of four words the annotators have the same head in three, and the same relation in two."""
    gold = _tree("2 det", "3 nsubj", "0 root", "3 obj")
    other = _tree("2 amod", "3 nsubj", "0 root", "2 obj")
    found = fg.agreement(fg.align(gold, {"ben": other}, task="dependencies"), intervals=0)
    assert _value(found.view("heads and relations").together["percent"]) == pytest.approx(2 / 4)
    assert any(note.startswith("units: relations only; heads and rel") for note in found.notes)


def _tree(*arcs: str) -> Corpus:
    lines = (
        f"{at}\tw\t_\tX\t_\t_\t{arc.replace(' ', chr(9))}\t_\t_\n" for at, arc in enumerate(arcs, 1)
    )
    return conllu.read(source_of("t", ("".join(lines) + "\n").encode()))


def test_a_01_table_has_no_gold_annotator() -> None:
    found = fg.agreement(fg.from_matrix([[1, 1], [0, 1], [0, 0]], systems=["a", "b"]))
    assert found.systems == ("a", "b")
    assert _value(found.view("units").together["percent"]) == pytest.approx(2 / 3)


ROWS = st.lists(st.tuples(*[st.sampled_from(["x", "y", "z", None])] * 3), min_size=8, max_size=30)


@settings(max_examples=25, deadline=None)
@given(ROWS, st.randoms())
def test_order_of_units_changes_no_digit(
    rows: list[tuple[str | None, ...]], random: object
) -> None:
    turned = list(rows)
    random.shuffle(turned)  # type: ignore[attr-defined]
    one, two = (fg.agreement(fg.ratings(given), intervals=50).to_json() for given in (rows, turned))
    assert one == two


@settings(max_examples=25, deadline=None)
@given(ROWS)
def test_other_annotators_change_nothing_for_a_pair(rows: list[tuple[str | None, ...]]) -> None:
    three = fg.agreement(fg.ratings(rows), intervals=50).view("units").pairs
    two = fg.agreement(fg.ratings([row[:2] for row in rows]), intervals=50).view("units").pairs
    of_three = [pair for pair in three if (pair.first, pair.second) == (0, 1)]
    assert repr(of_three[0].measures) == repr(two[0].measures) if two else not of_three


def test_intervals_hold_the_value_and_depend_on_documents() -> None:
    play = fg.simulate(tokens=2_000, seed=2)
    found = fg.agreement(fg.align(play.gold, play.systems))
    assert found.sampling == ("document", play.gold.n_documents)
    for view in found.views:
        for one in view.together.values():
            assert one.low <= one.value <= one.high


def test_intervals_cover() -> None:
    """Two annotators who agree on a share of 0.8 (kappa 0.6): 95 % intervals hold it mostly."""
    generator, hits = np.random.default_rng(1), 0
    for _ in range(60):
        first = generator.integers(0, 2, 120)
        second = np.where(generator.random(120) < 0.8, first, 1 - first)
        rows = np.column_stack([first, second]).tolist()
        one = fg.agreement(fg.ratings(rows), intervals=200).view("units").together["pooled_kappa"]
        hits += bool(one.low <= 0.6 <= one.high)
    assert hits >= 52  # of 57 expected


def test_a_mean_over_pairs_that_are_not_all_defined_is_told() -> None:
    """b and c use one label only: their kappa is 0 / 0."""
    rows = [["x", "x", "x"], ["y", "x", "x"], ["y", "x", "x"], ["x", "x", "x"]]
    found = fg.agreement(fg.ratings(rows), intervals=0)
    note = "a mean over pairs leaves out those for which a measure is undefined"
    assert note in found.notes
    rows[0][2] = rows[1][1] = "y"
    assert note not in fg.agreement(fg.ratings(rows), intervals=0).notes


def test_ordinal_scale_takes_an_order() -> None:
    rows = [["low", "mid"], ["mid", "mid"], ["high", "low"], ["high", "high"]]
    with pytest.raises(fg.UsageError, match="'high' is not a number, so give the order of labels"):
        fg.agreement(fg.ratings(rows), scale="ordinal")
    given = fg.agreement(fg.ratings(rows), scale="ordinal", order=["low", "mid", "high"])
    numbers = [[{"low": 0, "mid": 1, "high": 2}[cell] for cell in row] for row in rows]
    same = fg.agreement(fg.ratings(numbers), scale="ordinal")
    for measure in ("linear_kappa", "quadratic_kappa", "ordinal_alpha"):
        one, two = (_value(found.view("units").together[measure]) for found in (given, same))
        assert one == pytest.approx(two)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "ordnial"}, "Did you mean 'ordinal'"),
        ({"scale": "interval"}, "'x' is not a number"),
        ({"scale": "ordinal", "order": ["x"]}, "'y' has no place"),
        ({"order": ["x", "y"]}, "scale='ordinal'"),
        ({"systems": ["a3"]}, "unknown annotator"),
        ({"systems": ["a1", "a2"]}, "all annotators are systems"),
    ],
)
def test_wrong_options_are_told(options: dict[str, object], message: str) -> None:
    with pytest.raises(fg.UsageError, match=message):
        fg.agreement(fg.ratings([["x", "y"], ["y", "y"]]), **options)  # type: ignore[arg-type]


def test_what_is_undefined_has_a_reason() -> None:
    found = fg.agreement(fg.ratings([["x", "x", None], ["x", None, None]]))
    together = found.view("units").together
    assert math.isnan(together["alpha"].value)
    assert any("nothing but agreement was possible" in note for note in found.notes)
    uneven = fg.agreement(fg.ratings([["x", "y", "x"], ["x", "y", None]]))
    assert any("different numbers of labels" in note for note in uneven.notes)


@settings(max_examples=30, deadline=None)
@given(TABLES)
def test_json_keeps_to_its_schema(table: fg.OutcomeTable) -> None:
    found = fg.agreement(table, first="the first", intervals=20)
    document = json.loads(as_json(found, command="finegrain agreement"))
    require_schema(document, "agreement")
    assert as_latex(found)
    assert as_markdown(found)
    assert as_csv(found).startswith("view,of,first")


# on the command line


def test_tables_of_labels(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text("ann,ben\nyes,yes\nno,\nno,yes\n")
    long = "label\tannotator\titem\tnote\nyes\tann\t1\t-\nyes\tben\t1\t-\nno\tann\t2\t-\n"
    (tmp_path / "long.tsv").write_text(long + "no\tann\t3\t-\nyes\tben\t3\t-\n")
    results = []
    for name in ("wide.csv", "long.tsv"):
        done = run("agreement", name, "--format", "json")
        assert done.returncode == 0, done.stderr
        results.append(json.loads(done.stdout)["result"])
        assert "3 items; 2 annotators; 1 label missing" in done.stderr
    assert results[0] == results[1]
    assert results[0]["views"]["units"]["together"]["percent"]["value"] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ann\tben\nx\ty\tz\n", ":2: expected 2 cells, found 3"),
        ("ann\tann\nx\ty\n", "two annotators are called 'ann'"),
        ("ann\tben\n", "no line of labels"),
        ("annotator\titem\tlabel\na\t1\tx\na\t1\ty\n", ":3: 'a' labels '1' a second time"),
        ("only\nx\n", "only one column"),
        ("a\t1\tx\nb\t1\tx\na\t2\ty\n", ":1: the first line should name the annotators"),
    ],
)
def test_bad_tables_are_told(run: Run, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.tsv").write_text(text)
    done = run("agreement", "bad.tsv")
    assert done.returncode == 3
    assert message in done.stderr


def test_annotators_are_named_and_options_checked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("Ada\tB-PER\nslept\tO\n")
    (tmp_path / "b.conll").write_text("Ada\tO\nslept\tO\n")
    done = run("agreement", "ann=a.conll", "b.conll", "--format", "json", "--no-intervals")
    assert json.loads(done.stdout)["systems"] == ["ann", "b"]
    assert run("agreement", "a.conll", "b.conll", "--scale", "interval").returncode == 2
    assert run("agreement", "a.conll", "b.conll", "--system", "c").returncode == 2
    assert run("agreement", "a.conll", "a=b.conll").returncode == 2
    (tmp_path / "labels.tsv").write_text("x\ty\n1\t1\n")
    assert (
        "does not apply to a table of labels"
        in run("agreement", "labels.tsv", "--task", "tags").stderr
    )


def test_no_labels_have_no_annotators() -> None:
    for nothing in ([], {}):
        assert fg.ratings(nothing).annotators == ()
        assert len(fg.ratings(nothing)) == 0
