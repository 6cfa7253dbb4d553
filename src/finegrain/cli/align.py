"""``finegrain align``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.standard_streams import say
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def align(
    table: OutcomeTable,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="The file to write: *.parquet."),
    ],
) -> None:
    """Save the outcome table: gold and systems in one file.

    Every command that takes GOLD SYSTEM... takes the file instead. It is Parquet with one row per
    unit, for DuckDB, pandas and polars (needs finegrain[parquet]).

    \b
    Example:
      finegrain align gold.conll crf.conll neural=run7.conll -o table.parquet
      finegrain score table.parquet
    """
    if not output.endswith(".parquet"):
        raise UsageError(f"--output: a table is Parquet; call it {output}.parquet")
    from finegrain.files_read import files_read

    replace(table, inputs=table.inputs or files_read()).save(output)
    say(f"wrote {output}")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(align, leave_out=("format", "output")))
