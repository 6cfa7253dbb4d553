"""How ``finegrain triage`` reads its options and where its list goes."""

from __future__ import annotations

import sys
from pathlib import Path

from finegrain.analyses.compare.triage import Triage
from finegrain.cli.options import Output
from finegrain.cli.output import chosen_format, emit
from finegrain.cli.standard_streams import say
from finegrain.complete_file import write_complete
from finegrain.errors import UsageError
from finegrain.views.saving import FORMS
from finegrain.views.unit_records import as_jsonl, as_tsv

ON_SCREEN = 20
_LINES = {"jsonl": as_jsonl, "tsv": as_tsv}


def agreement(text: str | None, n_systems: int) -> float | None:
    """``--at-least``: a number, a share, which has a decimal point, or all.

    >>> agreement("3", 12), agreement("0.75", 12), agreement("all", 12), agreement(None, 12)
    (3, 0.75, 12, None)
    """
    if text is None:
        return None
    if text == "all":
        return n_systems
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        raise UsageError(
            f"--at-least: {text!r} is not a number of systems (3), share of them (0.75) or all"
        ) from None


def form(output: Output) -> str:
    """The format that was asked for, or that the output file ends in."""
    suffix = Path(output.output or "").suffix.lower().removeprefix(".")
    chosen = output.format or (suffix if suffix in _LINES else chosen_format(output))
    if chosen not in (*FORMS, *_LINES):
        raise UsageError.unknown("format", chosen, (*FORMS, *_LINES))
    return chosen


def emit_suspects(found: Triage, output: Output) -> None:
    """Print or write what was found."""
    chosen = form(output)
    if chosen not in _LINES:
        emit(found, output)
        return
    lines = _LINES[chosen](found)
    if output.output is None:
        sys.stdout.writelines(lines)
    else:
        write_complete(output.output, "".join(lines))
        say(f"wrote {output.output}")
