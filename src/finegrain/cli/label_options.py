"""What --map, --labels, --exclude and --label-schema say."""

from __future__ import annotations

from pathlib import Path

from finegrain.cli.name_lists import names_in
from finegrain.cli.options import Inputs
from finegrain.corpus.label_rules import LabelRules
from finegrain.errors import UsageError
from finegrain.formats.source import open_source


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


def label_schema(inputs: Inputs) -> tuple[str, ...]:
    """The labels of --label-schema, from a file if there is one of this name; none without it."""
    given = inputs.label_schema
    if given is None:
        return ()
    if Path(given).is_file():
        found = [line.strip() for line in open_source(given).lines() if line.strip()]
    else:
        found = names_in(given)
    if not found:
        raise UsageError(f"--label-schema: {given!r} names no label")
    return tuple(dict.fromkeys(found))


def _listed(option: str, text: str | None) -> frozenset[str]:
    """Labels that an option names; none at all would not be what was meant."""
    found = frozenset(names_in(text or ""))
    if text is not None and not found:
        raise UsageError(f"--{option}: {text!r} names no label")
    return found
