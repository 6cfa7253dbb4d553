"""Score and cost: which systems are worth what their answers take."""

from __future__ import annotations

from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.explain.suite_costs import costs_listing
from finegrain.views.charts.suite_figures import cost_plots
from finegrain.views.html.listing_table import table_of
from finegrain.views.html.sections.section import Context


def context(found: ManyDataSets) -> Context | None:
    """Nothing where no answers say what they took."""
    listing = costs_listing(found)
    if listing is None:
        return None
    plots = enumerate(cost_plots(found), 1)
    return {
        "plots": [(f"costs-{place}", plot) for place, plot in plots if plot.series],
        "table": table_of("costs", listing),
    }
