"""What two similar stretches of text must have in common to be taken for each other.

Similarity of characters alone takes 5 % for 6 %, and ``with fever`` for ``without fever``. Numbers,
words for numbers, negations and negating prefixes must be the same.

>>> same_meaning("a rise of 5 %", "a raise of 5%"), same_meaning("a rise of 5 %", "a rise of 6 %")
(True, False)
>>> same_meaning("he does not smoke", "he does smoke"), same_meaning("symptomatic", "asymptomatic")
(False, False)
"""

from __future__ import annotations

import re
from collections import Counter

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_MARKS = re.compile("[\u0300-\u036f]")
_NEGATIONS = frozenset(  # without accents
    """
    no not nor none never neither nobody nothing nowhere without cannot denies denied lacks lacking
    absent nicht kein keine keinen keinem keiner keines nie niemals ohne weder nichts ne pas sans
    jamais aucun aucune ni sin nunca jamas ningun ninguna ninguno tampoco nao sem nem nenhum nenhuma
    non senza mai nessun nessuna niet geen nooit zonder inte aldrig utan ikke uden
    """.split()  # noqa: SIM905 - English, German, French, Spanish, Portuguese, Italian, Dutch, Nordic
)
_NUMBER_WORDS = frozenset(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million billion trillion half twice first second third fourth fifth sixth
    seventh eighth ninth tenth
    """.split()  # noqa: SIM905 - as above
)
_PREFIXES = (
    "a", "an", "un", "in", "im", "il", "ir", "dis", "non", "anti", "hypo", "hyper", "de", "mis",
    "counter", "pre", "post", "under", "over",
)  # fmt: skip
_STEM = 4  # letters behind a prefix


def same_meaning(one: str, two: str) -> bool:
    """Whether two folded texts have the same numbers and negations."""
    if one == two:
        return True
    if _NUMBER.findall(one) != _NUMBER.findall(two):
        return False
    ours, theirs = (_WORD.findall(_MARKS.sub("", text)) for text in (one, two))
    if _telling(ours) != _telling(theirs):
        return False
    more, fewer = set(ours) - set(theirs), set(theirs) - set(ours)
    return not (_negates(more, fewer) or _negates(fewer, more))


def _telling(words: list[str]) -> Counter[str]:
    """The words for numbers and negations; ``don't`` is one."""
    return Counter(
        "not" if word.endswith("n't") else word
        for word in words
        if word in _NEGATIONS or word in _NUMBER_WORDS or word.endswith("n't")
    )


def _negates(some: set[str], others: set[str]) -> bool:
    """Whether some word is another one behind a prefix, or has the opposite prefix."""
    for word in some:
        for prefix in _PREFIXES:
            stem = word[len(prefix) :]
            if not word.startswith(prefix) or len(stem) < _STEM:
                continue
            if stem in others or any(other + stem in others for other in _PREFIXES):
                return True
    return False
