"""Are slices of graded units real? ``python -m benchmarks.graded_slices_study``.

The corpora of ``slices_study``, but a unit has a loss that is drawn from an exponential or a
heavy-tailed (lognormal) distribution, of which less is better. Documents differ in how hard they
are. Without a weakness, at most 5 % of the corpora may report a slice; the second table has losses
that are larger by half on 200 units.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import finegrain as fg
from benchmarks.slices_study import NAMES, UNITS, Design, planted, table_of, world
from finegrain.table.scale import Scale, Value

LOSS = Scale(higher=False, best=0.0, worst=None, shown="number")
Shape = Literal["exponential", "lognormal"]


def losses(
    shape: Shape, hard: NDArray[np.float64], draw: np.random.Generator
) -> NDArray[np.float64]:
    """``[unit, system]`` losses with a mean of ``hard``."""
    if shape == "exponential":
        return draw.exponential(hard)
    return hard * draw.lognormal(-0.5, 1.0, hard.shape)


def run(design: Design, shape: Shape, seed: int) -> tuple[bool, bool]:
    """Whether anything is reported, and whether the planted slice is."""
    draw = np.random.default_rng([design.documents, design.systems, seed])
    made = world(design, draw)
    document = draw.normal(0, 0.5, (max(1, design.documents), 1)) * bool(design.documents)
    hard = np.exp(np.repeat(document[made.document], design.systems, axis=1))
    weak = planted(made)
    if design.drop:
        hard[weak, -1] *= 1 + design.drop
    table = table_of(design, made, np.zeros((UNITS, design.systems), bool))
    graded = {"loss": Value(LOSS, losses(shape, hard, draw))}
    table = replace(table, task=replace(table.task, value="loss"), values=graded)
    found = fg.slices(table, by=list(NAMES[: design.attributes]), resamples=299, seed=seed)
    exact = any(
        one.n == weak.sum()
        and fg.show(table, one.where).rows.tolist() == np.flatnonzero(weak).tolist()
        for one in found.findings
    )
    return bool(found.findings), exact


def main() -> None:
    """Run the study and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nulls", type=int, default=200)
    parser.add_argument("--planted", type=int, default=50)
    options = parser.parse_args()
    print("| searched | corpus | losses | planted | report anything | report it |")
    print("|:--|:--|:--|:--|--:|--:|")
    shapes: tuple[Shape, ...] = ("exponential", "lognormal")
    for drop, runs in ((0.0, options.nulls), (0.5, options.planted)):
        for shape in shapes:
            for systems in (1, 2):
                for documents in (0, 15, 60):
                    design = Design(documents, systems, drop=drop)
                    found = [run(design, shape, seed) for seed in range(runs)]
                    anything, exact = (sum(column) for column in zip(*found, strict=True))
                    it = f"{exact} of {runs}" if drop else ""
                    what = "50 % more on 200 units" if drop else "nothing"
                    print(
                        f"| {design} | {shape} | {what} | {anything} of {runs} | {it} |", flush=True
                    )


if __name__ == "__main__":
    main()
