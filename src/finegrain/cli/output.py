"""Where results go: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os.path
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from finegrain.cli.options import Output
from finegrain.cli.standard_streams import say
from finegrain.complete_file import complete_file
from finegrain.corpus.notes import Doubt, refuse
from finegrain.errors import UsageError
from finegrain.views.saving import FORMS, form_of, is_page, render, save

LINES = ("jsonl", "tsv")  # further forms of a list of units


def chosen_format(output: Output, forms: Sequence[str] = FORMS) -> str:
    """The format that was asked for, or that the output file ends in."""
    suffix = os.path.splitext(output.output or "")[1].lower().removeprefix(".")  # noqa: PTH122
    by_name = suffix if suffix in LINES and suffix in forms else ""
    chosen = output.format or by_name or form_of(output.output or "")
    if chosen not in forms:
        raise UsageError.unknown("format", chosen, forms)
    return chosen


def emit(
    result: Any, output: Output, *, strict: bool = False, forms: Sequence[str] = FORMS
) -> None:
    """Print or write a result in the chosen format; a file that ends in .html is its page.

    ``strict``: refuse one of training data that had to be repaired or guessed.
    """
    if strict:
        refuse("--train", [note for note in result.notes if isinstance(note, Doubt)])
    if output.output is not None and is_page(output.output):
        _write_page(result, output.output, output.format)
        return
    chosen = chosen_format(output, forms)
    if chosen in LINES:
        from finegrain.views.unit_records import as_jsonl, as_tsv

        put((as_jsonl if chosen == "jsonl" else as_tsv)(result), output)
    elif chosen == "table" and output.output is None:
        from finegrain.views.terminal import print_result

        print_result(result, sys.stdout)
    else:
        put([render(result, chosen, command=command_line())], output)


def put(texts: Iterable[str], output: Output) -> None:
    """Print texts, or write them to a file."""
    if output.output is None:
        sys.stdout.writelines(texts)
        return
    with (
        complete_file(output.output) as temporary,
        Path(temporary).open("w", encoding="utf-8", newline="", errors="backslashreplace") as file,
    ):
        file.writelines(texts)
    say(f"wrote {output.output}")


def _write_page(result: Any, path: str, format_: str | None) -> None:
    if format_ not in (None, "html"):
        raise UsageError(f"{path} ends in .html, but --format says {format_}")
    save(result, path)
    say(f"wrote {path}")


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["finegrain", *sys.argv[1:]])
