"""What --map, --labels and --exclude say."""

from __future__ import annotations

from finegrain.cli.name_lists import names_in
from finegrain.cli.options import Inputs
from finegrain.corpus.label_rules import LabelRules
from finegrain.errors import UsageError


def label_rules(inputs: Inputs) -> LabelRules:
    """The rules of --map, --labels and --exclude."""
    rename: dict[str, str] = {}
    for rule in inputs.map or []:
        for part in names_in(rule):
            old, equals, new = (piece.strip() for piece in part.partition("="))
            if not (old and equals and new):
                raise UsageError(f"--map: {part!r} is not OLD=NEW")
            rename[old] = new
    only, exclude = _listed("labels", inputs.labels), _listed("exclude", inputs.exclude)
    return LabelRules(rename, only, exclude, behind_prefix=inputs.level == "token")


def _listed(option: str, text: str | None) -> frozenset[str]:
    """Labels that an option names; none at all would not be what was meant."""
    found = frozenset(names_in(text or ""))
    if text is not None and not found:
        raise UsageError(f"--{option}: {text!r} names no label")
    return found
