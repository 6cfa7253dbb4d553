"""Pairs of an original and a changed text, as another package would bring them."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from finegrain.alignment.item_tables import field, item_table, meet
from finegrain.corpus import Corpus
from finegrain.plugins import Late
from finegrain.table import Outcome, Outcomes, OutcomeTable, Task
from finegrain.table.task import Words


def align(task: Task, gold: Corpus, systems: Any) -> OutcomeTable:
    """One row per pair: is the answer to both right, to one of them, to none?"""
    met = meet(gold, systems)
    expected = field(gold, "expected")[:, None]
    before, after = met.column("before") == expected, met.column("after") == expected
    outcome = np.where(before & after, 0, np.where(before, 1, np.where(after, 2, 3)))
    kinds = field(gold, "change")
    labels = tuple(sorted(set(kinds)))
    label = np.array([labels.index(one) for one in kinds], np.int32)
    return item_table(task, met, outcome=outcome.astype(np.uint8), labels=labels, label=label)


TWINS = Task(
    "twins",
    "whether a change of the text changes the answer",
    "every pair",
    Outcomes((
        Outcome("HOLDS", "holds", "both answers are right", role="right", right=True),
        Outcome("BREAKS", "breaks", "right before the change only", "pairs that break", "missed"),
        Outcome("MENDS", "mends", "right after the change only", "pairs that mend", "label"),
        Outcome("NEITHER", "neither", "both answers are wrong", "pairs that are wrong", "both"),
    )),
    Words("pair", "pairs", "pair", label="change", context=""),
    answers="none",
    aligner=align,
    recognise=lambda corpus, _: "change" in corpus.fields,
    metrics=Late("finegrain.metrics.tag_scores:item_metrics"),
    attributes=("label", "author"),
)  # fmt: skip


def example(seed: int = 1) -> dict[str, str]:
    """Files of gold and two systems."""
    draw = random.Random(seed)
    rows = [
        {"id": f"p{at}", "original": f"it is {at}", "changed": f"it iz {at}",
         "change": draw.choice(["case", "negation", "typo"]), "author": draw.choice(["a", "b"]),
         "expected": draw.choice(["no", "yes"])}
        for at in range(150)
    ]  # fmt: skip
    files = {"gold": rows}
    for name, share in (("steady", 0.9), ("shaky", 0.75)):
        files[name] = [
            {"id": row["id"],
             **{side: row["expected"] if draw.random() < share - 0.3 * hard else "maybe"
                for side, hard in (("before", 0), ("after", row["change"] == "typo"))}}
            for row in rows
        ]  # fmt: skip
    return {name: "".join(json.dumps(row) + "\n" for row in own) for name, own in files.items()}
