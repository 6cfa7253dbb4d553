"""Segments with a graded value of which less is better, as another package would bring them."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from finegrain.alignment.item_tables import item_table, meet
from finegrain.corpus import Corpus
from finegrain.metrics.metric import Metric
from finegrain.metrics.values import mean_of
from finegrain.table import Outcome, Outcomes, OutcomeTable, Task
from finegrain.table.scale import Scale, Value
from finegrain.table.task import Words

EDITS = Scale(higher=False, best=0.0, worst=None, tie=0.05, shown="number")


def align(task: Task, gold: Corpus, systems: Any) -> OutcomeTable:
    """One row per segment; its value is the edits that a translator needed."""
    met = meet(gold, systems)
    edits = met.column("edits")
    outcome = np.isnan(edits).astype(np.uint8)
    return item_table(task, met, outcome=outcome, values={"edits": Value(EDITS, edits)})


def metrics(_: Any = None) -> tuple[Metric, ...]:
    """The mean number of edits."""
    return (mean_of("edits", EDITS, summary="edits that a segment needs"),)


POSTEDITS = Task(
    "postedits",
    "how many edits each segment needs",
    "every segment",
    Outcomes((
        Outcome("EDITED", "edited", "somebody has edited it", role="right", right=True),
        Outcome("UNEDITED", "not edited", "nobody has edited it", "segments that nobody edited",
                "unanswered", produced="never"),
    )),
    Words("segment", "segments", "segment", context=""),
    answers="number",
    value="edits",
    aligner=align,
    recognise=lambda corpus, _: "segment" in corpus.fields,
    metrics=metrics,
    attributes=("domain",),
    has=frozenset(("words",)),
)  # fmt: skip


def example(seed: int = 1) -> dict[str, str]:
    """Files of gold and three systems; `terse` has a few segments that nobody postedits."""
    draw = random.Random(seed)
    rows = [
        {"id": f"s{at}", "segment": at, "text": f"segment number {at}",
         "domain": draw.choice(["law", "news", "talk"]), "document": f"d{at // 6}"}
        for at in range(180)
    ]  # fmt: skip
    files = {"gold": rows}
    for name, mean in (("smooth", 1.0), ("rough", 2.0), ("terse", 1.4)):
        files[name] = [
            {"id": row["id"],
             "edits": None if name == "terse" and at % 20 == 0
             else round(draw.expovariate(1 / (mean + (row["domain"] == "law"))), 2)}
            for at, row in enumerate(rows)
        ]  # fmt: skip
    return {name: "".join(json.dumps(row) + "\n" for row in own) for name, own in files.items()}
