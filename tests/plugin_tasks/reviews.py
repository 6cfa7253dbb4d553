"""Text classification as another package would bring it: probabilities, missing answers."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from finegrain.alignment.item_tables import codes_of, field, item_table, meet
from finegrain.corpus import Corpus
from finegrain.plugins import Late
from finegrain.table import Outcome, Outcomes, OutcomeTable, Task
from finegrain.table.task import Words


def align(task: Task, gold: Corpus, systems: Any) -> OutcomeTable:
    """One row per review; whoever says nothing is silent, which is not the same as wrong."""
    met = meet(gold, systems)
    expected, given = field(gold, "sentiment"), met.column("sentiment")
    said = {one for one in given.reshape(-1) if one is not None}
    labels = tuple(sorted(said.union(expected)))
    label, answer = codes_of(expected, labels), codes_of(given, labels)
    outcome = np.where(answer < 0, 2, answer != label[:, None]).astype(np.uint8)
    chances = [met.column(f"chances.{name}", needed=False) for name in labels]
    return item_table(
        task, met, outcome=outcome, labels=labels, label=label, answer=answer,
        details={"chances": np.stack(chances, axis=-1)},
    )  # fmt: skip


REVIEWS = Task(
    "reviews",
    "one sentiment for each review",
    "every review",
    Outcomes((
        Outcome("HIT", "right", "the sentiment is right", role="right", right=True),
        Outcome("SLIP", "another sentiment", "the sentiment is another one",
                "reviews with another sentiment", "label"),
        Outcome("SILENT", "no sentiment", "nothing was answered", "reviews without a sentiment",
                "unanswered", produced="never"),
    )),
    Words("review", "reviews", "review", label="sentiment", context=""),
    aligner=align,
    recognise=lambda corpus, _: "sentiment" in corpus.fields,
    metrics=Late("finegrain.metrics.tag_scores:default_metrics"),
    attributes=("text_length", "shop"),
    has=frozenset(("words", "texts")),
)  # fmt: skip


def example(seed: int = 1) -> dict[str, str]:
    """Files of gold and three systems; `quiet` leaves out a tenth of the answers."""
    draw = random.Random(seed)
    words = ["a", "fine", "dull", "long", "short", "film", "with", "some", "plot", "no", "end"]
    rows = [
        {
            "id": f"r{at}",
            "text": " ".join(draw.choices(words, k=draw.randint(3, 12))),
            "sentiment": draw.choice(["bad", "good", "mixed"]),
            "shop": draw.choice(["books", "films"]),
            "document": f"d{at // 8}",
        }
        for at in range(240)
    ]
    files = {"gold": rows}
    for name, share in (("sharp", 0.9), ("blunt", 0.7), ("quiet", 0.8)):
        own = []
        for row in rows:
            if name == "quiet" and draw.random() < 0.1:
                continue
            right = draw.random() < share - 0.3 * (row["shop"] == "films" and name == "blunt")
            said = row["sentiment"] if right else draw.choice(["bad", "good", "mixed"])
            sure = round(draw.uniform(0.4, 0.95), 3)
            others = [one for one in ("bad", "good", "mixed") if one != said]
            chances = {said: sure, others[0]: round(1 - sure, 3), others[1]: 0.0}
            own.append({"id": row["id"], "sentiment": said, "chances": chances})
        files[name] = own
    return {name: "".join(json.dumps(row) + "\n" for row in own) for name, own in files.items()}
