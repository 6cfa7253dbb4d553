r"""Labels of gold and systems: they must be told apart by eye, and should be the same ones.

>>> require_distinct([("gold.conll", ["PER", "LOC"]), ("crf.conll", ["PER\u200b"])])
Traceback (most recent call last):
finegrain.errors.InputError: crf.conll: two labels look the same: 'PER' and 'PER\u200b' ...
>>> print(*nothing_in_common(["PER", "LOC"], {"crf": ["person", "place"]}))
crf: no label in common with the gold, so nothing can be right: the gold has LOC, PER, ...
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from finegrain.corpus import Coded, Corpus
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.label_rules import LabelRules
from finegrain.corpus.names import misnamed, seen
from finegrain.corpus.notes import Information
from finegrain.errors import InputError

NOTHING_IN_COMMON = "no label in common with the gold"
_MANY = 1000  # so many labels are words, such as lemmas, in which invisible signs may have a sense
_LISTED = 8


@dataclass(frozen=True, slots=True)
class Schema:
    """All labels that items can have, after renaming; any, if there are none."""

    labels: Collection[str]
    rules: LabelRules

    def require(self, corpus: Corpus, column: Coded) -> None:
        """Refuse labels ``[item]`` outside of the schema, with their lines."""
        if not self.labels:
            return
        outside = np.array(
            [bool(name) and self.rules.name(name) not in self.labels for name in column.names]
        )
        rows = np.flatnonzero(outside[column.codes]) if outside.any() else np.empty(0, np.int64)
        if not len(rows):
            return
        mend = f"Labels are {_listed(self.labels)}; --map OLD=NEW renames one."

        def told(row: int) -> str:
            return f"the label {column[row][:40]!r} is not in the schema"

        raise item_faults(corpus, rows, told, mend)


def require_distinct(files: Iterable[tuple[str, Collection[str]]]) -> None:
    """Refuse labels that look the same; ``files``: each with its labels, as they count."""
    home: dict[str, str] = {}
    for source, labels in files:
        home |= {label: source for label in labels if label not in home}
    if len(home) > _MANY:
        return
    what = misnamed(home, "label")
    if not what:
        return
    by_look: dict[str, str] = {}
    for label, source in home.items():
        look = seen(label)
        if not look:
            raise InputError.at(source, 0, what, "Give it one that can be seen.")
        if look in by_look:
            other = home[by_look[look]]
            where = "" if other == source else f" (the other is in {other})"
            mend = "Write both in one way, or rename one: --map OLD=NEW."
            raise InputError.at(source, 0, what + where, mend)
        by_look[look] = label


def label_notes(gold: Collection[str], systems: Mapping[str, Collection[str]]) -> list[str]:
    """What is to be said of the labels of systems beside those of the gold."""
    return [*nothing_in_common(gold, systems), *used_by_systems_only(gold, systems.values())]


def used_by_systems_only(
    gold: Collection[str], systems: Iterable[Collection[str]]
) -> list[Information]:
    """A note on the labels that are not the gold's, if there are any.

    >>> print(*used_by_systems_only(["PER"], [["PER", "DATE"], ["AGE"]]))
    labels that only systems use: AGE, DATE
    """
    found = sorted(set().union(*systems).difference(gold))
    told = f"labels that only systems use: {', '.join(found)}"
    return [Information(told)] if found else []


def nothing_in_common(gold: Collection[str], systems: Mapping[str, Collection[str]]) -> list[str]:
    """A note on every system none of whose labels is one of the gold's."""
    notes = []
    for name, labels in systems.items():
        if gold and labels and not set(gold) & set(labels):
            example = f"--map {min(labels)}={min(gold)}"
            notes.append(
                f"{name}: {NOTHING_IN_COMMON}, so nothing can be right: the gold has "
                f"{_listed(gold)}, the system {_listed(labels)}. If they mean the same, rename "
                f"them: {example}"
            )
    return notes


def _listed(labels: Collection[str]) -> str:
    some = ", ".join(sorted(labels)[:_LISTED])
    return some if len(labels) <= _LISTED else f"{some} and {len(labels) - _LISTED:,} more"
