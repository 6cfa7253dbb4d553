"""The verbs that read attributes: diagnose systems, describe a data set without any.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> gold, systems = small_corpora("spans")
>>> found = fg.diagnose(fg.align(gold, systems), "entity_length")
>>> found.to_json()["attributes"]["entity_length"]["names"]
['XS', 'S', 'L']
>>> fg.describe(gold).to_json()["sizes"]["units"]
7
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from finegrain.alignment.task_options import fitting
from finegrain.analyses.explain.buckets import Pair, buckets
from finegrain.analyses.explain.description import Description, description
from finegrain.analyses.explain.diagnosis import Diagnosis, diagnosis
from finegrain.attributes.choosing import Wanted
from finegrain.attributes.training import prepare
from finegrain.corpus import LAYER, Corpus
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import require_answers
from finegrain.tasks import Task, align, by_name, guess


def diagnose(
    table: OutcomeTable,
    by: Wanted | Sequence[Wanted | Pair] | None = None,
    *,
    system: str | None = None,
    against: str | None = None,
    **choices: Any,
) -> Diagnosis:
    """Say what goes with the scores of systems, and in which buckets they are good and bad.

    Parameters
    ----------
    by: attributes, as in ``buckets``; default: those of the task
    system: the system to compare with others; default: every one, or the first of two
    against: the system it is compared with; default: the best of the others in every bucket
    choices: ``metric``, ``train``, ``buckets``, ``bucketing``, ``strategy``, ``preset``,
        ``fold_case`` and how training data are read, as in ``buckets``
    """
    if not isinstance(table, OutcomeTable):
        raise UsageError("diagnose takes an outcome table: fg.align(gold, systems)")
    return diagnosis(table, buckets(table, by, **choices), system=system, against=against)


def describe(
    gold: Corpus | OutcomeTable,
    by: Wanted | Sequence[Wanted | Pair] | None = None,
    *,
    train: Corpus | None = None,
    task: str | Task | None = None,
    fold_case: bool = True,
    context: int = 1,
    examples: int = 10,
    **reading: Any,
) -> Description:
    """Describe a data set without any system.

    Sizes, the profile of attributes (zeta), labels, lengths, what of it the training data show, and
    labels that contradict each other.

    Parameters
    ----------
    gold: the data set, or a table, whose gold units are described
    by: attributes, as in ``buckets``; default: those of the task
    train: training data
    task: ``spans`` or ``tags``; found out if not given
    fold_case: whether words that differ in case only are the same where units are looked up;
        sentences and contexts are always compared as written
    context: so many words on either side must be the same where labels are compared
    examples: so many inconsistent contexts, the most frequent first
    reading: how annotation is read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    if context < 0 or examples < 0:
        raise UsageError("context and examples are numbers from 0")
    table = gold if isinstance(gold, OutcomeTable) else _gold_units(gold, task, **reading)
    table = _without_systems(table)
    require_answers(table)
    profile = buckets(table, by, train=train, fold_case=fold_case, **reading)
    if train is None:
        return description(table, profile, None, context=context, examples=examples)
    training = prepare(train, table, fold_case=fold_case, **reading)
    return description(table, profile, training, context=context, examples=examples)


def _gold_units(gold: Corpus, task: str | Task | None, **reading: Any) -> OutcomeTable:
    if not isinstance(gold, Corpus):
        return align(gold, {})  # which says what it takes
    named = by_name(task) if isinstance(task, str) else task
    chosen = named or guess(gold, layer=reading.get("layer", LAYER))
    return align(gold, {}, task=chosen, **fitting(chosen, reading))


def _without_systems(table: OutcomeTable) -> OutcomeTable:
    """The gold units alone, and the mentions that they go back to."""
    nobody = replace(
        table,
        systems=(),
        outcome=table.outcome[:, :0],
        answer=table.answer[:, :0],
        details={name: column[:, :0] for name, column in table.details.items()},
        repairs={},
    )
    chain = table.columns.get("chain")
    return nobody.where(table.is_gold if chain is None else chain >= 0)
