"""The units of a table as spans of its text.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.tags import align
>>> gold = Corpus.of([["time", "flies"]], tags=[["NOUN", "VERB"]])
>>> spans = unit_spans(align(gold, {"same": gold}))
>>> spans.begin.tolist(), spans.end.tolist(), spans.labels
([0, 1], [1, 2], ('NOUN', 'VERB'))
"""

from __future__ import annotations

from finegrain.corpus import Spans
from finegrain.table.outcome_table import OutcomeTable


def unit_spans(table: OutcomeTable) -> Spans:
    """All units, gold or not, in the order of the table."""
    return Spans(
        table.sentence, table.begin, table.end, table.label, table.labels,
        table.token_set, table.token_sets,
        table.columns.get("begin_cut"), table.columns.get("end_cut"),
    )  # fmt: skip
