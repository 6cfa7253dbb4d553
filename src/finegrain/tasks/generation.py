"""Task `generation`: text for each segment: translations, summaries, transcripts.

>>> from finegrain.formats.lines import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b"The cat sat.\\nIt slept for 3 hours.\\n"))
>>> table = align(gold, {"mine": read(source_of("mine", b"The cat sat.\\n\\n"))})
>>> table.outcomes.names[table.outcome[1, 0]], table.values["chrf"].matrix[:, 0].tolist()
('EMPTY', [100.0, 0.0])
"""

from __future__ import annotations

from types import MappingProxyType

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

GENERATION = Task(
    "generation",
    "text for each segment: machine translation, summaries, speech",
    "every segment",
    Outcomes((
        Outcome("SOUND", "no plain fault", "none of the faults below; a score says how good it is",
                role="right", right=True),
        Outcome("EMPTY", "empty", "the output has no words", "empty outputs", "missed"),
        Outcome("COPIED", "source copied", "the output is nearly the source",
                "outputs that copy the source", "label"),
        Outcome("LOOP", "repetition", "a word or phrase is repeated over and over",
                "outputs caught in a loop", "invented"),
        Outcome("FOREIGN", "wrong language", "the output is of another script or language",
                "outputs in the wrong script or language", "crossing"),
        Outcome("SHORT", "cut short", "less than half of the reference, or it stops early",
                "outputs that are cut short", "short"),
        Outcome("LONG", "too long", "more than twice the words of the reference",
                "outputs that are too long", "long"),
        Outcome("UNANSWERED", "no output", "the system's file lacks the segment",
                "segments without an output", "unanswered", produced="never"),
    )),
    Words("segment", "segments", "segment", context=""),
    answers="text",
    answer_column="output",
    labels_answered=False,
    value="chrf",
    aligner=Late("finegrain.alignment.generation:align"),
    options=(
        "missing", "source", "references", "tokenize", "case", "words", "stem", "wordnet",
        "normalise", "frequencies", "word_labels", "token_labels", "scores",
    ),
    formats=("sgm", "wmt", "items", "segments", "lines"),
    recognise=Late("finegrain.alignment.generation:recognise"),
    replies=Late("finegrain.alignment.generation:replies"),
    mark=Late("finegrain.alignment.generation:mark"),
    pair=Late("finegrain.alignment.generation:pair"),
    drawn_beside="references",
    metrics=Late("finegrain.metrics.generation:default_metrics"),
    further=Late("finegrain.metrics.generation:further_metrics"),
    main="chrf",
    studies=MappingProxyType({
        name: Late(f"finegrain.analyses.studies.{name}:{name}")
        for name in ("shared_words", "metric_agreement")
    }),
    attributes=("text_length", "numbers_in_reference", "names_in_reference"),
    fields=MappingProxyType({
        name: Late(f"finegrain.alignment.segment_fields:{name}")
        for name in ("lost_numbers", "lost_names", "lost_source_numbers", "lost_source_names",
                     "length_ratio", "word_errors")
    }),
    has=frozenset(("words", "texts", "segments")),
    definitions=(
        Definition("BLEU", "Geometric mean of the shares of n-grams of 1 to 4 words that "
                   "references have, times a penalty for brevity; 0 to 100.",
                   "Papineni et al. 2002"),
        Definition("chrF, chrF++", "F2 of n-grams of 1 to 6 characters, averaged over n; ++ adds "
                   "those of 1 and 2 words; 0 to 100.", "Popović 2015; Popović 2017"),
        Definition("TER", "Edits and shifts of words by the words of the reference, in percent; "
                   "less is better.", "Snover et al. 2006"),
    ),
    drawing="item",
    example=Late("finegrain.tasks.item_examples:generation"),
    simulate=Late("finegrain.simulation:simulate_translations"),
)  # fmt: skip
align = GENERATION.align
