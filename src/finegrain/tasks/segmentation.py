"""Task `segmentation`: where sentences, words or topics end (sentence splitting, tokenisation).

>>> from finegrain.formats.plain_text import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b"So it is.\\nYes.\\n"))
>>> table = align(gold, {"mine": read(source_of("mine", b"So it is. Yes.\\n"))})
>>> [table.text(row) for row in range(len(table)) if table.is_gold[row]]
['So it is.', 'Yes.']
"""

from __future__ import annotations

from dataclasses import replace

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Words, never
from finegrain.tasks.spans import SPANS

_WORDING = {
    "BES": ("split", "the segment is divided", "segments that are divided"),
    "BEL": ("merged", "the segment has more text", "segments that are merged"),
    "BEO": ("crossing", "boundaries cross", "segments whose boundaries cross"),
    "FN": ("missed", "no segment is matched with it", "missed segments"),
    "FP": ("invented", "matched with no gold segment", "invented segments"),
    "USED": (
        "counted with a gold segment", "already counted with the gold segment it overlaps", "",
    ),
    "ABSENT": ("not there", "the system has no such segment", ""),
}  # fmt: skip


def _worded(outcome: Outcome) -> Outcome:
    """The outcome of a span in words for segments."""
    if outcome.name not in _WORDING:
        return outcome
    wording, meaning, phrase = _WORDING[outcome.name]
    return replace(outcome, wording=wording, meaning=meaning, phrase=phrase)


SEGMENTATION = replace(
    SPANS,
    name="segmentation",
    summary="a text in segments: sentence splitting, word segmentation, topics",
    unit="every distinct gold or predicted segment",
    outcomes=Outcomes(tuple(map(_worded, SPANS.outcomes))),
    words=Words("segment", "segments", "gold segment", context="text"),
    aligner=Late("finegrain.alignment.segmentation:align"),
    options=("segments", "window"),
    formats=("boundaries", "jsonl", "text"),
    recognise=never,
    contents=None,
    same_text=None,
    word_level="",
    metrics=Late("finegrain.metrics.segmentation:default_metrics"),
    further=Late("finegrain.metrics.match_schemes:further_metrics"),
    choices=frozenset(),
    main="boundary_f1",
    attributes=("entity_length", "characters", "capital_share", "punctuation_share"),
    sliced=(),
    has=frozenset(("words", "spans")),
    notes={},
    definitions=(
        Definition("Boundary precision, recall, F1", "Of places between two characters where a "
                   "segment ends; the end of a text is none.", "van Rijsbergen 1979"),
        Definition("WindowDiff", "The share of windows of k characters with another number of "
                   "boundaries than in the gold standard; k is half the mean length of a gold "
                   "segment.", "Pevzner and Hearst 2002"),
        Definition("Pk", "The share of windows of k characters whose ends are wrongly in one "
                   "segment, or wrongly in two.", "Beeferman, Berger and Lafferty 1999"),
        Definition("Segment precision, recall, F1", "Of segments with both ends right.",
                   "Sproat and Emerson 2003"),
    ),
    counting="Each mistake is counted once and named. A segment that is not gold is often a gold "
    "one that is divided, or several that are merged.",
    simulate=Late("finegrain.simulation:simulate_splitters"),
    example=Late("finegrain.tasks.text_examples:segmentation"),
)  # fmt: skip
align = SEGMENTATION.align
