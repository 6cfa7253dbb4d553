"""Difficulty: units by how many systems are right about them, and what hard ones are like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from finegrain.analyses.compare.bin_features import BinFeatures
from finegrain.analyses.compare.difficulty import Difficulty
from finegrain.analyses.compare.difficulty_listings import counts
from finegrain.analyses.compare.invented import Invented
from finegrain.analyses.compare.triage import Suspect, Triage
from finegrain.analyses.compare.word_bins import WordBins
from finegrain.analyses.evidence import GOLD, Evidence, agreed_on_by, solved_by, with_words
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.reports.finding import shortened
from finegrain.analyses.reports.report import Report
from finegrain.views.charts.curves import feature_curves
from finegrain.views.html.listing_table import Look, Table, spaced, table_of
from finegrain.views.html.sections.section import Context
from finegrain.views.html.sections.suspects import Suspects, grouped

_MOST = 14  # lines of suspects


def context(report: Report) -> Context | None:
    """Nothing for a single system, or where no unit is right or wrong."""
    found = report.results.get("difficulty")
    if not isinstance(found, Difficulty) or found.graded is not None:
        return None
    invented, triage = report.results.get("invented"), report.results.get("triage")
    features, words = report.results.get("features"), report.results.get("words")
    of_words = isinstance(words, WordBins) and len(words.words)
    room = 60 if of_words else 120  # characters of a suspect
    embedded = set(report.units.chosen.tolist())
    suspects = grouped(triage, embedded)[:_MOST] if isinstance(triage, Triage) else []
    return {
        "bins": _bins(report, found, invented if isinstance(invented, Invented) else None),
        "features": _features(features, found) if isinstance(features, BinFeatures) else None,
        "words": _words(words) if isinstance(words, WordBins) and of_words else None,
        "suspects": suspects,
        "triage": table_of("triage", _triage(suspects, room), Look(styles=_TEXTS)),
        "room": room,
        "suspected": triage.found if isinstance(triage, Triage) else 0,
        "at_least": triage.at_least if isinstance(triage, Triage) else 0,
        "gold": report.table.task.words.gold_units,
        "answers": report.task.answers != "none" and getattr(triage, "gaps", None) is None,
        "naming": report.task.words,
        "open": report.table.task.open,
    }


def _bins(report: Report, found: Difficulty, invented: Invented | None) -> Table:
    """The listing of the command, by rank; below it what is not gold."""
    listing = counts(found).in_order([report.systems[place] for place in report.order])
    if invented is not None:
        sizes = invented.sizes.tolist()
        cells = (Linked(size, Evidence.of(size, agreed_on_by(at))) for at, size in enumerate(sizes))
        made = sum(sizes[1:])  # by one system or more
        total = Linked(made, Evidence.of(made, agreed_on_by(1, len(report.systems))))
        row: tuple[Cell, ...] = ("not gold", *cells, total)
        listing = replace(listing, footer=(*listing.footer, row))
    return table_of("difficulty", listing)


def _features(features: BinFeatures, found: Difficulty) -> Table | None:
    """The means of bins, which lead to their units; nothing where there is no figure of them."""
    if feature_curves(features) is None:
        return None
    means, *_ = features.listings()
    sizes = found.sizes.sum(axis=0).tolist()
    bins = range(1, len(sizes) + 1)
    listing = means.leading(bins, lambda _, at: Evidence.of(sizes[at - 1], solved_by(at - 1)))
    return table_of("features", listing, Look(words=spaced(str(row[0]) for row in means.rows)))


def _words(words: WordBins) -> Table:
    """Words with their mentions by bin."""
    listing, *_ = words.listings()
    first = len(listing.columns) - words.n_bins

    def behind(row: int, column: int) -> Evidence:
        word, counts = words.words[row], words.counts[row]
        if column < first:  # all mentions
            return Evidence.of(int(counts.sum()), with_words(word), GOLD)
        place = column - first
        return Evidence.of(int(counts[place]), with_words(word), solved_by(place))

    listing = listing.leading((first - 2, *range(first, len(listing.columns))), behind)
    rows = ((shortened(str(row[0]), 60), *row[1:]) for row in listing.rows)
    return table_of("words", replace(listing, rows=tuple(rows)))


_TEXTS = dict.fromkeys(range(3), "text")


def _triage(suspects: list[Suspects], room: int) -> Listing:
    """Likely errors of the gold standard."""
    columns = (
        Column("text"), Column("gold"), Column("systems"), Column("agree", "count"),
        Column("n", "count"),
    )  # fmt: skip
    return Listing("", columns, tuple(tuple(_cells(group, room)) for group in suspects))


def _cells(group: Suspects, room: int) -> Iterator[Cell]:
    one = group.first
    behind = None if group.where is None else Evidence.of(group.count, group.where)
    yield Linked(shortened(group.text, room), behind)
    yield one.gold.told if one.gold else "nothing"
    yield Linked(one.answer.told if one.answer else "nothing", None, beside=_other_text(one))
    yield Linked(one.agree, behind)
    yield Linked(group.count, behind)


def _other_text(one: Suspect) -> str:
    """The words of an answer that are not those of the unit."""
    other = one.answer is not None and one.answer_text not in (None, one.text)
    return shortened(one.answer_text or "") if other else ""
