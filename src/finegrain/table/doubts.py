"""What is in doubt about the data of a table: repaired tags, and notes that are no information."""

from __future__ import annotations

from finegrain.corpus.notes import doubts, refuse
from finegrain.sizes import sized
from finegrain.table.outcome_table import OutcomeTable


def require_no_doubt(table: OutcomeTable) -> None:
    """Refuse a table whose data had to be repaired, skipped or guessed."""
    done = "dropped" if table.settings.get("policy") == "discard" else "repaired"
    counts = {"gold": table.gold_repairs, **table.repairs}
    repairs = [
        f"{name}: {sized(count, 'ill-formed tag')} {done} (--policy error says where)"
        for name, count in counts.items()
        if count
    ]
    refuse(table.corpus.source, [*repairs, *doubts(table.notes)])
