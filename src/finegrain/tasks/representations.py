"""Task `representations`: vectors of stimuli; is what is near for gold near for a system, too?

>>> from finegrain.formats.source import source_of
>>> from finegrain.formats.vectors import read
>>> human = read(source_of("human", b"3 2\\ncat 0 1\\ndog 1 1\\ncar 5 1\\n"))
>>> model = read(source_of("model", b"3 2\\ncat 0 1\\ndog 2 1\\ncar 9 1\\n"))
>>> align(human, {"model": model}, distance="euclidean").values["rank_error"].matrix.T.tolist()
[[0.0, 0.0, 0.0]]
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

REPRESENTATIONS = Task(
    "representations",
    "vectors of the same stimuli: how alike their distances are (representational similarity)",
    "every pair of stimuli",
    Outcomes((
        Outcome("MEASURED", "measured", "both stimuli have vectors", role="right", right=True),
        Outcome("UNMEASURED", "not measured", "a stimulus has no vector",
                "pairs without a distance", "unanswered", produced="never"),
    )),
    Words("pair", "pairs", "pair", context="", member="stimulus"),
    answers="number",
    answer_column="distance",
    value="rank_error",
    members=("first", "second"),
    aligner=Late("finegrain.alignment.stimulus_pairs:align"),
    options=("distance", "gold_is", "stimuli", "missing"),
    formats=("vectors",),
    recognise=Late("finegrain.alignment.stimulus_pairs:recognise"),
    metrics=Late("finegrain.metrics.rsa:default_metrics"),
    further=Late("finegrain.metrics.rsa:further_metrics"),
    main="rsa",
    studies={
        name: Late(f"finegrain.analyses.studies.{name}:{name}") for name in ("geometry", "layers")
    },
    attributes=("gold_distance",),
    has=frozenset(("words", "texts")),
    definitions=(
        Definition("RSA", "Spearman's rho of the distances of all pairs of stimuli, for gold and "
                   "for a system: 1 if their order is the same.",
                   "Kriegeskorte, Mur and Bandettini 2008"),
        Definition("Rank error", "How far the rank of a pair among all pairs is from its rank in "
                   "gold, as a share of the largest difference that there can be.", ""),
        Definition("p", "How often stimuli of gold that have changed places agree with the system "
                   "as well or better; one-sided, Holm-corrected.", "Mantel 1967"),
        Definition("CKA", "Linear kernel alignment of the vectors, 1 for the same up to rotation "
                   "and scale, and its unbiased estimate.",
                   "Kornblith et al. 2019; Nguyen et al. 2021"),
        Definition("Intervals", "Stimuli are drawn, not pairs: a pair counts as often as the "
                   "product of how often its stimuli are drawn, and none of a stimulus with its "
                   "own copy.", "Nili et al. 2014"),
    ),
    drawing="item",
    example=Late("finegrain.tasks.item_examples:representations"),
    simulate=Late("finegrain.simulation:simulate_vectors"),
)  # fmt: skip
align = REPRESENTATIONS.align
