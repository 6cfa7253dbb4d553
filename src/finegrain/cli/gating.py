"""What ``finegrain gate`` checks, and the files it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from finegrain.analyses.trust.gate import gate
from finegrain.cli.options import Output
from finegrain.cli.output import emit
from finegrain.cli.standard_streams import say
from finegrain.complete_file import write_complete
from finegrain.errors import InputError
from finegrain.table import OutcomeTable


def checked(
    table: OutcomeTable,
    rules: list[str],
    destination: Output,
    *,
    junit: str | None,
    summary: str | None,
    **choices: Any,
) -> int:
    """Check, print and write; the exit code: 1 if a rule fails, 2 if one cannot be decided."""
    result = gate(table, rules, **choices)
    emit(result, destination)
    if junit is not None or summary is not None:
        from finegrain.views.gate_files import as_junit, as_summary

        if junit is not None:
            write_complete(junit, as_junit(result))
        if summary is not None:
            _add(summary, as_summary(result))
    if destination.output is not None:
        say(result.headline())
    if result.undecided:
        say(
            "A rule that cannot be decided is no pass: give more text, or another rule"
            + ("." if choices["assume_independent"] else ", or --assume-independent.")
        )
    return 1 if result.failures else 2 if result.undecided else 0


def _add(path: str, text: str) -> None:
    """Append: the summary of a job may hold that of other steps."""
    try:
        with Path(path).open("a", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise InputError.at(path, 0, f"cannot be written: {error.strerror}") from None
