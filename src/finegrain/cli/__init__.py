"""The command line: one file per command; start-up imports typer and nothing heavier."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys

import typer

from finegrain.cli.commands import Commands
from finegrain.cli.standard_streams import beyond_limits, discard_output, make_ready, say_error
from finegrain.errors import FinegrainError
from finegrain.version import __version__

app = typer.Typer(
    name="finegrain",
    cls=Commands,
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


def main() -> None:
    """Run the command line; errors go to stderr with their exit code, without a traceback."""
    gc.disable()  # a command is short-lived, and arrays go when their last name does
    atexit.register(gc.freeze)  # nor is anything looked through for garbage when it ends
    # products of small matrices: a second thread would mostly wait for the first
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    make_ready()
    try:
        _run()
        return
    except FinegrainError as error:
        failed = error
    except (MemoryError, RecursionError) as error:
        failed = beyond_limits(error)  # said when all that was held is given back
    except BrokenPipeError:  # the reader of a pipe has seen enough, e.g. head
        discard_output()
        sys.exit(0)
    except OSError as error:  # a full disk, a closed descriptor
        if error.errno == errno.ENOMEM:
            failed = beyond_limits(error)
        else:
            discard_output()
            where = error.filename or "standard output"
            failed = FinegrainError(f"{where}: {error.strerror or error}")
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        sys.exit(130)
    say_error(failed)
    sys.exit(failed.exit_code)


def _run() -> None:
    """The command; what it printed is really written when it ends."""
    try:
        app(prog_name="finegrain")
    except SystemExit:
        sys.stdout.flush()
        raise
