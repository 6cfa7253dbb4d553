"""Numbers and words as pages write them."""

from __future__ import annotations

import re

from finegrain.table.task import Words

_TIED = re.compile(r" (?=%)|(?<=\b[pn]) (?=[=<])|(?<=\b[pn] [=<]) ")


def points(value: float | None, digits: int = 2) -> str:
    """A proportion in points of 100; a dash where it is undefined.

    >>> points(0.9179), points(-0.002, 1), points(-0.0002, 1), points(None)
    ('91.79', '−0.2', '0.0', '–')
    """
    undefined = value is None or value != value  # noqa: PLR0124 - nan
    if undefined or value is None:
        return "–"
    return f"{100 * value:z.{digits}f}".replace("-", "−")


def signed(value: float | None, digits: int = 2) -> str:
    """A difference in points, with a true minus.

    >>> signed(-0.0123), signed(0.5), signed(-0.00001)
    ('−1.23', '+50.00', '+0.00')
    """
    undefined = value is None or value != value  # noqa: PLR0124 - nan
    if undefined or value is None:
        return "–"
    return f"{100 * value:+z.{digits}f}".replace("-", "−")


def first_upper(text: str) -> str:
    """The first letter as a capital, the others as they are; of a name such as nDCG not even that.

    >>> first_upper("traditional F1"), first_upper("nDCG@10"), first_upper("chrF by bucket")
    ('Traditional F1', 'nDCG@10', 'chrF by bucket')
    """
    name = any(map(str.isupper, text.partition(" ")[0][1:]))
    return text if name else text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A note as a sentence, with its capital and its full stop.

    >>> sentence("gain: over the best system"), sentence("")
    ('Gain: over the best system.', '')
    """
    return first_upper(text) + ("" if text.endswith((".", "!", "?")) or not text else ".")


def tied(text: str) -> str:
    """The same, with what must not be parted at the end of a line: ``28 %``, ``p = .2``.

    >>> tied("28 % (p < .001); n = 5").count("\N{NO-BREAK SPACE}")
    5
    """
    return _TIED.sub("\N{NO-BREAK SPACE}", text)


def a(noun: str) -> str:
    """With its article.

    >>> a("item"), a("gold unit"), a("unit")
    ('an item', 'a gold unit', 'a unit')
    """
    vowel = noun.startswith(tuple("aeiou")) and not noun.startswith(("uni", "use"))
    return f"{'an' if vowel else 'a'} {noun}"


def gold_unit(words: Words) -> str:
    """What systems are right or wrong about, whatever it is; items are just items."""
    return "gold unit" if words.context else words.unit


def count(value: int) -> str:
    """A number of things.

    >>> count(12345)
    '12,345'
    """
    return f"{value:,}"
