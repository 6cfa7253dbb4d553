"""``finegrain perturb``."""

from __future__ import annotations

from typing import Annotated

import typer

from finegrain.cli import options

WithOption = Annotated[
    str | None,
    typer.Option(
        "--with",
        metavar="NAME[=RATE],...",
        help="Perturbations, each with a rate if not its own: typos=0.05,upper (all: finegrain "
        "list perturbations). Default: the usual ones that change something.",
    ),
]


def perturb(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="The labelled file or folder.", show_default=False)
    ],
    folder: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="DIR", help="The folder to write copies into."),
    ] = None,
    with_: WithOption = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same bytes.")] = 1,
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Of items, a column to change; may be repeated. Default: the columns that are "
            "known to hold texts, but for the context of a question.",
        ),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Your own list of names: name, first or last or place, f or m or -, origin; tabs.",
        ),
    ] = None,
    synonyms: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Your own synonyms: words of one meaning in a line."),
    ] = None,
    sentences: Annotated[
        str | None, typer.Option(metavar="FILE", help="Your own irrelevant sentences, one a line.")
    ] = None,
    input: options.InputOption = None,
    columns: options.ColumnsOption = None,
    strict: options.StrictOption = False,
    format: options.FormatOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Write perturbed copies of a labelled file: typos, OCR errors, case, names.

    Spans, tags, trees and chains stay exactly on their words. Each copy stands in a folder of its
    own, under the name of the file, with every change in changes.jsonl. Run your systems on the
    copies, write each output beside its copy under the name that it has for the original, and
    compare: finegrain robustness GOLD SYSTEM... --copies DIR.

    \b
    Example:
      finegrain perturb gold.conll -o copies --with typos,upper,names
      finegrain perturb reviews/gold.csv -o noisy --with typos=0.05,typos=0.2,negation --seed 7
    """
    from finegrain.cli.output import emit
    from finegrain.cli.perturbing import copied

    lists = {"names": names, "synonyms": synonyms, "sentences": sentences}
    inputs = options.Inputs(files=[source], input=input, columns=columns, strict=strict)
    given = {kind: path for kind, path in lists.items() if path is not None}
    result = copied(inputs, folder, with_, seed=seed, fields=field or [], lists=given, quiet=quiet)
    emit(result, options.Output(format, None))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(perturb)
