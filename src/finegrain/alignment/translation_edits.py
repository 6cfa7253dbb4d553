"""What TER counts of segments: edits and shifts of words, and the length of the references.

>>> texts = SegmentTexts((("sat the cat",),), (("the cat sat",),), None)
>>> counts(texts, {})[0, 0].tolist()                                     # one shift of three words
[1.0, 3.0]

Sacrebleu computes them (Snover et al. 2006; Post 2018): edits to the reference that needs fewest,
the mean length of references. Case does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.bleu import sacrebleu
from finegrain.alignment.segment_texts import SegmentTexts


@cache
def metric() -> Any:
    """Sacrebleu's own TER, for its statistics and its signature."""
    return sacrebleu("metrics.ter").TER()


def counts(texts: SegmentTexts, _: Mapping[str, str]) -> NDArray[np.float64]:
    """``[segment, system, (edits, reference length)]``."""
    found = np.zeros((texts.n_segments, texts.n_systems, 2))
    own = metric()
    prepare, count = own._preprocess_segment, own._compute_segment_statistics
    for at, references in enumerate(texts.references):
        words = own._extract_reference_info([prepare(one) for one in references])
        for system in range(texts.n_systems):
            found[at, system] = count(prepare(texts.outputs[system][at]), words)
    return found
