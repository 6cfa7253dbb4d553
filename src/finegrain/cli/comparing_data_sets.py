"""What ``finegrain suite`` does with its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from finegrain.analyses.data_set_scores import DataSetScores
from finegrain.cli.options import Output
from finegrain.cli.output import emit
from finegrain.cli.standard_streams import say
from finegrain.complete_file import write_complete
from finegrain.errors import UsageError
from finegrain.suites import Suite
from finegrain.suites.starting import started
from finegrain.views.escape import visible


def compare(
    file: str, choices: dict[str, Any], drawing: dict[str, Any], output: Output, *, quiet: bool
) -> None:
    """Score all data sets and print what they say together; ``choices`` go before the file's."""
    found = Suite.read(file, **choices).run(None if quiet else _say, **drawing)
    emit(found, output)


def _say(done: DataSetScores) -> None:
    size = f"{done.sentences:,} sentences; {done.units:,} units"
    runs = len(done.by_run.systems)
    say(f"{visible(done.name)}: task {done.task}; {size}; {runs} outputs")


def start(file: str, folders: list[str]) -> None:
    """Write a first suite file; one that is there is left alone."""
    if Path(file).exists():
        raise UsageError(f"{file} is there already: choose another name")
    write_complete(file, started(folders, beside=str(Path(file).parent)))
    say(f"wrote {file}")
