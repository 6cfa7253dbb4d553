"""Scores by bucket: by hand, as sums, in every form, and on odd tables."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings

import finegrain as fg
from finegrain.alignment.entity_tokens import entity_tokens
from finegrain.analyses.evidence import GOLD as IS_GOLD
from finegrain.analyses.evidence import Evidence, hurts, in_bucket
from finegrain.analyses.selection.expressions import all_of
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.bucketing import Categories, Edges, EqualWidth
from finegrain.attributes.units import Units
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.metrics import METRICS
from finegrain.metrics.span_scores import span_counts
from finegrain.table.samples import Samples, whole
from finegrain.table.verdicts import produced
from finegrain.testing import reordered, small_corpora
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.schema import require_schema
from tests.table.corpora import TABLES

TEXT = [
    ["Ada", "saw", "New", "York", "City"],
    ["Bob", "ran"],
    ["in", "New", "York"],
]
GOLD = Corpus.of(
    TEXT,
    tags=[["B-PER", "O", "B-LOC", "I-LOC", "I-LOC"], ["B-PER", "O"], ["O", "B-LOC", "I-LOC"]],
)
SYSTEM = Corpus.of(
    TEXT,
    tags=[["B-PER", "O", "B-LOC", "I-LOC", "O"], ["B-ORG", "O"], ["O", "B-LOC", "I-LOC"]],
)
TABLE = fg.align(GOLD, {"s": SYSTEM})


def test_lengths_by_hand() -> None:
    """Gold: Ada and Bob (1), New York (2), New York City (3). The system has Ada and Bob (1), of
    which Ada is right, and New York twice (2), of which one is right.
    """
    found = fg.buckets(TABLE, "entity_length").to_json()["entity_length"]
    assert found["names"] == ["XS", "S", "L"]
    assert (found["values"], found["edges"], found["gold_sizes"]) == ([1, 2, 3], [], [2, 1, 1])
    assert found["zeta"] == (1 + 1 + 2 + 3) / 4
    system = found["systems"]["s"]
    assert system["predicted_sizes"] == [2, 2, 0]
    assert system["correct"] == [1, 1, 0]
    assert system["precision"] == [0.5, 0.5, None]
    assert system["recall"] == [0.5, 1, 0]
    assert system["f1"] == pytest.approx([0.5, 2 / 3, 0])
    # ranks of F1: 2, 3, 1 against 1, 2, 3: 1 - 6 * (1 + 1 + 4) / (3 * 8)
    assert system["spearman"] == pytest.approx(-0.5)
    assert system["std"] == pytest.approx(np.std([0.5, 2 / 3, 0]))
    assert found["few"] == [True, True, True]


def test_fair_scores_stand_with_the_gold_unit() -> None:
    """Bob is LE (half a FP, half a FN), New York City BES in the bucket of its own length; the New
    York that was charged to it counts nowhere, though it is a predicted unit of length 2.
    """
    found = fg.buckets(TABLE, "entity_length", metric="fair_f1").to_json()["entity_length"]
    system = found["systems"]["s"]
    assert system["f1"] == pytest.approx([2 / 3, 1, 0])
    assert system["precision"] == pytest.approx([1 / 1.5, 1, None])
    assert system["recall"] == pytest.approx([1 / 1.5, 1, 0])
    assert found["metric"] == "fair_f1"


def test_tokens_of_spans_by_hand() -> None:
    """Training: New 2 of 4 tokens, york none. Gold tokens: Ada, Bob, York, City, York unseen; New
    twice. The system lacks City and calls Bob ORG.
    """
    train = Corpus.of([["new", "NEW", "x", "y"]], tags=[["O", "O", "O", "O"]])
    found = fg.buckets(TABLE, "token_frequency", train=train).to_json()["token_frequency"]
    assert (found["level"], found["gold_sizes"]) == ("token", [5, 2])
    system = found["systems"]["s"]
    assert system["predicted_sizes"] == [4, 2]
    assert system["f1"] == pytest.approx([2 * 3 / 9, 1])


def test_tags_by_hand() -> None:
    """Two words of one letter, one wrong; two of more letters, both right."""
    text = [["a", "bb", "c", "ddd"]]
    gold = Corpus.of(text, tags=[["X", "Y", "X", "Y"]])
    system = Corpus.of(text, tags=[["X", "Y", "Y", "Y"]])
    found = fg.buckets(fg.align(gold, {"s": system}), "characters", buckets=2).to_json()
    assert found["characters"]["systems"]["s"]["accuracy"] == [0.5, 1]
    assert found["characters"]["systems"]["s"]["predicted_sizes"] == [2, 2]
    assert found["characters"]["metric"] == "accuracy"


def test_crossed_by_hand() -> None:
    """LOC: lengths 2 and 3; PER: length 1 twice; the invented ORG has no gold unit."""
    found = fg.buckets(TABLE, "entity_length+label").to_json()["entity_length+label"]
    sizes = dict(zip(found["names"], found["gold_sizes"], strict=True))
    assert {name: size for name, size in sizes.items() if size} == {
        "XS / PER": 2, "S / LOC": 1, "L / LOC": 1,
    }  # fmt: skip
    f1 = dict(zip(found["names"], found["systems"]["s"]["f1"], strict=True))
    assert f1["XS / PER"] == pytest.approx(2 / 3)
    assert f1["XS / (others)"] == 0
    assert f1["L / PER"] is None
    assert [one["attribute"] for one in found["crossed"]] == ["entity_length", "label"]


def test_choices() -> None:
    edges = {"entity_length": Edges((1,))}
    found = fg.buckets(TABLE, ["entity_length", "label"], bucketing=edges)
    assert found["entity_length"].gold.tolist() == [2, 2]
    wide = fg.buckets(TABLE, "entity_length", bucketing={"entity_length": EqualWidth(2)})
    assert wide["entity_length"].divisions[0].edges == (2,)
    assert fg.buckets(TABLE, "label", buckets=1)["label"].names == ("LOC", "(others)")
    by_width = fg.buckets(TABLE, "sentence_length", strategy="width", buckets=3)
    assert by_width["sentence_length"].divisions[0].edges == (3, 4)
    assert "strategy:width" in by_width.signature


def test_without_training_data_the_others_are_told() -> None:
    found = fg.buckets(TABLE)
    assert [one.name for one in found.attributes] == [
        "entity_length", "sentence_length", "entity_density",
    ]  # fmt: skip
    assert any("without training data there is no oov_density" in note for note in found.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"by": "entity_lenght"},
            "unknown attribute 'entity_lenght'. Did you mean 'entity_length'",
        ),
        ({"by": "word_frequency"}, "needs token_units, which the task spans does not have"),
        ({"by": "entity_frequency"}, "is learnt: give training data"),
        ({"by": "a+b+c"}, "two attributes can be crossed"),
        ({"by": "entity_length", "metric": "accuracy"}, "needs tags, which the task spans"),
        ({"by": "entity_length", "metric": "fair_document_macro_f1"}, "whole documents"),
        ({"by": "entity_length", "preset": "explainaboard"}, "unknown preset"),
        ({"by": "entity_length", "buckets": 0}, "at least 1"),
        ({"by": "entity_length", "strategy": "wide"}, "unknown strategy"),
        ({"by": "label", "bucketing": {"label": EqualWidth(2)}}, "does not divide them"),
        ({"by": "entity_length", "bucketing": {"entity_length": Categories()}}, "does not divide"),
        ({"by": "entity_length", "bucketing": {"label": Categories()}}, "unknown attribute"),
        ({"by": "entity_length+token_frequency", "train": GOLD}, "cannot be crossed"),
        ({"by": "oov_density", "train": "train.conll"}, "train takes a corpus"),
    ],
)
def test_wrong_choices_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        fg.buckets(TABLE, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("task", "metric"),
    [("tags", "sentence_accuracy"), ("dependencies", "sentence_las"),
     ("dependencies", "sentence_uas"), ("dependencies", "sentence_ls")],
)  # fmt: skip
def test_sentences_cannot_be_cut(task: str, metric: str) -> None:
    table = fg.align(*small_corpora(task), task=task)
    with pytest.raises(UsageError, match="whole sentences"):
        fg.buckets(table, "label", metric=metric)


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_every_form(task: str) -> None:
    gold, systems = small_corpora(task)
    by = ["sentence_length", "label", "label+sentence_length"]
    result = fg.buckets(fg.align(gold, systems), by, train=gold)
    document = json.loads(as_json(result, command="buckets"))
    require_schema(document, "buckets")
    assert "sentence_length" in as_csv(result)
    assert r"sentence\_length" in as_latex(result)
    assert "| zeta " in as_markdown(result)
    assert "Fewer than 30 gold units" in str(result)
    rows = result.records().rows
    assert {row[3] for row in rows} == set(systems)


def test_an_empty_gold_standard() -> None:
    empty = Corpus.of(TEXT, tags=[["O"] * len(line) for line in TEXT])
    found = fg.buckets(fg.align(empty, {"s": SYSTEM}, task="spans"), "entity_length")
    assert found["entity_length"].gold.tolist() == [0]
    assert found["entity_length"].predicted.tolist() == [[4]]
    assert np.isnan(found["entity_length"].spearman()).all()


BUILT_IN = [one for one in ATTRIBUTES.values() if not one.needs_training]


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_no_unit_is_lost_or_counted_twice(table: fg.OutcomeTable) -> None:
    """Gold, predicted and right units of all buckets are those of the corpus."""
    metric = METRICS["traditional_f1" if table.task.name == "spans" else "accuracy"]
    fitting = [one for one in BUILT_IN if one.applies_to(table.task)]
    whole_counts = fg.buckets(table, fitting[:1], metric=metric).attributes[0]
    for one in fg.buckets(table, fitting, metric=metric).attributes:
        assert one.gold.sum() == table.n_gold
        assert one.predicted.sum(axis=0).tolist() == whole_counts.predicted.sum(axis=0).tolist()
        assert one.correct.sum(axis=0).tolist() == whole_counts.correct.sum(axis=0).tolist()


@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_the_selection_of_a_bucket_finds_its_units(table: fg.OutcomeTable) -> None:
    """Gold, predicted and right units that a selection finds are those that were counted."""
    metric = METRICS["traditional_f1" if table.task.name == "spans" else "accuracy"]
    fitting = [one for one in BUILT_IN if one.applies_to(table.task)]
    found = fg.buckets(table, [*fitting, (fitting[0], fitting[1])], metric=metric)
    for one in found.attributes:
        for place, where in enumerate(found.where[one.name]):
            assert where is not None
            chosen = fg.select(table, where)
            assert int(chosen.is_gold.sum()) == one.gold[place], where
            assert produced(chosen).sum(axis=0).tolist() == one.predicted[place].tolist(), where


def test_units_with_tokens_in_buckets_by_hand() -> None:
    """In training, New and York are tokens 1 of 4 each; Ada, Bob and City are not there.

    Rows: Ada; New York, which only the system has, and which is charged to New York City; New York
    City; Bob as ORG, which is charged to Bob; Bob; New York.
    """
    train = Corpus.of([["in", "New", "York", "now"]], tags=[["O", "B-LOC", "I-LOC", "O"]])
    found = fg.buckets(TABLE, ["token_frequency", "entity_length"], train=train)
    of_tokens, of_units = found.attributes
    assert [bucket.range() for bucket in of_tokens.divisions[0].buckets] == ["0", "0.25"]
    assert of_tokens.gold.tolist() == [3, 4]  # Ada City Bob, and New York twice
    assert of_tokens.units is not None
    assert of_tokens.units.masks is not None
    assert of_tokens.units.masks.tolist() == [1, 2, 3, 1, 1, 2]
    assert [one.count for one in map(of_tokens.held, (0, 1)) if one] == [3, 2]
    assert [of_tokens.behind(bucket, 0).count for bucket in (0, 1)] == [3, 2]  # type: ignore[union-attr]
    where = all_of(hurts(TABLE.systems[0]), in_bucket("token_frequency", 1))
    assert of_tokens.behind(1, 0).where == where  # type: ignore[union-attr]
    assert (of_tokens.of_tokens, of_units.of_tokens) == (True, False)
    assert of_units.held(0) == Evidence.of(2, IS_GOLD, in_bucket("entity_length", 0))
    crossed = fg.buckets(TABLE, [("label", "entity_length")]).attributes[0]
    assert crossed.held(0) is crossed.behind(0, 0) is None


def test_more_buckets_of_tokens_than_a_number_has_bits_lead_nowhere() -> None:
    train = Corpus.of([["in", "New", "York", "now"]], tags=[["O", "B-LOC", "I-LOC", "O"]])
    for edges, known in ((51, True), (60, False)):
        many = {"token_frequency": Edges(tuple(np.linspace(0.001, 0.2, edges)))}
        one = fg.buckets(TABLE, "token_frequency", train=train, bucketing=many).attributes[0]
        assert len(one.gold) == edges + 1
        assert (one.held(0) is not None) == known


def test_selections_by_hand() -> None:
    """Reserved values are left out of the rest; what no selection can ask for has none."""
    table = fg.annotate(TABLE, {"mine": lambda table: table.sentence, "text": lambda t: t.begin})
    found = fg.buckets(table, ["entity_length", "label", "mine", "text"], buckets=2).where
    assert found["entity_length"] == ("entity_length=1", "entity_length!=1")
    assert found["label"] == (
        "label=LOC",
        "label=PER",
        "label!=none and not label=LOC and not label=PER",
    )
    assert found["mine"] == ("mine<=0", "mine>0")
    assert found["text"] == (None, None)  # a selection means the words
    preset = fg.buckets(TABLE, ["token_consistency"], train=GOLD, preset="interpreteval")
    assert set(preset.where["token_consistency"]) == {None}  # rounded


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_counts_of_buckets_add_up_to_those_of_the_corpus(table: fg.OutcomeTable) -> None:
    """For fair events, too: an error is in one bucket."""
    if table.task.name != "spans":
        return
    for level in (table, entity_tokens(table)):
        for name in ("entity_length", "label", "position"):
            values = ATTRIBUTES[name].of(Units(level))
            bucketing = ATTRIBUTES[name].default_bucketing
            division = bucketing.divide(values, level.is_gold)  # type: ignore[arg-type]
            samples = Samples(division.codes(values), len(division))
            parts = span_counts("target")(level, samples).sum(axis=0)
            assert np.array_equal(parts, span_counts("target")(level, whole(level))[0])


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_the_order_of_documents_and_systems_is_irrelevant(task: str) -> None:
    gold, systems = small_corpora(task)
    straight = fg.buckets(fg.align(gold, systems), train=systems["mixed"]).to_json()
    order = [2, 3, 0, 1]
    turned = {name: reordered(corpus, order) for name, corpus in reversed(list(systems.items()))}
    train = reordered(systems["mixed"], [3, 1, 0, 2])
    other = fg.buckets(fg.align(reordered(gold, order), turned), train=train).to_json()
    for name, found in straight.items():
        for key in ("edges", "values", "names", "gold_sizes", "systems"):
            assert other[name][key] == found[key], (name, key)
        assert other[name]["zeta"] == pytest.approx(found["zeta"])


def test_another_system_changes_nothing() -> None:
    gold, systems = small_corpora("spans")
    together = fg.buckets(fg.align(gold, systems), train=gold).to_json()
    for system, corpus in systems.items():
        alone = fg.buckets(fg.align(gold, {system: corpus}), train=gold).to_json()
        for name, found in alone.items():
            assert found["systems"][system] == together[name]["systems"][system]
