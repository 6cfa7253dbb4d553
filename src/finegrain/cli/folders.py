"""Folders that a command writes files into: gold, and one file per system."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from finegrain.complete_file import write_complete
from finegrain.corpus import Corpus
from finegrain.errors import FinegrainError, UsageError
from finegrain.formats import by_name
from finegrain.simulation import Simulation
from finegrain.writing import as_text

_RESERVED = ("gold", "train")
_PLAIN = re.compile(r"[^/\\\x00-\x1f\x7f]+\Z")
_LONGEST = 240  # bytes; file systems allow 255, and the suffix comes behind it


def made_folder(path: str) -> Path:
    """The folder, which is made if it is not there."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FinegrainError(f"{path}: cannot be made ({error.strerror})") from None
    return Path(path)


def require_file_names(systems: Iterable[str]) -> None:
    """Names of systems must be names of files."""
    for name in systems:
        if name in _RESERVED or not _PLAIN.match(name):
            raise UsageError(f"a system cannot be called {name!r}: its file needs another name")
        if len(os.fsencode(name)) > _LONGEST:
            raise UsageError(f"the name {name[:20]!r}... is too long for a file")


def write_items(gold: Corpus, systems: Mapping[str, Corpus], directory: str) -> list[str]:
    """Write items and answers of systems as CSV; return their paths."""
    require_file_names(systems)
    csv = by_name("csv")
    corpora = {"gold": gold, **systems}
    texts = {f"{name}.csv": as_text(corpus, csv) for name, corpus in corpora.items()}
    return _written(made_folder(directory), texts)


def write_simulation(simulation: Simulation, directory: str) -> list[str]:
    """Write gold, training and system files; return their paths."""
    require_file_names(simulation.planted)
    folder = made_folder(directory)
    corpora = {"gold": simulation.gold, "train": simulation.train, **simulation.systems}
    usual = simulation.format, simulation.suffix
    texts = {}
    for name, corpus in corpora.items():
        format_, suffix = (simulation.of_text or usual) if name in _RESERVED else usual
        texts[f"{name}{suffix}"] = as_text(corpus, by_name(format_))
    return _written(folder, {**texts, **simulation.further})


def _written(folder: Path, texts: Mapping[str, str]) -> list[str]:
    for name, text in texts.items():
        write_complete(str(folder / name), text)
    return [str(folder / name) for name in texts]
