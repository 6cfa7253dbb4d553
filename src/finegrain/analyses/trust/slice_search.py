"""The search for slices: all candidates tested together, of which those with something new stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.explain.bucket_selection import GOLD
from finegrain.analyses.restricting import within
from finegrain.analyses.selection.expressions import (
    Comparison,
    Field,
    Holds,
    Literal,
    Operator,
    written,
)
from finegrain.analyses.trust.slice_candidates import Candidates, Slice, candidates
from finegrain.analyses.trust.slice_finding import Finding, Search, Settings
from finegrain.analyses.trust.unexplained import Others, unexplained
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.training import TrainingData
from finegrain.attributes.units import Units
from finegrain.corpus import Coded, IntArray
from finegrain.errors import UsageError
from finegrain.resampling import against_rest, swapped_subsets
from finegrain.resampling.against_rest import Clusters, Losses
from finegrain.resampling.sampling import Sampling
from finegrain.resampling.sign_flips import Family
from finegrain.resampling.subsets import Subsets
from finegrain.resampling.swapped_subsets import Outputs
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import answered, changed, produced, right, value


class _Tested(NamedTuple):
    """A search before findings are chosen; hits, sizes and changed are ``[item, ...]``.

    ``hits`` are qualities where units are graded.
    """

    found: Candidates
    clusters: Clusters
    hits: Losses
    sizes: NDArray[np.bool_]
    changed: NDArray[np.bool_]
    family: Family


@dataclass(frozen=True, slots=True, eq=False)
class Searcher:
    """What all searches of a call share."""

    table: OutcomeTable
    attributes: Sequence[Attribute]
    training: TrainingData | None
    sampling: Sampling
    settings: Settings
    searches: int

    @property
    def _level(self) -> float:
        return 1 - (1 - self.settings.level) / self.searches

    def search(self, systems: tuple[str, ...]) -> Search:
        """Test all candidates and keep what is not explained by something larger."""
        columns = [self.table.system(name) for name in systems]
        tested = self._tested(columns)
        if tested is None:
            return Search(systems, 0, 0, ())
        family = tested.family
        beyond = family.p * self.searches <= 1 - self.settings.level + 1e-12
        kept = self._not_explained(tested, np.flatnonzero(beyond))
        findings = tuple(self._finding(tested, place, systems, columns) for place in kept)
        return Search(systems, len(tested.found.slices), int(beyond.sum()), findings)

    def _view(self, columns: list[int]) -> OutcomeTable:
        """The table; for precision where every unit is answered, with the answers as labels."""
        table = self.table
        if self.settings.measure != "precision" or table.task.open:
            return table
        if len(columns) > 1:
            raise UsageError(
                f"the answers of two systems to the same units of {table.task} have different "
                "labels: search the precision of one system at a time"
            )
        return _relabelled(table, columns[0])

    def _tested(self, columns: list[int]) -> _Tested | None:
        table = self._view(columns)
        hits, sizes = self._outputs(table, columns)
        items = np.asarray(sizes.any(axis=1))
        documents = self.sampling.kind == "document"
        clusters = np.asarray(self.sampling.samples.codes)
        found = candidates(
            Units(table, self.training), self._own(table), items, fewest=self.settings.fewest,
            clusters=clusters, least_clusters=against_rest.FEWEST if documents else 0,
            through="" if table is self.table else "label",
        )  # fmt: skip
        rows = np.flatnonzero(items)
        if len(columns) == 2:
            found = _with_all(found, len(rows))
        if not found.slices or not len(rows):
            return None
        differ = self._differ(columns[0], columns[-1])
        return self._test(found, rows, hits[rows], sizes[rows], differ[rows])

    def _outputs(self, table: OutcomeTable, columns: list[int]) -> Outputs:
        """Whether systems are right about units, or how good these are; and which ones count."""
        gold = table.is_gold[:, None]
        if self.settings.graded:
            matrix = value(table).matrix[:, columns]
            known = np.asarray(~np.isnan(matrix).any(axis=1))
            sizes = gold & np.repeat(known[:, None], len(columns), axis=1)
            return Outputs(np.where(sizes, self.settings.scale.quality(matrix), 0.0), sizes)
        if self.settings.measure == "recall":
            sizes = np.repeat(gold, len(columns), axis=1)
        else:
            sizes = produced(table)[:, columns]
            if table.task.answers == "label":
                sizes &= answered(table)[:, columns] >= 0
        return Outputs(right(table)[:, columns] & gold & sizes, sizes)

    def _differ(self, one: int, other: int) -> NDArray[np.bool_]:
        """``[unit]`` whether two systems answer differently, or one is better."""
        if not self.settings.graded:
            return changed(self.table, one, other)
        matrix = value(self.table).matrix
        differ: NDArray[np.bool_] = (
            self.settings.scale.change(matrix[:, one], matrix[:, other]) != 0
        )
        return differ

    def _own(self, table: OutcomeTable) -> Sequence[Attribute]:
        """Attributes that say the same of a prediction as of the unit that it answers, and label.

        Where every unit is answered, others would tell what the right answer is; and without the
        label precision is recall.
        """
        if table is self.table:
            return self.attributes
        before, after = Units(self.table, self.training), Units(table, self.training)
        return [one for one in self.attributes if one.name == "label" or _same(one, before, after)]

    def _test(
        self,
        found: Candidates,
        rows: IntArray,
        hits: Losses,
        sizes: NDArray[np.bool_],
        differ: NDArray[np.bool_],
    ) -> _Tested:
        how: dict[str, Any] = {"level": self._level, "resamples": self.settings.resamples}
        how["seed"] = self.settings.seed
        clusters = self._clusters(rows)
        if hits.shape[1] == 2:
            family = swapped_subsets.swapped(
                Outputs(hits, sizes), found.subsets, clusters.codes, **how
            )
        else:
            family = against_rest.against_rest(_losses(hits), found.subsets, clusters, **how)
        return _Tested(found, clusters, hits, sizes, differ, family)

    def _clusters(self, rows: IntArray) -> Clusters:
        _, codes = np.unique(np.asarray(self.sampling.samples.codes)[rows], return_inverse=True)
        return Clusters(codes, within=self.sampling.kind == "document")

    def _not_explained(self, tested: _Tested, beyond: IntArray) -> list[int]:
        """Slices with an effect beyond that of every other one that is kept; large ones first."""
        slices = tested.found.slices
        strongest = sorted(
            beyond.tolist(), key=lambda one: (-tested.family.value[one], len(slices[one].parts))
        )
        others = Others(
            tested.found.subsets.members,
            lambda place, other: self._goes_beyond(tested, place, other),
        )
        return unexplained(strongest, others)

    def _goes_beyond(self, tested: _Tested, place: int, other: int) -> bool:
        """Whether a slice has an effect given the effect of another one."""
        clusters, family = tested.clusters, tested.family
        members = tested.found.subsets.members
        if tested.hits.shape[1] == 1:
            losses = _losses(tested.hits)
            left = against_rest.given_other(
                losses, one=members(place), other=members(other), clusters=clusters
            )
        else:
            outputs = Outputs(tested.hits, tested.sizes)
            left = swapped_subsets.given_other(
                outputs, members(place), members(other), clusters.codes
            )
        return bool(np.sign(family.effect[place]) * left >= family.threshold)

    def _finding(
        self, tested: _Tested, place: int, systems: tuple[str, ...], columns: list[int]
    ) -> Finding:
        one, scale = tested.found.slices[place], self.settings.scale
        family = tested.family if scale.higher else tested.family.times(-1.0)
        inside = tested.found.subsets.members(place)
        values = scale.quality(_rates(tested.hits[inside], tested.sizes[inside])) + 0.0
        rest = scale.quality(_rates(tested.hits[~inside], tested.sizes[~inside])) + 0.0
        where = within(self.table.settings.get("where", ""), self._where(one, systems))
        widest = scale.range[1] - scale.range[0]
        told = Finding(
            systems,
            self.settings.measure,
            one,
            int(inside.sum()),
            tuple(values.tolist()),
            float(rest[0]) if len(systems) == 1 else float("nan"),
            float(family.effect[place]),
            max(-widest, float(family.low[place])),
            min(widest, float(family.high[place])),
            min(1.0, float(family.p[place]) * self.searches),
            self._f1(tested.found, one, columns),
            where,
            "",
            int(np.count_nonzero(tested.changed & inside)),
            scale,
            self.settings.graded,
        )
        return replace(told, instances=_instances(told))

    def _where(self, one: Slice, systems: tuple[str, ...]) -> str:
        answered = not self.table.task.open
        if self.settings.measure != "precision":
            label, start = GOLD, "gold!=none"
        elif answered:
            label, start = Field("answer", systems[0]), ""
        else:
            label = Field("label")
            start = " or ".join(_written(Field("produced", name)) for name in systems)
            start = f"({start})" if len(systems) > 1 else start
        said = one.where(label, tuple(self.table.corpus.layers))
        named = any(part.attribute.name == "label" for part in one.parts)
        if label == GOLD and (named or (answered and said)):
            start = ""
        return " and ".join(filter(None, (start, said, *self._defined(systems))))

    def _defined(self, systems: tuple[str, ...]) -> Iterator[str]:
        """That systems have a value, where some of them do not."""
        for name in systems if self.settings.graded else ():
            if np.isnan(value(self.table).matrix[:, self.table.system(name)]).any():
                field = Field(self.settings.measure, name)
                yield written(Comparison(field, "!=", Literal(None)))

    def _f1(self, found: Candidates, one: Slice, columns: list[int]) -> tuple[float, ...]:
        """F1 of the gold units and predictions in a slice; nan where every unit is answered."""
        table = self.table
        if not table.task.open or self.settings.graded:
            return tuple(float("nan") for _ in columns)
        inside = found.units_of(one) if one.parts else np.ones(len(table), bool)
        gold = int((inside & table.is_gold).sum())
        has = produced(table)[:, columns][inside].sum(axis=0)
        hits = (right(table)[:, columns] & table.is_gold[:, None])[inside].sum(axis=0)
        return tuple((2 * hits / np.maximum(gold + has, 1)).tolist())


def _same(attribute: Attribute, one: Units, other: Units) -> bool:
    first, second = attribute.of(one), attribute.of(other)
    if isinstance(first, Coded) and isinstance(second, Coded):
        return first.names == second.names and np.array_equal(first.codes, second.codes)
    return np.array_equal(np.asarray(first), np.asarray(second), equal_nan=True)


def _with_all(found: Candidates, items: int) -> Candidates:
    """All items as one more slice: two systems may differ everywhere."""
    every = np.full((1, items), len(found.slices), np.int32)
    codes = np.concatenate([found.subsets.codes, every])
    subsets = Subsets(codes, len(found.slices) + 1)
    return Candidates((*found.slices, Slice(())), subsets, found.codes)


def _losses(hits: Losses) -> Losses:
    """``[item]`` whether one system is wrong, or how bad it is."""
    return np.logical_not(hits[:, 0]) if hits.dtype == bool else np.negative(hits[:, 0])


def _rates(hits: Losses, sizes: NDArray[np.bool_]) -> NDArray[np.float64]:
    """``[system]`` hits by size; nan without any."""
    size = sizes.sum(axis=0)
    found: NDArray[np.float64] = np.full(len(size), np.nan)
    np.divide(hits.sum(axis=0), size, out=found, where=size > 0)
    return found


def _written(field: Field) -> str:
    return written(Holds(field))


def _relabelled(table: OutcomeTable, system: int) -> OutcomeTable:
    """The table with the answers of a system as labels, also of units that do not count."""
    given = answered(table)[:, system]
    whole = None if table.whole is None else _relabelled(table.whole, system)
    return replace(table, label=np.where(given < 0, table.label, given), whole=whole)


def _instances(told: Finding) -> str:
    """The units that the effect comes from: errors, or what only one of two is right about.

    Of graded units: those that are worse than the rest on average, or that one of two does better.
    """
    systems = told.systems
    if told.graded:
        extra = _graded_instances(told)
    elif len(systems) == 1:
        extra = f"{_written(Field('correct', systems[0]))}=no"
    else:
        better, worse = systems[::-1] if told.gained else systems
        extra = f"{_written(Field('correct', better))}=yes"
        extra += f" and {_written(Field('correct', worse))}=no"
    return " and ".join(filter(None, (told.where, extra)))


def _graded_instances(told: Finding) -> str:
    scale, systems = told.scale, told.systems
    if len(systems) == 1:
        worse: Operator = "<" if scale.higher else ">"
        limit = Literal(f"{told.rest:.4g}")
        return written(Comparison(Field(told.measure, systems[0]), worse, limit))
    gain = Field("gain", systems[0], other=systems[1])
    tie = f"{scale.tie:g}"
    if told.gained:
        return written(Comparison(gain, ">", Literal(tie)))
    return written(Comparison(gain, "<", Literal(f"-{tie}" if scale.tie else "0")))
