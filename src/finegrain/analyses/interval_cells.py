"""Intervals as people read them, and as JSON has them.

>>> bracketed(0.9062, 0.918), bracketed(-0.021, 0.004, signed="+")
('[90.62, 91.80]', '[-2.10, +0.40]')
>>> with_interval(0.912, 0.9062, 0.918)
'91.20 [90.62, 91.80]'
>>> with_interval(0.051, 0.042, 0.06, signed="+")
'+5.10 [+4.20, +6.00]'
>>> bracketed(0.5, 12.25, scale=Scale(shown="number"))
'[0.500, 12.250]'
>>> bounds(0.9, float("nan")) is None
True
>>> interval_heading(0.95)
'95 %'
"""

from __future__ import annotations

import math
from typing import Literal

from finegrain.resampling.jackknife import FEW
from finegrain.sizes import plural, sized
from finegrain.table.scale import PROPORTION, Scale

Signed = Literal["+", ""]
SIDE_BY_SIDE = 4  # systems, up to which a table has room for intervals of all of them


def bracketed(low: float, high: float, *, signed: Signed = "", scale: Scale = PROPORTION) -> str:
    """An interval as the scale writes its numbers; empty where there is none."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"[{scale.written(low, signed=signed)}, {scale.written(high, signed=signed)}]"


def with_interval(
    value: float, low: float, high: float, *, signed: Signed = "", scale: Scale = PROPORTION
) -> str:
    """A number with its interval, if it has one."""
    if math.isnan(value):
        return "n/a"
    ends = bracketed(low, high, signed=signed, scale=scale)
    return f"{scale.written(value, signed=signed)} {ends}".rstrip()


def interval_heading(confidence: float) -> str:
    """What stands above a column of intervals."""
    return f"{100 * confidence:g} %"


def interval_title(
    confidence: float, samples: int, sample: str, effective: float | None = None
) -> str:
    """What stands above a table of intervals.

    >>> interval_title(0.95, 1200, "document")
    'With 95 % intervals (1,200 documents)'
    >>> interval_title(0.95, 121, "document", 84.31)
    'With 95 % intervals (121 documents, effective 84)'
    """
    told = sized_samples(samples, sample, effective)
    return f"With {interval_heading(confidence)} intervals ({told})"


def sized_samples(samples: int, sample: str, effective: float | None = None) -> str:
    """How many samples there are, and how many documents of equal size say as much.

    >>> sized_samples(20, "document", 8.46), sized_samples(20, "sentence", 8.46)
    ('20 documents, effective 8.5', '20 sentences')
    """
    told = sized(samples, sample)
    if effective is None or sample != "document" or round(effective, 1) >= samples:
        return told
    return f"{told}, effective {effective:.{0 if effective >= FEW else 1}f}"


def bounds(low: float, high: float) -> list[float] | None:
    """An interval for JSON."""
    return None if math.isnan(low) or math.isnan(high) else [float(low), float(high)]


SENTENCES_RESAMPLED = (
    "no document boundaries: sentences are resampled as if they were independent, so that "
    "intervals may be too narrow and p too small (of equal systems whose errors cluster in "
    "documents, tests of sentences tell one pair in four apart at p < .05); if there are several "
    "documents, mark them: -DOCSTART- lines, # newdoc, a column of items by --cluster COLUMN"
)


def interval_notes(
    sample: str, *, missing: bool, independent: bool = False, effective: float = math.inf
) -> list[str]:
    """What must be known of intervals, and of tests, that come from such samples.

    ``missing``: some number has no interval; ``independent``: the user says that samples are;
    ``effective``: how many of equal size say as much.

    >>> interval_notes("document", missing=False)
    []
    >>> [note.partition(":")[0] for note in interval_notes("sentence", missing=False)]
    ['no document boundaries']
    >>> interval_notes("document", missing=False, effective=9.25)[0].partition(":")[0]
    'these documents say as much as 9.2 of equal size'
    """
    notes = [SENTENCES_RESAMPLED] if sample == "sentence" and not independent else []
    if effective < FEW:
        notes.append(
            f"these {plural(sample)} say as much as {effective:.1f} of equal size: with fewer than "
            f"{FEW}, intervals and p are a rough guide, above all where errors are rare"
        )
    if missing:
        notes.append(
            f"no interval is given where a score is undefined, comes from too few {plural(sample)} "
            "(or resamples for them) or is the same in every resample"
        )
    return notes
