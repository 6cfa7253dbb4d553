"""How often intervals over seeds and items hold the true mean, and how often plain ones do.

Scores of items in runs are drawn from a model with effects of seeds, of items, and noise of single
answers; 95 % of intervals should hold the mean. Plain is the hierarchical bootstrap.
``python -m benchmarks.seeds --runs 500`` prints the table of docs/seeds.md.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.resampling.distinct import distinct
from finegrain.resampling.runs import mean_of_runs

ITEMS, RESAMPLES, MEAN = 200, 300, 5.0


class World(NamedTuple):
    """Standard deviations of what makes scores differ."""

    name: str
    seeds: float
    items: float
    noise: float


WORLDS = (
    World("seeds matter most", 0.03, 0.05, 0.05),
    World("items matter most", 0.0, 0.2, 0.0001),
    World("single answers matter most", 0.0, 0.05, 0.3),
    World("a little of everything", 0.01, 0.1, 0.1),
)


def _scores(generator: np.random.Generator, world: World, runs: int) -> NDArray[np.float64]:
    """``[item, run]``"""
    seeds = generator.normal(0, world.seeds, runs)
    items = generator.normal(0, world.items, (ITEMS, 1))
    return MEAN + seeds + items + generator.normal(0, world.noise, (ITEMS, runs))


def _plain(generator: np.random.Generator, scores: NDArray[np.float64]) -> tuple[float, float]:
    """Percentiles when runs, and items, are drawn with replacement."""
    weights = generator.multinomial(ITEMS, np.full(ITEMS, 1 / ITEMS), RESAMPLES)
    means = weights @ scores / ITEMS
    chosen = generator.integers(0, scores.shape[1], means.shape)
    low, high = np.quantile(np.take_along_axis(means, chosen, 1).mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def _covered(world: World, runs: int, times: int) -> tuple[float, float]:
    """Shares of intervals that hold the mean: finegrain's, and the plain bootstrap's."""
    generator = np.random.default_rng(runs)
    ours = plain = 0
    for number in range(times):
        scores = _scores(generator, world, runs)
        made = [distinct(np.column_stack([run, np.ones(ITEMS)])) for run in scores.T]
        found = mean_of_runs(
            made, lambda sums: sums[..., 0] / sums[..., 1], resamples=RESAMPLES, seed=number
        )
        ours += found.low <= MEAN <= found.high
        low, high = _plain(generator, scores)
        plain += low <= MEAN <= high
    return ours / times, plain / times


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500, help="simulated experiments per cell")
    times = parser.parse_args().runs
    print("| what differs | runs | finegrain | hierarchical bootstrap |")
    print("|:--|--:|--:|--:|")
    for world in WORLDS:
        for runs in (3, 5, 10):
            ours, plain = _covered(world, runs, times)
            print(
                f"| {world.name} | {runs} | {100 * ours:.1f} % | {100 * plain:.1f} % |", flush=True
            )


if __name__ == "__main__":
    main()
