"""What is learnt from training data: how they are read, and what analyses and selections ask.

They are read as the gold standard was; beside a saved table, as was decided when it was made.
"""

from __future__ import annotations

from finegrain.analyses.result import Result
from finegrain.analyses.scores.score import Scores
from finegrain.analyses.selection.expressions import conditions
from finegrain.analyses.selection.parsing import parse
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.annotate import annotate
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.training import Reading
from finegrain.cli.inputs import read_train
from finegrain.cli.label_options import label_rules
from finegrain.cli.options import Inputs
from finegrain.cli.saved_table import is_given
from finegrain.corpus import LAYER, Corpus
from finegrain.corpus.label_rules import LabelRules
from finegrain.corpus.tag_schemes import POLICIES, Policy
from finegrain.table import OutcomeTable


def learning(table: OutcomeTable, inputs: Inputs) -> Reading:
    """Layer, label rules, scheme and policy.

    A scheme that is not named is detected from the training data themselves. Only a policy that
    is not conlleval makes schemes differ in their spans: then that of a saved table is taken.
    """
    return as_decided(table, inputs) if is_given(inputs) else as_chosen(inputs)


def as_chosen(inputs: Inputs) -> Reading:
    """How the options say that annotation is read."""
    rules, policy = label_rules(inputs), _policy(inputs.policy)
    return Reading(scheme=inputs.scheme, policy=policy, layer=inputs.layer, rules=rules)


def as_decided(table: OutcomeTable, inputs: Inputs) -> Reading:
    """How it was read when a saved table was made."""
    settings = table.settings
    scheme, policy = settings.get("scheme", ""), settings.get("policy", inputs.policy)
    decided = policy != "conlleval" and scheme and "," not in scheme
    return Reading(
        scheme=scheme if decided else inputs.scheme,
        policy=_policy(policy),
        layer=settings.get("layer", LAYER),
        rules=LabelRules.of_signature(settings),
    )


def _policy(name: str) -> Policy:
    return next(policy for policy in POLICIES if policy == name)


def train_of(inputs: Inputs) -> Corpus | None:
    """The training data, if there are any."""
    return None if inputs.train is None else read_train(inputs)


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


def with_novelty(
    scores: Scores, table: OutcomeTable, inputs: Inputs, *, fold_case: bool = True
) -> Result:
    """The same scores, with training data also those of what was seen there and what was not."""
    if inputs.train is None:
        return scores
    from finegrain.analyses.explain.novelty import novelty
    from finegrain.analyses.explain.seen_and_unseen import SeenAndUnseen

    how = learning(table, inputs)
    return SeenAndUnseen(scores, novelty(table, read_train(inputs), fold_case=fold_case, **how))
