"""Units on the terminal, through a pager if need be, or line by line into a file."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Literal

from finegrain.alignment.entity_tokens import entity_tokens
from finegrain.analyses.units.show import Shown
from finegrain.cli.attribute_files import joined
from finegrain.cli.learnt_fields import attributes_in, with_learnt
from finegrain.cli.name_lists import names_in
from finegrain.cli.options import Inputs, Output
from finegrain.cli.output import command_line
from finegrain.cli.standard_streams import say
from finegrain.complete_file import complete_file
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.views.instances import console_on, print_shown, shown_as_text
from finegrain.views.saving import render
from finegrain.views.unit_records import as_jsonl, as_tsv

Pager = Literal["auto", "never"]
FORMATS = ("table", "jsonl", "tsv", "json", "csv")
_BY_SUFFIX = {"": "table", ".txt": "table", **{f".{name}": name for name in FORMATS[1:]}}


def with_attributes(
    table: OutcomeTable, where: str, inputs: Inputs, files: list[str], *, fold_case: bool
) -> OutcomeTable:
    """The table with the attributes that a selection names and that --train or files tell.

    Attributes of tokens are asked about the tokens of spans, as in ``finegrain buckets``.
    """
    asked = attributes_in(where)
    if any(one.level == "token" and one.name not in table.columns for one in asked):
        table = entity_tokens(table)
    return with_learnt(joined(table, files).table, where, inputs, fold_case=fold_case)


def chosen_systems(table: OutcomeTable, given: list[str] | None) -> list[str] | None:
    """The systems of ``--systems``; one name that has commas may stand alone without quotes."""
    if given is None:
        return None
    listed = ([one] if one in table.systems else names_in(one) for one in given)
    return [name for names in listed for name in names]


def emit_shown(shown: Shown, output: Output, *, pager: Pager) -> None:
    """Print or write units in the chosen format."""
    suffix = Path(output.output).suffix.lower() if output.output else ""
    if output.format is None and suffix not in _BY_SUFFIX:
        known = ", ".join(filter(None, _BY_SUFFIX))
        raise UsageError(f"{output.output}: no form goes with {suffix!r}; known: {known}")
    chosen = output.format or _BY_SUFFIX[suffix]
    if chosen not in FORMATS:
        raise UsageError.unknown("format", chosen, FORMATS)
    if output.output is not None:
        with complete_file(output.output) as temporary, Path(temporary).open(
            "w", encoding="utf-8", newline=""
        ) as file:  # fmt: skip
            file.writelines(_chunks(shown, chosen))
        say(f"wrote {output.output}")
    else:
        try:
            _print(shown, chosen, pager)
            sys.stdout.flush()
        except BrokenPipeError:  # without its number typer leaves it to the command line's end
            raise BrokenPipeError("nobody reads any more") from None


def _print(shown: Shown, chosen: str, pager: Pager) -> None:
    if chosen != "table":
        sys.stdout.writelines(_chunks(shown, chosen))
    elif pager == "auto" and sys.stdout.isatty():
        paged(lambda file: print_shown(shown, console_on(file, terminal=True)))
    else:
        print_shown(shown, console_on(sys.stdout))


def _chunks(shown: Shown, chosen: str) -> Iterable[str]:
    if chosen == "jsonl":
        return as_jsonl(shown)
    if chosen == "tsv":
        return as_tsv(shown)
    return [
        shown_as_text(shown) if chosen == "table" else render(shown, chosen, command=command_line())
    ]


def paged(draw: Callable[[IO[str]], None]) -> None:
    """Let ``draw`` write to the pager ($PAGER, or less); to standard output without one."""
    command = shlex.split(os.environ.get("PAGER", "less"))
    if not command or shutil.which(command[0]) is None:
        draw(sys.stdout)
        return
    # F: no paging if one screen is enough; R: colours; X: leave the text on the screen
    environment = {"LESS": "FRX", **os.environ}
    process = subprocess.Popen(  # noqa: S603 - the user's own choice of a pager
        command, stdin=subprocess.PIPE, env=environment, text=True, encoding="utf-8"
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
