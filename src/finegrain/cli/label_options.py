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
    """The labels of --label-schema; none without it."""
    given = inputs.label_schema
    return () if given is None else tuple(dict.fromkeys(labels_in("label-schema", given)))


def labels_in(option: str, given: str) -> list[str]:
    """The labels that an option lists, or that stand in a file, one per line.

    None at all would not be what was meant.
    """
    if option.endswith("schema") and Path(given).is_file():
        found = [line.strip() for line in open_source(given).lines() if line.strip()]
    else:
        found = names_in(given)
    if not found:
        raise UsageError(f"--{option}: {given!r} names no label")
    return found


def _listed(option: str, text: str | None) -> frozenset[str]:
    return frozenset(() if text is None else labels_in(option, text))
