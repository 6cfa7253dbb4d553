"""Antecedents: the mention of the same chain that a mention goes back to.

``any``: the mention before it in its chain. ``nominal``: the closest noun before it (Tuggener
2017). ``first-nominal``: the first noun of its chain, as the program published with that paper has
it.

>>> chain = np.array([0, 1, 0, 0, -1, 1])              # of mentions in the order of the text
>>> noun = np.array([True, False, True, False, True, False])
>>> antecedents(chain, noun, "any").tolist()           # -1: none
[-1, -1, 0, 2, -1, 1]
>>> antecedents(chain, noun, "nominal").tolist(), antecedents(chain, noun, "first-nominal").tolist()
([-1, -1, 0, 2, -1, -1], [-1, -1, 0, 0, -1, -1])
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, IntArray

Antecedent = Literal["any", "nominal", "first-nominal"]
Pronouns = Literal["together", "apart"]
PRONOUNS: tuple[Pronouns, ...] = ("together", "apart")
ANTECEDENTS: tuple[Antecedent, ...] = ("any", "nominal", "first-nominal")
NOUN, PRONOUN, POSSESSIVE, ZERO, OTHER, UNKNOWN = TYPES = (
    "noun", "pronoun", "possessive", "zero", "other", "mention",
)  # fmt: skip


def antecedents(
    chain: IntArray, nominal: NDArray[np.bool_], which: Antecedent
) -> NDArray[np.int64]:
    """``[mention]`` the antecedent of each mention, -1 for none; -1 in ``chain`` is no mention."""
    order = np.argsort(chain, kind="stable")
    ordered = chain[order]
    place = np.arange(len(order))
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(order)]
    start = np.maximum.accumulate(np.where(new, place, 0))
    eligible = nominal[order] if which != "any" else np.ones(len(order), bool)
    latest = np.maximum.accumulate(np.where(eligible, place, -1))
    before = np.append(-1, latest[:-1])[: len(order)]
    has = (before >= start) & (ordered >= 0)
    if which == "first-nominal":
        firsts = np.where(eligible & (before < start), place, -1)
        before = np.maximum.accumulate(firsts)
    found = np.full(len(order), -1, np.int64)
    found[order[has]] = order[before[has]]
    return found


def mention_types(
    corpus: Corpus, sentence: IntArray, begin: IntArray, words: IntArray
) -> NDArray[np.int64]:
    """``[mention]`` code into TYPES, by the part of speech of a single word.

    Mentions of several words count as nouns (Tuggener 2017), those without words as zeros.
    """
    kinds = np.full(len(sentence), TYPES.index(NOUN), np.int64)
    kinds[words == 0] = TYPES.index(ZERO)
    single = words == 1
    layer = next((corpus.layers[one] for one in ("xpos", "upos") if one in corpus.layers), None)
    if layer is None or set(layer.names) <= {"_", "-"}:
        kinds[words > 0] = TYPES.index(UNKNOWN)
        return kinds
    of_tag = np.array([TYPES.index(_type(tag)) for tag in layer.names], np.int64)
    kinds[single] = of_tag[layer.codes[corpus.offsets[sentence[single]] + begin[single]]]
    return kinds


def mention_labels(
    corpus: Corpus, sentence: IntArray, begin: IntArray, words: IntArray, *, pronouns: Pronouns
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """``[mention]`` codes of types as labels, and their names; ``apart``: one for every pronoun."""
    kinds = mention_types(corpus, sentence, begin, words)
    names = np.array(TYPES, object)[kinds]
    single = np.isin(kinds, [TYPES.index(PRONOUN), TYPES.index(POSSESSIVE)]) & (words == 1)
    if pronouns == "apart" and corpus.tokens is not None:
        tokens = corpus.offsets[sentence] + begin
        for row in np.flatnonzero(single).tolist():
            names[row] += f" {corpus.tokens[int(tokens[row])].casefold()}"
    used, codes = np.unique(names.astype(str), return_inverse=True)
    return codes.ravel().astype(np.int32), tuple(used.tolist())


def _type(tag: str) -> str:
    """The type of a word by its tag in the inventories of Penn, Stuttgart (STTS) or UD.

    >>> [_type(tag) for tag in ("NNP", "PRP$", "PRP", "PPOSAT", "PPER", "NE", "PROPN", "DT")]
    ['noun', 'possessive', 'pronoun', 'possessive', 'pronoun', 'noun', 'noun', 'other']
    """
    if tag.endswith("$") or tag.startswith("PPOS"):
        return POSSESSIVE
    if tag in ("PRP", "WP", "PRON") or tag.startswith(("PPER", "PRF", "PRELS", "PDS", "PIS")):
        return PRONOUN
    return NOUN if tag in ("NE", "NOUN", "PROPN") or tag.startswith("NN") else OTHER
