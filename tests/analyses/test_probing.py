"""Probes: types are kept apart, controls are memory, and codes are as long as by hand."""

from __future__ import annotations

import csv
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.studies import probes
from finegrain.analyses.studies.probes import LINEAR, MLP, Data
from finegrain.analyses.studies.probing import Probing
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.items import of_fields
from finegrain.errors import InputError, MissingExtra, UsageError
from tests.command_line import run_finegrain

pytest.importorskip("sklearn", reason="needs the extra probe")


def _data(items: int = 60, seed: int = 0) -> Data:
    """Two labels that one dimension tells apart, two items of each of 30 types."""
    draw = np.random.default_rng(seed)
    types = np.repeat(np.arange(items // 2), 2)
    label = np.arange(items) % 2
    vectors = draw.normal(size=(items, 4))
    vectors[:, 0] += 6 * label
    return Data(vectors, label, types, 2)


def test_folds_never_share_types() -> None:
    data = _data()
    for train, test in probes._folds(data, 5, 1, by_type=True):
        assert not set(data.type[train]) & set(data.type[test])
        assert len(train) + len(test) == 60
    shared = [
        set(data.type[train]) & set(data.type[test])
        for train, test in probes._folds(data, 5, 1, by_type=False)
    ]
    assert any(shared)


@pytest.mark.parametrize("probe", [LINEAR, MLP])
def test_a_label_that_vectors_show_is_read_off(probe: probes.Probe) -> None:
    data = _data()
    answers = probes.out_of_fold(data, probe, folds=3, seed=1, by_type=True)
    assert (answers == data.label).mean() > 0.95


def test_the_linear_probe_is_scikit_learns() -> None:
    """Standardised by the training items, predicted in the folds of StratifiedGroupKFold."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = _data(seed=3)
    data = data._replace(vectors=data.vectors * [0.3, 5, 1, 1])
    expected = cross_val_predict(
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        data.vectors, data.label, groups=data.type,
        cv=StratifiedGroupKFold(5, shuffle=True, random_state=7),
    )  # fmt: skip
    found = probes.out_of_fold(data, LINEAR, folds=5, seed=7, by_type=True)
    assert found.tolist() == expected.tolist()


def test_control_labels_are_those_of_types() -> None:
    data = _data()
    other = probes.control(data, 1)
    for code in np.unique(data.type):
        assert len(set(other.label[data.type == code].tolist())) == 1
    assert not (other.label == data.label).all()


def test_random_vectors_are_memorised_and_nothing_else() -> None:
    """Types have one label each here: with shared types it is known, with new ones it is not."""
    data = _data(240)._replace(label=np.repeat(np.random.default_rng(5).integers(0, 2, 120), 2))
    data = data._replace(vectors=np.zeros((240, 200)))
    drawn = probes.random_vectors(data, 1)
    known = probes.out_of_fold(drawn, LINEAR, folds=10, seed=1, by_type=False)
    unseen = probes.out_of_fold(drawn, LINEAR, folds=10, seed=1, by_type=True)
    assert (known == data.label).mean() > 0.8
    assert 0.35 < (unseen == data.label).mean() < 0.65


def test_the_code_length_is_that_of_its_blocks() -> None:
    """40 items: blocks end after 4, 5, 10, 20, 40; the first has 1 bit an item."""
    data = _data(40)
    found = probes.code_length(data, LINEAR, seed=2)
    order = np.random.default_rng([2, 3]).permutation(40)
    bits = 4.0
    ends = [4, 5, 10, 20, 40]
    assert [step.size for step in found.steps] == ends[:-1]
    for begin, end in pairwise(ends):
        model = probes.trained(data, order[:begin], LINEAR, 2)
        for item in order[begin:end]:
            chance = model.chances(data.vectors[[item]], 2)[0, data.label[item]]
            bits -= math.log2(0.99 * chance + 0.005)
    assert found.bits == pytest.approx(bits)
    assert found.uniform == 40
    assert found.compression == pytest.approx(40 / bits)


def test_training_items_of_one_label_give_that_label() -> None:
    data = _data()
    model = probes.trained(data, np.arange(0, 60, 2), LINEAR, 1)
    assert model.chances(data.vectors[:3], 2).tolist() == [[1, 0]] * 3


@pytest.fixture(scope="module")
def probed() -> Probing:
    made = fg.simulate_vectors(tokens=8000, systems={"knows": [], "blind": ["static", "number"]})
    return fg.probe(made.gold, made.systems, label="number", type="lemma", seeds=2, intervals=100)


def test_what_was_planted_is_found(probed: Probing) -> None:
    systems = probed.data["systems"]
    assert systems["knows@layer2"]["accuracy"] > 0.95
    assert systems["knows@layer2"]["selectivity"] > 0.15
    assert systems["knows@layer2"]["compression"] > 2 > systems["blind"]["compression"]
    for nothing in ("blind", "majority", "random", "knows@layer0"):
        assert systems[nothing]["accuracy"] < 0.75
    curve = systems["knows@layer2"]["learning_curve"]
    assert [step["learnt_from"] for step in curve] == sorted(step["learnt_from"] for step in curve)
    assert curve[-1]["accuracy"] > 0.9


def test_probes_have_a_figure(probed: Probing) -> None:
    assert len(probed.chart().spec["concat"]) == 2


def test_predictions_are_a_table_of_classification(probed: Probing) -> None:
    table = probed.table
    assert table is not None
    assert str(table.task) == "classification"
    assert table.corpus.n_documents == 40  # lemmas
    found = fg.score(table, ["mean_accuracy"])
    for name in probed.systems:
        own = probed.data["systems"][name]
        assert found.value("mean_accuracy", name) == pytest.approx(own["accuracy"])
        assert own["accuracy"] == pytest.approx(np.mean(own["seeds"]))
    assert "kind" in str(fg.buckets(table, by=["kind"]))
    assert fg.difficulty(table).listings()
    low, high = probed.data["systems"]["knows@layer1"]["interval"]
    assert low < probed.data["systems"]["knows@layer1"]["accuracy"] <= high


def test_the_same_seed_gives_the_same_answers(probed: Probing) -> None:
    made = fg.simulate_vectors(tokens=8000, systems={"knows": [], "blind": ["static", "number"]})
    again = fg.probe(made.gold, made.systems, label="number", type="lemma", seeds=2, intervals=100)
    assert again.data == probed.data
    assert [plot.title for plot in again.plots] == ["Accuracy by layer", "Learning curves"]


def _labels(labels: str, **fields: str) -> Corpus:
    columns = {"label": labels, **fields}
    return of_fields("labels", {name: Texts.of(one.split()) for name, one in columns.items()})


def test_items_without_types_have_no_control_task() -> None:
    vectors = np.random.default_rng(0).normal(size=(12, 3))
    found = fg.probe(_labels("a b " * 6), {"m": vectors}, folds=3, seeds=1, intervals=0)
    assert found.data["type"] == "item"
    assert found.data["systems"]["m"]["control"] is None
    assert "there is no control task" in found.notes[0]


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        (_labels("a a a a a a"), {}, "all items have one label"),
        (_labels("a b a b a b"), {"label": "labels"}, "Did you mean 'label'"),
        (_labels("a b a b a b"), {"type": "word"}, "unknown column with the type 'word'"),
        (_labels("a b a b a b"), {"folds": 9}, "6 types for 9 folds"),
        (_labels("a b a b a b"), {"classifier": "svm"}, "Known: linear, mlp"),
        (_labels("a b a b a b"), {"folds": 1}, "2 folds and 1 seed"),
        (_labels("a b a b"), {"folds": 2}, "6 vectors where labels has 4"),
        (_labels("a b a b a b", id="p q r s t t"), {}, "two vectors are called 't'"),
    ],
)
def test_what_cannot_be_probed_says_why(
    labels: Corpus, options: dict[str, object], message: str
) -> None:
    vectors = np.arange(12.0).reshape(6, 2)
    if "id" in labels.fields:
        vectors = vectors[:5]
    with pytest.raises((InputError, UsageError), match=message):
        fg.probe(labels, {"m": vectors}, **options)  # type: ignore[arg-type]


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(probes, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"finegrain\[probe\]"):
        fg.probe(_labels("a b a b a b"), {"m": np.zeros((6, 2))}, folds=2)


def test_predictions_are_written_and_scored(tmp_path: Path) -> None:
    made = ["simulate", "play", "--task", "representations", "--tokens", "2000"]
    assert run_finegrain(*made, "-s", "m=static", cwd=tmp_path).returncode == 0
    done = run_finegrain(
        "probe", "play/gold.jsonl", "play/m.jsonl", "--label", "number", "--type", "lemma",
        "--seeds", "2", "--no-intervals", "-p", "probed", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "20 items; 10 types (lemma); label number: plural, singular" in done.stderr
    with (tmp_path / "probed" / "m.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 40
    assert {row["run"] for row in rows} == {"1", "2"}
    scored = run_finegrain("score", "probed/gold.csv", "probed/m.csv", cwd=tmp_path)
    assert scored.returncode == 0, scored.stderr
    assert "mean accuracy" in scored.stdout
