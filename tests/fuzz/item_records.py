"""Items as JSON: one object per line, or an array of objects, with lists of rows in them.

>>> read(['{"id": 7, "label": true, "p": {"x": 1}}', '{"id": "b", "label": null}']).columns
{'id': ['7', 'b'], 'label': [1.0, None], 'p.x': [1.0, None]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from tests.fuzz.corpora import Invalid
from tests.fuzz.items import Cell, Items, named
from tests.fuzz.strict_json import parse, records


def write(rng: Random, columns: Mapping[str, Sequence[Any]]) -> bytes:
    """Lines, or an array with or without line breaks."""
    found = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if rng.random() < 0.3:
        return (json.dumps(found, indent=rng.choice((None, 1)), ensure_ascii=False) + "\n").encode()
    ascii_only = rng.random() < 0.3
    return "".join(json.dumps(one, ensure_ascii=ascii_only) + "\n" for one in found).encode()


def read(lines: list[str]) -> Items:
    """Items whose keys hold values of one kind: texts, numbers or lists; or nothing."""
    items = Items(0)
    whole = [record for _, record in _objects(lines, items.doubts)]
    if not whole:
        raise Invalid("no items")
    items.size = len(whole)
    flat = [dict(_flat(_with_ids(record))) for record in whole]
    keys = dict.fromkeys(key for record in flat for key in record)
    for key in keys:
        cells = [record.get(key) for record in flat]
        if any(isinstance(one, list) for one in cells):
            if any(one is not None and not isinstance(one, list) for one in cells):
                raise Invalid("a list in some items, and no list in others")
            items.lists[key] = [_rows(one or []) for one in cells]
            rows = [row for rows in items.lists[key] for row in rows]
            for name in {name for row in rows for name in row}:
                for row, cell in zip(
                    rows, _of_one_kind([row.get(name) for row in rows]), strict=True
                ):
                    row[name] = cell
        else:
            items.columns[key] = _of_one_kind(cells)
    return items


def _objects(lines: list[str], doubts: set[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    text = "\n".join(lines)
    if not text.lstrip().startswith("["):
        yield from records(lines, doubts)
        return
    whole = parse(text)
    if not isinstance(whole, list) or not all(isinstance(one, dict) for one in whole):
        raise Invalid("no array of objects")
    yield from enumerate(whole, 1)


def _with_ids(record: dict[str, Any]) -> dict[str, Any]:
    """The same record, whose id and document are texts."""
    for key in ("id", "document"):
        if type(record.get(key)) is int:
            record[key] = str(record[key])
        if key in record and (not isinstance(record[key], str) or not record[key]):
            raise Invalid("an id that is neither text nor number")
    return record


def _flat(record: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Values with the keys that lead to them, each once."""
    found: list[tuple[str, Any]] = []
    for key, value in record.items():
        if isinstance(value, dict):
            found += _flat(value, f"{prefix}{key}.")
        else:
            found.append((prefix + key, value))
    if not prefix and len({key for key, _ in found}) < len(found):
        raise Invalid("two ways to one key")
    return found


def _rows(values: list[Any]) -> list[dict[str, Cell]]:
    rows = [dict(_flat(one if isinstance(one, dict) else {"value": one})) for one in values]
    if any(isinstance(cell, list) for row in rows for cell in row.values()):
        raise Invalid("a list in a list")
    return rows


def _of_one_kind(cells: list[Any]) -> list[Cell]:
    """Texts or numbers; these as texts where no number of 64 bits is exact."""
    given = [one for one in cells if one is not None]
    if not given or all(isinstance(one, str) for one in given):
        return cells
    if any(isinstance(one, str) for one in given):
        raise Invalid("texts and numbers under one key")
    long = any(isinstance(one, int) and abs(one) > 2**53 for one in given)
    if not long:
        return [None if one is None else float(one) for one in cells]
    return [one if one is None else str(one) if isinstance(one, int) and abs(one) > 2**53
            else named(float(one)) for one in cells]  # fmt: skip
