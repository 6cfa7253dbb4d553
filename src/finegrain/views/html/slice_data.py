"""The slices that a reader can ask for, and the rest of each: words, and selections.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=6_000, seed=1)
>>> table = fg.align(play.gold, play.systems)
>>> for one in slice_data({"slices": fg.slices(table, "crf", by=["entity_length"])}):  # planted
...     print(f"{one['said']}: {one['where'][2]}")
entity length 4 to 12: ['=', ['bucket', 'entity_length'], '3']
all but entity length 4 to 12: ['not', ['=', ['bucket', 'entity_length'], '3']]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from finegrain.analyses.reports.slice_evidence import in_words, inside, outside
from finegrain.analyses.result import Result
from finegrain.analyses.selection.json_form import as_json
from finegrain.analyses.trust.slices import Slices


def slice_data(results: Mapping[str, Result]) -> list[dict[str, Any]]:
    """Every slice that was found, once; then the rest of each."""
    found = (
        one for result in results.values() if isinstance(result, Slices) for one in result.findings
    )
    slices = {in_words(one.slice): one.slice for one in found}
    asked = {said: inside(one) for said, one in slices.items()}
    asked |= {f"all but {said}": outside(one) for said, one in slices.items() if one.parts}
    return [{"said": said, "where": as_json(where)} for said, where in asked.items()]
