"""Writing a simulation to files."""

from __future__ import annotations

import re
from pathlib import Path

from finegrain.complete_file import write_complete
from finegrain.errors import FinegrainError, UsageError
from finegrain.formats import conll
from finegrain.simulation import Simulation

_RESERVED = ("gold", "train")
_PLAIN = re.compile(r"[^/\\\x00]+\Z")


def write_simulation(simulation: Simulation, directory: str) -> list[str]:
    """Write gold, training and system files as columns; return their paths."""
    reserved = [name for name in simulation.systems if name in _RESERVED or not _PLAIN.match(name)]
    if reserved:
        raise UsageError(f"a system cannot be called {reserved[0]!r}: its file needs another name")
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
