"""Notes that readers and tasks leave about data, and which of them cast doubt on it.

A note is a string. Of those about data (``corpus.notes``, ``table.notes``) each one says that
something was repaired, skipped or guessed, unless it is ``Information``: then all is as it should
be. So a note that nobody thought about is taken seriously where one is strict.

>>> notes = ["3 tags repaired", Information("header line: token, tag")]
>>> doubts(notes)
['3 tags repaired']
>>> doubts(told_of("crf", notes))
['crf: 3 tags repaired']

Notes about numbers (of results) say what is undefined, and why; of those, ``Doubt`` marks the few
that are about data.
"""

from __future__ import annotations

from collections.abc import Iterable

from finegrain.errors import InputError, Problem

_MEND = "--strict takes no data that had to be repaired, skipped or guessed."


class Information(str):
    """A note by which no data are in doubt."""

    __slots__ = ()


class Doubt(str):
    """A note of a result that says that data were repaired, skipped or guessed."""

    __slots__ = ()


def told_of(name: str, notes: Iterable[str]) -> list[str]:
    """The notes of a system, with its name and of the same kind."""
    kinds = (Information, Doubt)
    return [
        next((kind for kind in kinds if isinstance(note, kind)), str)(f"{name}: {note}")
        for note in notes
    ]


def doubts(notes: Iterable[str]) -> list[str]:
    """Of notes about data, those that are no information."""
    return [note for note in notes if not isinstance(note, Information)]


def refuse(source: str, notes: Iterable[str]) -> None:
    """Raise what is in doubt, if anything is.

    >>> refuse("gold.conll", ["3 tags repaired"])
    Traceback (most recent call last):
    finegrain.errors.InputError: gold.conll: 3 tags repaired. --strict takes no data that had to \
be repaired, skipped or guessed.
    """
    found = [Problem(source, 0, note.rstrip("."), _MEND) for note in dict.fromkeys(notes)]
    if found:
        raise InputError(found)
