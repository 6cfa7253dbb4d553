"""Which labels count, and under which name: applied before gold and systems are aligned.

>>> from finegrain.corpus.spans import Spans
>>> rules = LabelRules(rename={"PERSON": "PER"}, exclude=frozenset({"MISC"}))
>>> spans = rules.on_spans(Spans.of([(0, 0, 1, "PERSON"), (0, 2, 3, "MISC")]))
>>> [spans.labels[code] for code in spans.label]
['PER']
>>> rules.signature()
{'map': 'PERSON=PER', 'exclude': 'MISC'}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.spans import Spans
from finegrain.corpus.texts import Coded


@dataclass(frozen=True, slots=True)
class LabelRules:
    """``rename`` first; then only the labels of ``only`` (all, if empty), without ``exclude``."""

    rename: Mapping[str, str] = field(default_factory=dict)
    only: frozenset[str] = frozenset()
    exclude: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.rename or self.only or self.exclude)

    def name(self, label: str) -> str:
        """The name under which a label counts."""
        return self.rename.get(label, label)

    def keeps(self, label: str) -> bool:
        """Whether a label, already renamed, counts."""
        return label not in self.exclude and (not self.only or label in self.only)

    def on_spans(self, spans: Spans) -> Spans:
        """The spans that count, renamed."""
        renamed = Coded.of(self.name(label) for label in spans.labels)
        kept = np.array([self.keeps(name) for name in renamed.names], bool)
        label = renamed.codes[spans.label] if len(spans) else spans.label
        rows = np.flatnonzero(kept[label]) if len(spans) else np.empty(0, np.int64)
        return replace(spans, label=label, labels=renamed.names).take(rows)

    def on_tags(self, tags: Coded) -> Coded:
        """The same column with renamed labels."""
        renamed = Coded.of(self.name(label) for label in tags.names)
        return Coded(renamed.codes[tags.codes], renamed.names)

    def kept_tags(self, tags: Coded) -> NDArray[np.bool_]:
        """Which tokens have a tag, already renamed, that counts."""
        return np.array([self.keeps(name) for name in tags.names], bool)[tags.codes]

    def signature(self) -> dict[str, str]:
        """What the signature says of the rules."""
        parts = {
            "map": "+".join(f"{one}={two}" for one, two in sorted(self.rename.items())),
            "labels": "+".join(sorted(self.only)),
            "exclude": "+".join(sorted(self.exclude)),
        }
        return {name: text for name, text in parts.items() if text}

    def unused(self, labels: Iterable[str]) -> list[str]:
        """Labels that the rules name but that occur nowhere, as written in the files."""
        known = set(labels)
        renamed = {self.name(label) for label in known}
        missing = {label for label in self.rename if label not in known}
        return sorted(
            missing | {label for label in self.only | self.exclude if label not in renamed}
        )
