"""``finegrain check``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options


def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files to check.", show_default=False)
    ],
    against: Annotated[
        str | None,
        typer.Option(metavar="GOLD", help="Gold file that every file must match token by token."),
    ] = None,
    task: options.TaskOption = None,
    input: options.InputOption = None,
    columns: options.ColumnsOption = None,
    header: options.HeaderOption = "auto",
    comment: options.CommentOption = None,
    scheme: options.SchemeOption = None,
    policy: options.PolicyOption = "conlleval",
    strict: options.StrictOption = False,
) -> None:
    """Validate files: every problem with its line.

    The exit code is 3 if there is a problem.

    Ill-formed tags are warnings, or problems with --policy error; so are bad trees and mentions
    that occur twice. With --strict all warnings are problems.

    \b
    Example:
      finegrain check submission.conll --against gold.conll
    """
    from finegrain.cli import checking

    inputs = options.Inputs(
        files=files,
        task=task,
        input=input,
        columns=columns,
        header=header,
        comment=comment,
        scheme=scheme,
        policy=policy,
        strict=strict,
    )
    problems = checking.check_files(inputs, against)
    if problems:
        raise typer.Exit(3)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(check)
