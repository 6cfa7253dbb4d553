"""What a system can have done with a unit: one inventory per kind of task.

>>> SPAN_OUTCOMES.code("BES"), SPAN_OUTCOMES.names[0]
(2, 'TP')
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Inventory:
    """Names of outcomes, their meaning, and which of them is right."""

    names: tuple[str, ...]
    meanings: tuple[str, ...]
    correct: str

    def code(self, name: str) -> int:
        """The code of an outcome."""
        return self.names.index(name)

    @property
    def always_answered(self) -> bool:
        """Whether a system has an answer, a label, for every unit: tags and the like, not spans."""
        return "ABSENT" not in self.names

    def __len__(self) -> int:
        return len(self.names)


def _inventory(correct: str, **meanings: str) -> Inventory:
    return Inventory(tuple(meanings), tuple(meanings.values()), correct)


TAG_OUTCOMES = _inventory(
    "CORRECT",
    CORRECT="the answer is the gold label",
    WRONG="the answer is another label",
)

# The field's usual parting of attachment and labelling errors (McDonald and Nivre 2007)
DEPENDENCY_OUTCOMES = _inventory(
    "CORRECT",
    CORRECT="head and relation are right",
    LABEL="right head, wrong relation",
    HEAD="right relation, wrong head",
    BOTH="head and relation are wrong",
    NO_WORD="the system has no such word: its text is tokenised differently",
)

# The codes are the cells of a 0/1 table.
ITEM_OUTCOMES = _inventory(
    "CORRECT",
    WRONG="the item is not solved",
    CORRECT="the item is solved",
)

# Ortmann (2022); USED and ABSENT count nowhere.
SPAN_OUTCOMES = _inventory(
    "TP",
    TP="label and boundaries are right",
    LE="right boundaries, wrong label",
    BES="right label, too short",
    BEL="right label, too long",
    BEO="right label, boundaries cross",
    LBE="overlaps, but label and boundaries are wrong",
    FN="missed: no span is matched with it",
    FP="invented: matched with no gold span",
    USED="already counted with the gold span it overlaps",
    ABSENT="the system has no such span",
)

# Tuggener (2017), whose tn is ABSENT here; USED and ABSENT count nowhere.
COREFERENCE_OUTCOMES = _inventory(
    "TP",
    TP="linked to an antecedent that it has in the gold standard",
    WL="wrong linkage: linked to something else",
    FN="missed: given no antecedent",
    FP="invented: has no antecedent in the gold standard",
    USED="stands for a gold mention with other boundaries",
    ABSENT="given no antecedent, and there is none",
)
BOUNDARY_ERRORS = ("BES", "BEL", "BEO")
MEANINGS = {
    name: meaning
    for inventory in (TAG_OUTCOMES, SPAN_OUTCOMES)
    for name, meaning in zip(inventory.names, inventory.meanings, strict=True)
}
