"""Every reference value of items, as ``--format json`` prints it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run_finegrain

EXACT = 1e-12


def _data(shared: Path, folder: str) -> tuple[Path, dict[str, Any]]:
    home = shared / "data" / folder
    if not home.is_dir():
        pytest.skip(f"needs the reference data in {folder}")
    return home, json.loads((home / "reference.json").read_text())


def _printed(*words: str) -> Any:
    found = run_finegrain(*words, "--format", "json", "--quiet", cwd=Path())
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def _result(*words: str) -> Any:
    return _printed(*words)["result"]


def _files(home: Path, systems: dict[str, Any], pattern: str) -> list[str]:
    return [f"{name}={home / pattern.format(name)}" for name in systems]


CLASSES = {
    "accuracy": "accuracy", "balanced_accuracy": "balanced_accuracy", "f1_macro": "macro_f1",
    "f1_micro": "micro_f1", "f1_weighted": "weighted_f1", "cohen_kappa": "kappa", "mcc": "mcc",
}  # fmt: skip
SETS = {
    "sst2": (["sst2-dataset.tsv"], "sst2-{}-output.txt", []),
    "snli": (["snli-dataset.tsv.gz"], "snli-{}-output.txt", []),
    "fig_qa": (["fig_qa-dataset.json.gz"], "fig_qa-{}-output.json", ["-t", "classification"]),
    "xnli-en": ([], "{}.json.gz", ["--columns", "gold=true_label,answer=predicted_label"]),
}


@pytest.mark.parametrize("name", SETS)
def test_classification(shared: Path, name: str) -> None:
    home, reference = _data(shared, f"classification/{name}")
    gold, pattern, options = SETS[name]
    expected = reference["systems"]
    files = [*(str(home / one) for one in gold), *_files(home, expected, pattern), *options]
    scores = _result("score", *files, "--no-intervals")
    counts = _result("confusion", *files)
    for system, values in expected.items():
        overall, labels = scores[system]["overall"], scores[system]["labels"]
        assert overall["error_rate"] == pytest.approx(1 - values["accuracy"], abs=EXACT)
        for theirs, ours in CLASSES.items():
            assert overall[ours] == pytest.approx(values[theirs], abs=EXACT), (system, ours)
        assert sum(row["support"] for row in labels.values()) == values["n"]
        for label, row in values["per_label"].items():
            assert set(labels[label]) == {"precision", "recall", "f1", "support"}
            for theirs, ours in (("recall", "recall"), ("f1-score", "f1"), ("support", "support")):
                assert labels[label][ours] == pytest.approx(row[theirs], abs=EXACT)
            precision = labels[label]["precision"]  # nothing predicted: undefined here, 0 there
            assert (precision or 0.0) == pytest.approx(row["precision"], abs=EXACT)
        matrix = values["confusion_matrix_rows_gold"]
        for label, row in zip(values["labels"], matrix, strict=True):
            found = counts[system].get(label, {})
            assert [found.get(one, 0) for one in values["labels"]] == row
    for key, values in reference.items():
        if key.startswith("mcnemar "):
            one, other = key.removeprefix("mcnemar ").split(" vs ")
            both = [word for word in files if not word.startswith(tuple(expected)) or
                    word.startswith((f"{one}=", f"{other}="))]  # fmt: skip
            (pair,) = _result("significance", *both, "--test", "mcnemar")["pairs"]
            assert (pair["first"], pair["second"]) == (one, other)
            assert pair["p"] == pytest.approx(values["exact_p_two_sided"])
            assert (pair["worse"], pair["better"]) == (
                values["only_first_correct"], values["only_second_correct"],
            )  # fmt: skip


def test_snli_without_the_items_that_have_no_consensus(shared: Path) -> None:
    home, reference = _data(shared, "classification/snli")
    files = [str(home / "snli-dataset.tsv.gz"), f"roberta={home / 'snli-roberta-output.txt'}"]
    found = _result("score", *files, "--exclude", "-", "--no-intervals")["roberta"]
    labels = reference["systems"]["roberta"]["confusion_matrix_rows_gold"]
    right, items = sum(labels[at][at] for at in range(1, 4)), sum(map(sum, labels[1:]))
    assert (right, items) == (8644, 9824)
    assert found["overall"]["accuracy"] == pytest.approx(right / items, abs=EXACT)
    assert found["labels"]["-"] == {"precision": None, "recall": None, "f1": None, "support": 0}


def test_multilabel(shared: Path) -> None:
    home, reference = _data(shared, "multilabel/goemotions-original")
    names = {
        "subset_accuracy": "subset_accuracy", "hamming_loss": "hamming",
        "jaccard_samples": "jaccard", "f1_micro": "micro_f1", "f1_macro": "macro_f1",
        "f1_weighted": "weighted_f1", "f1_samples": "samples_f1",
        "precision_micro": "micro_precision", "recall_micro": "micro_recall",
    }  # fmt: skip
    expected = reference["systems"]
    files = [str(home / "gold.jsonl.gz"), *_files(home, expected, "system-{}.jsonl.gz")]
    found = _result("score", *files, "--no-intervals")
    for system, values in expected.items():
        for theirs, ours in names.items():
            overall = found[system]["overall"]
            assert overall[ours] == pytest.approx(values[theirs], abs=EXACT), (system, ours)
        assert set(values["per_label"]) == set(found[system]["labels"]) == set(reference["labels"])
        for label, row in values["per_label"].items():
            own = found[system]["labels"][label]
            assert own["support"] == row["support"]
            for name in ("precision", "recall", "f1"):
                assert (own[name] or 0.0) == pytest.approx(row[name], abs=EXACT)


def test_question_answering(shared: Path) -> None:
    home, reference = _data(shared, "qa/xquad-en")
    expected = reference["systems"]
    gold = str(home / "mlpp.json.gz")
    printed = _printed("score", gold, *_files(home, expected, "{}.json.gz"))
    assert "|units:1190|" in printed["signature"]
    found = printed["result"]
    for system, values in expected.items():
        assert values["n"] == 1190
        for name in ("exact_match", "f1"):
            assert found[system]["overall"][name] == pytest.approx(values[name] / 100, abs=EXACT)


def test_regression(shared: Path) -> None:
    home, reference = _data(shared, "regression/sts-2014")
    expected = reference["systems"]
    files = [str(home / "gold.tsv.gz"), *_files(home, expected, "system-{}.tsv")]
    found = _result("score", *files, "--task", "regression", "--no-intervals")
    buckets = _result(
        "buckets", *files, "--by", "domain", "--metric", "pearson", "--no-intervals"
    )["domain"]  # fmt: skip
    for system, values in expected.items():
        for theirs in ("pearson", "spearman", "kendall_tau_b", "mse", "rmse", "mae", "r2"):
            ours = theirs.removesuffix("_tau_b")
            overall = found[system]["overall"]
            assert overall[ours] == pytest.approx(values[theirs], abs=1e-10), (system, ours)
        domains = dict(zip(buckets["names"], buckets["systems"][system]["pearson"], strict=True))
        assert domains == pytest.approx(values["per_domain_pearson"], abs=1e-10)
        assert sum(buckets["gold_sizes"]) == values["n"]


def _ranked(home: Path, gold: str, runs: list[str], expected: dict[str, Any]) -> Any:
    """Scores by the measures that have a value there; one is an error message."""
    names = [name for name, value in expected.items() if isinstance(value, float)]
    assert len(names) >= 12
    asked = ("--metric", ",".join(names), "--no-intervals")
    return names, _result("score", str(home / gold), *runs, "--task", "ranking", *asked)


def test_ranking(shared: Path) -> None:
    home, reference = _data(shared, "ranking/cranfield")
    expected = reference["systems"]
    runs = _files(home, expected, "run.{}.txt.gz")
    for system, values in expected.items():
        names, found = _ranked(home, "qrels.txt", runs, values)
        overall = found[system]["overall"]
        for name in names:
            ours = "bpref" if name == "Bpref" else name
            assert overall[ours] == pytest.approx(values[name], abs=EXACT), (system, name)
        peer = values["pytrec_eval (mean over queries present in run and qrels)"]
        assert values["n_queries_in_both"] == reference["n_queries_in_qrels"]  # the same means
        for theirs, ours in (("map", "AP"), ("recip_rank", "RR"), ("ndcg", "nDCG")):
            assert overall[ours] == pytest.approx(peer[theirs], abs=EXACT)
        for theirs, ours in (("ndcg_cut_10", "nDCG@10"), ("P_10", "P@10")):
            assert overall[ours] == pytest.approx(peer[theirs], abs=EXACT)


def test_ranking_of_trec_eval(shared: Path) -> None:
    home, reference = _data(shared, "ranking/trec_eval-test")
    expected = reference["ir_measures on results.test/qrels.test"]
    names, found = _ranked(home, "qrels.test", [f"run={home / 'results.test'}"], expected)
    for name in names:
        ours = "bpref" if name == "Bpref" else name
        assert found["run"]["overall"][ours] == pytest.approx(expected[name], abs=EXACT), name


@pytest.mark.parametrize("name", ["rte", "temp"])
def test_agreement_of_a_crowd(shared: Path, name: str) -> None:
    home, reference = _data(shared, "agreement/snow2008")
    expected = reference["sets"][name]
    found = _result("agreement", str(home / f"{name}.tsv"), "--no-intervals")
    view = found["views"]["units"]
    assert (view["units"], len(found["people"])) == (expected["items"], expected["annotators"])
    together = {measure: one["value"] for measure, one in view["together"].items()}
    alpha = expected["krippendorff_alpha_nominal (krippendorff)"]
    assert together["alpha"] == pytest.approx(alpha, abs=EXACT)
    fleiss = expected["fleiss_kappa (statsmodels)"]
    assert together["fleiss_kappa"] == pytest.approx(fleiss, abs=EXACT)
    both = set(expected["pair"]["annotators"])
    (pair,) = (one for one in view["pairs"] if {one["first"], one["second"]} == both)
    assert pair["units"] == expected["pair"]["common_items"]
    theirs = expected["pair"]["nltk"]
    assert pair["measures"]["cohen_kappa"]["value"] == pytest.approx(theirs["kappa"], abs=EXACT)
    assert pair["measures"]["pooled_kappa"]["value"] == pytest.approx(theirs["pi"], abs=EXACT)
    assert pair["measures"]["percent"]["value"] == pytest.approx(theirs["avg_Ao"], abs=EXACT)


@pytest.mark.parametrize("scale", ["interval", "ordinal"])
def test_agreement_on_ordered_scales(shared: Path, scale: str) -> None:
    home, reference = _data(shared, "agreement/snow2008")
    expected = reference["sets"]["wordsim"][f"krippendorff_alpha_{scale} (krippendorff)"]
    found = _result("agreement", str(home / "wordsim.tsv"), "--scale", scale, "--no-intervals")
    value = found["views"]["units"]["together"][f"{scale}_alpha"]["value"]
    assert value == pytest.approx(expected, abs=EXACT)
