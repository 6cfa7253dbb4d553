"""Which labels count, and under which name: applied before gold and systems are aligned.

>>> from finegrain.corpus.spans import Spans
>>> rules = LabelRules(rename={"PERSON": "PER"}, exclude=frozenset({"MISC"}))
>>> spans = rules.on_spans(Spans.of([(0, 0, 1, "PERSON"), (0, 2, 3, "MISC")]))
>>> [spans.labels[code] for code in spans.label]
['PER']
>>> rules.signature()
{'map': 'PERSON=PER', 'exclude': 'MISC'}
>>> LabelRules.of_signature(rules.signature()) == rules
True
>>> by_token = replace(rules, behind_prefix=True)      # spans that are looked at token by token
>>> list(by_token.on_tags(Coded.of(["B-PERSON", "I-PERSON", "B-MISC"])))
['B-PER', 'I-PER', 'O']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.spans import Spans
from finegrain.corpus.tag_schemes import OUTSIDE, PREFIXES, levels, parse
from finegrain.corpus.texts import Coded
from finegrain.errors import UsageError

_PIECE = re.compile(r"(?:\\.|[^\\+])+", re.DOTALL)
_RULE = re.compile(r"((?:\\.|[^\\=])+)=(.+)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LabelRules:
    """``rename`` first; then only the labels of ``only`` (all, if empty), without ``exclude``.

    ``behind_prefix``: tags such as ``B-PER`` are those of spans. Rules are about PER, and a tag
    that does not count becomes ``O``, as if its span were not there.
    """

    rename: Mapping[str, str] = field(default_factory=dict)
    only: frozenset[str] = frozenset()
    exclude: frozenset[str] = frozenset()
    behind_prefix: bool = False

    def __bool__(self) -> bool:
        return bool(self.rename or self.only or self.exclude)

    def name(self, label: str) -> str:
        """The name under which a label counts."""
        return self.rename.get(label, label)

    def keeps(self, label: str) -> bool:
        """Whether a label, already renamed, counts."""
        return label not in self.exclude and (not self.only or label in self.only)

    def require_spans(self) -> None:
        """Spans cannot be renamed to ``O``, which is the name of no span."""
        outside = sorted(old for old, new in self.rename.items() if new == "O")
        if outside:
            raise UsageError(
                f"--map {outside[0]}=O: O is not a label of spans. To leave them out: "
                f"--exclude {outside[0]}."
            )

    def on_spans(self, spans: Spans) -> Spans:
        """The spans that count, renamed."""
        self.require_spans()
        renamed = Coded.of(self.name(label) for label in spans.labels)
        kept = np.array([self.keeps(name) for name in renamed.names], bool)
        label = renamed.codes[spans.label] if len(spans) else spans.label
        rows = np.flatnonzero(kept[label]) if len(spans) else np.empty(0, np.int64)
        return replace(spans, label=label, labels=renamed.names).take(rows)

    def on_tags(self, tags: Coded) -> Coded:
        """The same column with renamed labels."""
        if not self:
            return tags
        new = self._span_tag if self.behind_prefix else self.name
        renamed = Coded.of(new(label) for label in tags.names)
        return Coded(renamed.codes[tags.codes], renamed.names)

    def kept_tags(self, tags: Coded) -> NDArray[np.bool_]:
        """Which tokens have a tag, already renamed, that counts."""
        if self.behind_prefix:
            return np.ones(len(tags), bool)  # what does not count is O now
        return np.array([self.keeps(name) for name in tags.names], bool)[tags.codes]

    def _span_tag(self, tag: str) -> str:
        """A tag of spans, which may be stacked, as it counts."""
        found = [self._level(level) for level in levels(tag)]
        return "O" if OUTSIDE.issuperset(found) else "|".join(found)

    def _level(self, tag: str) -> str:
        label = _label(tag)
        new = self.name(label)
        if label in OUTSIDE or (new == label and self.keeps(new)):
            return tag
        if not self.keeps(new):
            return "O"
        return new if label == tag else f"{tag[0]}-{new}"

    def signature(self) -> dict[str, str]:
        """What the signature says of the rules."""
        renamed = (f"{_marked(one)}={_marked(two)}" for one, two in sorted(self.rename.items()))
        parts = {
            "map": "+".join(renamed),
            "labels": "+".join(map(_marked, sorted(self.only))),
            "exclude": "+".join(map(_marked, sorted(self.exclude))),
        }
        return {name: text for name, text in parts.items() if text}

    @classmethod
    def of_signature(cls, said: Mapping[str, str]) -> LabelRules:
        """The rules that a signature, or the settings of a table, tell of."""
        rules = filter(None, map(_RULE.match, _PIECE.findall(said.get("map", ""))))
        only, exclude = (_PIECE.findall(said.get(name, "")) for name in ("labels", "exclude"))
        return cls(
            {_plain(rule[1]): _plain(rule[2]) for rule in rules},
            frozenset(map(_plain, only)),
            frozenset(map(_plain, exclude)),
        )

    def unused(self, labels: Iterable[str]) -> list[str]:
        """Labels that the rules name but that occur nowhere, as written in the files."""
        known = set(labels)
        if self.behind_prefix:
            known = {_label(level) for tag in known for level in levels(tag)}
        renamed = {self.name(label) for label in known}
        missing = {label for label in self.rename if label not in known}
        return sorted(
            missing | {label for label in self.only | self.exclude if label not in renamed}
        )


ALL_LABELS = LabelRules()


def _label(tag: str) -> str:
    """The label behind the prefix; the tag itself where it has none."""
    found = parse(tag)
    if found is None or found.prefix == "O" or (len(tag) == 1 and tag not in PREFIXES):
        return tag
    return found.label


def _marked(label: str) -> str:
    """A label in a signature, in which + and = stand between labels."""
    return re.sub(r"([\\+=])", r"\\\1", label)


def _plain(marked: str) -> str:
    return re.sub(r"\\(.)", r"\1", marked, flags=re.DOTALL)
