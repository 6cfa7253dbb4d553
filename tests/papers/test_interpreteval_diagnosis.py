"""Diagnoses and tests of Fu, Liu and Neubig (2020): WNUT16, and the breakdowns they published."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.resampling.rank_tests import friedman, signed_ranks

SIGNIFICANCE = "significance_reference(scipy, computed from shipped breakdown files)"
EIGHT = (
    "entity_length", "sentence_length", "entity_density", "oov_density", "entity_frequency",
    "token_frequency", "entity_consistency", "token_consistency",
)  # fmt: skip


@pytest.fixture(scope="module")
def diagnosed(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The diagnosis of the two systems on WNUT16, flair minus elmo."""
    home, folder = shared / "data/ner/wnut16", tmp_path_factory.mktemp("wnut16")
    for name in ("test", "train", "system-flair", "system-elmo"):
        (folder / name).write_bytes(gzip.decompress((home / f"{name}.txt.gz").read_bytes()))
    systems = {name: fg.read(str(folder / f"system-{name}")) for name in ("flair", "elmo")}
    table = fg.align(fg.read(str(folder / "test")), systems)
    train = fg.read(str(folder / "train"))
    return fg.diagnose(table, train=train, system="flair", against="elmo").to_json()


def test_holistic_scores_are_those_of_the_paper(diagnosed: Any) -> None:
    shown = {name: round(100 * value, 2) for name, value in diagnosed["overall"].items()}
    assert shown == {"flair": 45.96, "elmo": 45.33}  # table 1


@pytest.mark.parametrize("attribute", EIGHT)
def test_measures_and_diagnoses_of_wnut16(
    attribute: str, diagnosed: Any, reference: Callable[[str], Any]
) -> None:
    wanted = reference("attributes_wnut16.json")["attributes"][attribute]
    found = diagnosed["attributes"][attribute]
    assert found["zeta"] == pytest.approx(wanted["zeta"], abs=1e-12)
    assert found["rho"] == pytest.approx(wanted["rho"], abs=1e-12)
    assert found["gold_sizes"] == wanted["gold_sizes"]
    for system, expected in wanted["systems"].items():
        own = found["systems"][system]
        assert own["scores"] == pytest.approx(expected["f1"], abs=1e-12)
        assert own["spearman"] == pytest.approx(expected["spearman"], abs=1e-12)
        assert own["std"] == pytest.approx(expected["std"], abs=1e-12)
    for system, expected in wanted["self_diagnosis"].items():
        own = found["self_diagnosis"][system]
        assert (own["best"], own["worst"]) == (expected["best"], expected["worst"])
        scores = [own["best_score"], own["worst_score"], own["gap"]]
        assert scores == pytest.approx(
            [expected["best_f1"], expected["worst_f1"], expected["gap"]], abs=1e-12
        )


@pytest.mark.parametrize("attribute", EIGHT)
def test_comparative_diagnoses_of_wnut16(
    attribute: str, diagnosed: Any, reference: Callable[[str], Any]
) -> None:
    wanted = reference("attributes_wnut16.json")["attributes"][attribute]["comparative"]
    assert wanted["order"] == "flair minus elmo"
    found = diagnosed["comparisons"][0]["attributes"][attribute]
    assert found["differences"] == pytest.approx(wanted["f1_difference"], abs=1e-12)
    for end in ("largest", "smallest"):
        assert found[end] == wanted[end]
        assert found[f"{end}_difference"] == pytest.approx(wanted[f"{end}_difference"], abs=1e-12)


def test_wilcoxon_of_the_published_breakdowns(reference: Callable[[str], Any]) -> None:
    tested = reference("interpreteval_published_breakdowns.json")[SIGNIFICANCE]["wilcoxon"]
    assert len(tested) == 8
    for expected in tested.values():
        found = signed_ranks(np.array(expected["x"]), np.array(expected["y"]))
        assert found.w == expected["W"]
        assert found.p == pytest.approx(expected["p"], abs=1e-12)
        assert found.pairs == 6


@pytest.mark.parametrize(
    ("part", "blocks"), [("friedman_dataset_dim", 5), ("friedman_model_dim", 6)]
)
def test_friedman_of_the_published_breakdowns(
    part: str, blocks: int, reference: Callable[[str], Any]
) -> None:
    """The scores behind these are not in the file, so blocks with the same statistic stand in.

    There are few values that n blocks of four ranks can give; each of the reference's must be one
    of them, with the same p.
    """
    tested = reference("interpreteval_published_breakdowns.json")[SIGNIFICANCE][part]
    rng = np.random.default_rng(1)
    orders = np.array(list(itertools.permutations(range(4))), float)
    known = {}
    for _ in range(6_000):
        some = orders[rng.integers(0, len(orders), blocks)]
        means = some.mean(axis=0) - 1.5
        known.setdefault(round(12 * blocks * float(means @ means) / 20, 6), some)
    concordant = np.tile(orders[0], (blocks, 1))
    known[3.0 * blocks] = concordant
    for alike in range(1, blocks):  # near agreement, which chance seldom gives
        for order in orders:
            some = np.concatenate([concordant[alike:], np.tile(order, (alike, 1))])
            means = some.mean(axis=0) - 1.5
            known.setdefault(round(12 * blocks * float(means @ means) / 20, 6), some)
            for other in orders:
                more = np.concatenate([some[1:], other[None]])
                means = more.mean(axis=0) - 1.5
                known.setdefault(round(12 * blocks * float(means @ means) / 20, 6), more)
    for expected in (one for attributes in tested.values() for one in attributes.values()):
        found = friedman(known[round(expected["chi2"], 6)])
        assert found.chi2 == pytest.approx(expected["chi2"], abs=1e-9)
        assert found.p == pytest.approx(expected["p"], abs=1e-12)
        assert found.blocks == blocks
