"""A part of the page: what it asks, and what its template needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from finegrain.sizes import sized

Context = dict[str, Any]
Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class Section(Generic[Subject]):
    """``context`` gives what the template ``<name>.html`` needs, or ``None``: no such section.

    It may have another ``question``. ``template``: that of sections that are alike.
    """

    name: str
    title: str
    question: str
    context: Callable[[Subject], Context | None]
    template: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """A section that a page has something for, and the template that writes it."""

    name: str
    title: str
    question: str
    context: Context
    template: str


def filled(
    sections: Iterable[Section[Subject]], subject: Subject, folder: str = ""
) -> list[Filled]:
    """The sections that there is something for; their templates stand in ``folder``."""
    found = []
    for section in sections:
        context = section.context(subject)
        if context is not None:
            template = section.template or f"{folder}{section.name}.html"
            question = context.get("question", section.question)
            found.append(Filled(section.name, section.title, question, context, template))
    return found


def counted(number: int, noun: str, which: str = "") -> tuple[int, str]:
    """How many there are, and of what.

    >>> counted(1, "data set"), counted(3, "system")
    ((1, 'data set'), (3, 'systems'))
    """
    return number, sized(number, noun, which).split(" ", 1)[1]
