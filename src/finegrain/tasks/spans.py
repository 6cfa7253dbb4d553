"""Task `spans`: labelled spans, flat or nested (NER, chunks, topological fields).

>>> from finegrain.corpus import Corpus
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> table = align(gold, {"short": short})
>>> [(table.text(row), table.outcomes.names[table.outcome[row, 0]]) for row in range(len(table))]
[('New York', 'USED'), ('New York City', 'BES')]
"""

from __future__ import annotations

from dataclasses import replace

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import PRECISION_RECALL, Definition, Task, Words
from finegrain.tasks.extraction import of_spans

_SPANS = Task(
    "spans",
    "labelled spans, flat or nested: entities, chunks, fields",
    "every distinct gold or predicted span",
    Outcomes((  # Ortmann (2022); USED and ABSENT count nowhere
        Outcome("TP", "correct", "label and boundaries are right", role="right", right=True),
        Outcome("LE", "wrong label", "right boundaries, wrong label", "wrong labels", "label",
                produced="extra"),
        Outcome("BES", "too short", "right label, too short", "spans that are too short", "short",
                produced="extra", part_of="BE"),
        Outcome("BEL", "too long", "right label, too long", "spans that are too long", "long",
                produced="extra", part_of="BE"),
        Outcome("BEO", "crossing", "right label, boundaries cross", "crossing spans", "crossing",
                produced="extra", part_of="BE"),
        Outcome("LBE", "label and bounds", "overlaps, but label and boundaries are wrong",
                "wrong labels on wrong boundaries", "both", produced="extra"),
        Outcome("FN", "missed", "missed: no span is matched with it", "missed spans", "missed",
                produced="never"),
        Outcome("FP", "invented", "invented: matched with no gold span", "invented spans",
                "invented"),
        Outcome("USED", "counted with a gold span",
                "already counted with the gold span it overlaps", role="quiet", right=True,
                charged=False),
        Outcome("ABSENT", "not there", "the system has no such span", role="quiet", right=True,
                charged=False, produced="never", absent=True),
    )),
    Words("span", "spans", "gold span"),
    answers="unit",
    aligner=Late("finegrain.alignment.grounded_spans:align"),
    options=("scheme", "policy", "layer", "rules", "text", "unplaced"),
    recognise=Late("finegrain.alignment.kind_of_tags:holds_spans"),
    contents=Late("finegrain.alignment.contents:spans"),
    same_text=Late("finegrain.alignment.same_text:require_same_text"),
    word_level="tags",
    rematch=Late("finegrain.alignment.spans:matched_rows"),
    charge=Late("finegrain.metrics.span_scores:outcome_counts"),
    metrics=Late("finegrain.metrics.span_scores:default_metrics"),
    further=Late("finegrain.metrics.match_schemes:further_metrics"),
    choices=frozenset(("focus", "weights", "schemes")),
    main="traditional_f1",
    attributes=(  # the eight of Fu, Liu and Neubig (2020)
        "entity_length", "sentence_length", "entity_density", "oov_density",
        "entity_frequency", "token_frequency", "entity_consistency", "token_consistency",
    ),
    sliced=(
        "entity_length", "sentence_length", "entity_density", "novelty", "oov_density",
        "entity_consistency",
    ),
    has=frozenset(("words", "spans", "training")),
    notes={
        "errors": "A span that answers several gold spans counts once for each of them.",
        "confusion": "the diagonal is boundary errors, correct spans are not entered",
    },
    definitions=(
        PRECISION_RECALL,
        Definition(
            "Fair counting",
            "Every error is counted once and by its type: a span with a wrong boundary or label is "
            "not a missed and an invented one.",
            "Ortmann 2022",
        ),
    ),
    drawing="brackets",
    simulate=Late("finegrain.simulation:simulate"),
    example=Late("finegrain.tasks.examples:spans"),
    counting="Fair counting charges each mistake once and names it. A span that is not gold is "
    "often a gold span with a boundary that is one word off.",
)  # fmt: skip
EXTRACTION = of_spans(_SPANS)
SPANS = replace(_SPANS, grounded=EXTRACTION)
align = SPANS.align
