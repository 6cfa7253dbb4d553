"""``finegrain gate``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command, without
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, INDEPENDENT, RESAMPLES, SEED

if TYPE_CHECKING:
    from finegrain.cli.options import Output
    from finegrain.table import OutcomeTable


@command(
    Option(
        "--fail-if RULE",
        "'new_errors[PER] > 5', 'fair.f1 drops 0.3 at p < .05' or 'fair.f1 not worse than 0.5'; "
        "may be repeated.",
        repeated=True,
        to="rules",
    ),
    Option("--junit FILE", "Write JUnit XML there.", file="written"),
    Option("--summary FILE", "Append Markdown there: $GITHUB_STEP_SUMMARY.", file="written"),
    Option("--systems OLD,NEW", "Which two systems to compare.", repeated=True, to="chosen"),
    Option("--examples N", "Units shown of a rule that fails.", default=10, least=0),
    Option(
        "--since SYSTEM",
        "Compare scores with this system as well, such as the first release; it stands in the same "
        "files as those of --systems OLD,NEW.",
    ),
    Option(
        "--pushes N",
        "How many versions the gate will judge: each rule is tested at its p divided by N.",
        default=1,
        least=1,
    ),
    Option(
        "--undecided stop|pass|fail",
        "Whether an undecided rule stops (exit code 2), passes (0) or fails (1).",
        default="stop",
    ),
    INDEPENDENT,
    RESAMPLES,
    SEED,
    *without(ANALYSIS, "train", "baseline", "vote"),
)
def gate(
    table: OutcomeTable,
    destination: Output,
    *,
    rules: list[str] | None,
    junit: str | None,
    summary: str | None,
    chosen: list[str] | None,
    **how: Any,
) -> None:
    """Let a new version pass, or not: exit code 1 if a rule fails, with what broke.

    Takes three files: gold standard, old output, new output. If there are more systems, --systems
    names the old and the new one. Where there is too little text to decide a rule, the version
    does not pass: exit code 2, unless another rule fails or --undecided says otherwise.

    \b
    Rules, which say when the gate fails:
      new_errors[LABEL] > N      what the new output gets wrong and the old one right; also
                                 changed_errors, >=, and without [LABEL]
      worse > N                  units on which the new output is worse, also of graded units
      METRIC drops POINTS        by at least POINTS of 100, e.g. fair.f1 or accuracy
      METRIC drops POINTS at p < .05     if the drop is significantly larger than POINTS
      METRIC not worse than POINTS       the same; it passes only if the drop is significantly
                                         smaller, and is undecided in between

    \b
    Example:
      finegrain gate gold.conll neural.conll crf.conll --fail-if "new_errors[PER] > 9"
      finegrain gate gold.conll neural.conll crf.conll --fail-if "fair.f1 drops 0.3 at p < .05"
      finegrain gate gold.conll old.conll new.conll --fail-if "f1 not worse than 3" --undecided pass
    """
    from finegrain.analyses.trust.gate import gate as gate_of
    from finegrain.cli.name_lists import chosen_systems
    from finegrain.cli.output import emit
    from finegrain.cli.standard_streams import say
    from finegrain.complete_file import write_complete

    result = gate_of(table, rules or [], systems=chosen_systems(table, chosen), **how)
    emit(result, destination)
    if junit is not None or summary is not None:
        from finegrain.views.gate_files import as_junit, as_summary

        if junit is not None:
            write_complete(junit, as_junit(result))
        if summary is not None:
            _add(summary, as_summary(result))
    if destination.output is not None:
        say(result.headline())
    if result.undecided and result.policy == "stop":
        say(
            "An undecided rule does not pass: add documents, or change the rule"
            + ("." if how["assume_independent"] else ", or use --assume-independent.")
        )
    if code := result.exit_code:
        sys.exit(code)


def _add(path: str, text: str) -> None:
    """Append: the summary of a job may hold that of other steps."""
    from finegrain.errors import InputError

    try:
        with Path(path).open("a", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise InputError.at(path, 0, f"cannot be written: {error.strerror}") from None
