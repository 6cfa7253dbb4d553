"""What a task studies beyond the analyses that all tasks share: tables and plots, as data.

>>> plot = Plot("Reliability", Axis("probability", (0, 1)), Axis("accuracy", (0, 1)),
...             (Series("svm", np.array([0.6, 0.9]), np.array([0.5, 0.95])),), reference="diagonal")
>>> plot.series[0].mark
'line'

A study is a function of the table (and how its intervals are drawn) that returns a ``Study``. Its
task names it in ``Task.studies``; the command ``study``, ``fg.study``, the report and the explorer
show it. ``columns`` are codes of units, so that numbers can lead to the units behind them:
``Evidence.of(12, in_bucket("sure", 3))`` are the units whose code in the column ``sure`` is 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.evidence import Evidence
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.result import Printed
from finegrain.corpus import IntArray
from finegrain.table import Task

Floats = NDArray[np.float64]
Mark = Literal["line", "step", "points", "dots", "cells"]


class Axis(NamedTuple):
    """An axis: its title, its ends if they are fixed, and how its numbers are printed.

    ``names``: of a categorical axis (``y`` of ``dots``, both of ``cells``), from above or from the
    left; without them it is numeric.
    """

    title: str
    domain: tuple[float, float] | None = None
    shown: Literal["percent", "number"] = "number"
    names: tuple[str, ...] = ()
    logarithmic: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """What one system has in a plot: points in their order.

    Parameters
    ----------
    name: usually of a system; it has one colour in all plots of a study
    x, y: ``[point]``; of ``dots`` and ``cells``, places in ``Axis.names``
    mark: ``line`` joins points, ``step`` by stairs, ``points`` are a cloud, ``dots`` stand in rows,
        ``cells`` are those of a heat map, with ``value`` ``[point]`` as their colour
    low, high: ``[point]`` ends of intervals: of y, but of x for ``dots``
    text: what every point says when it is pointed at
    behind: the units behind every point
    marked: points that are drawn large, such as the operating point of a curve
    """

    name: str
    x: Floats
    y: Floats
    mark: Mark = "line"
    low: Floats | None = None
    high: Floats | None = None
    text: tuple[str, ...] = ()
    behind: tuple[Evidence | None, ...] = ()
    marked: tuple[int, ...] = ()
    value: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Plot:
    """A figure: series over two axes; ``reference`` is a thin line: y = x, y = 0, or x = 0.

    ``lines``: further thin lines at values of y, each with its text; ``stairs``: the points of one
    that goes by steps.
    """

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    reference: Literal["", "diagonal", "horizontal", "vertical"] = ""
    lines: tuple[tuple[float, str], ...] = ()
    note: str = ""
    stairs: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Study(Printed):
    """Tables and plots that answer one question about a table.

    Parameters
    ----------
    name: as on the command line
    title, question: above its section of the page
    tables: for people; the page shows them as they are, and cells lead to units (``behind``)
    plots: figures above the tables
    data: the ``result`` object of JSON
    rows: all numbers as one tidy table, for CSV; default: the first table
    columns: name -> ``[unit]`` codes, -1 for none; and in ``ranges`` what every code means
    """

    name: str
    title: str
    question: str
    task: Task
    systems: tuple[str, ...]
    tables: tuple[Listing, ...]
    data: Mapping[str, Any]
    signature: str
    plots: tuple[Plot, ...] = ()
    notes: tuple[str, ...] = ()
    rows: Listing | None = None
    columns: Mapping[str, IntArray] = field(default_factory=lambda: MappingProxyType({}))
    ranges: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> dict[str, Any]:
        return {"study": self.name, **self.data}

    def listings(self) -> tuple[Listing, ...]:
        return self.tables

    def records(self) -> Listing:
        if self.rows is not None:
            return self.rows
        return self.tables[0] if self.tables else Listing(self.title, (Column("system"),), ())
