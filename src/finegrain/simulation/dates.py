"""Dates, drawn as numbers and written as people write them.

>>> date_words("DATE", 1987_04_11_1), date_words("DECADE", 1990_00_00_1)
(('12', 'May', '1987'), ('early', '1990s'))
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import IntArray
from finegrain.simulation.sections import sections, words
from finegrain.simulation.zipf import zipf_ranks

DATE_TYPES = (
    "YEAR", "SOON", "DECADE", "MONTH", "MONTH_NAME", "WEEKDAY", "DATE", "BIRTH", "BORN", "DIED",
)  # fmt: skip
Era = Literal["news", "modern", "past", "life"]
ERAS: tuple[Era, ...] = get_args(Era)


def date_words(type_: str, code: int) -> tuple[str, ...]:
    """A date in words; ``code`` is yyyymmdds, with month and day from 0 and s for the style."""
    year, month, day, style = code // 100_000, code // 1_000 % 100, code // 10 % 100, code % 10
    months, weekdays = (words(sections("names.txt")[name]) for name in ("month", "weekday"))
    if type_ == "WEEKDAY":
        text = weekdays[day % 7]
    elif type_ == "DECADE":
        text = ("", "early ", "late ")[style % 3] + f"{year // 10 * 10}s"
    elif type_ == "MONTH":
        text = f"{months[month]} {year}"
    elif type_ == "MONTH_NAME":
        text = months[month]
    elif type_ in {"YEAR", "SOON"} or (type_ in {"BIRTH", "BORN", "DIED"} and style < 5):
        text = str(year)
    elif style % 2:
        text = f"{day + 1} {months[month]} {year}"
    else:
        text = f"{months[month]} {day + 1} , {year}"
    return tuple(text.split())


class DateSlots(NamedTuple):
    """Columns ``[slot]`` for ``date_codes``.

    Parameters
    ----------
    kind: place in ``DATE_TYPES``
    era: place in ``ERAS``: how far back dates go; a life has them between birth and death
    nth: dates of the same type that stand before in the sentence
    own, sentence, document: uniform numbers of the slot, its sentence and its document
    """

    kind: IntArray
    era: IntArray
    nth: IntArray
    own: NDArray[np.float64]
    sentence: NDArray[np.float64]
    document: NDArray[np.float64]


def date_codes(slots: DateSlots) -> NDArray[np.int64]:
    """Dates as numbers yyyymmdds (month and day from 0, s chooses the style) for ``date_words``.

    The dates of a sentence go forward in time.
    """
    own = slots.own
    is_kind = {name: slots.kind == place for place, name in enumerate(DATE_TYPES)}
    month = (own * 1e3 % 1.0 * 12).astype(np.int64)
    day = (own * 1e5 % 1.0 * 28).astype(np.int64)
    lifetime = is_kind["BIRTH"] | is_kind["BORN"] | is_kind["DIED"]
    style = (np.where(lifetime, slots.document, own) * 1e7 % 1.0 * 10).astype(np.int64)
    year = _years(slots, is_kind)
    # what a date does not say must not tell two dates apart
    says_month = ~(is_kind["YEAR"] | is_kind["SOON"] | is_kind["DECADE"] | is_kind["WEEKDAY"])
    says_day = says_month & ~is_kind["MONTH"] & ~is_kind["MONTH_NAME"]
    code = year * 100_000 * ~(is_kind["WEEKDAY"] | is_kind["MONTH_NAME"])
    code += month * 1_000 * says_month
    code += (day * 10 + style) * says_day
    code += (day % 7 * 10) * is_kind["WEEKDAY"]
    return np.where(is_kind["DECADE"], year // 10 * 1_000_000 + style % 3, code)


def _years(slots: DateSlots, is_kind: dict[str, NDArray[np.bool_]]) -> NDArray[np.int64]:
    news, life = slots.era == ERAS.index("news"), slots.era == ERAS.index("life")
    span = np.array([25, 55, 200, 200])[slots.era]  # years back, by era
    span = np.where(news & ~is_kind["YEAR"], 3, span)
    age = 3 * is_kind["YEAR"] + zipf_ranks(slots.sentence, size=span, shift=20.0)
    birth = 1720 + (slots.document * 220).astype(np.int64)
    years = np.select(
        [is_kind["SOON"], is_kind["BIRTH"], is_kind["BORN"], is_kind["DIED"], life],
        [
            2025 + slots.own * 9,
            1930 + slots.own * 35,
            birth,
            birth + 58 + slots.own * 30,
            birth + 19 + slots.sentence * 28 + 5 * slots.nth,
        ],
        2024 - (age * 0.7**slots.nth).astype(np.int64),
    )
    return years.astype(np.int64)
