"""What is plainly wrong with an output, whatever a score says: of several faults the first.

>>> vocabulary = Vocabulary.of(SegmentTexts((), (("Good day, how are you?",),), None))
>>> [fault(text, ("Good day, how are you?",), None, vocabulary) for text in (
...     "", "Hello, how are you?", "good good good good", "Добрый день, Анна", "Good")]
['EMPTY', 'SOUND', 'LOOP', 'FOREIGN', 'SHORT']

========  ======================================================================================
EMPTY     nothing but blanks, where a reference has words
COPIED    at least 0.8 of the words of output and source are a common subsequence (2 LCS / all
          words), and no reference is so near to the source
LOOP      a word four times in a row, or a phrase of up to 8 words three times, and no reference
          has as many words in such a row
FOREIGN   most letters are of another script than those of any reference; or, where sources are in
          another language, at least half of the words are known from other sources only
SHORT     less than half of the words of the shortest reference; less than 0.8 without the
          punctuation mark at the end that all references have
LONG      more than twice the words of the longest reference, and at least 4 more
========  ======================================================================================
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from finegrain.alignment.segment_texts import SegmentTexts
from finegrain.alignment.segment_words import split
from finegrain.alignment.word_edits import common_length

FAULTS = ("SOUND", "EMPTY", "COPIED", "LOOP", "FOREIGN", "SHORT", "LONG")
COPIED_SHARE = 0.8
PHRASE, TIMES, TIMES_OF_WORD = 8, 3, 4
HALF, NEARLY, TWICE, MORE = 0.5, 0.8, 2, 4
_FEW_WORDS, _FEW_LETTERS = 4, 3
_ENDS = frozenset(".!?。！？…؟।\"»”')]）」』")
_ONE = dict.fromkeys(("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"), "CJK")


class Vocabulary(NamedTuple):
    """In how many segments words stand, by side; ``apart``: the sides are two languages."""

    references: Counter[str]
    sources: Counter[str]
    apart: bool

    @classmethod
    def of(cls, texts: SegmentTexts) -> Vocabulary:
        references = _segments_with(texts.references)
        if texts.sources is None:
            return cls(references, Counter(), apart=False)
        sources = _segments_with((one,) for one in texts.sources if one)
        total = sum(references.values())
        known = sum(count for word, count in references.items() if word in sources)
        return cls(references, sources, apart=2 * known < total)


def _segments_with(texts: Iterable[Iterable[str]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for own in texts:
        found.update({word for text in own for word in split(text)})
    return found


def fault(
    output: str, references: Sequence[str], source: str | None, vocabulary: Vocabulary
) -> str:
    """The first fault that an output has, or ``SOUND``."""
    own = split(output)
    wanted = [split(one) for one in references]
    if not output.strip():
        return "EMPTY" if any(one.strip() for one in references) else "SOUND"
    if output in references:
        return "SOUND"
    if source and _copies(own, split(source), wanted):
        return "COPIED"
    row = longest_loop(own)
    if row and row > max(map(longest_loop, wanted), default=0):
        return "LOOP"
    if _is_foreign(output, own, references, source, vocabulary):
        return "FOREIGN"
    return _length(output, own, references, wanted)


def _copies(own: Sequence[str], source: Sequence[str], wanted: Sequence[Sequence[str]]) -> bool:
    near = any(similar(one, source) >= COPIED_SHARE for one in wanted)
    return not near and similar(own, source) >= COPIED_SHARE


def similar(one: Sequence[str], other: Sequence[str]) -> float:
    """Twice the length of the longest common subsequence, by the words of both.

    What shares too few words, in any order, is 0 here.
    """
    size = len(one) + len(other)
    most = 2 * min(len(one), len(other))
    if not size or most < COPIED_SHARE * size or set(one).isdisjoint(other):
        return 0.0
    if 2 * sum((Counter(one) & Counter(other)).values()) < COPIED_SHARE * size:
        return 0.0
    return 2 * common_length(one, other) / size


def longest_loop(words: Sequence[str]) -> int:
    """How many words the longest row of repeated phrases has; 0 without one.

    >>> longest_loop("so so so so".split()), longest_loop("a b a b a b c".split())
    (4, 6)
    >>> longest_loop("very very very good".split())
    0
    """
    size, longest = len(words), 0
    if size - len(set(words)) < TIMES_OF_WORD - 1:
        return 0
    for period in range(1, min(PHRASE, size // TIMES) + 1):
        times = TIMES_OF_WORD if period == 1 else TIMES
        run = 0
        for at in range(period, size):
            run = run + 1 if words[at] == words[at - period] else 0
            if run >= (times - 1) * period:
                longest = max(longest, run + period)
    return longest


def _is_foreign(
    output: str,
    own: Sequence[str],
    references: Sequence[str],
    source: str | None,
    vocabulary: Vocabulary,
) -> bool:
    script = script_of(output)
    scripts = {script_of(one) for one in references} - {""}
    if script and scripts and script not in scripts:
        return True
    if not vocabulary.apart or len(own) < _FEW_WORDS:
        return False
    here = {word for one in references for word in split(one)}
    there = set(split(source)) if source else set()
    only = [0, 0]  # words that other sources alone, other references alone have
    for word in own:
        by_source = vocabulary.sources[word] > (word in there) or word in there
        by_reference = vocabulary.references[word] > (word in here) or word in here
        if by_source != by_reference:
            only[by_reference] += 1
    return 2 * only[0] >= len(own) and only[0] > only[1]


@lru_cache(1 << 16)
def script_of(text: str) -> str:
    """The script of most letters; empty for fewer than three letters.

    >>> script_of("Good day, Анна"), script_of("42 km")
    ('LATIN', '')
    """
    if text.isascii():
        return "LATIN" if sum(map(str.isalpha, text)) >= _FEW_LETTERS else ""
    found: Counter[str] = Counter()
    for letter, count in Counter(text).items():
        if letter.isalpha():
            found[_script(letter)] += count
    if found.total() < _FEW_LETTERS:
        return ""
    return max(sorted(found), key=lambda name: found[name])


@lru_cache(1 << 14)
def _script(letter: str) -> str:
    name = unicodedata.name(letter, "?").split(" ", 1)[0]
    return _ONE.get(name, name)


def _length(
    output: str, own: Sequence[str], references: Sequence[str], wanted: Sequence[Sequence[str]]
) -> str:
    shortest, longest = min(map(len, wanted)), max(map(len, wanted))
    if shortest >= _FEW_WORDS and len(own) < HALF * shortest:
        return "SHORT"
    ends = all(one.rstrip()[-1:] in _ENDS for one in references)
    brief = shortest >= _FEW_WORDS and len(own) < NEARLY * shortest
    if ends and brief and output.rstrip()[-1:] not in _ENDS:
        return "SHORT"
    if len(own) > TWICE * longest and len(own) >= longest + MORE:
        return "LONG"
    return "SOUND"
