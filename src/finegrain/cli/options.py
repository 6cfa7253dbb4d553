"""Options that commands share, declared once, and what the user said with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

GoldArgument = Annotated[
    str,
    typer.Argument(
        metavar="GOLD",
        help="The gold file; - is standard input. With gold and answer in --columns every file "
        "is a system and there is no gold file.",
        show_default=False,
    ),
]
SystemsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SYSTEM",
        help="One file per system; name=path names it, otherwise the file does.",
        show_default=False,
    ),
]
TaskOption = Annotated[
    str | None,
    typer.Option("--task", "-t", metavar="TASK", help="spans or tags; found out if certain."),
]
InputOption = Annotated[
    str | None,
    typer.Option("--input", metavar="FORMAT", help="Format of the files; found out by content."),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns from 1, or by header name: token=1,tags=4; or gold and answer side by side "
        "in each file: token=1,gold=2,answer=3. Default: token first, tags last.",
    ),
]
GoldColumnsOption = Annotated[
    str | None,
    typer.Option(metavar="COLUMNS", help="Columns of the gold file, if others than --columns."),
]
HeaderOption = Annotated[
    str,
    typer.Option(metavar="auto|yes|no", help="Whether the first line names the columns."),
]
CommentOption = Annotated[
    str | None, typer.Option(metavar="PREFIX", help="Lines that begin so are comments.")
]
SchemeOption = Annotated[
    str | None,
    typer.Option(
        metavar="SCHEME", help="iob1, iob2, bioes, bilou or io; detected from the gold tags."
    ),
]
PolicyOption = Annotated[
    str,
    typer.Option(
        metavar="POLICY", help="What to do with ill-formed tags: conlleval, discard or error."
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="table, json, csv, latex or markdown; by default what --output ends in, or table.",
    ),
]
OutputOption = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there, not to standard output."),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Do not say on stderr what was recognised.")
]
FocusOption = Annotated[
    str,
    typer.Option(
        metavar="target|system", help="Which label a wrong label is charged to: gold or answer."
    ),
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
