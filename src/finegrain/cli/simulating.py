"""Writing a simulation to files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from inspect import signature
from pathlib import Path

from finegrain.complete_file import write_complete
from finegrain.corpus.names import misnamed
from finegrain.errors import FinegrainError, UsageError
from finegrain.formats import by_name
from finegrain.simulation import Simulation
from finegrain.tasks import known
from finegrain.writing import as_text

_RESERVED = ("gold", "train")
_PLAIN = re.compile(r"[^/\\\x00-\x1f\x7f]+\Z")
_WHY = {
    "ill_formed": ": nothing else has tags that begin with I-",
    "runs": ": nothing else is answered several times",
    "label_noise": ": nothing else has gold labels that can be made wrong",
}
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
    require_file_names(found)
    return found


def require_file_names(systems: Iterable[str]) -> None:
    """Names of systems must be names of files."""
    for name in systems:
        if name in _RESERVED or not _PLAIN.match(name):
            raise UsageError(f"a system cannot be called {name!r}: its file needs another name")
        if len(os.fsencode(name)) > _LONGEST:
            raise UsageError(f"the name {name[:20]!r}... is too long for a file")


def simulated(
    task: str | None,
    tokens: int,
    seed: int,
    systems: Mapping[str, Sequence[str]] | None,
    noise: float,
    ill_formed: float,
    label_noise: float = 0.0,
    runs: int = 1,
) -> Simulation:
    """The simulation that is asked for, of the first task that has one unless it is named."""
    made = {name: one.simulate for name, one in known().items() if one.simulate is not None}
    chosen = next(iter(made)) if task is None else task
    if chosen not in made:
        raise UsageError.unknown("task", chosen, made)
    asked = {"ill_formed": ill_formed, "label_noise": label_noise, "runs": runs if runs > 1 else 0}
    options = {name: value for name, value in asked.items() if value}
    for name in options:
        takers = [task for task, one in made.items() if name in signature(one).parameters]
        if chosen not in takers:
            raise UsageError(
                f"--{name.replace('_', '-')} is for {' and '.join(takers)}{_WHY[name]}"
            )
    result: Simulation = made[chosen](
        tokens=tokens, seed=seed, systems=systems, noise=noise, **options
    )
    return result


def write_simulation(simulation: Simulation, directory: str) -> list[str]:
    """Write gold, training and system files; return their paths."""
    require_file_names(simulation.planted)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FinegrainError(f"{directory}: cannot be made ({error.strerror})") from None
    paths = []
    corpora = {"gold": simulation.gold, "train": simulation.train, **simulation.systems}
    usual = simulation.format, simulation.suffix
    for name, corpus in corpora.items():
        format_, suffix = (simulation.of_text or usual) if name in _RESERVED else usual
        path = str(folder / f"{name}{suffix}")
        write_complete(path, as_text(corpus, by_name(format_)))
        paths.append(path)
    for name, text in simulation.further.items():
        write_complete(str(folder / name), text)
        paths.append(str(folder / name))
    return paths
