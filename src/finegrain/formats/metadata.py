r"""A table of further facts about units, sentences or documents: TSV, CSV or Parquet.

The first line names the columns. Cells are separated by tabs or, in a file called ``.csv`` or
without a tab in its first line, by commas, and quoted as spreadsheets do.

>>> from finegrain.formats.source import source_of
>>> found = read_cells(source_of("meta.tsv", b"document\tdomain\nd1\tnews\nd2\tchat\n"))
>>> found.columns
{'document': ('d1', 'd2'), 'domain': ('news', 'chat')}
>>> found.lines
(2, 3)
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from finegrain.errors import Collector, InputError, MissingExtra
from finegrain.files_read import record
from finegrain.formats.source import Source, open_source


@dataclass(frozen=True, slots=True)
class Metadata:
    """Columns of text by name, and the line of the file that each row stands in."""

    source: str
    columns: dict[str, tuple[str, ...]]
    lines: tuple[int, ...]


def read_metadata(path: str) -> Metadata:
    """Read a TSV, CSV or Parquet file."""
    if Path(path).is_dir():
        raise InputError.at(path, 0, "is a directory", "Name a TSV, CSV or Parquet file.")
    return _read_parquet(path) if path.endswith(".parquet") else read_cells(open_source(path))


def read_cells(source: Source) -> Metadata:
    """Read separated cells."""
    lines = source.lines()
    by_comma = source.name.removesuffix(".gz").endswith(".csv") or "\t" not in lines[0]
    reader = csv.reader((line + "\n" for line in lines), delimiter="," if by_comma else "\t")
    problems = Collector(source.name)
    names: list[str] = []
    rows: list[list[str]] = []
    places: list[int] = []
    try:
        for cells in reader:
            if not names:
                names = [cell.strip() for cell in cells]
                _require_names(source.name, names)
            elif len(cells) == len(names):
                rows.append(cells)
                places.append(reader.line_num)
            elif cells:
                what = f"expected {len(names)} columns, found {len(cells)}"
                problems.add(reader.line_num, what, "Give every line as many cells as the first.")
    except csv.Error as error:
        raise InputError.at(source.name, reader.line_num, f"cannot be read ({error})") from None
    problems.raise_any()
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return Metadata(source.name, dict(zip(names, columns, strict=True)), tuple(places))


def _require_names(path: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError.at(path, 1, f"column {twice[0]!r} is there twice", "Rename one of them.")


def _read_parquet(path: str) -> Metadata:
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtra(f"{path}: reading Parquet files", "parquet") from None
    try:
        record(path)
        with open(path, "rb") as file:  # noqa: PTH123 - pyarrow takes only UTF-8 names
            table = parquet.read_table(file)
    except Exception as error:  # pyarrow has many kinds
        reason = str(error).splitlines()[0]
        raise InputError.at(path, 0, f"cannot be read as Parquet ({reason})") from None
    columns = {
        name: tuple("" if cell is None else str(cell) for cell in table.column(name).to_pylist())
        for name in table.column_names
    }
    return Metadata(path, columns, tuple(range(1, table.num_rows + 1)))
