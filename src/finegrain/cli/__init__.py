"""The command line: one file per command in ``commands``; start-up loads click, nothing heavier."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from collections.abc import Sequence

import click

from finegrain.cli.parser import Root
from finegrain.cli.standard_streams import beyond_limits, discard_output, make_ready, say_error
from finegrain.errors import FinegrainError

_COMPLETE = "_FINEGRAIN_COMPLETE"  # bash_source, zsh_source or fish_source: what a shell loads


def main() -> None:
    """Run the command line; errors go to stderr with their exit code, without a traceback."""
    gc.disable()  # a command is short-lived, and arrays go when their last name does
    atexit.register(gc.freeze)  # nor is anything looked through for garbage when it ends
    # products of small matrices: a second thread would mostly wait for the first
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    make_ready()
    try:
        _run()
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
        click.echo("interrupted", err=True)
        sys.exit(130)
    say_error(failed)
    sys.exit(failed.exit_code)


def _run() -> None:
    """The command; what it printed is really written when it ends."""
    try:
        run(sys.argv[1:])
    except SystemExit:
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    sys.exit(0)


def run(arguments: Sequence[str]) -> None:
    """Run a command; ``SystemExit`` where it does not end with exit code 0."""
    root = Root()
    if instruction := os.environ.get(_COMPLETE):
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(root, {}, "finegrain", _COMPLETE, instruction))
    try:
        with root.make_context("finegrain", list(arguments)) as context:
            root.invoke(context)
    except click.exceptions.Exit as end:
        if end.exit_code:
            sys.exit(end.exit_code)
    except click.UsageError as wrong:
        from finegrain.visible import visible

        message = visible(wrong.format_message())  # line ends of what was typed, too
        click.UsageError(message, wrong.ctx).show()
        sys.exit(wrong.exit_code)
