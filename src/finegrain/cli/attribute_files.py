"""Attributes that options name: ``--by``, and the user's own from files (``--attribute``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Bucketing, Edges
from finegrain.attributes.choosing import as_column
from finegrain.attributes.joined import from_metadata
from finegrain.cli.learning import learning, train_of
from finegrain.cli.options import Inputs
from finegrain.errors import UsageError
from finegrain.files_read import called
from finegrain.formats.metadata import read_metadata
from finegrain.table import OutcomeTable


class Joined(NamedTuple):
    """The table with the columns that files gave, and the names of those."""

    table: OutcomeTable
    names: list[str]


class Asked(NamedTuple):
    """The table with the user's own attributes, what to go by, and training data with options."""

    table: OutcomeTable
    by: list[str] | None
    training: dict[str, Any]


def asked(
    table: OutcomeTable, inputs: Inputs, by: Sequence[str] | None, own: Sequence[str] | None
) -> Asked:
    """What options say; attributes of the user's own are shown if --by names them or not."""
    table, names = named(table, by, own)
    return Asked(table, names, {"train": train_of(inputs), **learning(table, inputs)})


def named(
    table: OutcomeTable, by: Sequence[str] | None, own: Sequence[str] | None
) -> tuple[OutcomeTable, list[str] | None]:
    """The table with the user's own attributes, and all that are asked for."""
    listed = list(by or [])
    parts = {part.strip() for name in listed for part in name.split("+")}
    table, names = joined(table, own or [])
    return table, [*listed, *(name for name in names if name not in parts)] or None


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


def edges_of(arguments: Sequence[str] | None) -> dict[str, Bucketing]:
    """``name=1,2.5`` as bucketing."""
    found: dict[str, Bucketing] = {}
    for argument in arguments or []:
        name, equals, listed = argument.partition("=")
        try:
            edges = tuple(float(part) for part in listed.split(","))
        except ValueError:
            equals = ""
        if not equals:
            raise UsageError(f"--edges: {argument!r} is not NAME=1,2,5")
        if name.strip() in found:
            raise UsageError(f"--edges: {name.strip()!r} is there twice")
        found[name.strip()] = Edges(edges)
    return found
