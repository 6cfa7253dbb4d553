"""What can be chosen about the metrics of a task; a task takes what it knows and ignores the rest.

>>> MetricOptions(beta=2.0).focus
'target'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Focus = Literal["target", "system"]
DEFAULT_WEIGHTS = "ortmann-weighted"
OVERLAP = 0.5  # common tokens / all tokens


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """How outcomes are weighed, labels charged and recall preferred.

    ``weights``: of the family ``weighted``, those of Ortmann (2022) if ``None``; ``focus``: the
    label that an error in the label is charged to; ``beta``: adds F-beta; ``overlap``: the least
    overlap of the match scheme of that name.
    """

    weights: Any = None
    focus: Focus = "target"
    beta: float | None = None
    overlap: float = OVERLAP


DEFAULTS = MetricOptions()
