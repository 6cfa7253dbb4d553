"""Where results go: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import shlex
import sys

from finegrain.analyses.result import Result
from finegrain.cli.options import Output
from finegrain.cli.standard_streams import say
from finegrain.complete_file import write_complete
from finegrain.corpus.notes import Doubt, refuse
from finegrain.errors import UsageError
from finegrain.views.saving import FORMS, form_of, is_page, render, save


def chosen_format(output: Output) -> str:
    """The format that was asked for, or that the output file ends in."""
    return output.format or form_of(output.output or "")


def emit(result: Result, output: Output, *, strict: bool = False) -> None:
    """Print or write a result in the chosen format; a file that ends in .html is its page.

    ``strict``: refuse one of training data that had to be repaired or guessed.
    """
    if strict:
        refuse("--train", [note for note in result.notes if isinstance(note, Doubt)])
    if output.output is not None and is_page(output.output):
        _write_page(result, output.output, output.format)
        return
    chosen = chosen_format(output)
    if chosen not in FORMS:
        raise UsageError.unknown("format", chosen, FORMS)
    if chosen == "table" and output.output is None:
        from finegrain.views.terminal import print_result

        print_result(result, sys.stdout)
        return
    text = render(result, chosen, command=command_line())
    if output.output is None:
        sys.stdout.write(text)
    else:
        write_complete(output.output, text)
        say(f"wrote {output.output}")


def _write_page(result: Result, path: str, format_: str | None) -> None:
    if format_ not in (None, "html"):
        raise UsageError(f"{path} ends in .html, but --format says {format_}")
    save(result, path)
    say(f"wrote {path}")


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["finegrain", *sys.argv[1:]])
