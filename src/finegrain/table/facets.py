"""What a system is: its model, its seed, its condition, read off its name or given.

>>> parsed(["bert@1", "crf", "bert@2"])
{'system': ('bert', 'crf', 'bert'), 'seed': ('1', '', '2')}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finegrain.table.outcome_table import OutcomeTable


def parsed(systems: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """``name@seed`` taken apart; a name without ``@`` has no seed."""
    pairs = [_split(name) for name in systems]
    return {"system": tuple(one for one, _ in pairs), "seed": tuple(one for _, one in pairs)}


def facets(table: OutcomeTable) -> Mapping[str, tuple[str, ...]]:
    """All facets of the systems: those that were given, and those of their names."""
    return {**parsed(table.systems), **table.facets}


def _split(name: str) -> tuple[str, str]:
    system, _, seed = name.rpartition("@")
    return (system, seed) if system and seed else (name, "")
