"""Upper bounds of Tuggener (2017) as its program prints them, and bins of Gianola et al. (2021)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.cli.inputs import load
from finegrain.cli.options import Inputs
from finegrain.table.outside import within_spans

Reference = Callable[[str], Any]


def test_upper_bound_of_three_taggers(shared: Path, reference: Reference) -> None:
    """5,706 of 5,708 tokens, and every tag."""
    golden = reference("compareval.json")["pos_upper_bound_123"]
    folder = shared / "data" / "compareval"
    gold, *systems = (
        fg.read(str(folder / f"{name}.pos")) for name in ("gold", "sys1", "sys2", "sys3")
    )
    named = {f"sys{place + 1}": corpus for place, corpus in enumerate(systems)}
    found = fg.oracle(fg.align(gold, named, task="tags")).to_json()
    assert (found["overall"]["correct"], found["overall"]["units"]) == (5706, 5708)
    assert (golden["correct"], golden["tokens"]) == (5706, 5708)
    tags = {
        tag: [one["correct"], one["units"]] for tag, one in found["labels"].items() if one["units"]
    }
    assert tags == golden["per_tag"]
    # sys1, sys2, sys3 are right about 5,278, 5,400 and 5,081 tokens
    assert found["overall"]["systems"] == {
        "sys1": 5278 / 5708, "sys2": 5400 / 5708, "sys3": 5081 / 5708,
    }  # fmt: skip
    assert found["overall"]["gain"] == pytest.approx((5706 - 5400) / 5708)


@pytest.fixture(scope="module")
def files(shared: Path) -> list[str]:
    return sorted(map(str, (shared / "data" / "ner" / "bc5-chemical").glob("*-s1.tsv.gz")))


def _table(files: list[str], task: str) -> fg.OutcomeTable:
    columns = "token=1,gold=2,answer=3"
    return load(Inputs(files, columns=columns, task=task, quiet=True))


def test_contributions_of_twelve_systems_are_sums_over_the_bins_of_the_paper(
    files: list[str], reference: Reference
) -> None:
    """Tokens of BC5 chemical (table 3): Shapley = sum over bins of cell / bin, unique = bin 1."""
    golden = reference("differential_evaluation.json")["bc5_chemical"]
    found = fg.oracle(within_spans(_table(files, "tags")))
    sizes = golden["bin_sizes"]
    assert int(found.units.sum()) == golden["n_items"] == 7015
    assert found.greedy.solved[-1] == 7015 - sizes[0]
    for place, name in enumerate(golden["systems_in_file_order"]):
        cells = golden["tp_per_system_per_bin"][name]
        shapley = sum(cell / size for size, cell in enumerate(cells) if size)
        assert found.contributions.unique[place] == cells[1]
        assert found.contributions.shapley[place] == pytest.approx(shapley)
    assert found.contributions.unique.sum() == sizes[1]
    assert found.contributions.shapley.sum() == pytest.approx(7015 - sizes[0])


def test_entities_of_twelve_systems(files: list[str]) -> None:
    """5,386 entities, 98 of them in bin 0 and 49 in bin 1; the best system has 5,007."""
    found = fg.oracle(_table(files, "spans"))
    assert found.greedy.solved[-1] == 5386 - 98
    assert found.contributions.unique.sum() == 49
    assert found.bound().gain == pytest.approx((5386 - 98 - 5007) / 5386)
    recall = (5386 - 98) / 5386
    assert found.bound("f1").oracle == pytest.approx(2 * recall / (1 + recall))
