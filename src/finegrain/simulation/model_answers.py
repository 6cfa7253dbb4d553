"""Answers as language models give them, with the class that each of their items has to get.

Texts are invented: names in several scripts that occur again, names within names, amounts. An
answer lists the names of its text in some form, with known faults. Which items a reader can place
for certain follows from the occurrences alone: an item of an answer in the order of the text can
stand behind the first possible place of the item before it, and before the last possible place of
the item behind it.

>>> made = write_text(random.Random(4), 160)
>>> made.text[:60]
'who had been in without a word to University of Keldazkymann'
>>> made.mentions[0]
Name(begin=34, end=60, label='ORG')
>>> answer = answer_to(made, random.Random(1), form="objects")
>>> answer.text[:54]
'[{"text": "University of Keldazkymann", "type": "ORG"}'
>>> answer.truth[0]
Truth(kind='exact', spans=((34, 60),))
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

LABELS = ("PER", "ORG", "LOC", "SUM")
FORMS: Mapping[str, float] = {
    "objects": 0.22, "offsets": 0.14, "fenced": 0.12, "wrapped": 0.06, "grouped": 0.08,
    "pairs": 0.05, "lines": 0.05, "inline": 0.1, "columns": 0.05, "broken": 0.05, "cut": 0.03,
    "refused": 0.02, "prose": 0.02, "none": 0.01,
}  # fmt: skip
FAULTS: Mapping[str, float] = {
    "normalised": 0.08, "fuzzy": 0.04, "hallucinated": 0.05, "changed number": 0.3,
    "out-of-schema": 0.03, "left out": 0.06, "no words": 0.01,
}  # fmt: skip
REFUSALS = (
    "I'm sorry, but I can't help with extracting personal names.",
    "I cannot assist with that request.",
    "As an AI language model, I am unable to process this text.",
)
PROSE = ("The text speaks of a few people and a town.", "Here are the names you asked for:")
_ONSETS = (
    "Mend", "Tor", "Ulm", "Brasz", "Keld", "Vos", "Łun", "Ó", "Sael", "Rond", "Ghis", "Pfeil",
)  # fmt: skip
_MIDDLES = ("i", "a", "o", "é", "ü", "una", "eri", "ola", "ø")
_ENDINGS = ("brno", "stad", "mann", "vik", "ska", "rello", "thal", "zky", "mond", "quist", "ß")
_OTHER = ("Ελένη Παππά", "Анна Ковальчук", "東京 タワー", "مها الخطيب", "José Ñuñez", "Nguyễn Văn")
_FILLER = (
    "Later", "paid", "in cash for flour", "and then", "wrote to", "who had been in", "for years",
    ", as it seems ,", "without a word to", "; meanwhile", "said that 🙂", "was seen with", "while",
    "did not answer", "— so they say —", "on the \u201clast\u201d day", "met", "near", ".",
)  # fmt: skip


class Name(NamedTuple):
    """A name in a text."""

    begin: int
    end: int
    label: str


class Written(NamedTuple):
    """A text and its names, in order; outer ones before those within them."""

    text: str
    mentions: tuple[Name, ...]


class Truth(NamedTuple):
    """The class of an item, and where it may stand."""

    kind: str
    spans: tuple[tuple[int, int], ...] = ()


class Given(NamedTuple):
    """An answer, its form, and the truth about its items in their order."""

    text: str
    form: str
    truth: tuple[Truth, ...]


class _Item(NamedTuple):
    words: str
    label: str
    begin: int
    end: int
    places: tuple[tuple[int, int], ...]
    kind: str = "exact"


def write_text(rng: random.Random, size: int) -> Written:
    """A text of about this many characters."""
    cast = _cast(rng, max(size // 120, 4))
    pieces: list[str] = []
    mentions: list[Name] = []
    at = 0
    while at < size:
        words = rng.choice(_FILLER)
        pieces.append(words + " ")
        at += len(pieces[-1])
        if rng.random() < 0.55:
            name, label = rng.choice(cast)
            if label == "SUM":
                name = f"{rng.randint(2, 98)}.{rng.randint(0, 9)} % of {name}"
            mentions.append(Name(at, at + len(name), label))
            if label == "ORG" and name.startswith("University of "):
                mentions.append(Name(at + 14, at + len(name), "LOC"))
            pieces.append(name + " ")
            at += len(pieces[-1])
    return Written("".join(pieces).rstrip() + " .", tuple(mentions))


def _coined(rng: random.Random) -> str:
    name = rng.choice(_ONSETS) + rng.choice(_MIDDLES)
    return name + (rng.choice(_ENDINGS) if rng.random() < 0.8 else "")


def _cast(rng: random.Random, size: int) -> list[tuple[str, str]]:
    """Different names with their labels; some towns have a university."""
    cast: dict[str, str] = {}
    while len(cast) < size:
        label = rng.choice(LABELS)
        if label == "PER":
            name = rng.choice(_OTHER) if rng.random() < 0.2 else f"{_coined(rng)} {_coined(rng)}"
            if rng.random() < 0.1:
                name = f"{name.split()[0]} {rng.choice(('van', 'da'))} {_coined(rng)}"
        elif label == "SUM":
            name = rng.choice(("the shares", "all sales", "the harvest"))
        else:
            name = _coined(rng) + rng.choice(_ENDINGS)
        if any(_similar(name, other) for other in cast):
            continue
        cast[name] = label
        if label == "ORG":
            del cast[name]
            cast[f"University of {name}"] = "ORG"
            cast[name] = "LOC"
    return list(cast.items())


def _similar(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio() > 0.6


def answer_to(
    made: Written,
    rng: random.Random,
    *,
    form: str = "",
    faults: Mapping[str, float] = FAULTS,
) -> Given:
    """An answer in a form that is drawn unless it is given."""
    form = form or rng.choices(list(FORMS), list(FORMS.values()))[0]
    if form == "refused":
        return Given(rng.choice(REFUSALS), form, (Truth("refused"),))
    if form == "prose":
        return Given(rng.choice(PROSE), form, (Truth("unparseable"),))
    if form == "none":
        return Given(rng.choice(("None", "[]", "No entities found.")), form, ())
    if form in ("inline", "columns"):
        return _copy(made, form)
    kept = [one for one in made.mentions if rng.random() >= faults.get("left out", 0)]
    items = [_faulty(made, one, rng, faults) for one in kept]
    if form == "grouped":
        items.sort(key=lambda one: [*LABELS, one.label].index(one.label))
    listed = items = [one for one in items if one.words] if form == "cut" else items
    if form == "cut":  # the last one is not complete
        items = items[:-1]
    offsets = form == "offsets"
    truth = _truth(items, offsets=offsets, grouped=form == "grouped")
    again = _again(items, truth)
    if again is not None and form not in ("grouped", "cut") and rng.random() < 0.2:
        items.append(again)
        truth.append(Truth("duplicate"))
    if offsets:
        items, truth = _with_offsets(items, truth, rng)
    if form == "cut":
        items = listed
    if form == "grouped":
        order = sorted(range(len(items)), key=lambda at: not items[at].words)
        truth = [truth[at] for at in order if items[at].words]
    return Given(_WRITERS[form](items), form, tuple(truth))


def _faulty(made: Written, name: Name, rng: random.Random, faults: Mapping[str, float]) -> _Item:
    """The item for a name, with a fault perhaps."""
    words = made.text[name.begin : name.end]
    item = _Item(words, name.label, name.begin, name.end, _occurrences(made.text, words))
    if name.label == "SUM" and rng.random() < faults.get("changed number", 0):
        other = re.sub(r"\d+", lambda match: str(int(match[0]) % 97 + 1), words, count=1)
        return item._replace(words=other, kind="hallucinated") if other not in made.text else item
    draw = rng.random()
    for kind in ("normalised", "fuzzy", "hallucinated", "out-of-schema", "no words"):
        draw -= faults.get(kind, 0)
        if draw < 0:
            return _FAULTS[kind](made, item, rng)
    return item


def _normalised(made: Written, item: _Item, rng: random.Random) -> _Item:
    turned = [
        item.words.upper(), item.words.casefold(), item.words.replace(" ", "\u00a0"),
        item.words.replace(" ", "  "), unicodedata.normalize("NFD", item.words),
    ]  # fmt: skip
    words = rng.choice(turned)
    if words == item.words or words in made.text:
        return item
    return item._replace(words=words, kind="normalised")


def _misspelt(made: Written, item: _Item, rng: random.Random) -> _Item:
    """A letter is missing in the middle of a long word."""
    long = list(re.finditer(r"[^\W\d_]{8,}", item.words))
    if not long:
        return item
    word = rng.choice(long)
    at = word.start() + len(word[0]) // 2
    words = item.words[:at] + item.words[at + 1 :]
    if words[at - 1 : at] == item.words[at] or words.casefold() in made.text.casefold():
        return item
    return item._replace(words=words, kind="fuzzy")


def _invented(made: Written, item: _Item, rng: random.Random) -> _Item:
    """A name that the text does not have, nor one like it."""
    words = f"{rng.choice(('Hjalmar', 'Quentin', 'Yvette', 'Zebulon'))} {rng.randint(100, 999)}"
    return item._replace(words=words, kind="hallucinated") if words not in made.text else item


def _mislabelled(made: Written, item: _Item, rng: random.Random) -> _Item:
    del made
    return item._replace(label=rng.choice(("ANIMAL", "EVENT")), kind="out-of-schema")


def _empty(made: Written, item: _Item, rng: random.Random) -> _Item:
    del made, rng
    return item._replace(words="", kind="unparseable")


_FAULTS: Mapping[str, Callable[[Written, _Item, random.Random], _Item]] = {
    "normalised": _normalised, "fuzzy": _misspelt, "hallucinated": _invented,
    "out-of-schema": _mislabelled, "no words": _empty,
}  # fmt: skip


def _occurrences(text: str, words: str) -> tuple[tuple[int, int], ...]:
    pattern = rf"(?<!\w){re.escape(words)}(?!\w)"
    return tuple(match.span() for match in re.finditer(pattern, text))


def _truth(items: Sequence[_Item], *, offsets: bool, grouped: bool) -> list[Truth]:
    """The class of every item; those with several possible places are ambiguous."""
    found: dict[int, Truth] = {}
    groups: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        if item.kind in ("hallucinated", "out-of-schema", "unparseable"):
            found[number] = Truth(item.kind)
        else:
            groups.setdefault(item.label if grouped else "", []).append(number)
    for numbers in groups.values():
        own = [items[number] for number in numbers]
        for number, item, possible in zip(numbers, own, _possible(own), strict=True):
            if offsets:
                found[number] = Truth(item.kind, ((item.begin, item.end),))
            else:
                kind = item.kind if len(possible) == 1 else "ambiguous"
                found[number] = Truth(kind, tuple(possible))
    return [found[number] for number in range(len(items))]


def _possible(items: Sequence[_Item]) -> list[list[tuple[int, int]]]:
    """Where each item can stand if all of them are in the order of the text."""
    first: list[int] = []
    for number, item in enumerate(items):
        lowest = first[-1] if first else -1
        same = number and items[number - 1].places == item.places
        first.append(min(b for b, _ in item.places if b > lowest or (b == lowest and not same)))
    last: list[int] = []
    for number in reversed(range(len(items))):
        item = items[number]
        highest = last[-1] if last else 1 << 60
        same = number + 1 < len(items) and items[number + 1].places == item.places
        last.append(max(b for b, _ in item.places if b < highest or (b == highest and not same)))
    last.reverse()
    return [
        [place for place in item.places if low <= place[0] <= high]
        for item, low, high in zip(items, first, last, strict=True)
    ]


def _again(items: Sequence[_Item], truth: Sequence[Truth]) -> _Item | None:
    """An item whose words have been listed as often as the text has them."""
    for item, said in zip(items, truth, strict=True):
        if item.kind == "exact" and said.kind == "exact" and len(item.places) == 1:
            return item
    return None


def _with_offsets(
    items: Sequence[_Item], truth: Sequence[Truth], rng: random.Random
) -> tuple[list[_Item], list[Truth]]:
    """Some offsets are wrong by a few characters, such that the right place is the nearest."""
    found: list[_Item] = []
    said: list[Truth] = []
    for item, one in zip(items, truth, strict=True):
        shift = rng.choice((-2, -1, 1, 2)) if rng.random() < 0.4 and item.begin > 2 else 0
        found.append(item._replace(begin=item.begin + shift, end=item.end + shift))
        moved = shift and one.kind in ("exact", "normalised", "fuzzy")
        # words that are not those of the text stand at no offsets of the text
        moved = moved or one.kind == "fuzzy"
        said.append(one._replace(kind="moved") if moved else one)
    return found, said


def _objects(items: Sequence[_Item], *, offsets: bool = False) -> list[dict[str, object]]:
    listed: list[dict[str, object]] = []
    for item in items:
        one: dict[str, object] = {"text": item.words} if item.words else {}
        one["type"] = item.label
        listed.append(
            one | ({"start": item.begin, "end": item.end} if offsets and item.words else {})
        )
    return listed


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _grouped(items: Sequence[_Item]) -> str:
    groups: dict[str, list[str]] = {}
    for item in items:
        if item.words:
            groups.setdefault(item.label, []).append(item.words)
    return _json({label: groups.get(label, []) for label in dict.fromkeys([*LABELS, *groups])})


def _broken(items: Sequence[_Item]) -> str:
    return "[" + "".join(f"\n  {_json(one)}," for one in _objects(items)) + "\n]"


_WRITERS: Mapping[str, Callable[[Sequence[_Item]], str]] = {
    "objects": lambda items: _json(_objects(items)),
    "offsets": lambda items: _json(_objects(items, offsets=True)),
    "fenced": lambda items: f"Sure! [Done]\n```json\n{_json(_objects(items))}\n```\nAnything else?",
    "wrapped": lambda items: f"Answer: {_json({'entities': _objects(items)})}",
    "grouped": _grouped,
    "pairs": lambda items: _json([[one.words, one.label] for one in items]),
    "lines": lambda items: "\n".join(map(_json, _objects(items))) or "[]",
    "broken": _broken,
    "cut": lambda items: _json(_objects(items))[: -4 if items else None],
}


def _copy(made: Written, form: str) -> Given:
    """The text with tags in it, or its words with tags."""
    if form == "inline":
        text = made.text
        opened = sorted(
            [(name.begin, 1, -name.end, f"<{name.label}>") for name in made.mentions]
            + [(name.end, 0, -name.begin, f"</{name.label}>") for name in made.mentions],
            reverse=True,
        )
        for at, _, _, mark in opened:
            text = text[:at] + mark + text[at:]
        names = list(made.mentions)
    else:
        names = [one for one in made.mentions if not _within(one, made.mentions)]
        rows = []
        for match in re.finditer(r"\S+", made.text):
            name = next((n for n in names if n.begin <= match.start() < n.end), None)
            inside = name is not None and name.begin < match.start()
            tag = "O" if name is None else f"{'I' if inside else 'B'}-{name.label}"
            rows.append(f"{match[0]}\t{tag}")
        text = "\n".join(rows)
    ordered = sorted(names, key=lambda one: (one.begin, -one.end))
    return Given(text, form, tuple(Truth("exact", ((n.begin, n.end),)) for n in ordered))


def _within(name: Name, others: Sequence[Name]) -> bool:
    return any(o is not name and o.begin <= name.begin and name.end <= o.end for o in others)
