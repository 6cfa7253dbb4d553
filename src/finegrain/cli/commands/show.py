"""``finegrain show``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import IO, TYPE_CHECKING

from finegrain.cli.command import command, without
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, ATTRIBUTE, CASE

if TYPE_CHECKING:
    from finegrain.analyses.units.show import Shown
    from finegrain.cli.options import Inputs, Output
    from finegrain.table import OutcomeTable

FORMATS = ("table", "jsonl", "tsv", "json", "csv")


@command(
    Option(
        "-w, --where SELECTION",
        "Which units, as in 'gold=PER and outcome[crf]!=TP'; default: all.",
        default="",
    ),
    ATTRIBUTE,
    CASE,
    Option(
        "--systems A,B",
        "Show only these systems; the selection may speak of all.",
        repeated=True,
        to="chosen",
    ),
    Option("--limit N", "Show only the first N units.", takes=int, least=0),
    Option(
        "--pager/--no-pager", "On a terminal, page the units with $PAGER or less.", default=True
    ),
    Option(
        "--format FORMAT",
        "table, jsonl, tsv, json or csv; by default what --output ends in, or table.",
    ),
    *without(ANALYSIS, "format"),
)
def show(
    table: OutcomeTable,
    inputs: Inputs,
    destination: Output,
    *,
    where: str,
    own: list[str] | None,
    fold_case: bool,
    chosen: list[str] | None,
    limit: int | None,
    pager: bool,
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
    from finegrain.cli.name_lists import chosen_systems
    from finegrain.cli.output import chosen_format, emit

    table = _with_attributes(table, where, inputs, own or [], fold_case=fold_case)
    shown = units_of(table, where, systems=chosen_systems(table, chosen), limit=limit)
    if chosen_format(destination, FORMATS) != "table":
        emit(shown, destination, forms=FORMATS)
    else:
        _draw(shown, destination, pager=pager)


def _with_attributes(
    table: OutcomeTable, where: str, inputs: Inputs, files: list[str], *, fold_case: bool
) -> OutcomeTable:
    """The table with the attributes that a selection names and that --train or files tell.

    Attributes of tokens are asked about the tokens of spans, as in ``finegrain buckets``.
    """
    from finegrain.alignment.entity_tokens import entity_tokens
    from finegrain.cli.attribute_files import joined
    from finegrain.cli.learning import attributes_in, with_learnt

    asked = attributes_in(where)
    if any(one.level == "token" and one.name not in table.columns for one in asked):
        table = entity_tokens(table)
    return with_learnt(joined(table, files).table, where, inputs, fold_case=fold_case)


def _draw(shown: Shown, destination: Output, *, pager: bool) -> None:
    """Units in their sentences: on the terminal, or in a file."""
    from finegrain.cli.output import put
    from finegrain.views.instances import console_on, print_shown, shown_as_text

    if destination.output is not None:
        put([shown_as_text(shown)], destination)
    elif pager and sys.stdout.isatty():
        _paged(lambda file: print_shown(shown, console_on(file, terminal=True)))
    else:
        print_shown(shown, console_on(sys.stdout))


def _paged(draw: Callable[[IO[str]], None]) -> None:
    """Let ``draw`` write to the pager ($PAGER, or less); to standard output without one."""
    import os
    import shlex
    import shutil
    import subprocess

    line = shlex.split(os.environ.get("PAGER", "less"))
    if not line or shutil.which(line[0]) is None:
        draw(sys.stdout)
        return
    # F: no paging if one screen is enough; R: colours; X: leave the text on the screen
    environment = {"LESS": "FRX", **os.environ}
    process = subprocess.Popen(  # noqa: S603 - the user's own choice of a pager
        line, stdin=subprocess.PIPE, env=environment, text=True, encoding="utf-8"
    )
    if process.stdin is None:
        return
    try:
        draw(process.stdin)
        process.stdin.close()
    except BrokenPipeError:  # the reader has seen enough
        pass
    finally:
        process.wait()
