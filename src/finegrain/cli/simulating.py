"""Writing a simulation to files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from finegrain.complete_file import write_complete
from finegrain.errors import FinegrainError, UsageError
from finegrain.formats import conll
from finegrain.simulation import Simulation

_RESERVED = ("gold", "train")
_PLAIN = re.compile(r"[^/\\\x00-\x1f\x7f]+\Z")
_LONGEST = 240  # bytes; file systems allow 255, and the suffix comes behind it


def require_names(systems: Iterable[str]) -> None:
    """Names of systems must be names of files."""
    for name in systems:
        if name in _RESERVED or not _PLAIN.match(name):
            raise UsageError(f"a system cannot be called {name!r}: its file needs another name")
        if len(os.fsencode(name)) > _LONGEST:
            raise UsageError(f"the name {name[:20]!r}... is too long for a file")


def write_simulation(simulation: Simulation, directory: str) -> list[str]:
    """Write gold, training and system files as columns; return their paths."""
    require_names(simulation.systems)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FinegrainError(f"{directory}: cannot be made ({error.strerror})") from None
    paths = []
    corpora = {"gold": simulation.gold, "train": simulation.train, **simulation.systems}
    for name, corpus in corpora.items():
        path = str(folder / f"{name}.conll")
        write_complete(path, conll.write(corpus, layers=("pos", "tags")))
        paths.append(path)
    return paths
