"""``finegrain align``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from finegrain.cli.command import command, without
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


@command(
    Option("-o, --output FILE", "The file to write: *.parquet.", required=True, file="written"),
    *without(ANALYSIS, "format", "output"),
)
def align(table: OutcomeTable, output: str) -> None:
    """Save the outcome table: gold and systems in one file.

    Every command that takes GOLD SYSTEM... takes the file instead. It is Parquet with one row per
    unit, for DuckDB, pandas and polars (needs finegrain[parquet]).

    \b
    Example:
      finegrain align gold.conll crf.conll neural=run7.conll -o table.parquet
      finegrain score table.parquet
    """
    from finegrain.cli.standard_streams import say
    from finegrain.files_read import files_read

    if not output.endswith(".parquet"):
        raise UsageError(f"--output: a table is Parquet; call it {output}.parquet")
    replace(table, inputs=table.inputs or files_read()).save(output)
    say(f"wrote {output}")
