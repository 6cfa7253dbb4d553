"""Units that broke, in both versions of their text with the change marked."""

from __future__ import annotations

from finegrain.analyses.trust.robustness import Robustness
from finegrain.views.html.sections.section import Context


def context(found: Robustness) -> Context | None:
    return {"units": found.shown} if found.shown else None
