"""Where it hurts: slices of the gold units that lose beyond chance."""

from __future__ import annotations

from finegrain.analyses.trust.robustness import Robustness
from finegrain.analyses.trust.robustness_listings import weak_listing
from finegrain.views.html.listing_table import table_of
from finegrain.views.html.sections.section import Context


def context(found: Robustness) -> Context | None:
    """Nothing where no drop is beyond chance, or none of it is anywhere in particular."""
    return {"table": table_of("weak", weak_listing(found))} if found.weak else None
