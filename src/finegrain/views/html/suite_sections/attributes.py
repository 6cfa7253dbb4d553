"""Attributes: what they come to by system and by data set, and whether buckets differ."""

from __future__ import annotations

from finegrain.analyses.explain import suite_listings
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.explain.suite_json import averages
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.views.charts.suite_figures import attribute_profiles
from finegrain.views.html.listing_table import Look, spaced, table_of
from finegrain.views.html.sections.section import Context

_ABREAST = 4  # attributes, up to which two tables have room side by side


def context(found: ManyDataSets) -> Context | None:
    """The tables of the command; the figure where two attributes or more can be drawn."""
    names = found.attributes
    look = Look(words=spaced(names))
    by_attribute = len(found.systems) < len(names)
    measures = _by_attribute(found) if by_attribute else suite_listings.model_wise(found)
    return {
        "drawn": attribute_profiles(found) is not None,
        "attribute_wise": table_of("attribute_wise", suite_listings.attribute_wise(found), look),
        "model_wise": table_of("model_wise", measures, look),
        "abreast": len(names) <= _ABREAST,
        "tests": [
            table_of("by_system", suite_listings.by_system(found), look),
        ],
        "self_diagnosis": table_of("self_diagnosis", suite_listings.self_diagnosis(found), look),
    }


def _by_attribute(found: ManyDataSets) -> Listing:
    """The model-wise measures with systems as columns, where there are fewer of them."""
    listing = suite_listings.model_wise(found)
    columns = [Column("attribute")]
    columns += (Column(name, "percent", group="Spearman") for name in found.systems)
    columns += (Column(name, "score", group="std") for name in found.systems)
    measures = [averages(found, attribute) for attribute in found.attributes]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (attribute, *spearman, *std)
        for attribute, (spearman, std) in zip(found.attributes, measures, strict=True)
    )
    return Listing(listing.title, tuple(columns), rows, listing.note)
