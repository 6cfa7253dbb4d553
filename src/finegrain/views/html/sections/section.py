"""A part of the page: what it asks, and what its template needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from finegrain.analyses.reports.report import Report

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """``context`` gives what the template ``<name>.html`` needs, or ``None``: no such section."""

    name: str
    title: str
    question: str
    context: Callable[[Report], Context | None]


@dataclass(frozen=True, slots=True)
class Filled:
    """A section that a report has something for."""

    name: str
    title: str
    question: str
    context: Context
