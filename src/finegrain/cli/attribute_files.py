"""``--attribute NAME=FILE``: attributes of the user's own as columns of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.choosing import as_column
from finegrain.attributes.joined import from_metadata
from finegrain.errors import UsageError
from finegrain.files_read import called
from finegrain.formats.metadata import read_metadata
from finegrain.table import OutcomeTable


class Joined(NamedTuple):
    """The table with the columns that files gave, and the names of those."""

    table: OutcomeTable
    names: list[str]


def joined(table: OutcomeTable, arguments: Sequence[str]) -> Joined:
    """The table with what the arguments of --attribute name."""
    names: list[str] = []
    for argument in arguments:
        own = _attribute(argument)
        if own.name in names:
            raise UsageError(f"--attribute: {own.name!r} is there twice: choose another name")
        table = table.with_column(own.name, as_column(own.values(table)))
        names.append(own.name)
    return Joined(table, names)


def _attribute(argument: str) -> Attribute:
    name, equals, path = argument.partition("=")
    if not (name.strip() and equals and path):
        raise UsageError(
            f"--attribute: {argument!r} is not NAME=FILE, an attribute of your own from a file; "
            "attributes that are known are named by --by, or in --where"
        )
    if name.strip() in ATTRIBUTES:
        raise UsageError(f"--attribute: {name.strip()!r} is built in: choose another name")
    called(path, name.strip())
    return from_metadata(name.strip(), read_metadata(path))
