"""What ``finegrain probe`` reads and writes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from finegrain.analyses.studies.probing import Probing, probe
from finegrain.cli.inputs import parse_system
from finegrain.cli.simulating import require_file_names
from finegrain.cli.standard_streams import progress_console, say
from finegrain.complete_file import write_complete
from finegrain.corpus import Corpus
from finegrain.errors import FinegrainError
from finegrain.files_read import called
from finegrain.formats import by_name, read
from finegrain.sizes import sized
from finegrain.writing import as_text


def probed(
    labels: str, layers: Sequence[str], *, strict: bool, quiet: bool, **wanted: Any
) -> Probing:
    """Read labels and layers, and train probes."""
    named = [parse_system(argument) for argument in layers]
    for name, path in (("labels", labels), *named):
        called(path, name)
    vectors = partial(read, input="vectors", strict=strict)
    shown = None if quiet or not sys.stderr.isatty() else _tracked
    found = probe(
        read(labels, strict=strict), ((name, vectors(path)) for name, path in named),
        progress=shown, **wanted,
    )  # fmt: skip
    if not quiet:
        data = found.data
        size = f"{sized(data['n'], 'item')}; {sized(data['types'], 'type')} ({data['type']})"
        say(f"{size}; label {data['label']}: {', '.join(data['labels'][:10])}")
    return found


def _tracked(names: list[str]) -> Iterable[str]:
    from rich.progress import track

    return track(names, "probing", console=progress_console(), transient=True)


def write_predictions(found: Probing, directory: str) -> list[str]:
    """Write gold and predictions as files of classification; return their paths."""
    if found.gold is None or found.predictions is None:
        raise FinegrainError("there are no predictions")
    return write_files(found.gold, found.predictions, directory)


def write_files(gold: Corpus, systems: Mapping[str, Corpus], directory: str) -> list[str]:
    """Write items and answers of systems as CSV; return their paths."""
    require_file_names(systems)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FinegrainError(f"{directory}: cannot be made ({error.strerror})") from None
    paths = []
    for name, corpus in {"gold": gold, **systems}.items():
        path = str(folder / f"{name}.csv")
        write_complete(path, as_text(corpus, by_name("csv")))
        paths.append(path)
    return paths
