"""Where records of JSON have their text, spans and labels, and what numbers for tags stand for.

>>> keys_of(Inputs(["gold.jsonl"], text_key="data.body"))
{'text': 'data.body'}
"""

from __future__ import annotations

from typing import Any

from finegrain.cli.options import Inputs
from finegrain.errors import UsageError
from finegrain.formats import Format
from finegrain.formats.source import Source

RECORDS = "jsonl"  # the format of such records, in lines, arrays and Parquet


def keys_of(inputs: Inputs) -> dict[str, str]:
    """The keys that the user names."""
    named = {"text": inputs.text_key, "spans": inputs.spans_key, "label": inputs.label_key}
    return {name: key for name, key in named.items() if key}


def of_records(inputs: Inputs, source: Source, format_: Format) -> dict[str, Any]:
    """The options of reading records that were given; a format without records refuses them."""
    keys = keys_of(inputs)
    found = {"keys": keys, "tag_names": inputs.tag_names}
    given = {name: value for name, value in found.items() if value}
    for name in given:
        if name not in format_.options:
            flag = "--tag-names" if name == "tag_names" else f"--{next(iter(keys))}-key"
            what = f"{source.name} is in the format {format_.name}, which has no such records"
            raise UsageError(f"{flag}: {what}")
    return given
