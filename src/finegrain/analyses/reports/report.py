"""Everything about a table at once: findings, all results, and units to look at.

>>> import finegrain as fg
>>> play = fg.simulate(tokens=3_000, seed=1)
>>> report = fg.report(fg.align(play.gold, play.systems))
>>> list(report.results)[:4]
['score', 'significance', 'errors', 'confusion']
>>> 5 <= len(report.findings) <= 10
True

``report.save("report.html")`` writes one page that opens from disk and needs nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from finegrain.analyses.compare.difference_matrix import between
from finegrain.analyses.compare.difficulty import bins
from finegrain.analyses.compare.triage import Triage
from finegrain.analyses.compare.word_bins import WordBins
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.reports.claims import NO_CLAIMS, Claims, claims_of, weak_slices
from finegrain.analyses.reports.embedded_buckets import (
    bucket_codes,
    bucket_masks,
    divided,
    of_values,
    suspicion,
)
from finegrain.analyses.reports.embedded_units import MOST, EmbeddedUnits, embedded_units
from finegrain.analyses.reports.facts import Facts
from finegrain.analyses.reports.finding import Finding
from finegrain.analyses.reports.findings import claims as claims_told
from finegrain.analyses.reports.findings import findings
from finegrain.analyses.reports.results import every_result, ranked
from finegrain.analyses.result import Printed, Result
from finegrain.analyses.scores.error_types import error_types
from finegrain.analyses.scores.score import score
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Study
from finegrain.analyses.trust.significance import significance
from finegrain.analyses.trust.slices import Slices
from finegrain.attributes.choosing import as_column
from finegrain.attributes.surfaces import surfaces
from finegrain.attributes.training import Reading, TrainingData, learnt_from
from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.document import MEMORY
from finegrain.errors import UsageError
from finegrain.formats.source import stem
from finegrain.formats.standard_input import STANDARD_INPUT
from finegrain.metrics.metric import Metric
from finegrain.resampling.intervals import NO_INTERVALS, Drawing
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task

_NAMED, _LINE = 3, 60  # systems, and characters of their names, that a title has room for


def brackets(findings: tuple[Finding, ...]) -> str:
    """What stands in brackets, if anything does, and what p is."""
    some = any(part.style == "interval" for one in findings for part in one.parts)
    told = ["In brackets: 95 % intervals."] if some else []
    if any("(p " in one.text for one in findings):
        told.append(
            "p: how often so much would be seen anywhere in what this report tested if systems "
            "could be exchanged document by document and no bucket differed from the rest; "
            "a finding claims something only if p is at most .05, and the interval beside p holds "
            "together with those of all other tests. Findings without p describe this test set."
        )
    return " ".join(told)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report(Printed):
    """Results by the name of their command, and what they come to.

    ``order``: systems by place from the best to the worst by ``metric``, the first name first among
    equals. ``units`` are those that a page holds.
    """

    table: OutcomeTable
    title: str
    metric: Metric
    order: tuple[int, ...]
    results: Mapping[str, Result]
    findings: tuple[Finding, ...]
    units: EmbeddedUnits
    signature: str
    notes: tuple[str, ...]
    claims: Claims = NO_CLAIMS

    @property
    def task(self) -> Task:
        return self.table.task

    @property
    def systems(self) -> tuple[str, ...]:
        return self.table.systems

    def to_json(self) -> dict[str, Any]:
        """Findings, and every result as its own command prints it."""
        return {
            "title": self.title,
            "metric": self.metric.name,
            "findings": [finding.to_json() for finding in self.findings],
            "results": {
                name: {"signature": result.signature, "result": result.to_json()}
                for name, result in self.results.items()
            },
        }

    def listings(self) -> tuple[Listing, ...]:
        columns = (Column("#", "count"), Column("finding"))
        rows = tuple((place, finding.text) for place, finding in enumerate(self.findings, 1))
        scores = self.results["score"].listings()[:1]
        return (Listing(self.title, columns, rows, brackets(self.findings)), *scores)

    def records(self) -> Listing:
        columns = (
            Column("rule"), Column("kind"), Column("section"), Column("n", "count"), Column("p"),
            Column("low", "score"), Column("high", "score"), Column("finding"),
        )  # fmt: skip
        none = (None, None)
        rows = tuple(
            (one.rule, one.kind, one.section, one.n, one.p, *(one.interval or none), one.text)
            for one in self.findings
        )
        return Listing("findings", columns, rows)


def report(
    table: OutcomeTable,
    *,
    train: Corpus | None = None,
    title: str | None = None,
    instances: int = MOST,
    seed: int = 1,
    **learning: Unpack[Reading],
) -> Report:
    """Run all analyses that fit the table and write down what they come to.

    Parameters
    ----------
    train: training data, for attributes that are learnt
    title: of the page; default: what the systems and the gold file are called
    instances: units that a page holds at most, chosen so that there are some behind every number
    seed: of intervals and tests
    learning: how the training data are read: ``scheme``, ``policy``, ``layer``, ``rules``
    """
    if not table.n_systems:
        raise UsageError("a report needs at least one system")
    if instances < 1:
        raise UsageError(f"a page holds at least one instance, not {instances}")
    metric = table.task.first_metric()
    results = dict(every_result(table, metric, train, seed, learning))
    training = learnt_from(train, table, needed=True, **learning)
    searched = claims_of(table, results.get("errors"), train=train, seed=seed, **learning)
    found = divided(results, weak_slices(searched))
    codes = {
        **bucket_codes(table, found, training),
        **suspicion(table, results),
        **of_values(results),
        **_studied(results),
    }
    masks, named = bucket_masks(found), _named(table, results)
    units = embedded_units(table, most=instances, columns=codes, masks=masks, asked=named)
    reached = results["score"].overall[metric.name]  # type: ignore[attr-defined]  # it is Scores
    order = ranked(table.systems, metric.scale.quality(reached))
    known = _with_learnt(table, results, searched, training)
    facts = Facts(known, results, metric, order, codes, Drawing(seed=seed), units.lowered, searched)
    told = (one for one in results.values() if not isinstance(one, Slices))  # these tell their own
    notes = dict.fromkeys(note for result in told for note in result.notes)
    return Report(
        known,
        title or _title(table),
        metric,
        order,
        results,
        findings(facts),
        units,
        signature(table, metric=metric.name),
        tuple(notes),
        searched,
    )


def claims(
    table: OutcomeTable, *, train: Corpus | None = None, seed: int = 1, **learning: Unpack[Reading]
) -> tuple[Finding, ...]:
    """The sentences of a report that a test stands behind, without all that a page needs.

    >>> import finegrain as fg
    >>> play = fg.simulate(tokens=20_000, seed=1, systems={"careful": [], "hasty": ["spurious"]})
    >>> [one.rule for one in claims(fg.align(play.gold, play.systems))]
    ['leaders', 'profile']
    """
    metric = table.task.first_metric()
    scores = score(table, metric)
    results: dict[str, Result] = {"score": scores}
    order = ranked(table.systems, metric.scale.quality(scores.overall[metric.name]))
    if table.n_systems > 1 and table.is_gold.any():
        results["significance"] = significance(table, metric, seed=seed)
        best = [table.systems[place] for place in order[:2]]
        results["differences"] = between(table, systems=best, drawing=NO_INTERVALS)
    if table.task.tells_errors_apart:
        results["errors"] = error_types(table)
    searched = claims_of(table, results.get("errors"), train=train, seed=seed, **learning)
    training = learnt_from(train, table, needed=True, **learning)
    codes = bucket_codes(table, divided({}, weak_slices(searched)), training)
    return claims_told(Facts(table, results, metric, order, codes, claims=searched))


def _with_learnt(
    table: OutcomeTable,
    results: Mapping[str, Result],
    searched: Claims,
    training: TrainingData | None,
) -> OutcomeTable:
    """The table with columns of learnt attributes in which slices were found: findings ask it."""
    found = (one for one in results.values() if isinstance(one, Slices))
    every = [*weak_slices(searched), *(told.slice for one in found for told in one.findings)]
    parts = (part for one in every for part in one.parts)
    for attribute in dict.fromkeys(part.attribute for part in parts):
        if attribute.needs_training and attribute.name not in table.columns:
            table = table.with_column(attribute.name, as_column(attribute.values(table, training)))
    return table


def _studied(results: Mapping[str, Result]) -> dict[str, IntArray]:
    """Codes of units that studies bring."""
    studies = (result for result in results.values() if isinstance(result, Study))
    return {name: codes for found in studies for name, codes in found.columns.items()}


def _title(table: OutcomeTable) -> str:
    """Few systems by their names, many by their number; of files, the name without its folder."""
    *others, last = table.systems
    said = f"{', '.join(others)} and {last}" if others else last
    if table.n_systems > _NAMED or len(said) > _LINE:
        said = sized(table.n_systems, "system")
    gold = table.corpus.source
    return said if gold in (MEMORY, STANDARD_INPUT) else f"{said} on {stem(gold)}"


def _named(table: OutcomeTable, results: Mapping[str, Result]) -> IntArray:
    """Rows that the page leads to one by one: suspects, and every word in every bin."""
    rows = [suspects.rows] if isinstance(suspects := results.get("triage"), Triage) else []
    if isinstance(words := results.get("words"), WordBins):
        known = surfaces(table)
        if known is not None:
            listed = [known.find(word) for word in words.words]
            mentions = np.flatnonzero(table.is_gold & np.isin(known.codes, listed))
            places = known.codes[mentions] * words.n_bins + bins(table)[mentions]
            rows.append(mentions[np.unique(places, return_index=True)[1]])
    return np.unique(np.concatenate(rows)) if rows else np.zeros(0, np.int64)
