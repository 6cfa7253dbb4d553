"""What language models return, put into the text that they were given."""

from finegrain.formats.grounded_items import NOT_GROUNDED
from finegrain.grounding.answer_files import Answers, read_answers
from finegrain.grounding.listed import Schema
from finegrain.grounding.matching import MISSING, Missing, matched
from finegrain.grounding.occurrences import Place
from finegrain.grounding.placing import (
    CLASSES,
    GROUNDED,
    POLICIES,
    THRESHOLD,
    Placed,
    PlacedAnswer,
    Policy,
    Rules,
    place,
)
from finegrain.grounding.records import Answer
from finegrain.grounding.single import SINGLE, Single, label_in, likeliest, option_in, text_in
from finegrain.grounding.source_texts import SourceText, given_texts, read_texts

__all__ = [
    "CLASSES",
    "GROUNDED",
    "MISSING",
    "NOT_GROUNDED",
    "POLICIES",
    "SINGLE",
    "THRESHOLD",
    "Answer",
    "Answers",
    "Missing",
    "Place",
    "Placed",
    "PlacedAnswer",
    "Policy",
    "Rules",
    "Schema",
    "Single",
    "SourceText",
    "given_texts",
    "label_in",
    "likeliest",
    "matched",
    "option_in",
    "place",
    "read_answers",
    "read_texts",
    "text_in",
]
