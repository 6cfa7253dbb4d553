"""Cases that fail: their texts and the answers to them."""

from __future__ import annotations

from finegrain.analyses.trust.behaviour import Behaviour
from finegrain.analyses.trust.behaviour_listings import shown
from finegrain.views.html.sections.section import Context


def context(found: Behaviour) -> Context | None:
    if not found.failures:
        return None
    return {"failures": [(one, shown(one)) for one in found.failures]}
