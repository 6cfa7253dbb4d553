"""``finegrain behave``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options

ActionArgument = Annotated[
    str, typer.Argument(metavar="generate|score", help="What to do.", show_default=False)
]
SuiteArgument = Annotated[
    str,
    typer.Argument(
        metavar="SUITE",
        help="A TOML file, module:NAME in Python, or a shipped suite: sentiment, ner, nli, qa.",
        show_default=False,
    ),
]
FilesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PREDICTIONS",
        help="Files of predictions (JSON lines), one per system; name=path names it.",
        show_default=False,
    ),
]
CallOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]MODULE:FUNCTION",
        help="A Python function that takes all texts and gives as many answers; may be repeated.",
    ),
]
RunOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]COMMAND",
        help="A program that reads inputs and writes predictions, both JSON lines; may be "
        "repeated.",
    ),
]


def behave(
    action: ActionArgument,
    suite: SuiteArgument,
    predictions: FilesArgument = None,
    call: CallOption = None,
    run: RunOption = None,
    time_limit: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="For each program.")
    ] = 600.0,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Exit code 1 if it holds: 'negation.mft fails > 5 %', 'any fails > 0'.",
        ),
    ] = None,
    examples: Annotated[
        int, typer.Option(min=0, metavar="N", help="Failing cases shown of each test.")
    ] = 3,
    confidence: Annotated[float, typer.Option(metavar="SHARE", help="Of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same inputs.")] = 1,
    format: options.FormatOption = None,
    output: options.OutputOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Run behavioural tests (CheckList): what must be answered, must stay the same, must move.

    generate writes the inputs of a suite as JSON lines (to -o FILE or standard output). score reads
    predictions, one JSON object per input with its id and a label (probabilities, spans), or calls
    a function or a program. Failure rates by capability and kind, fill-ins that fail more often
    than others, examples; -o behaviour.html writes a page.

    \b
    Example:
      finegrain behave generate sentiment -o inputs.jsonl
      finegrain behave score sentiment svm=svm.jsonl --fail-if "negation.mft fails > 100 %"
      finegrain behave score sentiment --call mine=classifier:predict
    """
    from finegrain.cli.behaving import Wanted, generated, scored

    if action == "generate":
        generated(suite, output, seed=seed, quiet=quiet, extra=bool(predictions or call or run))
        return
    wanted = Wanted(predictions or [], call or [], run or [], time_limit)
    code = scored(
        action, suite, wanted, options.Output(format, output), rules=fail_if or [],
        examples=examples, confidence=confidence, seed=seed, quiet=quiet,
    )  # fmt: skip
    if code:
        raise typer.Exit(code)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(behave)
