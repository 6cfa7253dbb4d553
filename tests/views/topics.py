"""A task of one file that nothing else in the project knows: one topic for each text, or none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain.corpus import Corpus
from finegrain.table import OutcomeTable, Task
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Words

TOPICS = Task(
    "topics",
    "one topic for each text",
    "every text",
    Outcomes((
        Outcome("CORRECT", "correct", "the topic is right", role="right", right=True),
        Outcome("WRONG", "wrong", "the topic is another", role="label"),
        Outcome("UNANSWERED", "not answered", "no topic is given", "items that are not answered",
                "unanswered", produced="never"),
    )),
    Words("item", "items", "item", context=""),
    drawing="item",
)  # fmt: skip
LABELS = ("art", "law", "war")
N = 300


def topics(drawing: str = "item", *, text: bool = True) -> OutcomeTable:
    """300 items, 100 of each topic, and three systems.

    keen takes every tenth item for the next topic; shy, besides, does not answer every fourth item
    but those; dull takes every fifth item for war and all others for art.
    """
    item = np.arange(N)
    gold = item % 3
    wrong, silent = item % 10 == 0, item % 4 == 0
    keen = np.where(wrong, (gold + 1) % 3, gold)
    dull = np.where(item % 5 == 0, 2, 0)
    shy = np.where(silent & ~wrong, -1, keen)
    answer = np.stack([keen, shy, dull], axis=1).astype(np.int32)
    outcome = np.where(answer < 0, 2, answer != gold[:, None]).astype(np.uint8)
    every = np.ones(N, np.int64)
    corpus = Corpus.of([[f"text{number}", "of", "it"] for number in item])
    return OutcomeTable(
        task=replace(TOPICS, drawing=drawing),
        systems=("keen", "shy", "dull"),
        labels=LABELS,
        sentence=item,
        begin=0 * every,
        end=3 * every,
        label=gold,
        is_gold=every > 0,
        outcome=outcome,
        answer=answer,
        corpus=corpus if text else replace(corpus, tokens=None),
        token_set=0 * every,
    )
