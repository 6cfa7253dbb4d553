"""Standard output and error: what is written there, and what happens when it cannot be.

>>> lines_of(FinegrainError("a\\x1b[31mb.tsv: cannot be written"))
['a\\\\x1b[31mb.tsv: cannot be written']
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TextIO, cast

import click

from finegrain.errors import FinegrainError, InputError, UsageError

_WRITTEN_OUT = "finegrain-written-out"


def tell(*lines: str) -> None:
    """Lines on standard output for people; what a terminal would act on is written out."""
    from finegrain.views.escape import visible

    click.echo("\n".join(map(visible, lines)))


def say(text: str) -> None:
    """One line on standard error; what a terminal would act on is written out."""
    from finegrain.views.escape import visible

    click.echo(visible(text), err=True)


def say_error(error: FinegrainError) -> None:
    """An error with its lines on standard error."""
    first, *others = lines_of(error)
    click.echo("\n".join([f"error: {first}", *others]), err=True)


def beyond_limits(error: Exception) -> FinegrainError:
    """What is said where there is not enough memory, or nesting goes too deep."""
    if isinstance(error, RecursionError):
        return FinegrainError(
            "the input is nested too deeply. Look for brackets that are opened and not closed."
        )
    return FinegrainError(
        "there is not enough memory for this. Give smaller files, fewer systems, labels or "
        "resamples (--no-intervals), or a machine with more memory."
    )


def lines_of(error: FinegrainError) -> list[str]:
    """The lines of an error, harmless for a terminal: one per problem of a file."""
    from finegrain.views.escape import visible

    if isinstance(error, InputError):
        lines = error.lines()
    else:  # a selection has a caret on a line below it
        lines = str(error).split("\n") if isinstance(error, UsageError) else [str(error)]
    return [visible(line) for line in lines]


class _Harmless:
    """Standard error, whoever writes there: what a terminal would act on is written out."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.encoding, self.errors = stream.encoding, stream.errors

    def write(self, text: str) -> int:
        from finegrain.views.escape import harmless

        return self._stream.write(harmless(text))

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


def progress_bar(
    what: str, total: int | None = None
) -> Callable[[Iterable[Any]], Iterable[Any]] | None:
    """What draws a bar on standard error while it hands things on; ``None`` without a terminal."""
    if not sys.stderr.isatty():
        return None
    from rich.console import Console
    from rich.progress import track

    # its texts are ours, and move the cursor
    console = Console(file=sys.__stderr__)
    return lambda things: track(things, what, total=total, console=console, transient=True)


def make_ready() -> None:
    """Standard output takes any text: what its encoding does not have is written out.

    A closed one fails when it is written to, like a full disk. Standard error is made harmless, as
    others write there, too: the messages about options that are wrong.
    """
    if sys.stderr is not None and not isinstance(sys.stderr, _Harmless):
        sys.stderr = cast("TextIO", _Harmless(sys.stderr))
    codecs.register_error(_WRITTEN_OUT, _written_out)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_WRITTEN_OUT)


def _written_out(error: UnicodeError) -> tuple[str, int]:
    r"""``\uXXXX``, which JSON knows too, also for what is above U+FFFF."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (units[at : at + 2].hex() for at in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs), error.end


def discard_output() -> None:
    """What is still to be written goes nowhere, without a complaint when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
