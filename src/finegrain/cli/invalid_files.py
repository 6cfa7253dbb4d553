"""Several submissions of which some are broken: all of those are named, or left out on request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from finegrain.cli.standard_streams import say
from finegrain.errors import InputError, Problem
from finegrain.sizes import sized

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable

_SHOWN = 3  # problems of each file, where several are broken


class Named(NamedTuple):
    """A system on the command line."""

    name: str
    path: str


def aligned_if_valid(
    align: Callable[[Sequence[Named]], OutcomeTable], systems: Sequence[Named], *, skip: bool
) -> OutcomeTable:
    """Align systems; where some cannot be used, name all of those, or ``skip`` them with a note.

    Files are read a second time only where something is wrong.
    """
    try:
        return align(systems)
    except InputError as error:
        if any(path == "-" for _, path in systems) or not (skip or len(systems) > 1):
            raise
        align([])  # what is wrong with the gold standard is no system's fault
        faults = {system: fault for system in systems if (fault := _fault(align, system))}
        rest = [system for system in systems if system not in faults]
        if len(faults) <= 1 and not (skip and rest):
            raise
        if not (skip and rest):
            hint = "; --skip-invalid leaves them out" if rest else ""
            say(f"{len(faults)} of {sized(len(systems), 'system')} cannot be used{hint}")
            raise _of_all(list(faults.values()), type(error)) from None
    table = align(rest)
    left_out = [
        f"left out: {system.name} ({fault.lines()[0].rstrip('.')})"
        for system, fault in faults.items()
    ]
    for note in left_out:
        say(note)
    return replace(table, notes=(*table.notes, *left_out))


def _fault(align: Callable[[Sequence[Named]], OutcomeTable], system: Named) -> InputError | None:
    try:
        align([system])
    except InputError as error:
        return error
    return None


def _of_all(faults: Sequence[InputError], kind: type[InputError]) -> InputError:
    problems: list[Problem] = []
    unlisted = 0
    for fault in faults:
        problems += fault.problems[:_SHOWN]
        unlisted += len(fault.problems[_SHOWN:]) + fault.unlisted
    return kind(problems, unlisted=unlisted)
