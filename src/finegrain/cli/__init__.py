"""The command line: one file per command; start-up imports typer and nothing heavier."""

from __future__ import annotations

import gc
import os
import sys

import typer

from finegrain.cli import (
    align,
    check,
    confusion,
    convert,
    demo,
    errors,
    listing,
    score,
    show,
    simulate,
)
from finegrain.errors import FinegrainError
from finegrain.version import __version__

app = typer.Typer(
    name="finegrain",
    help="Where, how and why NLP systems differ.\n\nStart with: finegrain demo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"finegrain {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Where, how and why NLP systems differ."""
    del version


for module in (score, errors, confusion, show, align, check, convert, listing, simulate, demo):
    module.register(app)


def main() -> None:
    """Run the command line; errors go to stderr with their exit code, without a traceback."""
    gc.disable()  # a command is short-lived, and arrays go when their last name does
    try:
        app(prog_name="finegrain")
    except FinegrainError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of a pipe has seen enough, e.g. head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        sys.exit(130)
