"""Task `perplexity`: how well language models predict a text, from log-probabilities of tokens.

>>> from finegrain.formats.log_probabilities import read
>>> from finegrain.formats.plain_text import read as read_text
>>> from finegrain.formats.source import source_of
>>> gold = read_text(source_of("text.txt", b"so it is\\n"))
>>> mine = read(source_of("mine", b"so\\t-1\\nit\\t-2\\nis\\t-3\\n"))
>>> table = align(gold, {"mine": mine}, base="2")
>>> table.values["surprisal"].matrix[:, 0].tolist()
[1.0, 2.0, 3.0]
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

PERPLEXITY = Task(
    "perplexity",
    "the probability of a text by language models: perplexity, bits per byte",
    "every word of the text",
    Outcomes((
        Outcome("SCORED", "scored", "the model has a probability for it", role="right",
                right=True),
        Outcome("UNSCORED", "not scored", "the model has no probability for it",
                "words without a probability", "unanswered", produced="never"),
    )),
    Words("word", "words", "word", context="passage"),
    answers="number",
    labels_answered=False,
    value="surprisal",
    aligner=Late("finegrain.alignment.perplexity:align"),
    options=("unit", "base", "marks", "special", "missing"),
    formats=("lm_eval", "logprobs", "items", "conllu", "text", "logprobs"),
    recognise=Late("finegrain.alignment.perplexity:recognise"),
    contents=Late("finegrain.alignment.perplexity:contents"),
    metrics=Late("finegrain.metrics.perplexity:default_metrics"),
    main="bits_per_byte",
    attributes=(
        "word_frequency", "document_position", "script", "characters", "shape",
    ),
    has=frozenset(("words", "token_units")),
    definitions=(
        Definition("Surprisal", "-log2 of the probability of a word, in bits: the sum of its "
                   "tokens'.", "Shannon 1951"),
        Definition("Bits per byte, character, word", "The surprisal of the text by the number of "
                   "its bytes, characters or words: the same for any tokenisation.",
                   "Shannon 1951"),
        Definition("Perplexity", "2 to the mean surprisal per word, or per token: the number of "
                   "equally probable choices that would be as hard.", "Jelinek et al. 1977"),
    ),
    example=Late("finegrain.tasks.text_examples:perplexity"),
    simulate=Late("finegrain.simulation:simulate_language_models"),
)  # fmt: skip
align = PERPLEXITY.align
