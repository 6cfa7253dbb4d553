"""A task of another package: texts with a topic each, which a system need not answer.

Its names are none of the built-in ones, and its right outcome is not the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from finegrain.corpus import Corpus
from finegrain.plugins import Late
from finegrain.table import Outcome, Outcomes, OutcomeTable, Task
from finegrain.table.task import Words

TEXTS = Task(
    "texts",
    "one topic per text",
    "every text",
    Outcomes(
        (
            Outcome("OFF", "wrong topic", "another topic", "wrong topics", "label"),
            Outcome(
                "MUTE", "no answer", "not answered", "texts without an answer", "unanswered",
                produced="never",
            ),
            Outcome("FINE", "right topic", "the topic is right", role="right", right=True),
        )
    ),
    Words("text", "texts", "text", label="topic", context=""),
    metrics=Late("finegrain.metrics.tag_scores:default_metrics"),
)  # fmt: skip
OFF, MUTE, FINE = range(3)


def table_of(
    gold: Sequence[str], systems: Mapping[str, Sequence[str | None]], task: Task = TEXTS
) -> OutcomeTable:
    """A table of texts; ``None`` where a system has no answer."""
    given = {label for answers in systems.values() for label in answers if label is not None}
    labels = tuple(sorted({*gold, *given}))
    code = {None: -1, **{label: place for place, label in enumerate(labels)}}
    label = np.array([code[one] for one in gold], np.int32)
    answer = np.array([[code[one] for one in answers] for answers in systems.values()], np.int32).T
    outcome = np.where(answer < 0, MUTE, np.where(answer == label[:, None], FINE, OFF))
    units = len(gold)
    return OutcomeTable(
        task=task,
        systems=tuple(systems),
        labels=labels,
        sentence=np.arange(units),
        begin=np.zeros(units, np.int32),
        end=np.ones(units, np.int32),
        label=label,
        is_gold=np.ones(units, bool),
        outcome=outcome.astype(np.uint8),
        answer=answer,
        corpus=Corpus.of([[f"text{place}"] for place in range(units)]),
        token_set=np.zeros(units, np.int8),
    )
