"""Everything finegrain can complain about, as one tree.

    FinegrainError          catch this to catch all of them
    ├── InputError          a file is wrong: where, what, how to fix it (exit code 3)
    │   └── AlignmentError  a system's text is not the gold text
    ├── UsageError          a name or option is wrong; the known ones are listed (exit code 2)
    └── MissingExtra        an optional package is not installed; says which (exit code 2)

An ``InputError`` carries one or more ``Problem`` values, so that a reader can report
many faults of a file at once:

>>> print(InputError([Problem("a.tsv", 3, "expected 2 columns, found 1", "Write O.")]))
a.tsv:3: expected 2 columns, found 1. Write O.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LONGEST = 600  # characters of what is wrong


class FinegrainError(Exception):
    """Base of all errors that finegrain raises on purpose."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of one file.

    Parameters
    ----------
    path: the file as the user named it
    line: counted from 1; 0 when the fault has no line (an empty file)
    what: what is wrong, without a final full stop
    mend: how to fix it, as a sentence; may be empty
    """

    path: str
    line: int
    what: str
    mend: str = ""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        what = self.what
        if len(what) > _LONGEST:  # a word or a cell of the file may be of any length
            what = f"{what[: _LONGEST // 2]} ... {what[-_LONGEST // 4 :]}"
        return f"{place}: {what}." + (f" {self.mend}" if self.mend else "")


class InputError(FinegrainError):
    """A file cannot be used as it is."""

    exit_code = 3

    def __init__(
        self, problems: Sequence[Problem], *, unlisted: int = 0, stopped: bool = False
    ) -> None:
        """``unlisted`` problems are only counted; ``stopped``: the rest was not read."""
        self.problems = tuple(problems)
        self.unlisted = unlisted
        self.stopped = stopped
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """A line for each problem, and one for what is not listed."""
        lines = [str(problem) for problem in self.problems]
        if self.unlisted:
            several = len({problem.path for problem in self.problems}) > 1
            files = "these files" if several else "this file"
            lines.append(f"... and {self.unlisted} more problems in {files}")
        if self.stopped:
            lines.append("... the rest of the file was not checked: there are too many problems")
        return lines

    @classmethod
    def at(cls, path: str, line: int, what: str, mend: str = "") -> InputError:
        """One problem, said in one call."""
        return cls([Problem(path, line, what, mend)])


class AlignmentError(InputError):
    """Gold and system do not hold the same text."""


class UsageError(FinegrainError):
    """A name, option or argument is wrong."""

    exit_code = 2

    @classmethod
    def unknown(cls, kind: str, name: str, known: Iterable[str]) -> UsageError:
        """Name what is known, and the closest match.

        >>> print(UsageError.unknown("task", "span", ["spans", "tags"]))
        unknown task 'span'. Did you mean 'spans'? Known: spans, tags
        """
        names = list(known)
        close = closest(name, names)
        hint = f"Did you mean {close!r}? " if close else ""
        return cls(f"unknown {kind} {name!r}. {hint}Known: {', '.join(names)}")


def closest(name: str, known: Sequence[str]) -> str:
    """The known name that was most likely meant; empty if none is close.

    >>> closest("las", ["uas", "lsa"]), closest("xyz", ["uas"])
    ('lsa', '')
    """
    import difflib  # noqa: PLC0415 - only when something went wrong

    turned = [one for one in known if one.casefold() == name.casefold()]
    turned += [one for one in known if sorted(one) == sorted(name)]
    return next(iter(turned or difflib.get_close_matches(name, known, n=1)), "")


class MissingExtra(FinegrainError):
    """An optional dependency is needed and not there."""

    exit_code = 2

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional package: pip install 'finegrain[{extra}]'")


TOO_MANY = 10_000  # problems of a file, behind which it is not read on


class Collector:
    """Gathers the problems of one file and raises them together, at once if there are too many.

    >>> problems = Collector("a.tsv", limit=1)
    >>> problems.add(3, "expected 2 columns, found 1")
    >>> problems.add(9, "expected 2 columns, found 1")
    >>> problems.raise_any()
    Traceback (most recent call last):
    finegrain.errors.InputError: a.tsv:3: expected 2 columns, found 1.
    ... and 1 more problems in this file
    """

    def __init__(self, path: str, *, limit: int = 20) -> None:
        self.path = path
        self.limit = limit
        self.problems: list[Problem] = []
        self.unlisted = 0

    def add(self, line: int, what: str, mend: str = "", *, path: str | None = None) -> None:
        """Note one problem; past the limit it is only counted.

        ``path``: where it is not in the file itself, but in one of the files of a folder.
        """
        if len(self.problems) < self.limit:
            self.problems.append(Problem(path or self.path, line, what, mend))
        else:
            self.unlisted += 1
        if len(self.problems) + self.unlisted >= TOO_MANY:
            raise self._error(stopped=True)

    def raise_any(self) -> None:
        """Raise what was gathered, in the order of lines; do nothing without problems."""
        if self.problems:
            raise self._error(stopped=False)

    def _error(self, *, stopped: bool) -> InputError:
        ordered = sorted(self.problems, key=lambda problem: (problem.path, problem.line))
        return InputError(ordered, unlisted=self.unlisted, stopped=stopped)
