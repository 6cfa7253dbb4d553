"""Tables 2, 3 and 5 of Gianola et al. (2021), cell by cell, and their entity-level counterparts.

Golden values: reference/differential_evaluation.json. Systems stand in the alphabetical order of
their files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.compare.difficulty import Difficulty
from finegrain.corpus import Corpus
from finegrain.views.numbers import written
from tests.conftest import Run

Reference = Callable[[str], Any]


def _same(found: Difficulty, golden: dict[str, Any]) -> None:
    """Sizes, cells, shares, percentages as printed, totals and recall."""
    result = found.to_json()
    names = dict(zip(golden["systems_in_file_order"], found.systems, strict=True))
    assert result["units"] == golden["n_items"]
    assert result["sizes"] == golden["bin_sizes"]
    for theirs, ours in names.items():
        assert result["counts"][ours] == golden["tp_per_system_per_bin"][theirs]
        assert result["shares"][ours] == pytest.approx(golden["prop_full"][theirs], abs=1e-15)
        percent = [int(written(share, "percent")) for share in result["shares"][ours]]
        assert percent == golden["pct_rounded"][theirs]
        assert result["totals"][ours] == golden["total_tp"][theirs]
        assert result["recall"][ours] == pytest.approx(golden["recall_full"][theirs], abs=1e-15)
        printed = written(result["recall"][ours], "score")
        assert printed == f"{golden['recall_pct_2dec'][theirs]:.2f}"


def test_hungarian_icd10(shared: Path, reference: Reference, run: Run) -> None:
    """Table 2: 97,537 labels and nine systems, from the bare table."""
    golden = reference("differential_evaluation.json")["HU"]
    path = str(shared / "data" / "difficulty" / "hungarian-icd10.tsv.gz")
    table = fg.align(fg.read(path, format="matrix", names=golden["systems_in_file_order"]), {})
    _same(fg.difficulty(table), golden)
    names = ",".join(golden["systems_in_file_order"])
    printed = run("difficulty", path, "--names", names, "--format", "json", "-q")
    assert json.loads(printed.stdout)["result"]["counts"] == golden["tp_per_system_per_bin"]


@pytest.fixture(scope="module")
def chemical(shared: Path) -> tuple[Corpus, dict[str, Corpus]]:
    folder = shared / "data" / "ner" / "bc5-chemical"
    columns = {"token": 1, "gold": 2, "answer": 3}
    read = {
        path.name.removesuffix(".tsv.gz"): fg.read(str(path), columns=columns)
        for path in sorted(folder.glob("*-s1.tsv.gz"))
    }
    first = next(iter(read.values()))
    gold = Corpus("gold", first.offsets, first.tokens, {"tags": first.layers["gold"]})
    return gold, {
        name: Corpus(name, one.offsets, one.tokens, {"tags": one.layers["answer"]})
        for name, one in read.items()
    }


def test_bc5_chemical_tokens(
    chemical: tuple[Corpus, dict[str, Corpus]], reference: Reference
) -> None:
    """Tables 3 and 5."""
    golden = reference("differential_evaluation.json")["bc5_chemical"]
    found = fg.difficulty(fg.align(*chemical, task="tags"), level="token")
    _same(found, golden)


def test_bc5_chemical_true_positives(shared: Path, reference: Reference) -> None:
    """The authors' own table of items: a header, and a name for every item."""
    golden = reference("differential_evaluation.json")["bc5_chemical"]
    path = shared / "data" / "ner" / "bc5-chemical" / "item-by-system-true-positives.tsv.gz"
    table = fg.align(fg.read(str(path)), {})
    assert (table.task.name, table.text(0), table.corpus.line(0)) == ("items", "0_famotidine", 2)
    _same(fg.difficulty(table), golden)


@pytest.mark.parametrize(
    ("policy", "key"),
    [("conlleval", "entity_level_lenient"), ("discard", "entity_level_strict_iob2")],
)
def test_bc5_chemical_entities(
    chemical: tuple[Corpus, dict[str, Corpus]], reference: Reference, policy: str, key: str
) -> None:
    """Whole entities, the first of the paper's future directions."""
    whole = reference("differential_evaluation.json")["bc5_chemical"]
    golden = whole["extras"][key]
    found = fg.difficulty(fg.align(*chemical, policy=policy))
    result = found.to_json()
    assert result["units"] == golden["n_gold_entities"]
    assert result["sizes"] == golden["bin_sizes"]
    for theirs, ours in zip(whole["systems_in_file_order"], found.systems, strict=True):
        expected = golden["per_system"][theirs]
        assert result["counts"][ours] == expected["tp_per_bin"]
        assert result["totals"][ours] == expected["TP"]
        assert result["recall"][ours] == pytest.approx(expected["recall"], abs=1e-15)


def test_own_data_gives_the_same_by_both_ways() -> None:
    """Without the shared data: systems against gold, and the 0/1 table made of them."""
    made = fg.simulate(tokens=3_000, seed=3)
    table = fg.align(made.gold, made.systems)
    cells = (table.outcome == table.outcomes.code("TP"))[table.is_gold]
    bare = fg.difficulty(fg.from_matrix(cells, systems=table.systems)).to_json()
    found = fg.difficulty(table).to_json()
    for key in ("sizes", "counts", "shares", "totals", "recall", "leave_one_out"):
        assert bare[key] == found[key]
