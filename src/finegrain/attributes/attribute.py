"""What an attribute is: a column that describes every unit, whatever the systems made of it.

>>> import finegrain as fg
>>> from finegrain.attributes import by_name
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("spans"))
>>> by_name("entity_length").values(table)[table.is_gold].tolist()
[2.0, 2.0, 1.0, 4.0, 1.0, 2.0, 2.0]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.attributes.bucketing import Bucketing, Categories, EqualFrequency
from finegrain.attributes.training import TrainingData
from finegrain.attributes.units import Units
from finegrain.corpus import Coded, Corpus
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable, Task

_WORDING = {"training": "labels in training data"}  # of what is needed, if not its name
Kind = Literal["number", "category"]
Values = NDArray[np.float64] | Coded  # [unit]; numbers are nan where undefined


@dataclass(frozen=True, slots=True)
class Attribute:
    """A named property of units.

    Parameters
    ----------
    name: unique, as on the command line
    kind: of ``number``, ``compute`` gives floats, nan where undefined; of ``category``, ``Coded``
    compute: ``Units`` -> ``[unit]``, for all units, also those that are not gold; ``units.table``
        is the outcome table, ``units.training`` there if ``needs_training``
    summary: its meaning in one sentence
    equation: how it is computed, as plain text
    unit: what a number counts, such as ``tokens``; ``share`` for proportions
    needs: what tables must have for it, as ``Task.has`` names it: ``trees``; nothing, if empty
    needs_training: whether it is learnt from training data
    level: what it describes: a ``unit`` of the table, or a single ``token`` of one
    bucketing: how its values fall into buckets if nothing else is asked for
    inside: what stands in brackets behind its name in a selection: a system (``confidence[a]``), a
        column of parts (``mean[documents.grade]``)
    """

    name: str
    kind: Kind
    compute: Callable[[Units], Values]
    summary: str
    equation: str
    unit: str = ""
    needs: tuple[str, ...] = ()
    needs_training: bool = False
    level: Literal["unit", "token"] = "unit"
    bucketing: Bucketing | None = None
    inside: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    def applies_to(self, task: Task) -> bool:
        """Whether it makes sense for a task: all that it needs is there."""
        return task.has.issuperset(self.needs)

    def refusal(self, task: Task) -> str:
        """Why it does not make sense for a task."""
        missing = (_WORDING.get(name, name) for name in self.needs if name not in task.has)
        return f"{self.name!r} needs {' and '.join(missing)}, which the task {task} does not have"

    @property
    def default_bucketing(self) -> Bucketing:
        """``bucketing``; if there is none, four equal parts, or the largest categories."""
        if self.bucketing is not None:
            return self.bucketing
        return EqualFrequency() if self.kind == "number" else Categories()

    def values(self, table: OutcomeTable, training: TrainingData | Corpus | None = None) -> Values:
        """The value of every unit of a table."""
        return self.of(Units(table, training))

    def of(self, units: Units) -> Values:
        """The same for units that other attributes are asked about, too."""
        if self.needs_training and units.training is None:
            what = f"the attribute {self.name!r} is learnt"
            raise UsageError(f"{what}: give training data (--train FILE)")
        if self.level == "token" and not units.are_tokens:
            what = f"the attribute {self.name!r} describes tokens, and these units are "
            what += units.table.task.words.units
            raise UsageError(f"{what}: --level token, or finegrain.alignment.entity_tokens(table)")
        if units.among is None:
            return self.compute(units)
        every, rows = units.among
        values = self.compute(every)
        return (
            values[rows]
            if isinstance(values, np.ndarray)
            else Coded(values.codes[rows], values.names)
        )
