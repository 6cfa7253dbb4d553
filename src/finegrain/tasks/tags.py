"""Task `tags`: one label per token (parts of speech, morphology).

>>> from finegrain.corpus import Corpus
>>> gold = Corpus.of([["time", "flies"]], tags=[["NOUN", "VERB"]])
>>> flat = Corpus.of([["time", "flies"]], tags=[["NOUN", "NOUN"]])
>>> table = align(gold, {"flat": flat})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['CORRECT', 'WRONG']
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import PRECISION_RECALL, Definition, Task, Words

TAGS = Task(
    "tags",
    "one label per token: parts of speech, morphology",
    "every token",
    Outcomes((
        Outcome("CORRECT", "correct", "the answer is the gold label", role="right", right=True),
        Outcome("WRONG", "wrong", "the answer is another label",
                "tokens wrongly tagged {answer}", "label"),
    )),
    Words("token", "tokens", "token"),
    aligner=Late("finegrain.alignment.tags:align"),
    options=("layer", "rules"),
    recognise=Late("finegrain.alignment.kind_of_tags:holds_tags"),
    contents=Late("finegrain.alignment.contents:tags"),
    same_text=Late("finegrain.alignment.same_text:require_same_text"),
    word_level="tags",
    metrics=Late("finegrain.metrics.tag_scores:default_metrics"),
    attributes=(
        "word_frequency", "tag_consistency", "training_ambiguity", "unknown_word", "characters",
        "position", "sentence_length",
    ),
    has=frozenset(("words", "token_units", "tags", "training")),
    definitions=(
        Definition("Accuracy", "The share of tokens that are right.", ""),
        Definition(
            "Sentence accuracy, document macro accuracy",
            "The share of sentences with right tokens only; the mean accuracy of documents.",
            "",
        ),
        PRECISION_RECALL,
        Definition(
            "Micro, macro, weighted F1",
            "Of the counts of all labels added up; the mean of the labels' F1; the same weighted "
            "by their gold tokens.",
            "",
        ),
    ),
    example=Late("finegrain.tasks.examples:tags"),
)  # fmt: skip
align = TAGS.align
