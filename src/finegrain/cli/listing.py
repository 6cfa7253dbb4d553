"""``finegrain list``."""

from __future__ import annotations

from typing import Annotated

import typer

KINDS = (
    "formats",
    "tasks",
    "metrics",
    "attributes",
    "schemes",
    "policies",
    "weights",
    "outcomes",
    "perturbations",
    "suites",
    "studies",
    "weaknesses",
    "question-weaknesses",
    "review-weaknesses",
    "rating-weaknesses",
    "grade-weaknesses",
    "aspect-weaknesses",
    "group-weaknesses",
    "language-model-weaknesses",
    "minimal-pair-weaknesses",
    "splitter-weaknesses",
    "search-weaknesses",
    "translation-weaknesses",
    "tree-weaknesses",
    "vector-weaknesses",
    "chain-weaknesses",
)


def list_(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=", ".join(KINDS), show_default=False)],
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Explain this one.", show_default=False)
    ] = None,
) -> None:
    """List what finegrain knows, or explain one thing.

    \b
    Example:
      finegrain list metrics
      finegrain list metrics fair_f1
    """
    from finegrain.cli.catalogue import catalogue, explain
    from finegrain.cli.standard_streams import tell

    text = catalogue(kind) if name is None else explain(kind, name)
    tell(*text.split("\n"))


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_)
