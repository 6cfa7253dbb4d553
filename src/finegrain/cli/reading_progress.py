"""A progress bar on a terminal while large files are read.

>>> list(with_progress(iter([("crf", None)]), ["crf.conll"]))
[('crf', None)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from finegrain.cli.standard_streams import progress_bar

System = TypeVar("System")
MIN_BYTES = 50_000_000  # of all files: below that reading is over at once


def with_progress(systems: Iterator[System], paths: Sequence[str]) -> Iterator[System]:
    """The same systems, with a progress bar on a terminal when there is much to read."""
    size = sum(Path(path).stat().st_size for path in paths if Path(path).is_file())
    shown = progress_bar("reading systems", len(paths)) if size >= MIN_BYTES else None
    yield from shown(systems) if shown else systems
