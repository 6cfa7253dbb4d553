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

from collections.abc import Collection
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray

Antecedent = Literal["any", "nominal", "first-nominal"]
Pronouns = Literal["together", "apart"]
PRONOUNS: tuple[Pronouns, ...] = ("together", "apart")
ANTECEDENTS: tuple[Antecedent, ...] = ("any", "nominal", "first-nominal")
NOUN, PRONOUN, POSSESSIVE, ZERO, OTHER, UNKNOWN = TYPES = (
    "noun", "pronoun", "possessive", "zero", "other", "mention",
)  # fmt: skip


_NOTHING = ("_", "-", "")
# Tags of Penn (as in OntoNotes and UD English) and of STTS (German): others say nothing here.
_PENN = """CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO
    UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB ADD AFX GW HYPH NFP XX $ -LRB- -RRB-"""
_STTS = """ADJA ADJD ADV APPR APPRART APPO APZR ART CARD FM ITJ KOUI KOUS KON KOKOM NN NE PDS PDAT
    PIS PIAT PIDAT PPER PPOSS PPOSAT PRELS PRELAT PRF PWS PWAT PWAV PAV PROAV PTKZU PTKNEG PTKVZ
    PTKANT PTKA TRUNC VVFIN VVIMP VVINF VVIZU VVPP VAFIN VAIMP VAINF VAPP VMFIN VMINF VMPP XY"""
_KNOWN = frozenset([*_PENN.split(), *_STTS.split()])


def antecedents(
    chain: IntArray, nominal: NDArray[np.bool_], which: Antecedent
) -> NDArray[np.int64]:
    """``[mention]`` antecedents of mentions, -1 for none; -1 in ``chain`` is not a mention."""
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

    Mentions of several words count as nouns (Tuggener 2017), those without words as zeros. The tag
    of a word is its XPOS if Penn or STTS has it, or if there is no UPOS; else its UPOS, and
    ``Poss=Yes`` makes a possessive of a pronoun or determiner.
    """
    kinds = np.full(len(sentence), TYPES.index(NOUN), np.int64)
    kinds[words == 0] = TYPES.index(ZERO)
    single = words == 1
    tokens = corpus.offsets[sentence[single]] + begin[single]
    fine, universal = (_said(corpus, name) for name in ("xpos", "upos"))
    if fine is None and universal is None:
        kinds[words > 0] = TYPES.index(UNKNOWN)
        return kinds
    if universal is not None:
        kinds[single] = _types(universal, tokens)
        features = corpus.layers.get("feats")
        if features is not None:
            may = np.isin(universal.codes[tokens], _places(universal, ("PRON", "DET")))
            owning = [at for at, one in enumerate(features.names) if "Poss=Yes" in one.split("|")]
            owned = may & np.isin(features.codes[tokens], owning)
            kinds[np.flatnonzero(single)[owned]] = TYPES.index(POSSESSIVE)
    if fine is not None:
        known = np.isin(fine.codes[tokens], _places(fine, _KNOWN))
        chosen = known | (universal is None)
        kinds[np.flatnonzero(single)[chosen]] = _types(fine, tokens[chosen])
    return kinds


def _said(corpus: Corpus, name: str) -> Coded | None:
    """A layer that says something."""
    layer = corpus.layers.get(name)
    return None if layer is None or set(layer.names) <= {"_", "-"} else layer


def _places(layer: Coded, tags: Collection[str]) -> list[int]:
    """The codes of some tags."""
    return [code for code, tag in enumerate(layer.names) if tag in tags]


def _types(layer: Coded, tokens: IntArray) -> NDArray[np.int64]:
    of_tag = np.array([TYPES.index(_type(tag)) for tag in layer.names], np.int64)
    found: NDArray[np.int64] = of_tag[layer.codes[tokens]]
    return found


def mention_labels(
    corpus: Corpus, sentence: IntArray, begin: IntArray, words: IntArray, *, pronouns: Pronouns
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """``[mention]`` codes of types as labels, and their names.

    ``apart``: one for every pronoun, by its lemma or, where the file has none, its form.
    """
    kinds = mention_types(corpus, sentence, begin, words)
    names = np.array(TYPES, object)[kinds]
    single = np.isin(kinds, [TYPES.index(PRONOUN), TYPES.index(POSSESSIVE)]) & (words == 1)
    if pronouns == "apart" and corpus.tokens is not None:
        tokens, lemmas = corpus.offsets[sentence] + begin, corpus.layers.get("lemma")
        for row in np.flatnonzero(single).tolist():
            token = int(tokens[row])
            lemma = "_" if lemmas is None else lemmas[token]
            names[row] += f" {(corpus.tokens[token] if lemma in _NOTHING else lemma).casefold()}"
    used, codes = np.unique(names.astype(str), return_inverse=True)
    return codes.ravel().astype(np.int32), tuple(used.tolist())


def _type(tag: str) -> str:
    """The type of a word by its tag in the inventories of Penn, Stuttgart (STTS) or UD.

    >>> [_type(tag) for tag in ("NNP", "PRP$", "PRP", "PPOSAT", "PPER", "NE", "PROPN", "DT")]
    ['noun', 'possessive', 'pronoun', 'possessive', 'pronoun', 'noun', 'noun', 'other']
    >>> _type("$")                                                             # a currency in Penn
    'other'
    """
    if tag in ("PRP$", "WP$") or tag.startswith("PPOS"):
        return POSSESSIVE
    if tag in ("PRP", "WP", "PRON") or tag.startswith(("PPER", "PRF", "PRELS", "PDS", "PIS")):
        return PRONOUN
    return NOUN if tag in ("NE", "NOUN", "PROPN") or tag.startswith("NN") else OTHER
