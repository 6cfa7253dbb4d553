"""Studies of rankings: curves and depths, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.evidence import in_bucket
from finegrain.analyses.listing import Linked
from finegrain.formats.source import source_of
from finegrain.formats.trec import read

RUN = b"a Q0 d1 1 9 x\na Q0 u 2 8 x\na Q0 d2 3 7 x\nb Q0 u 1 9 x\nb Q0 d1 2 8 x\nc Q0 u 1 1 x\n"


@pytest.fixture
def table() -> fg.OutcomeTable:
    """Query a: ranks 1 and 3 of two relevant documents; b: rank 2 of one; c: nothing found."""
    gold = read(source_of("qrels", b"a 0 d1 1\na 0 d2 1\nb 0 d1 1\nc 0 d1 1\n"))
    return fg.align(gold, {"run": read(source_of("run", RUN))})


def test_interpolated_precision_by_recall(table: fg.OutcomeTable) -> None:
    found = fg.study(table, "precision_recall", intervals=200)
    own = found.data["systems"]["run"]
    # up to recall 0.5: (1 + 1/2 + 0) / 3; above: (2/3 + 1/2 + 0) / 3
    assert own["precision"][:6] == pytest.approx([0.5] * 6)
    assert own["precision"][6:] == pytest.approx([7 / 18] * 5)
    (series,) = found.plots[0].series
    assert series.x.tolist() == [place / 10 for place in range(11)]
    assert series.y.tolist() == own["precision"]
    assert "intervals:200" in found.signature
    assert fg.study(table, "precision_recall", intervals=0).plots[0].series[0].low is None


def test_bands_hold_the_means_of_many_queries() -> None:
    made = fg.simulate_searches(tokens=600, systems={"one": [], "two": ["domain=law"]})
    found = fg.study(fg.align(made.gold, made.systems), "precision_recall", intervals=300)
    for series in found.plots[0].series:
        assert series.low is not None
        assert series.high is not None
        assert (series.low <= series.y).all()
        assert (series.y <= series.high).all()
        assert (series.high - series.low > 0).all()
        assert (np.diff(series.y) <= 1e-12).all()


def test_depth_of_the_first_relevant_document_leads_to_its_queries(
    table: fg.OutcomeTable,
) -> None:
    found = fg.study(table, "first_relevant")
    ranks = found.data["systems"]["run"]["ranks"]
    assert {name: count for name, count in ranks.items() if count} == {
        "1": 1, "2-3": 1, "not retrieved": 1,
    }  # fmt: skip
    (listing,) = found.tables
    assert [row[1] for row in listing.values] == [1, 1, 0, 0, 0, 0, 0, 1]
    ((name, codes),) = found.columns.items()
    assert codes.tolist() == [0, 1, 7]
    last = listing.rows[7][1]
    assert isinstance(last, Linked)
    assert last.evidence is not None
    assert last.evidence.where == in_bucket(name, 7)
    assert found.ranges[name][7] == "not retrieved"
    (series,) = found.plots[0].series
    assert dict(zip(series.x.tolist(), series.y.tolist(), strict=True)) == {
        1.0: pytest.approx(1 / 3), 2.0: pytest.approx(2 / 3),
    }  # fmt: skip


def test_wins_ties_and_losses_by_query(table: fg.OutcomeTable) -> None:
    """The other run is better for b, worse for a, and c is a tie."""
    gold = table.corpus
    other = read(source_of("other", b"a Q0 d1 1 9 x\nb Q0 d1 1 9 x\nc Q0 u 1 1 x\n"))
    both = fg.align(gold, {"run": read(source_of("run", RUN)), "other": other})
    text = " ".join(str(fg.difference(both, "run", "other", intervals=0)).split())
    assert "other is better on 1 and worse on 1 of 3 queries, with 1 tie" in text


def test_depths_fall_into_ranks_with_their_ends() -> None:
    """The relevant document at rank 1, 2, 3, 4, 5, 6, 10, 11, 20, 21, 100 and 101."""
    ranks = (1, 2, 3, 4, 5, 6, 10, 11, 20, 21, 100, 101)
    judged = "".join(f"q{rank} 0 good 1\n" for rank in ranks)
    lines = "".join(
        f"q{rank} Q0 {'good' if place == rank else f'd{place}'} {place} {200 - place} x\n"
        for rank in ranks
        for place in range(1, rank + 1)
    )
    run = read(source_of("run", lines.encode()))
    table = fg.align(read(source_of("qrels", judged.encode())), {"run": run})
    found = fg.study(table, "first_relevant").data["systems"]["run"]["ranks"]
    assert found == {
        "1": 1, "2-3": 2, "4-5": 2, "6-10": 2, "11-20": 2, "21-100": 2, "above 100": 1,
        "not retrieved": 0,
    }  # fmt: skip
