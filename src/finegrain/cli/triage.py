"""``finegrain triage``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.level import LevelOption
from finegrain.cli.options import Output, OutputOption, WhereOption

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def triage(
    table: OutcomeTable,
    level: LevelOption = "unit",
    at_least: Annotated[
        str | None,
        typer.Option(
            metavar="N|SHARE|all",
            help="Systems that must agree: 3, 0.75 (1.0 is all of them) or all; default: more "
            "than half.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Only the first N; a table on the terminal shows 20."
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="agreement|confidence",
            help="By how many systems agree, or (items with probabilities) by how confident they "
            "are that the gold label is another one.",
        ),
    ] = "agreement",
    where: WhereOption = "",
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="table, jsonl, tsv, csv, json, latex or markdown; by default what --output ends "
            "in, or table.",
        ),
    ] = None,
    output: OutputOption = None,
) -> None:
    """Find gold annotation worth another look.

    Units that all or most systems answer in the same wrong way, ranked by how many agree, with
    their answer; also units that they agree on and the gold standard does not have.

    \b
    Example:
      finegrain triage gold.conll crf.conll neural.conll run7.conll
      finegrain triage gold.conll crf.conll neural.conll --where "gold=PER"
      finegrain triage gold.conll crf.conll neural.conll --at-least all --output again.csv
      finegrain triage gold.conll crf.conll neural.conll --at-least 0.75 --output again.jsonl
      finegrain triage gold.csv lexicon.csv --by confidence
    """
    from finegrain.analyses.compare.triage import triage as find
    from finegrain.cli.triaging import ON_SCREEN, agreement, emit_suspects, form

    del level  # tokens outside of gold spans are suspects, too
    destination = Output(format, output)
    if form(destination) == "table" and limit is None and output is None:
        limit = ON_SCREEN
    least = agreement(at_least, table.n_systems)
    found = find(table, at_least=least, limit=limit, by=by, where=where)  # type: ignore[arg-type]  # checked there
    emit_suspects(found, destination)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(triage, leave_out=("format", "output")))
