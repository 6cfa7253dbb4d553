"""``finegrain gate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from finegrain.cli.analysis import analysis

if TYPE_CHECKING:
    from finegrain.cli.options import Output
    from finegrain.table import OutcomeTable

PairOption = Annotated[
    list[str] | None,
    typer.Option("--systems", metavar="OLD,NEW", help="Of more systems: the two to compare."),
]


def gate(
    table: OutcomeTable,
    destination: Output,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-if",
            metavar="RULE",
            help="'new_errors[PER] > 5' or 'fair.f1 drops 0.3 at p < .05'; may be repeated.",
        ),
    ] = None,
    junit: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write JUnit XML there.")
    ] = None,
    summary: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Add Markdown to it, such as $GITHUB_STEP_SUMMARY."),
    ] = None,
    only: PairOption = None,
    examples: Annotated[
        int, typer.Option(min=0, metavar="N", help="Show so many units of a rule that fails.")
    ] = 10,
    assume_independent: Annotated[
        bool,
        typer.Option(
            "--assume-independent", help="Sentences of a document do not depend on each other."
        ),
    ] = False,
    resamples: Annotated[int, typer.Option(min=1, metavar="N", help="Of tests.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same digits.")] = 1,
) -> None:
    """Let a new version pass, or not: exit code 1 if a rule fails, with what broke.

    Takes three files: gold standard, old output, new output. Of a file that holds more systems
    (ratings), --systems names the old and the new one. A rule that cannot be decided is no
    pass either: exit code 2 if no other one fails.

    \b
    Rules, which say when the gate fails:
      new_errors[LABEL] > N      what the new output gets wrong and the old one right; also
                                 changed_errors, >=, and without [LABEL]
      worse > N                  units on which the new output is worse, also of graded units
      METRIC drops POINTS        by so many points of 100 or more, e.g. fair.f1 or accuracy
      METRIC drops POINTS at p < .05     and only if that is beyond chance

    \b
    Example:
      finegrain gate gold.conll neural.conll crf.conll --fail-if "new_errors[PER] > 9"
      finegrain gate gold.conll neural.conll crf.conll --fail-if "fair.f1 drops 0.3 at p < .05"
    """
    from finegrain.cli.gating import checked
    from finegrain.cli.showing import chosen_systems

    code = checked(
        table, fail_if or [], destination, systems=chosen_systems(table, only), junit=junit,
        summary=summary, examples=examples, assume_independent=assume_independent,
        resamples=resamples, seed=seed,
    )  # fmt: skip
    if code:
        raise typer.Exit(code)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(gate, leave_out=("train", "baseline", "vote")))
