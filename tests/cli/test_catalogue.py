"""What ``finegrain list`` tells of a thing is what its code says about it."""

from __future__ import annotations

import pytest

from finegrain.cli.catalogue import explain


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("fair_f1", "Harmonic mean of precision and recall."),
        ("fair_macro_f1", "The mean over labels that have gold units or predictions"),
        ("support_weighted_f1", "The mean over labels, weighted by their gold units"),
        ("micro_f1", "The score of the counts summed over labels."),
        ("accuracy", "Share of units whose label is right"),
        ("partial_f1", "Harmonic mean of precision and recall."),
    ],
)
def test_a_metric_is_explained_by_the_function_it_is_named_after(name: str, first: str) -> None:
    told = explain("metrics", name).split("\n\n")
    place = next(at for at, part in enumerate(told) if part.startswith(first))
    assert told[place + 1].startswith(".. math::")
