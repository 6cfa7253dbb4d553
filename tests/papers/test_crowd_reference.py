"""Labels of Snow et al. (2008): how right the crowd is about gold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg


@pytest.mark.parametrize(("name", "published"), [("rte", 0.897), ("temp", 0.94)])
def test_the_vote_of_ten_workers(shared: Path, name: str, published: float) -> None:
    """Snow et al., section 4: accuracy of ten voters, ties broken at random."""
    folder = shared / "data" / "agreement" / "snow2008"
    given = fg.read_crowd(str(folder / f"{name}.tsv"))
    sizes = json.loads((folder / "reference.json").read_text())["sets"][name]
    assert (len(given.label), len(given.items)) == (sizes["annotations"], sizes["items"])
    assert len(given.workers) == sizes["annotators"]
    found = fg.crowd(given, intervals=0)
    tied = found.counts[:, 0] == found.counts[:, 1]
    right = found.counts.argmax(axis=1) == found.gold
    expected = np.where(tied, 0.5, right).mean()
    assert expected == pytest.approx(published, abs=0.005)
    assert found.accuracy["dawid-skene"].value > found.accuracy["vote"].value


def test_the_model_on_recognising_entailment(shared: Path) -> None:
    """Accuracy of Dawid and Skene on these data, 92.75 %, by 742 of 800 items."""
    path = shared / "data" / "agreement" / "snow2008" / "rte.tsv"
    found = fg.crowd(fg.read_crowd(str(path)), intervals=0)
    assert found.accuracy["dawid-skene"].value == pytest.approx(742 / 800)
