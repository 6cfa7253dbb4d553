"""What ``finegrain buckets`` and ``features`` compute, from the options they were given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from finegrain.analyses.compare.bin_features import bin_features
from finegrain.analyses.explain.buckets import Buckets, buckets
from finegrain.analyses.explain.diagnosis import Diagnosis, diagnose
from finegrain.attributes.bucketing import Bucketing, Edges
from finegrain.cli.attribute_files import joined
from finegrain.cli.inputs import read_train
from finegrain.cli.learning import learning
from finegrain.cli.name_lists import names_in
from finegrain.cli.options import Inputs
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable


class Wanted(NamedTuple):
    """What --by, --attribute and --edges say."""

    by: list[str]
    files: list[str]
    edges: Sequence[str] = ()


def bucketed(table: OutcomeTable, inputs: Inputs, wanted: Wanted, **choices: Any) -> Buckets:
    """Scores by bucket."""
    table, names, how = _asked(table, inputs, wanted)
    return buckets(table, names, bucketing=_edges(wanted.edges), **choices, **how)


def diagnosed(table: OutcomeTable, inputs: Inputs, wanted: Wanted, **choices: Any) -> Diagnosis:
    """What goes with the scores by bucket."""
    table, names, how = _asked(table, inputs, wanted)
    return diagnose(table, names, bucketing=_edges(wanted.edges), **choices, **how)


def described(table: OutcomeTable, inputs: Inputs, wanted: Wanted, **choices: Any) -> Any:
    """Attributes by bin."""
    table, names, how = _asked(table, inputs, wanted)
    return bin_features(table, names, **choices, **how)


class _Asked(NamedTuple):
    """The table with the user's own attributes, what to go by, and training data with options."""

    table: OutcomeTable
    names: list[str] | None
    how: dict[str, Any]


def _asked(table: OutcomeTable, inputs: Inputs, wanted: Wanted) -> _Asked:
    """What options say; attributes of the user's own are shown if --by names them or not."""
    names = names_in(*wanted.by)
    asked = {part.strip() for name in names for part in name.split("+")}
    table, own = joined(table, wanted.files)
    names += [name for name in own if name not in asked]
    train = None if inputs.train is None else read_train(inputs)
    return _Asked(table, names or None, {"train": train, **learning(table, inputs)})


def _edges(arguments: Sequence[str]) -> dict[str, Bucketing]:
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
        if name.strip() in found:
            raise UsageError(f"--edges: {name.strip()!r} is there twice")
        found[name.strip()] = Edges(edges)
    return found
