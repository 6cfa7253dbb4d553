"""Figures as files: ``--figures DIR`` with ``--figure-format``."""

from __future__ import annotations

from collections.abc import Mapping

from finegrain.cli.folders import made_folder
from finegrain.cli.standard_streams import say
from finegrain.errors import UsageError
from finegrain.views.charts.chart import Chart

FORMATS = ("svg", "png", "pdf")


def write_figures(charts: Mapping[str, Chart], folder: str, formats: str) -> None:
    """One file per figure and format."""
    wanted = [one.strip().lower() for one in formats.split(",")]
    for one in wanted:
        if one not in FORMATS:
            raise UsageError.unknown("figure format", one, FORMATS)
    into = made_folder(folder)
    for name, chart in charts.items():
        for one in wanted:
            chart.save(str(into / f"{name}.{one}"))
    say(f"wrote {len(charts) * len(wanted)} figures to {folder}")
