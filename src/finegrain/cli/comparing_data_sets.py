"""What ``finegrain suite`` does with its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from finegrain.analyses.explain.data_set_scores import DataSetScores
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.cli.standard_streams import say
from finegrain.complete_file import write_complete
from finegrain.errors import UsageError
from finegrain.sizes import sized
from finegrain.suites import Suite
from finegrain.suites.starting import started
from finegrain.table.task import Words
from finegrain.tasks import known


def compared(
    file: str, choices: dict[str, Any], drawing: dict[str, Any], *, strict: bool, quiet: bool
) -> ManyDataSets:
    """What all data sets say together; ``choices`` go before the file's."""
    return Suite.read(file, strict=strict, **choices).run(None if quiet else _say, **drawing)


def write_figures(found: ManyDataSets, folder: str, formats: str) -> None:
    """One file per figure and format."""
    from finegrain.cli import reporting
    from finegrain.views.charts import charts_of_suite

    reporting.write_figures(charts_of_suite(found), folder, formats)


def _say(done: DataSetScores) -> None:
    words = known()[done.task].words if done.task in known() else Words()
    size = f"{done.units:,} {words.of(done.units)}"
    if words.context:
        size = f"{sized(done.sentences, words.context)}; {size}"
    runs = len(done.by_run.systems)
    say(f"{done.name}: task {done.task}; {size}; {runs} outputs")


def start(file: str, folders: list[str]) -> None:
    """Write a first suite file; one that is there is left alone."""
    if Path(file).exists():
        raise UsageError(f"{file} is there already: choose another name")
    write_complete(file, started(folders, beside=str(Path(file).parent)))
    say(f"wrote {file}")
