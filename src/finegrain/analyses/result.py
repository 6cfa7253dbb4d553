"""What every analysis returns, and how numbers become JSON values."""

from __future__ import annotations

import math
from typing import Any, Protocol

from finegrain.analyses.listing import Listing


class Result(Protocol):
    """A frozen dataclass with its signature; views do the printing."""

    @property
    def signature(self) -> str: ...
    @property
    def task(self) -> str: ...
    @property
    def systems(self) -> tuple[str, ...]: ...
    @property
    def notes(self) -> tuple[str, ...]: ...

    def to_json(self) -> dict[str, Any]:
        """The ``result`` object of ``--format json``."""
        ...

    def listings(self) -> tuple[Listing, ...]:
        """Tables for people."""
        ...

    def records(self) -> Listing:
        """All numbers as one tidy table, for CSV."""
        ...


def number(value: float) -> float | None:
    """A float for JSON: undefined is ``None``.

    >>> number(0.5), number(float("nan"))
    (0.5, None)
    """
    return None if math.isnan(value) else float(value)
