"""Which scheme a column of tags is written in, told from its prefixes.

>>> from finegrain.corpus import Corpus
>>> corpus = Corpus.of([["New", "York", "is", "Big"]], tags=[["B", "E", "S", "S"]])
>>> detect(corpus.layers["tags"], corpus.offsets).name
'bioes'
"""

from __future__ import annotations

import numpy as np

from finegrain.corpus.tag_schemes import (
    FIRST,
    INSIDE,
    LAST,
    SCHEMES,
    Scheme,
    Tag,
    chunk_edges,
    levels_of,
)
from finegrain.corpus.texts import Coded, IntArray

# Letters that only one family of schemes has, the rarest first.
_TELLING = (("bilou", "LU"), ("bmewo", "W"), ("bmes", "M"), ("bioes", "S"))


def detect(tags: Coded, offsets: IntArray) -> Scheme:
    """The scheme of a column of tags.

    L- or U- means BILOU, W- BMEWO, M- BMES, S- BIOES. E- means BIOES beside B-, otherwise IOE2,
    unless chunks that end with I- outnumber those that end with E-: then IOE1. Without E- it is
    IOB2, unless chunks that begin with I- outnumber B- tags: then IOB1.
    """
    parsed = [levels_of(name) or [Tag("O", "")] for name in tags.names]
    present = {tag.prefix for stack in parsed for tag in stack}
    for name, letters in _TELLING:
        if present.intersection(letters):
            return SCHEMES[name]
    if present.issuperset("BE"):
        return SCHEMES["bioes"]
    begins, ends = chunk_edges(tags.codes, [stack[0] for stack in parsed], offsets)
    if "E" in present:
        often, seldom = ends == LAST, ends == INSIDE
    else:
        often, seldom = begins == FIRST, begins == INSIDE  # a B- always begins a chunk
    version = 1 if np.count_nonzero(seldom) > np.count_nonzero(often) else 2
    return SCHEMES[f"{'ioe' if 'E' in present else 'iob'}{version}"]
