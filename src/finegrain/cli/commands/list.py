"""``finegrain list``."""

from __future__ import annotations

from finegrain.cli.command import command
from finegrain.cli.option import Argument

KINDS = (
    "formats", "tasks", "metrics", "attributes", "schemes", "policies", "weights", "outcomes",
    "perturbations", "suites", "studies", "weaknesses", "question-weaknesses", "review-weaknesses",
    "rating-weaknesses", "grade-weaknesses", "aspect-weaknesses", "group-weaknesses",
    "language-model-weaknesses", "minimal-pair-weaknesses", "splitter-weaknesses",
    "search-weaknesses", "translation-weaknesses", "tree-weaknesses", "vector-weaknesses",
    "chain-weaknesses",
)  # fmt: skip


@command(
    Argument("KIND", ", ".join(KINDS), file=""),
    Argument("NAME", "Explain this one.", required=False, file=""),
)
def list_(kind: str, name: str | None) -> None:
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
