"""Where results go: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import typer

from finegrain.analyses.result import Result
from finegrain.cli.options import Output
from finegrain.complete_file import complete_file
from finegrain.errors import UsageError

_BY_SUFFIX = {".json": "json", ".csv": "csv", ".tex": "latex", ".md": "markdown"}
FORMATS = ("table", "json", "csv", "latex", "markdown")


def chosen_format(output: Output) -> str:
    """The format that was asked for, or that the output file ends in."""
    suffix = Path(output.output).suffix if output.output else ""
    return output.format or _BY_SUFFIX.get(suffix, "table")


def emit(result: Result, output: Output) -> None:
    """Print or write a result in the chosen format."""
    chosen = chosen_format(output)
    if chosen not in FORMATS:
        raise UsageError.unknown("format", chosen, FORMATS)
    if chosen == "table" and output.output is None:
        from finegrain.views.terminal import print_result

        print_result(result, sys.stdout)
        return
    text = render(result, chosen)
    if output.output is None:
        sys.stdout.write(text)
    else:
        write_file(output.output, text)
        typer.echo(f"wrote {output.output}", err=True)


def render(result: Result, chosen: str) -> str:
    """A result as text in one of the formats."""
    from finegrain.views import text_formats

    if chosen == "json":
        return text_formats.as_json(result, command=shlex.join(["finegrain", *sys.argv[1:]]))
    if chosen == "csv":
        return text_formats.as_csv(result)
    if chosen == "latex":
        return text_formats.as_latex(result)
    if chosen == "markdown":
        return text_formats.as_markdown(result)
    from finegrain.views.terminal import as_text

    return as_text(result)


def write_file(path: str, text: str) -> None:
    """Write by way of a temporary file, so that a failure leaves what was there untouched."""
    with complete_file(path) as temporary:
        Path(temporary).write_text(text, encoding="utf-8", newline="")
