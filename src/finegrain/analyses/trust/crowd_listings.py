"""A crowd as tables: its workers, how right aggregated labels are, and these labels themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number

if TYPE_CHECKING:
    from finegrain.analyses.trust.crowd import Against, Crowd

_SHOWN = 30  # workers in the table for people


def listings(found: Crowd) -> tuple[Listing, ...]:
    """Labels in all, accuracy of aggregation where there is gold, and workers."""
    used = found.counts.sum(axis=0)
    chosen = np.bincount(found.label, minlength=len(found.labels))
    tables = [
        Listing(
            f"Labels of {len(found.items):,} items ({found.method})",
            (Column("label"), Column("given", "count"), Column("aggregated", "count")),
            tuple(
                (name, int(times), int(items))
                for name, times, items in zip(found.labels, used, chosen, strict=True)
            ),
            f"mean disagreement: {np.nanmean(found.disagreement):.3f} of the labels of an item are "
            "not its most frequent one",
        )
    ]
    if found.accuracy:
        tables.append(
            Listing(
                "Aggregated labels against gold",
                (Column("method"), Column("items", "count"),
                 Column("accuracy", "score", best="max"), Column("interval", "number"),
                 Column("kappa", "number")),
                tuple(
                    (name, one.items, one.value, _ends(one), _number(one.kappa))
                    for name, one in found.accuracy.items()
                ),
            )
        )  # fmt: skip
    return (*tables, _workers(found))


def _workers(found: Crowd) -> Listing:
    columns = [
        Column("worker"), Column("labels", "count"), Column("as the rest", "score"),
        Column("interval", "number"), Column("kappa", "number"), Column("model", "score"),
    ]  # fmt: skip
    has_gold = bool(found.accuracy)
    if has_gold:
        columns += [Column("as gold", "score"), Column("interval of gold", "number"),
                    Column("kappa with gold", "number")]  # fmt: skip
    most = sorted(found.workers, key=lambda one: (-one.labels, one.name))[:_SHOWN]
    rows = []
    for one in most:
        row: list[Cell] = [one.name, one.labels, one.rest.value, _ends(one.rest),
                           _number(one.rest.kappa), one.estimated]  # fmt: skip
        if has_gold:
            row += [one.gold.value, _ends(one.gold), _number(one.gold.kappa)]
        rows.append(tuple(row))
    left = len(found.workers) - len(most)
    note = "as the rest: share of labels that the vote of the other workers gives as well, where "
    note += "that is not tied; model: the same of true labels, as Dawid and Skene estimate it"
    note += f"; {left:,} workers with fewer labels are in --format json" if left else ""
    return Listing("Workers", tuple(columns), tuple(rows), note)


def records(found: Crowd) -> Listing:
    """Items with their labels: what classification reads as a gold file."""
    expert = (found.gold >= 0).any()
    columns = [
        Column("id"), Column("label"), Column("confidence", "score"),
        Column("disagreement", "score"), Column("entropy", "number"), Column("votes", "count"),
        Column("vote"),
    ]  # fmt: skip
    columns += [Column("expert")] if expert else []
    columns += [Column(f"probabilities.{name}", "score") for name in found.labels]
    votes = found.counts.sum(axis=1).astype(int).tolist()
    shares = found.chances / found.chances.sum(axis=1, keepdims=True).clip(1e-300)
    rows = []
    told = zip(
        found.items, found.label.tolist(), found.confidence.tolist(), found.disagreement.tolist(),
        found.entropy.tolist(), votes, found.vote.tolist(), found.gold.tolist(), shares.tolist(),
        strict=True,
    )  # fmt: skip
    for item, label, sure, apart, entropy, times, by_vote, gold, chances in told:
        row: list[Cell] = [item, found.labels[label], sure, apart, entropy, times]
        row.append(found.labels[by_vote])
        if expert:
            row.append(found.labels[gold] if gold >= 0 else None)
        rows.append((*row, *chances))
    return Listing("Aggregated labels", tuple(columns), tuple(rows))


def to_json(found: Crowd) -> dict[str, Any]:
    """The ``result`` object."""
    table = records(found)
    names = [column.name for column in table.columns]
    return {
        "method": found.method,
        "labels": list(found.labels),
        "items": len(found.items),
        "rounds": found.model.rounds,
        "converged": found.model.converged,
        "aggregation": {name: _against(one) for name, one in found.accuracy.items()},
        "workers": {
            one.name: {
                "labels": one.labels,
                "rest": _against(one.rest),
                "gold": _against(one.gold) if one.gold.items else None,
                "estimated": number(one.estimated),
            }
            for one in found.workers
        },
        "aggregated": [dict(zip(names, row, strict=True)) for row in table.rows],
    }


def _against(one: Against) -> dict[str, Any]:
    return {
        "items": one.items,
        "accuracy": number(one.value),
        "interval": [number(one.low), number(one.high)],
        "kappa": number(one.kappa),
    }


def _ends(one: Against) -> str:
    if np.isnan(one.low) or np.isnan(one.high):
        return ""
    return f"[{100 * one.low:.2f}, {100 * one.high:.2f}]"


def _number(value: float) -> str:
    return "n/a" if np.isnan(value) else f"{value:.3f}"
