"""Attributes that a selection names and that only training data tell."""

from __future__ import annotations

from finegrain.analyses.selection.expressions import conditions
from finegrain.analyses.selection.parsing import parse
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.annotate import annotate
from finegrain.attributes.attribute import Attribute
from finegrain.cli.inputs import read_train
from finegrain.cli.learning import learning
from finegrain.cli.options import Inputs
from finegrain.table import OutcomeTable


def attributes_in(where: str) -> list[Attribute]:
    """The built-in attributes that a selection names.

    >>> [str(one) for one in attributes_in("entity_length>3 and gold=PER")]
    ['entity_length']
    """
    named = dict.fromkeys(one.field.name for one in conditions(parse(where))) if where else {}
    return [ATTRIBUTES[name] for name in named if name in ATTRIBUTES]


def with_learnt(
    table: OutcomeTable, where: str, inputs: Inputs, *, fold_case: bool = True
) -> OutcomeTable:
    """The table with the attributes that a selection names and that --train tells."""
    asked = [one for one in attributes_in(where) if one.needs_training]
    learnt = [one for one in asked if one.name not in table.columns]
    if not learnt or inputs.train is None:
        return table
    train = read_train(inputs)
    return annotate(table, learnt, train=train, fold_case=fold_case, **learning(table, inputs))
