"""Perturbations: changes of texts that a system should be able to stand; one file per family.

>>> len(PERTURBATIONS), by_name("upper").summary
(25, 'upper case')
>>> by_name("tipos")
Traceback (most recent call last):
finegrain.errors.UsageError: unknown perturbation 'tipos'. Did you mean 'typos'? Known: ...

A package makes its own known by the entry point ``finegrain.perturbations``.
"""

from __future__ import annotations

from finegrain.perturbations.characters import CHARACTERS
from finegrain.perturbations.choices import OPTIONS
from finegrain.perturbations.names import NAMES
from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text
from finegrain.perturbations.surface import SURFACE
from finegrain.perturbations.truncation import TRUNCATION
from finegrain.perturbations.typos import TYPOS
from finegrain.perturbations.wording import WORDING
from finegrain.plugins import everything, find

__all__ = ["PERTURBATIONS", "Draw", "Edit", "Perturbation", "Text", "by_name", "known"]

PERTURBATIONS: dict[str, Perturbation] = {
    **TYPOS, **CHARACTERS, **SURFACE, **WORDING, **NAMES,
    OPTIONS.name: OPTIONS, TRUNCATION.name: TRUNCATION,
}  # fmt: skip


def known() -> dict[str, Perturbation]:
    """All perturbations by name, plug-ins behind the built-in ones."""
    return everything("perturbations", PERTURBATIONS)


def by_name(name: str) -> Perturbation:
    """A perturbation by its name."""
    found: Perturbation = find("perturbations", name, PERTURBATIONS)
    return found
