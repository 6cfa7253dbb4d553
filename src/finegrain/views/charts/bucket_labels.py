"""What buckets hold, as an axis has room for it: all numbers of an axis in one format.

>>> from finegrain.attributes.bucketing import Bucket
>>> ends = ((2.1e-5, 4.3e-5), (5e-5, 0.00019), (0.0002, 0.033))
>>> known = [Bucket("0", "value", value=0.0)]
>>> known += [Bucket("", "interval", least=least, most=most) for least, most in ends]
>>> bucket_labels(known)
Labels(texts=('0', 'to 0.043', 'to 0.19', 'to 33'), power=-3)
>>> bucket_labels(known).unit()
'in 10⁻³'

Ranges that are short are told in full; else, where one is long, all by their upper end. Numbers
that no power of ten makes short have each their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from finegrain.attributes.bucketing import Bucket

_ROOM = 8  # characters of a range that is told in full
_PLAIN = 0.001  # numbers from here on need no power of ten
_WIDE = 1e6  # from the smallest to the largest number, that one power of ten serves
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Labels(NamedTuple):
    """A text for every bucket; its number is to be multiplied by ten to the ``power``."""

    texts: tuple[str, ...]
    power: int

    def unit(self) -> str:
        """What a title says of the numbers; nothing if they are plain."""
        return f"in 10{str(self.power).translate(_RAISED)}" if self.power else ""


def bucket_labels(buckets: Sequence[Bucket]) -> Labels:
    """Texts that differ from each other, with two significant digits if these are enough."""
    ranges = tuple(bucket.range() for bucket in buckets)
    ends = [_end(bucket) for bucket in buckets]
    known = [end for end in ends if end is not None]
    lengths = [len(told) for told, end in zip(ranges, ends, strict=True) if end is not None]
    if max(lengths, default=0) <= _ROOM:
        return Labels(ranges, 0)
    power = _power(known)
    number = _number if _spread(known) <= _WIDE else _scientific
    power = power if number is _number else 0
    for digits in range(2, 17):
        texts = tuple(
            told if end is None else _to(bucket) + number(end / 10**power, digits)
            for bucket, told, end in zip(buckets, ranges, ends, strict=True)
        )
        if len(set(texts)) == len(texts):
            return Labels(texts, power)
    return Labels(ranges, 0)


def _end(bucket: Bucket) -> float | None:
    """The largest number in a bucket of numbers."""
    end = bucket.value if bucket.kind == "value" else bucket.most
    return None if end is None or math.isnan(end) else end


def _to(bucket: Bucket) -> str:
    return "to " if bucket.kind == "interval" and bucket.least != bucket.most else ""


def _power(values: Sequence[float]) -> int:
    """A power of a thousand in which small numbers are short; 0 for those that are plain.

    >>> _power([0, 0.02, 0.5]), _power([0.00067, 0.021]), _power([4e-6, 0.1])
    (0, -3, -6)
    """
    least = min((abs(value) for value in values if value), default=1.0)
    return 0 if least >= _PLAIN else 3 * math.floor((math.log10(least) + 2) / 3)


def _spread(values: Sequence[float]) -> float:
    sizes = [abs(value) for value in values if value]
    return max(sizes, default=1.0) / min(sizes, default=1.0)


def _scientific(value: float, digits: int) -> str:
    """
    >>> _scientific(1.94e-14, 2), _scientific(0.81, 2)
    ('1.9e-14', '0.81')
    """
    return f"{value:.{digits}g}"


def _number(value: float, digits: int) -> str:
    """
    >>> _number(1234.5, 2), _number(0.0912, 2), _number(1, 2), _number(99.7, 2)
    ('1,234', '0.091', '1', '100')
    """
    decimals = digits if value == 0 else max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
