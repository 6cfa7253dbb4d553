"""Fill-ins that fail more often than the others of their test."""

from __future__ import annotations

from finegrain.analyses.trust.behaviour import Behaviour
from finegrain.analyses.trust.behaviour_listings import biased
from finegrain.views.html.listing_table import table_of
from finegrain.views.html.sections.section import Context


def context(found: Behaviour) -> Context | None:
    """Nothing where there is nothing to test."""
    if not found.tested:
        return None
    listing = biased(found)
    return {"table": table_of("biased", listing) if found.biased else None, "note": listing.note}
