"""The slices that a reader can ask for: what they hold in words, and conditions on their units.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=6_000, seed=1)
>>> table = fg.align(play.gold, play.systems)
>>> slice_data({"slices": fg.slices(table, "crf", by=["entity_length"])})[0]  # planted
{'said': 'entity length 4 to 12', 'conditions': {'unit': 'gold', 'bucket.entity_length': '3'}}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from finegrain.analyses.reports.weak_slices import conditions, in_words
from finegrain.analyses.result import Result
from finegrain.analyses.trust.slices import Slices


def slice_data(results: Mapping[str, Result]) -> list[dict[str, Any]]:
    """Every slice that was found, once."""
    found = (
        one for result in results.values() if isinstance(result, Slices) for one in result.findings
    )
    asked = {in_words(one.slice): conditions(one.slice) for one in found}
    return [
        {"said": said, "conditions": {key: str(value) for key, value in held.items()}}
        for said, held in asked.items()
    ]
