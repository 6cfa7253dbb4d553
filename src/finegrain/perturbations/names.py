"""Names swapped for others of a list: of the same kind and gender, and the same in a document.

>>> from finegrain.perturbations.perturbation import Draw, Text
>>> text = Text(("Maria", "Schmidt", "met", "Tom", ",", "and", "Maria", "smiled", "in", "May"))
>>> swapped = NAMES["names"].words(text, Draw(1.0, 1, "names", "x"))
>>> {text.words[edit.begin]: edit.new[0] for edit in swapped}
{'Maria': 'Nadiya', 'Schmidt': 'Liu', 'Tom': 'Erik'}

Where spans of persons are annotated, all words in them that are in the list are names, and no
others; where nothing is annotated, capitalised words that are in the list. A word stays one word,
so that annotation of any kind stays where it is. What can be a name or another word (``May``,
``Will``) is not in the list that is shipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from finegrain.perturbations.lexicons import Name, Names, names
from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text, core, in_case_of

PERSONS = frozenset(("per", "person", "b-per", "pers", "people", "name"))
PLACES = frozenset(("loc", "gpe", "location", "place", "city"))
_PREFIXES = ("B-", "I-", "E-", "S-", "L-", "U-", "M-", "W-")


def plain_label(label: str) -> str:
    """A label without the prefix of a tag, in lower case.

    >>> plain_label("B-PER"), plain_label("location")
    ('per', 'location')
    """
    return (label[2:] if label.startswith(_PREFIXES) else label).lower()


def _swapped(known: Names, kinds: tuple[str, ...], labels: frozenset[str]) -> Any:
    pools: dict[tuple[str, str], list[Name]] = {}
    for readings in known.values():
        for name in readings:
            if len(name.text.split()) == 1:
                pools.setdefault((name.kind, name.gender), []).append(name)

    def replacement(word: str, kind: str, draw: Draw) -> str | None:
        readings = known.get((kind, word.lower()))
        if not readings:
            return None
        gender = readings[0].gender if len({one.gender for one in readings}) == 1 else "-"
        pool = pools.get((kind, gender), []) or pools.get((kind, "-"), [])
        others = [one.text for one in pool if one.text.lower() != word.lower()]
        return (
            in_case_of(word, draw.always(f"{kind}\x00{word.lower()}", others)) if others else None
        )

    def rewrite(text: Text, draw: Draw) -> Iterator[Edit]:
        annotated = [
            bool(labels & {plain_label(label) for label in text.labels_of(at)})
            for at in range(len(text.words))
        ]
        some = any(text.labels)
        places = [at for at in range(len(text.words)) if annotated[at] or not some]
        for at in draw.hits(places):
            before, word, behind = core(text.words[at])
            if not word[:1].isupper():
                continue
            ordered = _likely(known, text, at, kinds)
            new = next(filter(None, (replacement(word, kind, draw) for kind in ordered)), None)
            if new:
                yield Edit.word(at, before + new + behind)

    return rewrite


def _likely(known: Names, text: Text, at: int, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Behind a first name stands a last one."""
    previous = core(text.words[at - 1])[1].lower() if at else ""
    return kinds[::-1] if ("first", previous) in known else kinds


def _perturbation(
    name: str, summary: str, kinds: tuple[str, ...], labels: frozenset[str]
) -> Callable[[Mapping[Any, Any]], Perturbation]:
    def made(known: Mapping[Any, Any]) -> Perturbation:
        return Perturbation(
            name, summary, _swapped(known, kinds, labels), rate=1.0, share="names in the list",
            takes="names", with_list=made,
        )  # fmt: skip

    return made


NAMES = {
    one.name: one
    for one in (
        _perturbation(
            "names", "persons' names swapped for others of the same gender",
            ("first", "last"), PERSONS,
        )(names()),
        _perturbation(
            "place-names", "names of cities swapped for others", ("place",), PLACES
        )(names()),
    )
}  # fmt: skip
