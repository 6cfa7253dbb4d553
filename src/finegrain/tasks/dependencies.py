"""Task `dependencies`: the head and the relation of every word.

>>> from finegrain.corpus import Corpus
>>> text = [["she", "saw", "old", "dogs"]]
>>> gold = Corpus.of(text, head=[["2", "0", "4", "2"]], deprel=[["nsubj", "root", "amod", "obj"]])
>>> flat = Corpus.of(text, head=[["2", "0", "2", "2"]], deprel=[["nsubj", "root", "amod", "iobj"]])
>>> table = align(gold, {"flat": flat})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['CORRECT', 'CORRECT', 'HEAD', 'LABEL']
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

DEPENDENCIES = Task(
    "dependencies",
    "a head and a relation for each word: dependency trees",
    "every gold word",
    Outcomes((  # the field's usual attachment and labelling errors (McDonald and Nivre 2007)
        Outcome("CORRECT", "correct", "head and relation are right", role="right", right=True),
        Outcome("LABEL", "wrong relation", "right head, wrong relation",
                "wrong relations to the right head", "label"),
        Outcome("HEAD", "wrong head", "right relation, wrong head", "wrong heads", "short"),
        Outcome("BOTH", "both wrong", "head and relation are wrong",
                "wrong heads with wrong relations", "both"),
        Outcome("NO_WORD", "no word",
                "the system has no such word: its text is tokenised differently",
                "words that it does not have", "missed"),
    )),
    Words("word", "words", "word", label="relation", also="head"),
    aligner=Late("finegrain.alignment.dependencies:align"),
    options=("subtypes", "punctuation", "case", "rules", "first"),
    recognise=Late("finegrain.alignment.dependencies:holds_trees"),
    contents=Late("finegrain.alignment.contents:trees"),
    same_text=Late("finegrain.alignment.word_alignment:align_words"),
    check=Late("finegrain.alignment.own_columns:require_trees"),
    replies=Late("finegrain.alignment.dependencies:replies"),
    mark=Late("finegrain.alignment.attached_words:mark"),
    pair=Late("finegrain.alignment.attached_words:pair"),
    metrics=Late("finegrain.metrics.dependency_scores:default_metrics"),
    further=Late("finegrain.metrics.enhanced_scores:further_metrics"),
    beside=Late("finegrain.alignment.dependencies:beside_accuracy"),
    attributes=(  # after McDonald and Nivre (2007)
        "arc_length", "arc_direction", "root_distance", "siblings", "projectivity", "tree_depth",
        "sentence_length", "head_upos",
    ),
    has=frozenset(("words", "trees")),
    fields={
        "attached": Late("finegrain.alignment.attachment:places_of_heads"),
        "moved": Late("finegrain.alignment.attachment:distances"),
        "other_side": Late("finegrain.alignment.attachment:sides_of_heads"),
    },
    sections={"errors": Late("finegrain.alignment.attachment:attachments")},
    definitions=(
        Definition(
            "LAS, UAS, LS",
            "The share of words with the right head and relation, the right head, the right "
            "relation; F1 where the system has other words than the gold standard. CLAS counts "
            "content words only, MLAS their tags and features too, BLEX their lemmas.",
            "Nivre and Fang 2017; Zeman et al. 2018",
        ),
    ),
    drawing="arcs",
    simulate=Late("finegrain.simulation:simulate_trees"),
    example=Late("finegrain.tasks.examples:trees"),
)  # fmt: skip
align = DEPENDENCIES.align
