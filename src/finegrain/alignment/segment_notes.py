"""What is odd about references and outputs as a whole: tokenised, swapped, copied.

>>> from finegrain.alignment.segment_texts import SegmentTexts
>>> texts = SegmentTexts((("It is .",) * 20,), (("It is.",),) * 20, None)
>>> tokenised(texts.outputs[0])
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from finegrain.alignment.bleu import TOKENIZE
from finegrain.alignment.segment_faults import longest_loop
from finegrain.alignment.segment_texts import SegmentTexts, of_table
from finegrain.alignment.segment_words import split
from finegrain.corpus.notes import Information
from finegrain.sizes import sized
from finegrain.table import OutcomeTable

MANY, FEW = 100, 10  # lines that end in a blank and a full stop; of fewer lines, half of them
_GOLD_NAME = re.compile(r"(^|[._/-])(ref|refs|reference|references|gold)(\d*)([._-]|$)", re.I)
_OUTPUT_NAME = re.compile(
    r"(^|[._/-])(hyp|hyps|hypothesis|sys|system|output|pred|mt)(\d*)([._-]|$)", re.I
)


def tokenised(texts: Sequence[str]) -> bool:
    """Whether many segments end in a full stop that stands alone, as sacrebleu asks."""
    ends = sum(text.rstrip().endswith(" .") for text in texts)
    return ends >= MANY or (len(texts) >= FEW and 2 * ends >= len(texts))


def sanity_notes(table: OutcomeTable) -> list[str]:
    """Notes on texts that are probably not what they should be."""
    texts = of_table(table)
    notes: list[str] = []
    sides = [("the references", [own[0] for own in texts.references])]
    sides += [(name, list(own)) for name, own in zip(table.systems, texts.outputs, strict=True)]
    if table.settings.get(TOKENIZE) != "none":
        odd = [name for name, own in sides if tokenised(own)]
        if odd:
            notes.append(
                f"{_listed(odd)}: segments end in ' .', as if they were tokenised; BLEU, TER and "
                "chrF++ are for plain text (detokenise it)"
            )
    notes += _swapped(table, texts)
    for name, own in zip(table.systems, texts.outputs, strict=True):
        if len(own) > 1 and all(map(lambda one, all_: one in all_, own, texts.references)):
            notes.append(f"{name}: all {sized(len(own), 'output')} are references to the letter")
    most = texts.n_references
    if most > 1:
        fewest = min(map(len, texts.references))
        number = str(most) if fewest == most else f"{fewest} to {most}"
        notes.append(Information(f"{number} references for each segment"))
    return notes


def _swapped(table: OutcomeTable, texts: SegmentTexts) -> list[str]:
    """Signs that the first file is no reference."""
    gold = table.corpus.source
    by_name = _OUTPUT_NAME.search(gold) and not _GOLD_NAME.search(gold)
    likely = [name for name in table.systems if _GOLD_NAME.search(name)]
    faulty = _faulty(own[0] for own in texts.references)
    fewest = min((_faulty(own) for own in texts.outputs), default=faulty)
    why = []
    if by_name and likely:
        why.append(f"by their names {gold} is an output and {likely[0]} a reference")
    if faulty > fewest and faulty > 1:
        why.append(f"{sized(faulty, 'reference')} empty or caught in a loop, {fewest} in an output")
    return [f"are references and outputs swapped? {reason}" for reason in why]


def _faulty(texts: Iterable[str]) -> int:
    return sum(not text.strip() or longest_loop(split(text)) > 0 for text in texts)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
