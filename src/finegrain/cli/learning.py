"""How the annotation of training data is read: as that of the gold standard was.

Beside a saved table that is what was decided when the table was made.
"""

from __future__ import annotations

from finegrain.attributes.training import Reading
from finegrain.cli.label_options import label_rules
from finegrain.cli.options import Inputs
from finegrain.cli.saved_table import is_given
from finegrain.corpus import LAYER
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
