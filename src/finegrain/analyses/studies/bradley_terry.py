"""How strong systems are by pairwise judgements, or by who gets the higher score of a rater.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(small_corpora("ratings")[0], {}, task="ratings"), "bradley_terry")
>>> [round(found.data["systems"][name]["strength"], 3) for name in found.systems]
[0.636, -0.636]

Of scores, the higher one that the same rater gave on the same item wins. Intervals draw items, and
raters where there are 6 or more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.ratings import PARTS, RATER, RATING, rater_codes
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.result import number
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Plot, Series, Study
from finegrain.metrics.bradley_terry import groups, pairwise_wins, strengths
from finegrain.resampling.intervals import Drawing, drawn
from finegrain.resampling.sampling import Sampling, sampling_of
from finegrain.resampling.weighted import Observed
from finegrain.table import OutcomeTable
from finegrain.table.scale import Scale

Floats = NDArray[np.float64]
LOG_ODDS = Scale(best=None, worst=None, shown="number")


class _Found(NamedTuple):
    """``wins`` ``[i, j]``; ``strength``, ``low`` and ``high`` ``[system]``."""

    wins: Floats
    ties: Floats
    strength: Floats
    low: Floats
    high: Floats
    undefined: float


def bradley_terry(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Strengths of systems; ``None`` for one system, or if no rater compares any."""
    if table.n_systems < 2:
        return None
    scores = table.parts[PARTS].by_system[RATING]
    rows = pairwise_wins(scores)
    if not rows.any():
        return None
    sampling = sampling_of(table)
    found = _found(_drawable(table, rows, sampling), rows, drawing)
    told = {**(sampling.said() | drawing.said() if drawing.resamples else {}), "ties": "half"}
    return Study(
        "bradley_terry", "Bradley-Terry strengths", "Which system is preferred?", table.task,
        table.systems, _listings(table, found), _data(table, found), signature(table, **told),
        _plots(table, found), _notes(table, found),
    )  # fmt: skip


def _drawable(table: OutcomeTable, rows: Floats, sampling: Sampling) -> Observed:
    """Wins by sample, or by sample and rater where raters are drawn."""
    shape = rows.shape[1:]
    factors = [sampling.samples.codes[table.parts[PARTS].parent]]
    sizes = [sampling.samples.size]
    if RATER in sampling.inside:
        factors.append(rater_codes(table).codes)
        sizes.append(sampling.inside[RATER])
    kept = rows.any(axis=(1, 2))
    flat = rows[kept].reshape(int(kept.sum()), -1)
    return Observed.of_rows(flat, [one[kept] for one in factors], sizes, shape=shape)


def _found(given: Observed, rows: Floats, drawing: Drawing) -> _Found:
    wins = rows.sum(axis=0)
    ties = (rows == 0.5).sum(axis=0).astype(float)
    connected = len(groups(wins)) == 1
    strength = strengths(wins) if connected else np.full(len(wins), np.nan)
    low = high = np.full(len(wins), np.nan)
    undefined = 0.0
    if drawing.resamples and not np.isnan(strength).any():
        several = drawn(given, drawing)
        low, high = several.interval(strengths)
        undefined = float(np.isnan(strengths(several.sums)[:, 0]).mean())
    return _Found(wins, ties, strength, low, high, undefined)


def _order(found: _Found) -> list[int]:
    return LOG_ODDS.order(found.strength)


def _listings(table: OutcomeTable, found: _Found) -> tuple[Listing, ...]:
    total = found.wins + found.wins.T
    rows = []
    for place in _order(found):
        ends = (found.low[place], found.high[place])
        interval = "" if np.isnan(ends).any() else f"[{ends[0]:.3f}, {ends[1]:.3f}]"
        number_of = total[place].sum()
        rows.append((
            table.systems[place], float(found.strength[place]), interval,
            float(found.wins[place].sum() / number_of) if number_of else float("nan"),
            int(number_of),
        ))  # fmt: skip
    strength = Listing(
        "Bradley-Terry strengths",
        (
            Column("system"), Column("strength", "score", best="max", scale=LOG_ODDS),
            Column("interval", "number"), Column("wins", "score"), Column("comparisons", "count"),
        ),
        tuple(rows),
        "strength: natural log odds, 0 on average; e to the difference of two strengths are the "
        "odds that the first wins. wins: their share, a tie counting half.",
    )  # fmt: skip
    heads = (Column("system"), *(Column(table.systems[at], "score") for at in _order(found)))
    shares = np.where(total > 0, found.wins / np.where(total > 0, total, 1), np.nan)
    against = Listing(
        "Wins of the system of a line against that of a column",
        heads,
        tuple(
            (table.systems[one], *(None if one == two else float(shares[one, two])
                                   for two in _order(found)))
            for one in _order(found)
        ),
    )  # fmt: skip
    return strength, against


def _data(table: OutcomeTable, found: _Found) -> dict[str, Any]:
    total = found.wins + found.wins.T
    systems = {
        name: {
            "strength": number(found.strength[at]),
            "interval": [number(found.low[at]), number(found.high[at])],
            "wins": float(found.wins[at].sum()),
            "comparisons": int(total[at].sum()),
        }
        for at, name in enumerate(table.systems)
    }
    pairs = [
        {
            "systems": [table.systems[one], table.systems[two]],
            "wins": [float(found.wins[one, two]), float(found.wins[two, one])],
            "ties": int(found.ties[one, two]),
        }
        for one in range(table.n_systems)
        for two in range(one + 1, table.n_systems)
        if total[one, two]
    ]
    return {"systems": systems, "pairs": pairs, "ties": "half"}


def _plots(table: OutcomeTable, found: _Found) -> tuple[Plot, ...]:
    if np.isnan(found.strength).any():
        return ()
    order = _order(found)
    names = tuple(table.systems[place] for place in order)
    series = tuple(
        Series(
            table.systems[place], found.strength[[place]], np.array([float(row)]), "dots",
            found.low[[place]], found.high[[place]],
            (f"{table.systems[place]}: {found.strength[place]:.3f}",),
        )
        for row, place in enumerate(order)
    )  # fmt: skip
    axis = Axis("strength (log odds)")
    return (Plot("Bradley-Terry strengths", axis, Axis("", names=names), series, "vertical"),)


def _notes(table: OutcomeTable, found: _Found) -> tuple[str, ...]:
    notes = ["a tie counts as half a win of either system"]
    apart = groups(found.wins)
    if len(apart) > 1:
        named = "; ".join(", ".join(table.systems[at] for at in group) for group in apart)
        notes.append(
            f"strengths are not identified: no comparison connects these groups of systems: {named}"
        )
    elif np.isnan(found.strength).any():
        notes.append(f"strengths have no finite estimate: {_never(table, found.wins)}")
    if found.undefined:
        notes.append(
            f"in {found.undefined:.1%} of resamples some system always wins or always loses: "
            "intervals leave them out, so that they are too narrow"
        )
    return tuple(notes)


def _never(table: OutcomeTable, wins: Floats) -> str:
    """Which systems never lose or never win against the others."""
    lost, won = wins.sum(axis=0), wins.sum(axis=1)
    always = [name for name, times in zip(table.systems, lost.tolist(), strict=True) if not times]
    never = [name for name, times in zip(table.systems, won.tolist(), strict=True) if not times]
    if always or never:
        parts = [f"{name} never loses" for name in always] + [
            f"{name} never wins" for name in never
        ]
        return ", ".join(parts)
    return "some systems never win against the others"
