"""``finegrain ground``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options

AnswersArgument = Annotated[
    str,
    typer.Argument(
        metavar="ANSWERS",
        help="What the model returned: JSON lines, batch files of APIs, logs of Inspect (.eval) "
        "and lm-evaluation-harness, langextract, a folder with one file per text; - is stdin.",
        show_default=False,
    ),
]
TextOption = Annotated[
    str,
    typer.Option("--text", metavar="DOCS", help="The texts that the model was given, with ids."),
]
SchemaOption = Annotated[
    str | None,
    typer.Option(
        metavar="A,B|FILE",
        help="The labels there are, or a file with one per line; PERSON=PER is a further name of "
        "PER. Without it, every label counts as one.",
    ),
]
KindOption = Annotated[
    str,
    typer.Option(
        metavar="mentions|label|option|text",
        help="What was asked for: mentions in a text, one label, the letter of one option, or a "
        "short text.",
    ),
]
PolicyOption = Annotated[
    str,
    typer.Option(
        metavar="order|first|all|unique|nearest",
        help="Where words stand that the text has several times: in the order of the whole answer, "
        "at their first place, at all, nowhere, or nearest to what the answer says.",
    ),
]
FuzzyOption = Annotated[
    str,
    typer.Option(
        metavar="SHARE|off",
        help="Least similarity of words that the text does not have; numbers and negations must "
        "be the same.",
    ),
]
RepairOption = Annotated[
    bool,
    typer.Option("--repair", help="Read broken JSON as far as it is beyond doubt; counted."),
]
MissingOption = Annotated[
    str,
    typer.Option(
        metavar="error|count", help="Texts without an answer: refuse, or count as unparseable."
    ),
]
RepeatsOption = Annotated[
    str | None,
    typer.Option(metavar="yes", help="A text that is answered again starts a further run."),
]
PricesOption = Annotated[
    str | None,
    typer.Option(
        metavar="IN,OUT", help="Price of a million input and output tokens, for the cost."
    ),
]
CorpusOption = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="OUT", help="The corpus to write (.jsonl); of runs, OUT@1 and on."
    ),
]


def ground(
    source: AnswersArgument,
    text: TextOption,
    output: CorpusOption,
    schema: SchemaOption = None,
    kind: KindOption = "mentions",
    policy: PolicyOption = "order",
    fuzzy: FuzzyOption = "0.85",
    repair: RepairOption = False,
    missing: MissingOption = "error",
    repeats: RepeatsOption = None,
    prices: PricesOption = None,
    input: options.InputOption = None,
    strict: options.StrictOption = False,
    format: options.FormatOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Turn answers of language models into a corpus: every item in its text, or a class that says why not.

    Nothing is called over a network, and nothing in an answer is evaluated.

    \b
    Example:
      finegrain ground answers.jsonl --text texts.jsonl --schema PER,LOC -o model.jsonl
      finegrain ground batch.jsonl --text texts.jsonl --kind label --schema pos,neg -o labels.jsonl
      finegrain ground batch.jsonl --text texts.jsonl --repair --policy all -o model.jsonl
    """  # noqa: E501
    from finegrain.cli.grounding import Wanted, grounded
    from finegrain.cli.options import Output
    from finegrain.cli.output import emit

    wanted = Wanted(
        schema, kind, policy, fuzzy, repair, missing, repeats, prices, input, strict, quiet
    )
    emit(grounded(source, text, output, wanted), Output(format, None))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(ground)
