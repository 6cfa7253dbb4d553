"""What ``finegrain report`` does with the table: the report and its figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from finegrain.analyses.reports.report import Report, report
from finegrain.cli.inputs import read_train
from finegrain.cli.learning import learning
from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import say
from finegrain.errors import FinegrainError, UsageError
from finegrain.table import OutcomeTable
from finegrain.views.charts.chart import Chart

FORMATS = ("svg", "png", "pdf")


def made_report(
    table: OutcomeTable, inputs: Inputs, *, title: str | None, instances: int, seed: int
) -> Report:
    """The report, with training data read like the gold file."""
    train = None if inputs.train is None else read_train(inputs)
    how = learning(table, inputs)
    return report(table, train=train, title=title, instances=instances, seed=seed, **how)


def write_figures(charts: Mapping[str, Chart], folder: str, formats: str) -> None:
    """One file per figure and format."""
    wanted = [one.strip().lower() for one in formats.split(",")]
    for one in wanted:
        if one not in FORMATS:
            raise UsageError.unknown("figure format", one, FORMATS)
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FinegrainError(f"{folder}: cannot be made ({error.strerror})") from None
    for name, chart in charts.items():
        for one in wanted:
            chart.save(str(Path(folder) / f"{name}.{one}"))
    say(f"wrote {len(charts) * len(wanted)} figures to {folder}")
