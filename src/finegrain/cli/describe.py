"""``finegrain describe``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options
from finegrain.cli.buckets import AttributeOption, ByOption, CaseOption

GoldFile = Annotated[
    str,
    typer.Argument(
        metavar="GOLD", help="The gold file, or a table saved by align.", show_default=False
    ),
]
ContextOption = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="N",
        help="Words on either side that must be the same where labels are compared.",
    ),
]
ExamplesOption = Annotated[
    int, typer.Option(min=0, metavar="N", help="Show so many inconsistent contexts.")
]


def describe(
    gold: GoldFile,
    task: options.TaskOption = None,
    input: options.InputOption = None,
    columns: options.ColumnsOption = None,
    header: options.HeaderOption = "auto",
    comment: options.CommentOption = None,
    scheme: options.SchemeOption = None,
    policy: options.PolicyOption = "conlleval",
    layer: options.LayerOption = options.LAYER,
    map: options.MapOption = None,
    labels: options.LabelsOption = None,
    exclude: options.ExcludeOption = None,
    train: options.TrainOption = None,
    strict: options.StrictOption = False,
    by: ByOption = None,
    attribute: AttributeOption = None,
    context: ContextOption = 1,
    examples: ExamplesOption = 10,
    case_sensitive: CaseOption = False,
    format: options.FormatOption = None,
    output: options.OutputOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Describe a data set without any system: sizes, attributes, labels, lengths, overlap.

    With --train also what of it the training data show: sentences that stand in both, surfaces
    seen and unseen, unknown words. Labels are inconsistent where the same words in the same context
    have different labels.

    \b
    Example:
      finegrain describe gold.conll --train train.conll
      finegrain describe gold.conll --by entity_length,label --context 2
    """
    from finegrain.cli import describing

    inputs = options.Inputs(
        files=[gold],
        task=task,
        input=input,
        columns=columns,
        header=header,
        comment=comment,
        scheme=scheme,
        policy=policy,
        layer=layer,
        map=map,
        labels=labels,
        exclude=exclude,
        train=train,
        strict=strict,
        quiet=quiet,
    )
    wanted = describing.Wanted(by or [], attribute or [], context, examples)
    found = describing.described(inputs, wanted, fold_case=not case_sensitive)
    describing.emit(found, options.Output(format, output), strict=strict)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(describe)
