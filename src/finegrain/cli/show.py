"""``finegrain show``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.buckets import AttributeOption, CaseOption
from finegrain.cli.options import Output, OutputOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable

WhereOption = Annotated[
    str,
    typer.Option(
        "--where",
        "-w",
        metavar="SELECTION",
        help="Which units, as in 'gold=PER and outcome[crf]!=TP'; default: all.",
        show_default=False,
    ),
]


def show(
    table: OutcomeTable,
    inputs: Inputs,
    where: WhereOption = "",
    attribute: AttributeOption = None,
    case_sensitive: CaseOption = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--systems",
            metavar="A,B",
            help="Show only these systems; the selection may speak of all.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Show only the first N units.")
    ] = None,
    pager: Annotated[
        bool, typer.Option(help="On a terminal, page the units with $PAGER or less.")
    ] = True,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="table, jsonl, tsv, json or csv; by default what --output ends in, or table.",
        ),
    ] = None,
    output: OutputOption = None,
) -> None:
    """Show the units themselves, in context.

    Each unit stands once, with gold and the answer of every system drawn under its words; as
    jsonl or tsv for annotating again.

    \b
    Selections:
      fields     gold label text length sentence document systems_correct, layers, columns
                 attributes (finegrain list attributes), those that are learnt with --train,
                 your own with --attribute; token_frequency and token_consistency show tokens
                 outcome[SYSTEM] answer[SYSTEM] correct[SYSTEM] produced[SYSTEM]; without
                 [SYSTEM]: of some system
                 change[A,B] changed[A,B]: correction, new_error or changed_error; yes or no
                 gain[A,B]: by how much B is better; values of graded units: VALUE[SYSTEM]
      operators  = != < <= > >= ~ (regular expression)  in (A, B)
      and, or, not, parentheses; none for nothing; quotes around blanks and signs

    \b
    Example:
      finegrain show gold.conll crf.conll neural.conll --where "gold=PER and outcome[crf]!=TP"
      finegrain show gold.conll crf.conll neural.conll --where "correct[crf]=no and correct[neural]"
      finegrain show gold.conll crf.conll --where 'text~"^[0-9]+$"' --output numbers.jsonl
    """
    from finegrain.analyses.units.show import show as units_of
    from finegrain.cli.showing import chosen_systems, emit_shown, with_attributes

    table = with_attributes(table, where, inputs, attribute or [], fold_case=not case_sensitive)
    shown = units_of(table, where, systems=chosen_systems(table, only), limit=limit)
    emit_shown(shown, Output(format, output), pager="auto" if pager else "never")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(show, leave_out=("format", "output")))
