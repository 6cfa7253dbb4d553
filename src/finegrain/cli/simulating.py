"""Writing a simulation to files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from finegrain.complete_file import write_complete
from finegrain.corpus import Corpus
from finegrain.corpus.names import misnamed
from finegrain.errors import FinegrainError, UsageError
from finegrain.formats import conll, conll2012, conllu
from finegrain.simulation import Simulation, simulate, simulate_chains, simulate_trees

TASKS = ("spans", "dependencies", "coreference")
_RESERVED = ("gold", "train")
_PLAIN = re.compile(r"[^/\\\x00-\x1f\x7f]+\Z")
_LONGEST = 240  # bytes; file systems allow 255, and the suffix comes behind it


def systems_of(arguments: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Weaknesses by the name of the system.

    >>> systems_of(["hasty=long-entities,spurious", "careful="])
    {'hasty': ('long-entities', 'spurious'), 'careful': ()}
    """
    pairs = [(name, told) for name, _, told in (one.partition("=") for one in arguments)]
    what = misnamed((name for name, _ in pairs), "system")
    if what:
        raise UsageError(f"--system: {what}")
    found = {name: tuple(filter(None, told.split(","))) for name, told in pairs}
    _require_names(found)
    return found


def _require_names(systems: Iterable[str]) -> None:
    """Names of systems must be names of files."""
    for name in systems:
        if name in _RESERVED or not _PLAIN.match(name):
            raise UsageError(f"a system cannot be called {name!r}: its file needs another name")
        if len(os.fsencode(name)) > _LONGEST:
            raise UsageError(f"the name {name[:20]!r}... is too long for a file")


def simulated(
    task: str, tokens: int, seed: int, systems: Mapping[str, Sequence[str]] | None, noise: float,
    ill_formed: float,
) -> Simulation:  # fmt: skip
    """The simulation that is asked for."""
    if task not in TASKS:
        raise UsageError.unknown("task", task, TASKS)
    if task == "spans":
        return simulate(
            tokens=tokens, seed=seed, systems=systems, noise=noise, ill_formed=ill_formed
        )
    if ill_formed:
        raise UsageError("--ill-formed is for spans: nothing else has tags that begin with I-")
    made = simulate_trees if task == "dependencies" else simulate_chains
    return made(tokens=tokens, seed=seed, systems=systems, noise=noise)


def _written(corpus: Corpus, task: str) -> str:
    if task == "dependencies":
        return conllu.write(corpus)
    if task == "coreference":
        return conll2012.write(corpus)
    return conll.write(corpus, layers=("pos", "tags"))


def write_simulation(simulation: Simulation, directory: str, task: str = "spans") -> list[str]:
    """Write gold, training and system files as columns, or trees; return their paths."""
    _require_names(simulation.systems)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FinegrainError(f"{directory}: cannot be made ({error.strerror})") from None
    paths = []
    corpora = {"gold": simulation.gold, "train": simulation.train, **simulation.systems}
    for name, corpus in corpora.items():
        path = str(folder / f"{name}{'.conllu' if task == 'dependencies' else '.conll'}")
        write_complete(path, _written(corpus, task))
        paths.append(path)
    return paths
