"""Task `coreference`: which mentions of a document are the same thing.

The rules are those of ``finegrain.alignment.coreference``.

>>> COREFERENCE.outcomes["WL"].meaning
'wrong linkage: linked to something else'
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

COREFERENCE = Task(
    "coreference",
    "mentions in chains: who or what is the same in a document",
    "every gold mention with an antecedent, and every other mention given one",
    Outcomes((  # Tuggener (2017), whose tn is ABSENT here; USED and ABSENT count nowhere
        Outcome("TP", "correct", "linked to an antecedent that it has in the gold standard",
                role="right", right=True),
        Outcome("WL", "wrong link", "wrong linkage: linked to something else",
                "mentions linked to the wrong antecedent", "label"),
        Outcome("FN", "missed", "missed: given no antecedent", "missed mentions", "missed",
                produced="never"),
        Outcome("FP", "invented", "invented: has no antecedent in the gold standard",
                "invented mentions", "invented"),
        Outcome("USED", "counted with a gold mention",
                "stands for a gold mention with other boundaries", role="quiet",
                right=True, charged=False, produced="never"),
        Outcome("ABSENT", "not there", "given no antecedent, and there is none", role="quiet",
                right=True, charged=False, produced="never", absent=True),
    )),
    Words("mention", "mentions", "mention", "with an antecedent", label="mention_type"),
    answers="unit",
    labels_answered=False,
    aligner=Late("finegrain.alignment.coreference:align"),
    options=("match", "singletons", "zeros", "antecedent", "duplicates", "pronouns"),
    recognise=Late("finegrain.alignment.coreference:holds_chains"),
    contents=Late("finegrain.alignment.contents:chains"),
    same_text=Late("finegrain.alignment.same_text:require_same_text"),
    check=Late("finegrain.alignment.own_columns:require_chains"),
    annotated=Late("finegrain.alignment.own_columns:annotated"),
    predicted=Late("finegrain.alignment.coreference:predicted"),
    replies=Late("finegrain.alignment.coreference:replies"),
    compared="outcome",  # Tuggener (2017): wrong links are one answer, whatever they lead to
    mark=Late("finegrain.alignment.linked_mentions:mark"),
    pair=Late("finegrain.alignment.linked_mentions:pair"),
    metrics=Late("finegrain.metrics.coreference:default_metrics"),
    further=Late("finegrain.metrics.coreference:further_metrics"),
    score_rows="families",
    main="conll_f1",
    attributes=(
        "label", "entity_length", "antecedent_sentences", "antecedent_mentions",
        "antecedent_match", "chain_length", "chain_position", "document_length",
    ),
    has=frozenset(("words", "chains")),
    definitions=(
        Definition(
            "CoNLL F1",
            "The mean F1 of MUC, B³ and CEAF-e. It is about whole documents, so labels and buckets "
            "have ARCS instead.",
            "Pradhan et al. 2012",
        ),
        Definition(
            "MUC",
            "Links: the recall of a chain of n mentions is (n − parts) / (n − 1), parts being the "
            "chains of the other side that it falls into.",
            "Vilain et al. 1995",
        ),
        Definition(
            "B³",
            "Mentions: for each, the share of its gold chain that is in its chain of the system "
            "(recall), and of that chain which is in the gold chain (precision).",
            "Bagga and Baldwin 1998",
        ),
        Definition(
            "CEAF-m, CEAF-e",
            "Chains are matched one to one so that most is shared: common mentions (m), or twice "
            "these by the size of both chains (e).",
            "Luo 2005",
        ),
        Definition(
            "BLANC",
            "The mean of the F1 of pairs of mentions that are linked and of pairs that are not.",
            "Recasens and Hovy 2011; Luo et al. 2014",
        ),
        Definition(
            "LEA",
            "Chains weighted by their size, each by the share of its links that the other side "
            "has.",
            "Moosavi and Strube 2016",
        ),
        Definition("Mention F1", "F1 of mentions that are found, regardless of their chains.", ""),
        Definition(
            "ARCS",
            "Mentions that are linked to an antecedent that they have in the gold standard: recall "
            "TP / (TP + WL + FN), precision TP / (TP + WL + FP), WL being wrong links.",
            "Tuggener 2014",
        ),
    ),
    drawing="chains",
    simulate=Late("finegrain.simulation:simulate_chains"),
    example=Late("finegrain.tasks.examples:chains"),
    counting="Every error is counted once, by its kind: a mention with an antecedent is linked "
    "wrongly or missed, one without is invented.",
)  # fmt: skip
align = COREFERENCE.align
