"""Attributes: columns that describe units; one line in ``ATTRIBUTES`` for each.

>>> ATTRIBUTES["sentence_length"].unit
'tokens'
"""

from __future__ import annotations

from finegrain.attributes import density, form, learnt, neighbours, shape, surroundings
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import EqualFrequency
from finegrain.plugins import find

# Fu, Liu and Neubig (2020), appendix B
_ZERO_APART = EqualFrequency(4, reserved=(0,))
_ENDS_APART = EqualFrequency(4, reserved=(0, 1))

BUILT_IN = (
    Attribute(
        "sentence_length",
        "number",
        surroundings.sentence_length,
        "tokens of the sentence that the unit stands in",
        "|s|",
        "tokens",
    ),
    Attribute(
        "entity_length",
        "number",
        form.entity_length,
        "tokens of the unit",
        "|x|",
        "tokens",
        bucketing=EqualFrequency(4, reserved=(1, 2, 3)),
    ),
    Attribute(
        "characters",
        "number",
        form.characters,
        "characters of the unit that are not white space",
        "sum of the characters of each token of x",
        "characters",
    ),
    Attribute(
        "characters_per_token",
        "number",
        form.characters_per_token,
        "how long its tokens are on average",
        "characters / entity_length",
        "characters",
    ),
    Attribute(
        "capital_share",
        "number",
        form.capital_share,
        "which part of its characters are capital letters",
        "characters of Unicode category Lu or Lt / characters",
        "share",
    ),
    Attribute(
        "punctuation_share",
        "number",
        form.punctuation_share,
        "which part of its characters are punctuation or symbols",
        "characters of Unicode category P* or S* / characters",
        "share",
    ),
    Attribute(
        "digit_share",
        "number",
        form.digit_share,
        "which part of its characters are digits",
        "characters of Unicode category Nd / characters",
        "share",
    ),
    Attribute(
        "hapax",
        "number",
        surroundings.hapax,
        "1 if its words, case folded, stand only once in the text, else 0",
        "[occurrences of the words of x in the text = 1]",
        "share",
    ),
    Attribute(
        "ambiguity",
        "number",
        surroundings.ambiguity,
        "how many labels the gold units with its words, case folded, have",
        "|{label(y) : y gold unit with the words of x}|",
        "labels",
    ),
    Attribute(
        "label",
        "category",
        surroundings.label,
        "the label of the unit",
        "label(x)",
    ),
    Attribute(
        "entity_density",
        "number",
        density.entity_density,
        "which part of its sentence's tokens are in gold units",
        "|tokens of s in gold units| / |s|",
        "share",
        tasks=("spans",),
    ),
    Attribute(
        "oov_density",
        "number",
        learnt.oov_density,
        "which part of its sentence's tokens are no words of the training data",
        "|tokens of s that training has not| / |s|",
        "share",
        needs_training=True,
        bucketing=_ZERO_APART,
    ),
    Attribute(
        "entity_frequency",
        "number",
        learnt.entity_frequency,
        "which part of the training units have its words",
        "|training units with the words of x| / |training units|",
        "share",
        tasks=("spans",),
        needs_training=True,
        bucketing=_ZERO_APART,
    ),
    Attribute(
        "token_frequency",
        "number",
        learnt.token_frequency,
        "which part of the training tokens are this token",
        "|training tokens that are x| / |training tokens|",
        "share",
        tasks=("spans", "tags"),
        needs_training=True,
        level="token",
        bucketing=_ZERO_APART,
    ),
    Attribute(
        "entity_consistency",
        "number",
        learnt.entity_consistency,
        "how often its words, where training has them, are a unit with its label",
        "|training units with the words and the label of x| / |occurrences of the words of x|",
        "share",
        tasks=("spans",),
        needs_training=True,
        bucketing=_ENDS_APART,
    ),
    Attribute(
        "token_consistency",
        "number",
        learnt.token_consistency,
        "how often the token, where training has it, has its label",
        "|training tokens that are x and have its label| / |training tokens that are x|",
        "share",
        tasks=("spans", "tags"),
        needs_training=True,
        level="token",
        bucketing=_ENDS_APART,
    ),
    Attribute(
        "word_frequency",
        "number",
        learnt.token_frequency,
        "which part of the training tokens are this word",
        "|training tokens that are x| / |training tokens|",
        "share",
        tasks=("tags",),
        needs_training=True,
        bucketing=_ZERO_APART,
    ),
    Attribute(
        "tag_consistency",
        "number",
        learnt.token_consistency,
        "how often the word, where training has it, has this tag",
        "|training tokens that are x and have its tag| / |training tokens that are x|",
        "share",
        tasks=("tags",),
        needs_training=True,
        bucketing=_ENDS_APART,
    ),
    Attribute(
        "training_ambiguity",
        "number",
        learnt.training_ambiguity,
        "how many labels the training units with its words have",
        "|{label(y) : y training unit with the words of x}|",
        "labels",
        tasks=("spans", "tags"),
        needs_training=True,
        bucketing=EqualFrequency(4, reserved=(0, 1, 2)),
    ),
    Attribute(
        "unknown_word",
        "category",
        learnt.unknown_word,
        "whether its words never occur in the training data",
        "[occurrences of the words of x in training = 0]",
        tasks=("spans", "tags"),
        needs_training=True,
    ),
    Attribute(
        "novelty",
        "category",
        learnt.novelty,
        "whether training has its words with this label, with other labels only, or not",
        "seen, other_label or unseen",
        tasks=("spans", "tags"),
        needs_training=True,
    ),
    Attribute(
        "shape",
        "category",
        shape.shape,
        "its kinds of characters in a row: X capital, x other letter, 9 digit, - all else",
        "kinds of the characters of x, without repetitions",
    ),
    Attribute(
        "nesting_depth",
        "number",
        density.nesting_depth,
        "how many longer gold units it lies in",
        "|{y gold unit : y covers x, y longer than x}|",
        "units",
        tasks=("spans",),
        bucketing=EqualFrequency(4, reserved=(0, 1, 2)),
    ),
    Attribute(
        "position",
        "number",
        neighbours.position,
        "which token of its sentence it begins with",
        "number of the first token of x in s, from 1",
        "tokens",
    ),
    Attribute(
        "previous_tag",
        "category",
        neighbours.previous_tag,
        "the gold label of the token before it",
        "label of the token before x",
        tasks=("tags",),
    ),
    Attribute(
        "next_tag",
        "category",
        neighbours.next_tag,
        "the gold label of the token behind it",
        "label of the token behind x",
        tasks=("tags",),
    ),
)
ATTRIBUTES: dict[str, Attribute] = {attribute.name: attribute for attribute in BUILT_IN}


def by_name(name: str) -> Attribute:
    """An attribute by its name."""
    found: Attribute = find("attributes", name, ATTRIBUTES)
    return found
