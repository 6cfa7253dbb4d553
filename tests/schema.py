"""Whether the JSON of a result keeps to the published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

import finegrain

SCHEMA: dict[str, Any] = json.loads(
    (Path(finegrain.__file__).parent / "views" / "schema.json").read_text(encoding="utf-8")
)


def require_schema(document: dict[str, Any], result: str) -> None:
    """Check a document whose result is of this kind; trying all kinds would take a minute."""
    kind = {"$ref": f"#/$defs/{result}"}
    assert kind in SCHEMA["properties"]["result"]["anyOf"]
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "result": kind}}
    jsonschema.Draft202012Validator(schema).validate(document)
