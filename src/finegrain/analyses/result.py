"""What every analysis returns, and how numbers become JSON values."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from finegrain.analyses.listing import Listing, Value, plain
from finegrain.errors import UsageError
from finegrain.files_read import FilePath
from finegrain.table import Task


class Result(Protocol):
    """A frozen dataclass with its signature; views do the printing."""

    @property
    def signature(self) -> str: ...
    @property
    def task(self) -> Task | str: ...  # printed by its name
    @property
    def systems(self) -> tuple[str, ...]: ...
    @property
    def notes(self) -> tuple[str, ...]: ...

    def to_json(self) -> dict[str, Any]:
        """The ``result`` object of ``--format json``."""
        ...

    def listings(self) -> tuple[Listing, ...]:
        """Tables for people."""
        ...

    def records(self) -> Listing:
        """All numbers as one tidy table, for CSV."""
        ...


class Printed:
    """Results print as tables, ``print(result)``, and save by suffix: .json .csv .tex .md .txt.

    Reports and suites have a page, too: .html. Notebooks show results as tables; ``chart`` draws
    those that have a figure. A result is a sequence of its numbers, as dictionaries, unless it has
    parts of its own, as scores have systems:

    >>> import finegrain as fg
    >>> table = fg.from_lists([["B-PER", "O"]], {"a": [["B-PER", "O"]], "b": [["B-LOC", "O"]]})
    >>> for error in fg.error_types(table):
    ...     if error["system"] == "b" and error["count"]:
    ...         print(error["label"], error["type"], error["count"])
    PER LE 1
    """

    __slots__ = ()

    def __str__(self) -> str:
        from finegrain.views.terminal import as_text  # noqa: PLC0415 - the one upward step

        return as_text(cast("Result", self))

    def __repr__(self) -> str:
        result = cast("Result", self)
        return f"<{type(self).__name__} of {', '.join(result.systems)}: {result.signature}>"

    def save(self, path: FilePath) -> None:
        """Write the result to a file; its suffix chooses the form."""
        from finegrain.views.saving import save  # noqa: PLC0415 - the one upward step

        save(cast("Result", self), os.fspath(path))

    def __iter__(self) -> Iterator[Any]:
        """All numbers, a dictionary each: the rows of ``--format csv``."""
        records = cast("Result", self).records()
        names = [column.name for column in records.columns]
        return (dict(zip(names, plain(row), strict=True)) for row in records.rows)

    def __len__(self) -> int:
        return len(cast("Result", self).records().rows)

    def __bool__(self) -> bool:
        return True  # a result without rows is one, too

    def to_dict(self) -> dict[str, Any]:
        """The same as ``to_json``: plain dictionaries, lists and numbers; undefined is ``None``."""
        return cast("Result", self).to_json()

    def flat(self) -> dict[str, Any]:
        """All numbers by one name each, as experiment trackers log them; undefined is nan.

        >>> import finegrain as fg
        >>> table = fg.from_lists([["B-PER", "O"]], {"crf": [["B-PER", "O"]]})
        >>> found = fg.score(table).flat()
        >>> found["crf/fair_f1"], found["crf/PER/traditional_recall"]
        (1.0, 1.0)
        """
        records = cast("Result", self).records()
        return flattened([column.name for column in records.columns], map(plain, records.rows))

    def to_pandas(self) -> Any:
        """All numbers as one tidy ``pandas.DataFrame``, the rows of ``--format csv``."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise UsageError("to_pandas needs pandas: pip install pandas") from None
        records = cast("Result", self).records()
        names = [column.name for column in records.columns]
        return pandas.DataFrame(map(plain, records.rows), columns=names)

    def chart(self) -> Any:
        """The figure of the result, if it has one: ``result.chart().save("figure.svg")``."""
        from finegrain.views.charts import chart_of  # noqa: PLC0415 - the one upward step

        return chart_of(self)

    def _repr_html_(self) -> str:
        from finegrain.views.html.notebook import as_tables  # noqa: PLC0415 - the one upward step

        return as_tables(cast("Result", self))


def flattened(names: Sequence[str], rows: Iterable[Sequence[Value]]) -> dict[str, Any]:
    """Numbers of rows by what is said in their other cells; of several in a row by column, too.

    >>> flattened(["system", "metric", "value"], [("crf", "f1", 0.5)])
    {'crf/f1': 0.5}
    >>> flattened(["label", "gold", "found"], [("PER", 3, 2)])
    {'PER/gold': 3, 'PER/found': 2}
    """
    listed = list(rows)
    numbers = [
        any(isinstance(row[at], int | float) for row in listed)
        and not any(isinstance(row[at], str) for row in listed)
        for at in range(len(names))
    ]
    alone = sum(numbers) == 1
    found: dict[str, Any] = {}
    for row in listed:
        said = [str(cell) for cell, is_number in zip(row, numbers, strict=True)
                if not is_number and cell not in (None, "")]  # fmt: skip
        for name, cell, is_number in zip(names, row, numbers, strict=True):
            if is_number:
                key = "/".join([*said, *([] if alone else [name])])
                if key in found:
                    raise UsageError(
                        f"two numbers are called {key!r}: use to_pandas() or to_dict()"
                    )
                found[key] = math.nan if cell is None else cell
    return found


def pair_key(one: str, other: str) -> str:
    r"""The names of two systems as one: ``a|b``; a bar in a name gets a backslash.

    >>> pair_key("a|b", "c")
    'a\\|b|c'
    """
    return "|".join(name.replace("\\", "\\\\").replace("|", "\\|") for name in (one, other))


def number(value: float) -> float | None:
    """A float for JSON: undefined is ``None``.

    >>> number(0.5), number(float("nan"))
    (0.5, None)
    """
    return None if math.isnan(value) else float(value)
