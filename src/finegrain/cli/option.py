"""An option and an argument: declared once, as help shows them, whatever parses them.

>>> option = Option("-w, --where SELECTION", "Only the units that this holds for.", default="")
>>> option.flags, option.metavar, option.name, option.is_flag
('-w, --where', 'SELECTION', 'where', False)
>>> Option("--seed N", "The same seed gives the same result.", default=1).value_type
<class 'int'>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

File = Literal["", "read", "written"]  # whether a value names a file, and what happens to it
_CHOICES = re.compile(r"[a-z0-9]+(\|[a-z0-9]+)+")
_SHOWN = re.compile(r"(?P<flags>(?:-\w, )?--(?P<name>[a-z-]+)\S*)(?: (?P<metavar>.+))?")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command.

    Parameters
    ----------
    shown: how help shows it: ``-o, --output FILE``; without a metavar it is a flag
    help: what it means, in sentences
    default: the value without it; its type is that of the option
    takes: the type of the value, where the default is ``None``
    to: the name of its value, if not its own
    value: what a flag means
    least, most: limits of a number
    repeated: may be repeated, which makes a list
    names: a list of names, separated by commas or repeated
    required: there is no value without it
    file: whether it names a file that is read or written
    """

    shown: str
    help: str
    default: Any = None
    takes: type | None = None
    to: str = ""
    value: Any = True
    least: float | None = None
    most: float | None = None
    repeated: bool = False
    names: bool = False
    required: bool = False
    file: File = ""

    def _part(self, name: str) -> str:
        match = _SHOWN.fullmatch(self.shown)
        return (match[name] or "") if match else ""

    @property
    def flags(self) -> str:
        """What is typed: ``-o, --output``."""
        return self._part("flags")

    @property
    def long(self) -> str:
        """The long name: ``--gold-columns``."""
        return f"--{self._part('name')}"

    @property
    def name(self) -> str:
        """The name of the value: ``gold_columns``."""
        return self.to or self._part("name").replace("-", "_")

    @property
    def metavar(self) -> str:
        """What a value is called; empty for a flag."""
        return self._part("metavar")

    @property
    def is_flag(self) -> bool:
        """Whether it takes no value."""
        return not self.metavar

    @property
    def value_type(self) -> type:
        """The type of its value."""
        return self.takes or (str if self.default is None else type(self.default))

    @property
    def unless_given(self) -> Any:
        """The value without it."""
        plain_flag = self.is_flag and "/" not in self.flags
        return False if plain_flag and self.default is None else self.default

    @property
    def choices(self) -> list[str]:
        """All values there are, where the metavar lists them: ``auto|yes|no``."""
        return self.metavar.split("|") if _CHOICES.fullmatch(self.metavar) else []

    @property
    def shown_default(self) -> str:
        """The default, if help does not say it already; empty without one."""
        return "" if self.is_flag or self.default in (None, "") else str(self.default)


@dataclass(frozen=True, slots=True)
class Argument:
    """What is given without the name of an option: ``GOLD``, or ``SYSTEM...`` of many."""

    shown: str
    help: str
    to: str = ""
    required: bool = True
    file: File = "read"

    @property
    def usage(self) -> str:
        """How the line of usage shows it."""
        return self.shown if self.required or self.many else f"[{self.shown}]"

    @property
    def many(self) -> bool:
        """Whether there may be several."""
        return self.shown.endswith("...")

    @property
    def name(self) -> str:
        """The name of the value."""
        return self.to or self.shown.removesuffix("...").lower()


@dataclass(frozen=True, slots=True)
class Group:
    """Options that belong together, with their heading in help."""

    title: str
    options: tuple[Option, ...]

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    def only(self, *names: str) -> Group:
        """The group with the options of these names only."""
        return Group(self.title, tuple(one for one in self if one.name in names))
