"""Options that all analysis commands share, declared once.

``analysis`` turns a function of an ``OutcomeTable`` (and its own options) into a command with
the shared arguments: files, task, format, columns, scheme, policy, output.
"""

from __future__ import annotations

import inspect
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable

OutputFormat = Literal["table", "json", "csv", "latex", "markdown"]

FilesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="GOLD SYSTEM...",
        help="The gold file, then one file per system; name=path names a system; - is standard "
        "input. With gold and answer in --columns every file is a system.",
        show_default=False,
    ),
]
TaskOption = Annotated[
    str | None, typer.Option("--task", "-t", help="spans or tags; found out if certain.")
]
InputOption = Annotated[
    str | None, typer.Option("--input", help="Format of the files; recognised by content.")
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        help="Columns from 1, or by header name: token=1,tags=4; or gold and answer side by side "
        "in each file: token=1,gold=2,answer=3."
    ),
]
GoldColumnsOption = Annotated[
    str | None, typer.Option(help="Columns of the gold file, if they differ from --columns.")
]
HeaderOption = Annotated[
    str, typer.Option(help="Whether the first line names the columns: auto, yes or no.")
]
CommentOption = Annotated[str | None, typer.Option(help="Lines that begin so are comments.")]
SchemeOption = Annotated[
    str | None, typer.Option(help="iob1, iob2, bioes, bilou or io; detected from the gold tags.")
]
PolicyOption = Annotated[
    str, typer.Option(help="What to do with ill-formed tags: conlleval, discard or error.")
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format", help="table, json, csv, latex or markdown; by the suffix of --output."
    ),
]
OutputOption = Annotated[
    str | None,
    typer.Option("--output", "-o", help="Write to this file instead of standard output."),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Do not say on stderr what was recognised.")
]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the user said about files."""

    files: list[str]
    task: str | None
    input: str | None
    columns: str | None
    gold_columns: str | None
    header: str
    comment: str | None
    scheme: str | None
    policy: str
    quiet: bool


@dataclass(frozen=True, slots=True)
class Output:
    """Where a result goes."""

    format: str | None
    output: str | None


def _shared(
    files: FilesArgument,
    task: TaskOption = None,
    input: InputOption = None,
    columns: ColumnsOption = None,
    gold_columns: GoldColumnsOption = None,
    header: HeaderOption = "auto",
    comment: CommentOption = None,
    scheme: SchemeOption = None,
    policy: PolicyOption = "conlleval",
    format: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> tuple[Inputs, Output]:
    inputs = Inputs(
        files, task, input, columns, gold_columns, header, comment, scheme, policy, quiet
    )
    return inputs, Output(format, output)


def analysis(function: Callable[..., Any]) -> Callable[..., None]:
    """Make ``function(table, **own options)``, which returns a result, into a command."""
    shared = inspect.signature(_shared, eval_str=True).parameters
    heavy = {"OutcomeTable": Any}  # imported only when a command runs
    signature = inspect.signature(function, eval_str=True, locals=heavy)
    own = {name: given for name, given in signature.parameters.items() if name != "table"}
    last = [name for name in shared if name in ("format", "output", "quiet")]
    ordered = [shared[name] for name in shared if name not in last]
    ordered += own.values()
    ordered += (shared[name] for name in last)

    def command(**given: Any) -> None:
        from finegrain.cli.inputs import load
        from finegrain.cli.output import emit

        inputs, output = _shared(**{name: given.pop(name) for name in shared})
        table: OutcomeTable = load(inputs)
        emit(function(table, **given), output)

    command.__name__ = function.__name__
    command.__doc__ = function.__doc__
    keyword = inspect.Parameter.KEYWORD_ONLY
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # typer reads it
        [parameter.replace(kind=keyword) for parameter in ordered]
    )
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    return command


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["finegrain", *sys.argv[1:]])
