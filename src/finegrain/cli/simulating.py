"""Writing a simulation to files."""

from __future__ import annotations

from pathlib import Path

from finegrain.cli.output import write_file
from finegrain.errors import FinegrainError
from finegrain.formats import conll
from finegrain.simulation import Simulation


def write_simulation(simulation: Simulation, directory: str) -> list[str]:
    """Write gold, training and system files as columns; return their paths."""
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FinegrainError(f"{directory}: cannot be made ({error.strerror})") from None
    paths = []
    corpora = {"gold": simulation.gold, "train": simulation.train, **simulation.systems}
    for name, corpus in corpora.items():
        path = str(folder / f"{name}.conll")
        write_file(path, conll.write(corpus, layers=("pos", "tags")))
        paths.append(path)
    return paths
