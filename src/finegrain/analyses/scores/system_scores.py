"""The scores of one system, or of one label of it, by the names of metrics.

>>> import finegrain as fg
>>> table = fg.from_lists([["B-PER", "O"]], {"crf": [["B-PER", "B-LOC"]]}, task="spans")
>>> crf = fg.score(table)["crf"]
>>> crf.precision, crf.fair_f1 == crf["fair_f1"], crf.f1 == crf.traditional_f1
(0.5, True, True)
>>> len(crf) == len(list(crf)), dict(crf)["traditional_recall"]
(True, 1.0)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from finegrain.errors import UsageError
from finegrain.metrics.choosing import of_short_name
from finegrain.metrics.metric import Metric
from finegrain.table import Task


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SystemScores(Mapping[str, float]):
    """Metric -> value of one system; nan where undefined.

    A short name (``f1``) is that of the family by which the task compares systems.
    """

    about: str
    task: Task
    metrics: tuple[Metric, ...]
    values_by_name: Mapping[str, float]

    def __getitem__(self, metric: str) -> float:
        if metric in self.values_by_name:
            return self.values_by_name[metric]
        named = of_short_name(self.task, metric, self.metrics)
        if named is None or named.name not in self.values_by_name:
            raise UsageError.unknown("metric", metric, self.values_by_name)
        return self.values_by_name[named.name]

    def __getattr__(self, metric: str) -> float:
        try:
            return self[metric]
        except UsageError as error:
            raise AttributeError(str(error)) from None

    def __contains__(self, metric: object) -> bool:
        return metric in self.values_by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.4g}" for name, value in self.items())
        return f"<scores of {self.about}: {values}>"
