r"""Names of systems and annotators: whoever reads them must be able to tell them apart.

>>> misnamed(["crf", "CRF", "neural"], "system")
''
>>> misnamed(["crf", "crf"], "system")
"two systems are called 'crf'"
>>> misnamed(["crf", "crf ", "neural"], "system")
"two systems look the same: 'crf' and 'crf '"
>>> misnamed(["café", "cafe\u0301"], "annotator")
"two annotators look the same: 'caf\\xe9' and 'cafe\\u0301'"
>>> misnamed(["crf", "\u200b "], "system")
'a system without a name'
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category, normalize

# letters and signs that are drawn as nothing: braille blank, fillers of Hangul, Khmer vowels
_BLANK = dict.fromkeys(map(ord, "\u2800\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f"), " ")
_BLANK |= dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])  # variants of letters


def misnamed(names: Iterable[str], kind: str) -> str:
    """What is wrong with names of a ``kind``: one is empty, two look the same; else nothing."""
    known: dict[str, str] = {}
    for name in names:
        look = seen(name)
        if not look:
            return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} without a name"
        other = known.get(look)
        if other == name:
            return f"two {kind}s are called {name!r}"
        if other is not None:
            return f"two {kind}s look the same: {other!a} and {name!a}"
        known[look] = name
    return ""


def seen(name: str) -> str:
    """What is seen of a name: composed letters, single blanks, and nothing that is invisible.

    >>> seen(" my\u00a0 sys\u200dtem ")
    'my system'
    """
    composed = normalize("NFKC", name.translate(_BLANK))
    return " ".join("".join(char for char in composed if category(char) != "Cf").split())
