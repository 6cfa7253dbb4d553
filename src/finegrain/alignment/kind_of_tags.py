"""Whether a column of tags holds spans (B-PER) or plain labels (NN), told only if it is certain.

>>> from finegrain.corpus import Corpus
>>> kind_of_tags(Corpus.of([["New", "York"]], tags=[["B-LOC", "I-LOC"]]), "tags")
'spans'
>>> kind_of_tags(Corpus.of([["New", "York"]], tags=[["NNP", "NNP"]]), "tags")
'tags'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

from finegrain.corpus import Coded, Corpus
from finegrain.corpus.tag_schemes import OUTSIDE, PREFIXES, SCHEMES, looks_like_spans
from finegrain.corpus.trees import HEAD, RELATION
from finegrain.errors import InputError

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\Z")
# B_PER, B:PER; tokens outside of spans in BMEWO+ are MM_O, or BB_O_PER behind or before a span
_NO_HYPHEN = re.compile(r"([BEILMSUW])[_:/.](?P<label>.+)\Z|(BB|EE|MM|WW)_O(_.+)?\Z", re.DOTALL)
_MOST = 0.5
_LETTERS = 3  # fewer may be labels such as A and B
_CHOOSE = "Say --task spans, if need be with --scheme, or --task tags."


def kind_of_tags(corpus: Corpus, layer: str) -> Literal["spans", "tags"]:
    """What the tags of a layer are; an error where that is not certain.

    Spans, if every tag is O or has a prefix; tags, if no tag but O has one. Bare letters are spans
    if some scheme has them all and B or O is among them, and never silently tags where three or
    more of them, on most tokens, stand beside fewer other tags. Numbers may be scores or codes of
    anything, and ``B_PER`` a tag of a span written in another way, so they are neither.
    """
    if layer not in corpus.layers:
        return "spans"
    tags = corpus.layers[layer]
    names = tags.names
    _require_no_numbers(corpus, tags)
    _require_hyphens(corpus, tags)
    plain = [name for name in names if not looks_like_spans((name,))]
    prefixed = sorted(set(names).difference(plain, OUTSIDE))
    bare = [name for name in prefixed if name in PREFIXES]
    if plain and len(bare) < len(prefixed):
        first = next(name for name in prefixed if name not in bare)
        what = f"tag {first!r} has a prefix, {plain[0]!r} has none"
        raise _not_certain(corpus, what, "Say --task spans or --task tags.")
    letters = len(bare) + ("O" in names)
    if plain and (letters < _LETTERS or letters <= len(plain) or _share(tags, bare) <= _MOST):
        return "tags"
    if bare and (plain or len(bare) == len(prefixed)) and not _is_scheme(bare, names):
        what = f"{', '.join(map(repr, bare))} may be tags of spans or plain labels"
        raise _not_certain(corpus, what, _CHOOSE)
    return "spans"


def holds_spans(gold: Corpus, layer: str) -> bool:
    """Whether it has spans, or tags of spans."""
    if gold.spans is not None:
        return True
    return _has_tags(gold, layer) and kind_of_tags(gold, layer) == "spans"


def holds_tags(gold: Corpus, layer: str) -> bool:
    """Whether it has plain labels."""
    if gold.spans is not None:
        return False
    return _has_tags(gold, layer) and kind_of_tags(gold, layer) == "tags"


def _has_tags(gold: Corpus, layer: str) -> bool:
    """Whether it holds no items, and no chains or trees without tags."""
    if gold.fields and layer not in gold.layers:
        return False
    trees = layer not in gold.layers and {HEAD, RELATION}.issubset(gold.layers)
    return not (gold.holds_items or gold.clusters is not None or trees)


def _is_scheme(bare: Sequence[str], names: tuple[str, ...]) -> bool:
    """Whether tags of one letter are those of a scheme, and nothing else is among them."""
    fits = any(set(bare) <= set(scheme.prefixes) for scheme in SCHEMES.values())
    return fits and ("B" in bare or "O" in names) and looks_like_spans(names)


def _not_certain(corpus: Corpus, what: str, mend: str) -> InputError:
    return InputError.at(corpus.source, 0, f"the task is not certain: {what}", mend)


def _require_no_numbers(corpus: Corpus, tags: Coded) -> None:
    numeric = np.array([bool(_NUMBER.match(name)) for name in tags.names], bool)
    numbers = [tags.names[code] for code in np.flatnonzero(numeric).tolist()]
    if _share(tags, numbers) <= _MOST:
        return
    some = ", ".join(map(repr, numbers[:3]))
    raise InputError.at(
        corpus.source, corpus.line(int(np.argmax(numeric[tags.codes]))),
        f"the annotation is numbers ({some}), which may be scores rather than labels",
        "If they name classes, say --task tags; the labels may also stand in another column: "
        "--columns token=1,tags=2. A 0/1 table of systems is --input matrix.",
    )  # fmt: skip


def _require_hyphens(corpus: Corpus, tags: Coded) -> None:
    """No tags of spans without a hyphen: beside O nothing else, or a label with two prefixes."""
    found = {name: match for name in tags.names if (match := _NO_HYPHEN.match(name))}
    labels = [match["label"] for match in found.values() if match["label"]]
    outside = len(labels) < len(found) or "O" in tags.names
    alone = outside and OUTSIDE.issuperset(set(tags.names).difference(found))
    if not found or not (alone or len(set(labels)) < len(labels)):
        return
    written = np.array([name in found for name in tags.names], bool)
    first = int(np.argmax(written[tags.codes]))
    raise InputError.at(
        corpus.source, corpus.line(first),
        f"the task is not certain: tag {tags.names[tags.codes[first]]!r} may be one of a span, "
        "written without a hyphen, or a plain label",
        "Write tags of spans as B-PER and all others as O (BB_O_PER and MM_O of BMEWO+, too), or "
        "say --task tags to take them as plain labels.",
    )  # fmt: skip


def _share(tags: Coded, names: Sequence[str]) -> float:
    """The share of tokens that have one of some tags."""
    chosen = set(names)
    has = np.array([name in chosen for name in tags.names], bool)
    return float(np.mean(has[tags.codes])) if chosen else 0.0
