"""``finegrain suite``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import (
    AGAINST_BASELINE,
    BY,
    FIGURE_FORMAT,
    FIGURES,
    INTERVALS,
    METRIC,
    OUTPUT,
    STRICT,
)

if TYPE_CHECKING:
    from finegrain.analyses.explain.data_set_scores import DataSetScores


@command(
    Argument("SUITE", "The TOML file that lists data sets and systems.", to="file"),
    Option(
        "--start FOLDER",
        "Write SUITE for folders that hold gold.*, train.* and a file per system, and stop; may be "
        "repeated.",
        repeated=True,
    ),
    BY,
    METRIC,
    AGAINST_BASELINE,
    FIGURES,
    FIGURE_FORMAT,
    STRICT,
    INTERVALS,
    OUTPUT,
)
def suite(
    file: str,
    *,
    start: list[str] | None,
    by: list[str] | None,
    metric: str | None,
    baseline: str | None,
    figures: str | None,
    figure_format: str,
    strict: bool,
    quiet: bool,
    **drawing: Any,
) -> Any:
    """Compare systems over many data sets: scores, ranks, attributes, improvements.

    With -o suite.html, one page that opens from disk and loads nothing from anywhere.

    \b
    The file is TOML, and its paths are relative to it; options come before what it says:
      metric = "traditional_f1"     by = ["entity_length"]     (both optional)
      baseline = "crf"              or compare = [["neural", "crf"]]
      [defaults]                    task, columns, scheme ... of all data sets
      [datasets.news]
      gold = "news/gold.conll"
      train = "news/train.conll"
      task = "spans"
      columns = { token = 1, tags = 4 }
      [datasets.news.systems]
      crf = "news/crf.conll"
      neural = ["news/seed1.conll", "news/seed2.conll"]     (runs of one system)

    \b
    Example:
      finegrain suite suite.toml --baseline crf
      finegrain suite suite.toml --baseline crf -o suite.html
      finegrain suite suite.toml --by entity_length,label --figures figures
      finegrain suite suite.toml --format json --output suite.json
    """
    from finegrain.cli.figures import write_figures
    from finegrain.suites import Suite
    from finegrain.views.charts import charts_of_suite

    if start:
        _start(file, start)
        return None
    given = {"by": by, "metric": metric, "baseline": baseline}
    choices: Any = {name: value for name, value in given.items() if value is not None}
    read = Suite.read(file, strict=strict, **choices)
    found = read.run(None if quiet else _say, **drawing)
    if figures is not None:
        write_figures(charts_of_suite(found), figures, figure_format)
    return found


def _start(file: str, folders: list[str]) -> None:
    """Write a first suite file; one that is there is left alone."""
    from pathlib import Path

    from finegrain.cli.standard_streams import say
    from finegrain.complete_file import write_complete
    from finegrain.errors import UsageError
    from finegrain.suites.starting import started

    if Path(file).exists():
        raise UsageError(f"{file} is there already: choose another name")
    write_complete(file, started(folders, beside=str(Path(file).parent)))
    say(f"wrote {file}")


def _say(done: DataSetScores) -> None:
    """What was computed for a data set."""
    from finegrain.cli.standard_streams import say
    from finegrain.sizes import sized
    from finegrain.table.task import Words
    from finegrain.tasks import known

    words = known()[done.task].words if done.task in known() else Words()
    size = f"{done.units:,} {words.of(done.units)}"
    if words.context:
        size = f"{sized(done.sentences, words.context)}; {size}"
    say(f"{done.name}: task {done.task}; {size}; {len(done.by_run.systems)} outputs")
