"""Whether the JSON of a result keeps to the published schema.

A document is checked against the one kind that its result is of, which says more than that it is of
some kind, and takes a fraction of the time. What is wrong must be refused by all kinds.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

import finegrain

SCHEMA: dict[str, Any] = json.loads(
    (Path(finegrain.__file__).parent / "views" / "schema.json").read_text(encoding="utf-8")
)


def require_schema(document: dict[str, Any], result: str) -> None:
    """Check a document whose result is of this kind."""
    _of_kind(result).validate(document)


def is_refused(document: dict[str, Any]) -> bool:
    """A document whose result is of no kind."""
    return not jsonschema.Draft202012Validator(SCHEMA).is_valid(document)


@cache
def _of_kind(result: str) -> Any:
    """A validator for documents with results of this kind, or with one of it for every system."""
    kind: dict[str, Any] = {"$ref": f"#/$defs/{result}"}
    by_system, *whole = SCHEMA["properties"]["result"]["anyOf"]
    if kind in by_system["additionalProperties"]["anyOf"]:
        kind = {**by_system, "additionalProperties": kind}
    else:
        assert kind in whole
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "result": kind}}
    return jsonschema.Draft202012Validator(schema)
