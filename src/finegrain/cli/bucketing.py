"""What ``finegrain buckets`` computes, from the options it was given."""

from __future__ import annotations

from typing import Any, NamedTuple

from finegrain.analyses.buckets import Buckets
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import Bucketing, Edges
from finegrain.attributes.choosing import as_column
from finegrain.attributes.joined import from_metadata
from finegrain.cli.inputs import read_train
from finegrain.cli.learning import learning
from finegrain.cli.name_lists import names_in
from finegrain.cli.options import Inputs
from finegrain.errors import UsageError
from finegrain.explaining import buckets
from finegrain.formats.metadata import read_metadata
from finegrain.table import OutcomeTable


class Wanted(NamedTuple):
    """What --by, --attribute and --edges say."""

    by: list[str]
    files: list[str]
    edges: list[str]


def bucketed(table: OutcomeTable, inputs: Inputs, wanted: Wanted, **choices: Any) -> Buckets:
    """Scores by bucket; attributes of the user's own are shown if --by names them or not."""
    names = names_in(*wanted.by)
    asked = {part.strip() for name in names for part in name.split("+")}
    for argument in wanted.files:
        own = own_attribute(argument)
        table = table.with_column(own.name, as_column(own.values(table)))
        names += [] if own.name in asked else [own.name]
    train = None if inputs.train is None else read_train(inputs)
    how = learning(table, inputs)
    return buckets(
        table, names or None, train=train, bucketing=_edges(wanted.edges), **choices, **how
    )


def own_attribute(argument: str) -> Attribute:
    """The attribute that --attribute NAME=FILE gives."""
    name, equals, path = argument.partition("=")
    if not (name.strip() and equals and path):
        raise UsageError(f"--attribute: {argument!r} is not NAME=FILE")
    if name.strip() in ATTRIBUTES:
        raise UsageError(f"--attribute: {name.strip()!r} is built in: choose another name")
    return from_metadata(name.strip(), read_metadata(path))


def _edges(arguments: list[str]) -> dict[str, Bucketing]:
    """``name=1,2.5`` as bucketing."""
    found: dict[str, Bucketing] = {}
    for argument in arguments:
        name, equals, listed = argument.partition("=")
        try:
            edges = tuple(float(part) for part in listed.split(","))
        except ValueError:
            equals = ""
        if not equals:
            raise UsageError(f"--edges: {argument!r} is not NAME=1,2,5")
        found[name.strip()] = Edges(edges)
    return found
