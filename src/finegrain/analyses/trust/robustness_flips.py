"""Units that flip: right on the original and wrong under a condition, or the other way round.

>>> import finegrain as fg
>>> gold = fg.Corpus.of([["Ada", "slept"]], tags=[["B-PER", "O"]])
>>> copy = fg.perturb(gold, "upper")
>>> lost = fg.Corpus.of([["ADA", "SLEPT"]], tags=[["O", "O"]])
>>> table = fg.align_perturbed(gold, {"crf": gold}, {"upper": (copy, {"crf": lost})})
>>> flips_of(table, "same")
Flips(broken=1, fixed=0, consistent=0, n=1)
>>> flip, = flips_shown(table, 0, 1, 5)
>>> flip.text, flip.before, flip.after, flip.segments[0]
('Ada', 'TP PER', 'FN', Segment(text='', old='Ada slept', new='ADA SLEPT'))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.analyses.units.show import Shown
from finegrain.corpus.columns import cell
from finegrain.table import OutcomeTable
from finegrain.table.conditions import PRESENT, SAME, Segment, changes_of, segments
from finegrain.table.verdicts import changed, gains, right, right_or_wrong, value

_AROUND = 12  # words on either side of a unit, or of a change, that are shown


class Flips(NamedTuple):
    """Of ``n`` gold units: those that became wrong, and right; those that were consistent.

    Consistent is the same answer or, where the right answer changes, being right both times. Graded
    units are broken if they are worth less.
    """

    broken: int
    fixed: int
    consistent: int
    n: int


class Flip(NamedTuple):
    """A unit that was right and is not any more, in its text with the changes marked."""

    system: str
    condition: str
    place: str
    text: str
    label: str
    before: str
    after: str
    segments: tuple[Segment, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "system": self.system, "condition": self.condition, "place": self.place,
            "text": self.text, "label": self.label, "before": self.before, "after": self.after,
            "segments": [_segment(one) for one in self.segments],
        }  # fmt: skip


def _segment(one: Segment) -> dict[str, str]:
    return {"old": one.old, "new": one.new} if one.old or one.new else {"text": one.text}


def flips_of(pair: OutcomeTable, expected: str) -> Flips:
    """The flips of a system on the original, which stands first, and under a condition."""
    gold = pair.is_gold
    broken, fixed = _flipped(pair)
    same = consistency(pair, expected)
    counts = [int(np.count_nonzero(one & gold)) for one in (broken, fixed, same)]
    return Flips(counts[0], counts[1], counts[2], pair.n_gold)


def _flipped(pair: OutcomeTable) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """``[unit]`` which units are broken, and fixed."""
    if right_or_wrong(pair):
        verdict = right(pair)
        return verdict[:, 0] & ~verdict[:, 1], ~verdict[:, 0] & verdict[:, 1]
    gain, tie = gains(pair, 0, 1), value(pair).scale.tie
    return gain < -tie, gain > tie


def consistency(pair: OutcomeTable, expected: str) -> NDArray[np.bool_]:
    """``[unit]`` whether the answers to the original and under the condition fit each other."""
    if expected == SAME:
        return ~changed(pair, 0, 1)
    verdict = right(pair)
    return verdict[:, 0] & verdict[:, 1]


def flips_shown(table: OutcomeTable, base: int, at: int, limit: int) -> list[Flip]:
    """The first broken units, those first whose own text was changed."""
    pair = table.only([base, at])
    broken, _ = _flipped(pair)
    rows = broken & pair.is_gold
    present = pair.details.get(PRESENT)
    rows = rows if present is None else rows & present.all(axis=1)
    condition = table.facets["condition"][at]
    places = np.flatnonzero(rows)
    first = [row for row in places.tolist() if _hit(pair, row, condition)]
    chosen = [*first, *(row for row in places.tolist() if row not in set(first))][:limit]
    found = []
    for row in chosen:
        shown = Shown(pair, np.array([row]), 1, "", pair.systems, "", ())
        (unit,) = shown.units()
        sentence = int(pair.sentence[row])
        words = pair.task.words
        found.append(
            Flip(
                table.facets["system"][at],
                condition,
                f"line {unit.line}" if unit.line else f"{words.place} {sentence + 1}",
                unit.text,
                unit.mark.told,
                unit.answers[0].told,
                unit.answers[1].told,
                _around(pair, row, condition),
            )
        )
    return found


def _hit(pair: OutcomeTable, row: int, condition: str) -> bool:
    """Whether a word of the unit was changed; of an item, any word."""
    changes = changes_of(pair.corpus, int(pair.sentence[row]), condition)
    if not pair.task.words.context:
        return bool(changes)
    begin, end = int(pair.begin[row]), int(pair.end[row])
    return any(one.word < end and begin < one.word + max(1, one.size) for one in changes)


def _around(pair: OutcomeTable, row: int, condition: str) -> tuple[Segment, ...]:
    """The words around the unit, or around the first change in an item, with changes."""
    sentence = int(pair.sentence[row])
    changes = changes_of(pair.corpus, sentence, condition)
    fields = pair.corpus.fields
    named = next((one.field for one in changes if one.field in fields), "")
    if named:
        changes = [one for one in changes if one.field == named]
        words = str(cell(fields[named], sentence) or "").split()
        begin, end = changes[0].word, changes[0].word + 1
    else:
        changes = [one for one in changes if not one.field]
        words = pair.corpus.sentence(sentence)
        begin, end = int(pair.begin[row]), int(pair.end[row])
    if not pair.task.words.context and not named:
        begin, end = 0, len(words)
    low, high = max(0, begin - _AROUND), min(len(words), end + _AROUND)
    return tuple(_window(words, changes, low, high))


def _window(words: Sequence[str], changes: Sequence[Any], low: int, high: int) -> list[Segment]:
    """The words from ``low`` to ``high``, with dots where more are left out."""
    inside = [one for one in changes if low <= one.word and one.word + one.size <= high]
    moved = [one._replace(word=one.word - low) for one in inside]
    found = segments(words[low:high], moved)
    before = [Segment("…")] if low > 0 else []
    behind = [Segment("…")] if high < len(words) else []
    return [*before, *found, *behind]
