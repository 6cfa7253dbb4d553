"""Words across bins: a circle for every bin that holds mentions, its area their number."""

from __future__ import annotations

from finegrain.analyses.compare.word_bins import WordBins
from finegrain.analyses.evidence import Evidence, with_words
from finegrain.analyses.reports.embedded_buckets import in_bin
from finegrain.views.charts.chart import Spec, reserved
from finegrain.views.charts.palette import ACCENT, INK
from finegrain.views.escape import visible


def word_bubbles(result: WordBins) -> Spec | None:
    """``None`` without words."""
    if not result.words:
        return None
    names = {word: _short(visible(word)) for word in result.words}
    values = [
        {
            "word": names[word],
            "bin": bin_,
            "mentions": count,
            "told": f"{names[word]}, bin {bin_}: {count:,}",
            "href": Evidence.of(count, with_words(word), in_bin(result, bin_)).fragment,
        }
        for word, counts in zip(result.words, result.counts.tolist(), strict=True)
        for bin_, count in enumerate(counts)
        if count
    ]
    shown = tuple(names.values())
    return {
        "description": "Mentions of words by the number of systems that are right about them",
        "usermeta": {"reserved": reserved(shown) + 12},
        "data": {"values": values},
        "width": 300,
        "height": {"step": 25},
        "mark": {"type": "circle", "color": ACCENT.light, "opacity": 0.85, "cursor": "pointer"},
        "encoding": {
            "x": {"field": "bin", "type": "quantitative", "title": "bin",
                  "axis": {"tickMinStep": 1, "format": "d", "grid": False},
                  "scale": {"domain": [0, result.n_bins - 1], "padding": 12}},
            "y": {"field": "word", "type": "nominal", "sort": list(shown), "title": None,
                  "axis": {"domain": False, "ticks": False, "labelColor": INK.light,
                           "minExtent": reserved(shown)}},
            "size": {"field": "mentions", "type": "quantitative", "legend": None,
                     "scale": {"range": [18, 320]}},
        },
    }  # fmt: skip


def _short(word: str, most: int = 24) -> str:
    return word if len(word) <= most else f"{word[: most - 1]}…"
