"""Options of intervals, which commands that compare share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

IntervalsOption = Annotated[
    int, typer.Option(min=0, metavar="N", help="Resamples for intervals; 0 for none.")
]
NoIntervalsOption = Annotated[
    bool, typer.Option("--no-intervals", help="No intervals: to be quick.")
]
ConfidenceOption = Annotated[float, typer.Option(metavar="SHARE", help="Of the intervals.")]
SeedOption = Annotated[int, typer.Option(min=0, help="The same seed gives the same intervals.")]


def drawing(intervals: int, confidence: float, seed: int, *, no_intervals: bool) -> dict[str, Any]:
    """What the analyses are told.

    >>> drawing(1000, 0.95, 1, no_intervals=True)
    {'intervals': 0, 'confidence': 0.95, 'seed': 1}
    """
    return {
        "intervals": 0 if no_intervals else intervals, "confidence": confidence, "seed": seed,
    }  # fmt: skip
