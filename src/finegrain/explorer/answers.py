"""What the explorer answers, by path: the page, units, and results as their commands print them.

>>> import json
>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> answers = Answers.of(fg.report(table, instances=len(table)), command="finegrain explore")
>>> query = [("where", "label=LOC"), ("page", "1"), ("size", "2")]
>>> found = json.loads(b"".join(answers.units(query)))
>>> found["count"], len(found["units"]["chosen"])
(6, 2)

Paths are the keys of one dictionary: nothing is looked up on a disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.result import Result
from finegrain.analyses.units.show import Shown, show
from finegrain.corpus import IntArray
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.views.html.embedding import as_data
from finegrain.views.html.page import as_html, page_policy
from finegrain.views.html.unit_data import unit_data
from finegrain.views.text_formats import as_csv, as_json
from finegrain.views.unit_records import as_jsonl

UNITS = "units"  # the path of units
MOST = 200  # units of a page
_BLOCK = 1_000  # units that are written at once
_REMEMBERED = 16  # selections whose units are kept
_COMMANDS = {"differences": "difference"}  # of results that are not called like their command

Chunks = Iterator[bytes]
Query = Sequence[tuple[str, str]]


class Path(NamedTuple):
    """What is sent for a query, and as what; ``policy`` is what a browser lets it do."""

    kind: str
    body: Callable[[Query], Chunks]
    policy: str = "default-src 'none'"
    file: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """A report and a search of its units; ``rows`` are those of selections, hardest first.

    ``results`` by name, with those that commands give more for than the page shows.
    """

    report: Report
    results: Mapping[str, Result]
    search: UnitSearch
    command: str
    rows: Callable[[tuple[str, ...]], IntArray]

    @classmethod
    def of(
        cls,
        report: Report,
        *,
        command: str,
        table: OutcomeTable | None = None,
        instead: Mapping[str, Result] | None = None,
    ) -> Answers:
        """Answers about a report that holds all units.

        ``table``: the same with more columns, which selections may name. ``instead``: results that
        are answered instead of those of the report.
        """
        units = report.units if table is None else replace(report.units, table=table)
        search = UnitSearch.of(units)
        results = {**report.results, **(instead or {})}
        return cls(report, results, search, command, lru_cache(_REMEMBERED)(search.rows))

    def paths(self) -> Mapping[str, Path]:
        """Everything there is, by path."""
        page, policy = as_html(self.report, units_at=UNITS).encode(), page_policy(units_at=UNITS)
        results = {_COMMANDS.get(name, name): one for name, one in self.results.items()}
        csv, lines = f"{UNITS}.csv", f"{UNITS}.jsonl"
        return {
            "": Path("text/html; charset=utf-8", lambda _: iter((page,)), policy),
            UNITS: Path("application/json", self.units),
            csv: Path("text/csv; charset=utf-8", self.csv, file=csv),
            lines: Path("application/jsonl", self.json_lines, file=lines),
            **{
                f"api/{name}": Path("application/json", partial(self.result, one))
                for name, one in {"report": self.report, **results}.items()
            },
        }

    def result(self, one: Result, query: Query) -> Chunks:
        """A result as its command prints it with ``--format json``."""
        if query:
            raise UsageError(f"a result takes no parameters, such as {query[0][0]}")
        yield as_json(one, command=self.command).encode("utf-8", "backslashreplace")

    def units(self, query: Query) -> Chunks:
        """One page of the units that selections hold for, as columns, and how many there are."""
        where, asked = _where(query, beside=("page", "size")), dict(query)
        size = min(MOST, _positive("size", asked.get("size", "20")))
        rows = self.rows(where)
        page = min(_positive("page", asked.get("page", "1")), max(1, -(-len(rows) // size)))
        shown = self.search.some(rows[(page - 1) * size : page * size])
        answer = {"count": len(rows), "page": page, "units": unit_data(shown)}
        yield as_data(answer).encode()

    def csv(self, query: Query) -> Chunks:
        """All units that selections hold for, as ``show --format csv`` prints them."""
        shown = self._shown(query)
        for at in range(0, max(1, len(shown.rows)), _BLOCK):
            text = as_csv(replace(shown, rows=shown.rows[at : at + _BLOCK]))
            yield (text if not at else text.partition("\n")[2]).encode("utf-8", "backslashreplace")

    def json_lines(self, query: Query) -> Chunks:
        """All units that selections hold for, as ``show --format jsonl`` prints them."""
        lines = as_jsonl(self._shown(query))
        while block := "".join(islice(lines, _BLOCK)):
            yield block.encode("utf-8", "backslashreplace")

    def _shown(self, query: Query) -> Shown:
        rows = np.sort(self.rows(_where(query)))
        return replace(show(self.search.table, limit=0), rows=rows, found=len(rows))


def _where(query: Query, *, beside: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The selections of a query, which all hold."""
    for name, _ in query:
        if name not in ("where", *beside):
            raise UsageError.unknown("parameter", name, ("where", *beside))
    return tuple(value for name, value in query if name == "where")


def _positive(name: str, value: str) -> int:
    if not (value.isdecimal() and value.isascii() and len(value) < 16 and int(value)):
        raise UsageError(f"{name} is a number from 1, not {value!r}")
    return int(value)
