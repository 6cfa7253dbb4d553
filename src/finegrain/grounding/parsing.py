"""What one answer says: its items, in whatever form it lists them, or that it lists none.

>>> schema = Schema.of(["PER", "LOC"])
>>> parsed('{"PER": ["Ada"]}', schema).form, parsed("I met <PER>Ada</PER>.", schema).form
('json', 'inline')
>>> parsed("I'm sorry, but I can't help with that.", schema).form
'refused'
>>> parsed("There are no named entities.", schema).form, parsed("Ada is nice.", schema).form
('none', 'unparseable')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from finegrain.grounding.bulleted import entries
from finegrain.grounding.json_answers import Values, values_in
from finegrain.grounding.listed import Item, Schema, items_of
from finegrain.grounding.marked import Copy, in_columns, inline

Form = Literal["json", "inline", "conll", "list", "prose", "none", "refused", "unparseable"]
_THINKING = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:I(?:'m| am)? (?:\w+ ){0,2}(?:sorry|apologi[sz]e)|I (?:\w+ )?(?:cannot|can't|can not|"
    r"won't|will not|am unable|am not able|decline|must decline)|I'm (?:unable|not able)|"
    r"as an AI|(?:unable|not able) to (?:assist|help|comply|provide|process|fulfil))",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\A\W*(?:(?:there (?:are|is|were) )?no(?: \w+){0,3} (?:entit(?:y|ies)|spans?|mentions?|items?|"
    r"extractions?|results?)\b[^\n]{0,80}|none|nothing|n/a|null|empty)\W*\Z",
    re.IGNORECASE,
)
_TYPOGRAPHIC = str.maketrans("’‘", "''")
_NO_FORM = "neither JSON nor marked text"
_LONGEST_REFUSAL = 1500  # characters


class Parsed(NamedTuple):
    """What an answer says.

    ``faulty``: what stands in the place of items and is none; ``repairs``: kinds of repairs made;
    ``fault``: why it cannot be read; ``copy``: the text as the answer repeats it.
    """

    form: Form
    items: Sequence[Item] = ()
    faulty: Sequence[str] = ()
    repairs: Sequence[str] = ()
    fault: str = ""
    copy: str = ""


def parsed(answer: str, schema: Schema, *, repair: bool = False) -> Parsed:
    """Read one answer; what comes before it as thinking is no part of it."""
    answer = without_thinking(answer).strip()
    if not answer:
        return Parsed("unparseable", fault="an empty answer")
    values = values_in(answer, repair=repair)
    listed = items_of(values.value, schema) if values.found else None
    empty = None
    if listed and listed.understood:
        empty = Parsed("json", listed.items, listed.faulty, values.repairs)
        if listed.items or listed.faulty:
            return empty
    return _copied(answer, schema) or empty or _bulleted(answer, schema, values)


def _bulleted(answer: str, schema: Schema, values: Values) -> Parsed:
    """A list line by line; broken JSON is none, though its lines may look like entries."""
    listed = None if values.fault else entries(answer, schema)
    if listed and listed.understood:
        return Parsed("list", listed.items, listed.faulty)
    return _without_items(answer, values)


def _without_items(answer: str, values: Values) -> Parsed:
    """An answer that lists nothing that can be read."""
    if values.fault:
        return Parsed("unparseable", fault=values.fault)
    if refuses(answer):
        return Parsed("refused")
    if _NOTHING.match(answer):
        return Parsed("none")
    fault = "JSON of an unknown shape" if values.found else _NO_FORM
    return Parsed("unparseable", fault=fault)


def without_thinking(answer: str) -> str:
    """An answer without the thoughts before it."""
    return _THINKING.sub("", answer)


def refuses(answer: str) -> bool:
    """Whether an answer says that it will not give one."""
    if len(answer) > _LONGEST_REFUSAL:
        return False
    return bool(_REFUSAL.search(answer.translate(_TYPOGRAPHIC)))


def _copied(answer: str, schema: Schema) -> Parsed | None:
    columns: Copy | None = in_columns(answer)
    if columns is not None:
        return Parsed("conll", columns.items, copy=columns.text)
    tagged = inline(answer, schema)
    if tagged is not None:
        return Parsed("inline", tagged.items, tagged.faulty, copy=tagged.text)
    return None
