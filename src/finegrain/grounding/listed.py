"""The items that a JSON value lists, in the shapes that models and tools use.

    [{"text": "Ada", "type": "PER", "start": 6, "end": 9}]      objects, with or without offsets
    {"entities": [...]}                                         under any key
    {"PER": ["Ada"], "LOC": []}                                 grouped by label
    [{"PER": "Ada"}]   [["Ada", "PER"]]   {"Ada": "PER"}        in short
    ["Ada"]                                                     if there is one label only

>>> schema = Schema.of(["PER", "LOC"])
>>> items_of({"entities": [{"text": "Ada", "type": "PER", "start": 6, "end": 9}]}, schema).items
[Item(words='Ada', label='PER', begin=6, end=9, group=0)]
>>> [(item.words, item.label, item.group) for item in items_of({"PER": ["Ada"]}, schema).items]
[('Ada', 'PER', 1)]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

_WORDS = (
    "text", "span", "mention", "surface", "word", "extraction_text", "entity_text", "span_text",
    "phrase", "quote", "value", "name", "string", "token",
)  # fmt: skip
_LABELS = (
    "label", "type", "entity_type", "category", "class", "tag", "extraction_class",
    "entity_group", "entity_label", "kind",
)  # fmt: skip
_BEGINS = ("start", "begin", "start_pos", "start_char", "start_offset", "start_index", "from")
_ENDS = ("end", "stop", "end_pos", "end_char", "end_offset", "end_index", "to")
_PAIRS = ("span", "offsets", "offset", "position", "char_interval", "indices", "range")
_NO_ITEM = ("_attributes", "_index")  # endings of keys of langextract
_DEEPEST = 20
_FOLDS = str.maketrans("-_ ", "___")


class Item(NamedTuple):
    """Words that an answer labels; ``begin`` and ``end`` where it says that they stand, or -1.

    ``words`` is empty for offsets alone; ``label`` where the answer names none. Items of one
    ``group`` are in the order of the text.
    """

    words: str
    label: str
    begin: int = -1
    end: int = -1
    group: int = 0

    @property
    def has_offsets(self) -> bool:
        return self.begin >= 0


class Schema(NamedTuple):
    """The labels that there are, by their folded names; without any, every label is one."""

    labels: tuple[str, ...] = ()
    folded: Mapping[str, str] = {}

    @classmethod
    def of(cls, labels: Iterable[str], also: Mapping[str, str] | None = None) -> Schema:
        """``also``: further names of labels, as ``{"PERSON": "PER"}``."""
        listed = tuple(dict.fromkeys(labels))
        others = {_fold(name): label for name, label in (also or {}).items()}
        return cls(listed, others | {_fold(label): label for label in listed})

    @property
    def single(self) -> str:
        """The only label, or nothing."""
        return self.labels[0] if len(self.labels) == 1 else ""

    def label(self, name: str) -> str | None:
        """The label of a name: letter by letter, or folded; ``None`` if there is no such label."""
        if not self.labels or name in self.labels:
            return name
        return self.folded.get(_fold(name))


def _fold(name: str) -> str:
    return name.strip().casefold().translate(_FOLDS)


class Listed(NamedTuple):
    """Items, and what stood among them without words or label, as text."""

    items: list[Item]
    faulty: list[str]
    understood: bool = True


def items_of(value: Any, schema: Schema) -> Listed:
    """The items of a value; ``understood`` is false if it has no shape that is known."""
    reader = _Reader(schema)
    understood = reader.read(value, 0)
    return Listed(reader.items, reader.faulty, understood)


class _Reader:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.items: list[Item] = []
        self.faulty: list[str] = []
        self.groups = 0

    def read(self, value: Any, depth: int) -> bool:
        """Take in a value; whether it has a shape that is known."""
        if depth > _DEEPEST:
            return False
        if isinstance(value, list):
            return self.array(value, depth)
        return isinstance(value, dict) and self.object(value, depth)

    def array(self, values: list[Any], depth: int) -> bool:
        if not values:
            return True
        if any(isinstance(one, dict) and _wraps(one) for one in values):
            read_well = [self.read(one, depth + 1) for one in values]
            return all(read_well)
        read = [self.element(one) for one in values]
        known = any(item is not None for item in read)
        for item, one in zip(read, values, strict=True):
            if item is not None:
                self.items.append(item)
            elif known:
                self.faulty.append(_shown(one))
        return known

    def element(self, value: Any, label: str = "") -> Item | None:
        """An item, if it is one; ``label``: of the group it stands in."""
        label = label or self.schema.single
        if isinstance(value, str):
            return Item(value, label) if label and value.strip() else None
        if isinstance(value, list):
            return self.pair(value) if not label or len(value) == 2 else None
        if not isinstance(value, dict):
            return None
        return _of_object(value, label) or self.short(value)

    def pair(self, value: list[Any]) -> Item | None:
        """``["Ada", "PER"]``, also the other way round; ``[6, 9, "PER"]``."""
        if len(value) == 3 and all(_is_offset(one) for one in value[:2]) and _named(value[2]):
            return Item("", value[2], *_in_range(value[0], value[1]))
        if len(value) != 2 or not all(map(_named, value)):
            return None
        words, label = value
        known = self.schema.labels
        if known and self.schema.label(words) and not self.schema.label(label):
            words, label = label, words
        return Item(words, label)

    def short(self, value: dict[str, Any]) -> Item | None:
        """``{"PER": "Ada"}``, with attributes and numbers that langextract adds."""
        kept = {key: one for key, one in value.items() if not key.endswith(_NO_ITEM)}
        if len(kept) != 1:
            return None
        ((key, words),) = kept.items()
        told = key.casefold() in (*_WORDS, *_LABELS, "entity")
        return Item(words, key) if key and not told and _named(words) else None

    def object(self, value: dict[str, Any], depth: int) -> bool:
        if not value:
            return True
        item = _of_object(value, self.schema.single)
        if item is not None:
            self.items.append(item)
            return True
        lists = {key: one for key, one in value.items() if isinstance(one, list)}
        groups = {key: one for key, one in lists.items() if self.is_group(key, one, len(lists))}
        if groups:
            for key, elements in groups.items():
                self.group(key, elements)
            return True
        inner = [one for one in value.values() if isinstance(one, list | dict) and one]
        if inner:
            read_well = [self.read(one, depth + 1) for one in inner]
            return any(read_well)
        if lists:  # nothing in any of them
            return True
        return self.by_words(value)

    def is_group(self, key: str, elements: list[Any], lists: int) -> bool:
        """Whether a key is a label, and its list what has this label."""
        if self.schema.labels and self.schema.label(key) is not None:
            return True
        if not all(isinstance(one, str) for one in elements):
            return False
        wrapper = self.schema.single and lists == 1
        return bool(elements) and not wrapper

    def group(self, key: str, elements: list[Any]) -> None:
        self.groups += 1
        for one in elements:
            item = self.element(one, key)
            if item is None:
                self.faulty.append(_shown(one))
            else:
                self.items.append(item._replace(group=self.groups))

    def by_words(self, value: dict[str, Any]) -> bool:
        """``{"Ada": "PER", "Ghent": "LOC"}``."""
        if not all(map(_named, value.values())):
            return False
        known = [self.schema.label(label) is not None for label in value.values()]
        if not (self.schema.labels and any(known)):
            short = self.short(value)
            self.items += [] if short is None else [short]
            return short is not None
        self.items += [Item(words, label) for words, label in value.items() if words.strip()]
        return True


def _of_object(value: dict[str, Any], label: str) -> Item | None:
    """The item of an object that has words or offsets, and a label."""
    given = {key.casefold(): one for key, one in value.items()}
    own = _first(given, _LABELS)
    words = _first(given, _WORDS)
    if _named(given.get("entity")):
        if own and not words:
            words = given["entity"]
        elif not own:
            own = given["entity"]
    begin, end = _offsets(given)
    if not (own or label) or not (words or begin >= 0):
        return None
    return Item(words, own or label, begin, end)


def _first(given: Mapping[str, Any], keys: Sequence[str]) -> str:
    return next((given[key] for key in keys if _named(given.get(key))), "")


def _offsets(given: Mapping[str, Any]) -> tuple[int, int]:
    begin = next((given[key] for key in _BEGINS if _is_offset(given.get(key))), None)
    end = next((given[key] for key in _ENDS if _is_offset(given.get(key))), None)
    if begin is None and _is_offset(given.get("offset")):
        begin = given["offset"]
    if begin is not None and end is None and _is_offset(given.get("length")):
        end = begin + given["length"]
    if begin is not None and end is not None:
        return _in_range(begin, end)
    for key in _PAIRS:
        pair = given.get(key)
        if isinstance(pair, dict):
            return _offsets({name: one for name, one in pair.items() if name not in _PAIRS})
        if isinstance(pair, list) and len(pair) == 2 and all(map(_is_offset, pair)):
            return _in_range(pair[0], pair[1])
    return -1, -1


def _in_range(begin: int, end: int) -> tuple[int, int]:
    return (begin, end) if 0 <= begin < 1 << 40 and abs(end) < 1 << 40 else (-1, -1)


def _wraps(value: dict[str, Any]) -> bool:
    """Whether an object holds a list of objects, which are the items."""
    return any(
        isinstance(one, list) and any(isinstance(item, dict) for item in one)
        for one in value.values()
    )


def _named(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_offset(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    """What stands in the place of an item."""
    return str(value)
