"""The outcome table: one row per decision unit, one column per system.

Everything finegrain computes after alignment is a function of this table. Rows of span-like tasks
are every distinct gold or predicted span; rows of tags are the tokens.

========  ================  ==========================================================
column    shape             meaning
========  ================  ==========================================================
sentence  [unit]            sentence of the unit
begin     [unit]            first token, counted from 0 in the sentence
end       [unit]            one past the last token
label     [unit]            label code of the unit
is_gold   [unit]            the unit is in the gold standard
outcome   [unit, system]    code into the outcomes of the task
answer    [unit, system]    tags and dependencies: the label code answered; spans: the row of the
                            span that the unit was matched with; -1 for none
values    [unit, system]    by name: graded units, and how the number is read
========  ================  ==========================================================

A system's own spans are its gold rows with TP and its other rows that are not ABSENT.

Rows have three levels: what units stand in (sentences or items, with ``corpus.fields``), the units,
and ``parts`` of units (documents of a query, references). Columns are shared (``columns``) or by
system (``details``), hold numbers, categories or texts, and may have further axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray
from finegrain.corpus.columns import Rows, cell
from finegrain.corpus.items import LINE
from finegrain.errors import UsageError
from finegrain.files_read import FilePath, InputFile
from finegrain.table.outcomes import Outcomes
from finegrain.table.scale import Value
from finegrain.table.task import Task

EMPTY_NODES = "empty nodes"  # the column that tells those of a mention
EVERY = slice(None)
WRITTEN = "written"  # the column with the words of units that have no place in the text
_IN_NOTEBOOKS = 20  # units
ZERO = "∅"  # the text of a mention that has empty nodes only


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class OutcomeTable:
    """What every system did with every unit; immutable, every method returns a new one.

    ``settings`` holds what was chosen or detected in alignment and belongs to the signature;
    ``gold_repairs`` and ``repairs`` count the ill-formed chunks of the gold and of each system;
    ``notes`` says what a user should know.
    ``inputs`` are the files that a saved table was made from, if they were recorded.
    ``columns`` ``[unit, ...]`` and ``details`` ``[unit, system, ...]`` are what else is known, such
    as the head of a word; ``values`` grade units; ``parts`` are rows that each belong to a unit;
    ``facets`` say of every system what it is: its model, its seed, its condition.
    ``token_set`` and ``token_sets`` tell spans with gaps, as in ``Spans``.
    ``whole`` is the table with all units, if only some of them count here (``restriction``).
    """

    task: Task
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    sentence: IntArray
    begin: IntArray
    end: IntArray
    label: IntArray
    is_gold: NDArray[np.bool_]
    outcome: NDArray[np.uint8]
    answer: NDArray[np.int32]
    corpus: Corpus
    token_set: IntArray
    token_sets: tuple[tuple[int, ...], ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    gold_repairs: int = 0
    repairs: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    details: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    inputs: tuple[InputFile, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    parts: Mapping[str, Rows] = field(default_factory=dict)
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    whole: OutcomeTable | None = None

    def __len__(self) -> int:
        return len(self.sentence)

    def __repr__(self) -> str:
        units = f"{len(self)} units, {self.n_gold} of them gold"
        return f"<OutcomeTable of {self.task}: {units}, systems: {', '.join(self.systems)}>"

    def _repr_html_(self) -> str:
        """The first units, for notebooks."""
        module = import_module("finegrain.analyses.units.show")  # it knows this class
        shown: str = module.show(self, limit=_IN_NOTEBOOKS)._repr_html_()
        return shown

    @property
    def n_systems(self) -> int:
        return len(self.systems)

    @property
    def n_labels(self) -> int:
        return len(self.labels)

    @property
    def n_gold(self) -> int:
        return int(np.count_nonzero(self.is_gold))

    @property
    def answers_are_rows(self) -> bool:
        """Whether ``answer`` holds rows of units, not labels."""
        return self.task.answers == "unit"

    @property
    def outcomes(self) -> Outcomes:
        """What a system can have done with a unit: ``outcome`` holds codes into it."""
        return self.task.outcomes

    def system(self, name: str) -> int:
        """The column of a system."""
        if name not in self.systems:
            raise UsageError.unknown("system", name, self.systems)
        return self.systems.index(name)

    def is_outcome(self, *names: str) -> NDArray[np.bool_]:
        """``[unit, system]`` true where the outcome is one of the given."""
        wanted = np.zeros(len(self.outcomes), bool)
        wanted[[self.outcomes.code(name) for name in names]] = True
        found: NDArray[np.bool_] = wanted[self.outcome]
        return found

    def only(self, systems: Sequence[int]) -> OutcomeTable:
        """The same units with some of the systems, in the given order.

        Units that only other systems have stay.
        """
        kept = list(systems)
        names = tuple(self.systems[place] for place in kept)
        return replace(
            self,
            systems=names,
            outcome=self.outcome[:, kept],
            answer=self.answer[:, kept],
            details={name: column[:, kept] for name, column in self.details.items()},
            repairs={name: count for name, count in self.repairs.items() if name in names},
            values={
                name: Value(one.scale, one.matrix[:, kept]) for name, one in self.values.items()
            },
            parts={name: one.only(kept) for name, one in self.parts.items()},
            facets={name: tuple(one[at] for at in kept) for name, one in self.facets.items()},
        )

    def with_column(self, name: str, values: NDArray[Any]) -> OutcomeTable:
        """The same table with one more column ``[unit]``."""
        if len(values) != len(self):
            raise ValueError(f"column {name!r} has {len(values)} values for {len(self)} units")
        return replace(self, columns={**self.columns, name: values})

    def select(self, where: str) -> IntArray:
        """The rows that a selection such as ``gold=PER and correct[a]=no`` holds for.

        docs/show.md has the language; ``fg.select`` gives the same rows as a table.
        """
        from finegrain.analyses.selection.selecting import selected  # noqa: PLC0415 - when called

        return np.flatnonzero(selected(self, where))

    def where(self, rows: NDArray[np.bool_] | slice) -> OutcomeTable:
        """The units for which ``rows`` is true, or those of a slice.

        For spans, keep whole sentences (for mentions, documents): partners are renumbered, and a
        partner that is not kept becomes -1.
        """
        if isinstance(rows, str):
            raise UsageError(
                "table.where takes true or false for every unit, not a condition in words: "
                f"table.select({rows!r}) lists such rows, fg.select(table, {rows!r}) gives them as "
                f"a table, and analyses count them alone, as in fg.score(table, where={rows!r})"
            )
        kept = rows if isinstance(rows, slice) else np.flatnonzero(rows)
        answer = self.answer[kept]
        if self.answers_are_rows:
            renumber = np.full(len(self) + 1, -1, np.int32)  # the last place serves -1
            renumber[:-1][kept] = np.arange(len(answer))
            answer = renumber[answer]
        return replace(
            self,
            sentence=self.sentence[kept],
            begin=self.begin[kept],
            end=self.end[kept],
            label=self.label[kept],
            is_gold=self.is_gold[kept],
            outcome=self.outcome[kept],
            answer=answer,
            token_set=self.token_set[kept],
            columns={name: values[kept] for name, values in self.columns.items()},
            details={name: values[kept] for name, values in self.details.items()},
            values={name: Value(one.scale, one.matrix[kept]) for name, one in self.values.items()},
            parts={name: one.of(np.arange(len(self))[kept]) for name, one in self.parts.items()},
        )

    def tokens(self, row: int) -> tuple[int, ...]:
        """The token positions of a unit in its sentence."""
        code = int(self.token_set[row])
        if code:
            return self.token_sets[code - 1]
        return tuple(range(int(self.begin[row]), int(self.end[row])))

    def wordless(self, rows: IntArray | slice = EVERY) -> NDArray[np.bool_]:
        """``[unit]`` whether it has no words of the text, and ends where it begins.

        Mentions of empty nodes only; items of answers that are not in the text.
        """
        if EMPTY_NODES not in self.columns and WRITTEN not in self.columns:
            return np.zeros(len(self.begin[rows]), bool)
        found: NDArray[np.bool_] = self.begin[rows] == self.end[rows]
        return found

    def first_tokens(self, rows: IntArray | slice = EVERY) -> NDArray[np.int64]:
        """``[unit]`` the place in the corpus of its first token.

        Without words, of the word that it stands behind; at the beginning of a sentence, of the
        next one.
        """
        opening = self.corpus.offsets[self.sentence[rows]].astype(np.int64)
        found: NDArray[np.int64] = opening + self.begin[rows] - self.wordless(rows)
        return np.minimum(np.maximum(opening, found), max(self.corpus.n_tokens - 1, 0))

    def of_layer(self, name: str) -> Coded:
        """``[unit]`` what its first token has in a layer of the gold corpus; ∅ without words."""
        layer, wordless = self.corpus.layers[name], self.wordless()
        codes = layer.codes[self.first_tokens()].astype(np.int64)
        if not wordless.any():
            return Coded(codes, layer.names)
        return Coded(np.where(wordless, len(layer.names), codes), (*layer.names, ZERO))

    def lines(self, rows: IntArray) -> NDArray[np.int64]:
        """The lines of units in the gold file, from 1; 0 without a file.

        An empty node that only a system has is told by the word that it stands behind.
        """
        corpus = self.corpus
        if LINE in corpus.fields:
            return np.asarray(corpus.fields[LINE], np.int64)[self.sentence[rows]]
        lines = corpus.lines(self.first_tokens(rows)).astype(np.int64)
        clusters, zeros = corpus.clusters, np.flatnonzero(self.wordless(rows))
        if clusters is None or not len(zeros):
            return lines
        spans = clusters.spans
        own = spans.begin == spans.end
        columns = (spans.sentence[own], clusters.empty_nodes()[own], clusters.line[own])
        known = {(at, nodes): line for at, nodes, line in zip(*columns, strict=True)}
        for place in zeros.tolist():
            at = self.sentence[rows[place]], self.columns[EMPTY_NODES][rows[place]]
            lines[place] = known.get(at, lines[place])
        return lines

    def text(self, row: int) -> str:
        """The words of a unit, ∅ for none; an item without words is told by its id."""
        ids = self.corpus.fields.get("id")
        if self.corpus.tokens is None or (ids is not None and not self.tokens(row)):
            return "" if ids is None else str(cell(ids, int(self.sentence[row])))
        if WRITTEN in self.columns and self.columns[WRITTEN][row] is not None:
            return str(self.columns[WRITTEN][row])
        start = int(self.corpus.offsets[self.sentence[row]])
        text = " ".join(self.corpus.tokens[start + token] for token in self.tokens(row))
        if EMPTY_NODES in self.columns:
            return text or ZERO
        if "begin_cut" not in self.columns:
            return text
        end = len(text) - int(self.columns["end_cut"][row])
        return text[int(self.columns["begin_cut"][row]) : end]

    def save(self, path: FilePath) -> None:
        """Write the table to a Parquet file with all that ``finegrain.load`` needs."""
        from finegrain.table import storage  # noqa: PLC0415 - it knows this class

        storage.save(self, path)

    @classmethod
    def load(cls, path: FilePath) -> OutcomeTable:
        """The table that ``save`` or ``finegrain align`` wrote."""
        from finegrain.table import storage  # noqa: PLC0415 - it knows this class

        return storage.load(path)

    def to_arrow(self) -> Any:
        """One row per unit as ``pyarrow.Table``; ``finegrain.table.exchange`` has its columns."""
        from finegrain.table import exchange  # noqa: PLC0415 - it knows this class

        return exchange.to_arrow(self)

    def to_pandas(self) -> Any:
        """The same as ``pandas.DataFrame``."""
        from finegrain.table import exchange  # noqa: PLC0415 - it knows this class

        return exchange.to_pandas(self)

    def to_polars(self) -> Any:
        """The same as ``polars.DataFrame``."""
        from finegrain.table import exchange  # noqa: PLC0415 - it knows this class

        return exchange.to_polars(self)
