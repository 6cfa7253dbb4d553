"""What annotation tools and pipelines export, as records of text with labelled spans.

Every layout is one entry of ``TOOLS``: how its records are recognised, and where they have the
text, the spans and, of a span, its beginning, end and label. Records of one file have one layout.

>>> doccano = {"id": 7, "text": "I met Ada.", "label": [[6, 9, "PER"]]}
>>> tool = recognised([doccano])
>>> tool.name, tool.record(doccano)
('doccano', {'id': 7, 'text': 'I met Ada.', 'spans': [{'start': 6, 'end': 9, 'label': 'PER'}]})
>>> recognised([[{"entity_group": "PER", "word": "Ada", "start": 6, "end": 9}]]).name
'pipelines of Hugging Face'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

Record = dict[str, Any]

BEGINS = ("start", "start_offset", "begin", "start_char")
ENDS = ("end", "end_offset", "stop", "end_char")
LABELS = ("label", "entity_group", "entity_type", "type", "tag")
WORDS = ("text", "word")
SPANS = ("spans", "ents", "entities", "label", "labels")
TOLD = "told"  # what a note counts the records of
ACCEPTED, LEFT_OUT = "accept", ("reject", "ignore")
_LIST = "Write each span as [start, end, label]."
_ONE = "Export one annotation of each text, or keep those of one annotator."


class BadExport(ValueError):
    """What is wrong with a record, and how to fix it."""


class LeftOut(Exception):
    """A record that is not annotation, and why."""


class Keys(NamedTuple):
    """Keys that the user names, each "" where the layout has its own."""

    text: str = ""
    spans: str = ""
    label: str = ""


class Tool(NamedTuple):
    """A layout: who writes it, what is its record, and how that is read."""

    name: str
    fits: Callable[[Any], bool]
    record: Callable[[Any], Record]


def recognised(records: Sequence[Any]) -> Tool | None:
    """The tool that wrote records, if one of them cannot be anything else."""
    tool = next((tool for record in records for tool in TOOLS if tool.fits(record)), None)
    if tool is None or tool.record is not _of_min:
        return tool
    keys = (key for record in records if isinstance(record, dict) for key in _region_keys(record))
    return tool._replace(record=partial(_of_min, key=next(keys, "")))


def is_record(value: Any) -> bool:
    """Whether an array is one record, not a list of them."""
    return _is_example(value) or _is_output(value)


def chosen(keys: Keys) -> Tool:
    """The layout of a user who names keys.

    >>> record = {"body": "I met Ada.", "marks": [{"start": 6, "end": 9, "kind": "PER"}]}
    >>> chosen(Keys("body", "marks", "kind")).record(record)
    {'text': 'I met Ada.', 'spans': [{'start': 6, 'end': 9, 'label': 'PER'}]}
    """

    def record(given: Any) -> Record:
        if not isinstance(given, dict):
            raise BadExport("this is not an object", "One object for each text.")
        spans = _at(given, keys.spans or "spans")
        if isinstance(spans, dict):
            spans = _group(spans, keys.spans)
        text = _at(given, keys.text or "text") if keys.text or "text" in given else None
        return _record(given, text, spans_of(spans, keys.label))

    return Tool("keys that were named", lambda _: False, record)


def _at(given: Mapping[str, Any], path: str) -> Any:
    """The value under a key, or under the keys that dots join."""
    if path in given:
        return given[path]
    value: Any = given
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            groups = given.get("spans")
            if isinstance(groups, dict) and path in groups:
                return groups[path]
            shown = ", ".join(map(str, given)) or "none"
            raise BadExport(f"no key {path!r} (keys: {shown[:200]})", "Name one that there is.")
        value = value[key]
    return value


def _group(groups: Mapping[str, Any], name: str) -> Any:
    """The spans of a group."""
    if name in groups:
        return groups[name]
    if len(groups) == 1:
        return next(iter(groups.values()))
    names = ", ".join(groups) or "none"
    raise BadExport(f"spans are in {len(groups)} groups: {names}", "Choose one: --spans-key NAME.")


def _record(given: Any, text: Any, spans: list[Record]) -> Record:
    """A record of text with spans, with the id of what it was made of."""
    name = given.get("id") if isinstance(given, dict) else None
    record = {} if name is None else {"id": name}
    return record | ({} if text is None else {"text": text}) | {"spans": spans}


def spans_of(spans: Any, label: str = "") -> list[Record]:
    """Spans in any of the usual forms; those that are none of them stay as they are."""
    if not isinstance(spans, list):
        raise BadExport("the spans are not a list", "Write [] for no spans.")
    return [_span(one, number, label) for number, one in enumerate(spans, 1)]


def _span(span: Any, number: int, label: str) -> Record:
    if isinstance(span, list | tuple):
        if len(span) != 3:
            raise BadExport(f"span {number} has {len(span)} parts, not 3", _LIST)
        return {"start": span[0], "end": span[1], "label": span[2]}
    if not isinstance(span, dict):
        raise BadExport(f"span {number} is neither a list nor an object", _LIST)
    names = (label,) if label else LABELS
    found: Record = {}
    for key, known in (("start", BEGINS), ("end", ENDS), ("label", names), ("text", WORDS)):
        name = next((name for name in known if name in span), None)
        if name is not None:
            found[key] = span[name]
        elif key != "text":
            shown = ", ".join(map(str, span))
            expected = " or ".join(known)
            raise BadExport(
                f"span {number} has no {key} (its keys: {shown[:200]})", f"Its key is {expected}."
            )
    return found


# --- what each tool writes ---


def _has_text(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("text"), str)


def _is_triples(value: Any) -> bool:
    """Whether it is a list of spans as lists of three, of which there is at least one."""
    return isinstance(value, list) and bool(value) and all(
        isinstance(one, list) and len(one) == 3 and isinstance(one[0], int) for one in value
    )  # fmt: skip


def _is_example(value: Any) -> bool:
    """``[text, {"entities": [...]}]``: training data of spaCy."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], dict)
        and "entities" in value[1]
    )


def _of_example(value: Any) -> Record:
    if not _is_example(value):
        raise BadExport('not ["text", {"entities": [...]}]', "All records have one layout.")
    return _record(None, value[0], spans_of(value[1]["entities"]))


def _is_output(value: Any) -> bool:
    """The entities of one text, as a pipeline of token classification gives them."""
    return isinstance(value, list) and bool(value) and all(
        isinstance(one, dict) and ("entity_group" in one or {"entity", "word"} <= set(one))
        for one in value
    )  # fmt: skip


def _of_output(value: Any) -> Record:
    if not isinstance(value, list):
        raise BadExport("not a list of entities", "Write the pipeline's output for each text.")
    for number, one in enumerate(value, 1):
        if not isinstance(one, dict) or "entity_group" not in one:
            raise BadExport(
                f"entity {number} is a piece of a word, not an entity",
                'Give the pipeline aggregation_strategy="simple".',
            )
        if one.get("start") is None or one.get("end") is None:
            raise BadExport(
                f"entity {number} has no offsets", "Give the pipeline a fast tokenizer."
            )
    # the words of a pipeline are pieces put together, not always those of the text
    plain = [{key: one[key] for key in one if key not in WORDS} for one in value]
    return {"spans": spans_of(plain)}


def _of_key(*keys: str) -> Callable[[Any], Record]:
    """Records with text, and spans under the first of some keys."""

    def record(value: Any) -> Record:
        if not isinstance(value, dict):
            raise BadExport("this is not an object", "All records of a file have one layout.")
        key = next((key for key in keys if key in value), None)
        if key is None:
            shown = ", ".join(value)
            raise BadExport(f"no {' or '.join(keys)} (keys: {shown[:200]})", "Write [] for none.")
        _require_no_other(value, key)
        return _record(value, value.get("text"), spans_of(value[key]))

    return record


def _require_no_other(value: Mapping[str, Any], key: str) -> None:
    """Refuse a record with spans under another key, too."""
    others = [other for other in SPANS if other != key and _holds_spans(value.get(other))]
    if others:
        raise BadExport(
            f"spans are under {key} and under {', '.join(others)}",
            f"Choose one: --spans-key {key} or --spans-key {others[0]}.",
        )


def _holds_spans(value: Any) -> bool:
    """Whether it is a list of spans, or groups of them."""
    return bool(_objects(value)) or _is_triples(value) or (isinstance(value, dict) and bool(value))


def _of_groups(value: Any) -> Record:
    groups = value.get("spans") if isinstance(value, dict) else None
    if not isinstance(groups, dict):
        raise BadExport("spans are not in groups", "All records of a file have one layout.")
    _require_no_other(value, "spans")
    return _record(value, value.get("text"), spans_of(_group(groups, "")))


def _of_prodigy(value: Any) -> Record:
    answer = value.get("answer", ACCEPTED) if isinstance(value, dict) else None
    if answer in LEFT_OUT:
        raise LeftOut('with "answer": "reject" or "ignore"')
    if answer != ACCEPTED:
        raise BadExport(f'the "answer" is {answer!r}', "It is accept, reject or ignore.")
    spans = value.get("spans")  # a text without spans may have no such key, or null
    return _record(value, value.get("text"), spans_of([] if spans is None else spans))


def _is_label_studio(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("data"), dict)
        and any(isinstance(value.get(key), list) for key in ("annotations", "completions"))
    )


def _of_label_studio(value: Any) -> Record:
    if not _is_label_studio(value):
        raise BadExport("no data with annotations", "All records of a file have one layout.")
    texts = {key: text for key, text in value["data"].items() if isinstance(text, str)}
    if "text" not in texts and len(texts) != 1:
        raise BadExport(f"data has no text (keys: {', '.join(value['data'])[:200]})",
                        "Name the key: --text-key data.KEY --spans-key KEY.")  # fmt: skip
    given = value.get("annotations", value.get("completions"))
    kept = [one for one in _all_objects(given) if not one.get("was_cancelled")]
    predicted = not kept
    if predicted:
        kept = _all_objects(value.get("predictions") or [])
    if len(kept) != 1:
        raise BadExport(f"{len(kept) or 'no'} annotations of one text", _ONE)
    regions = [one.get("value") for one in _all_objects(kept[0].get("result")) if _marks(one)]
    text = texts.get("text", next(iter(texts.values())))
    told = {TOLD: "with predictions, as nobody annotated them"} if predicted else {}
    return _record(value, text, _regions(regions)) | told


def _all_objects(value: Any) -> list[Record]:
    """A list of objects, and nothing else."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise BadExport("an annotation without a list of objects as its result",
                        "Export the project again.")  # fmt: skip
    return value


def _marks(result: Mapping[str, Any]) -> bool:
    """Whether a result marks a region; others choose, rate, relate or write."""
    kind = result.get("type")
    return _is_region(result.get("value")) or kind is None or str(kind).endswith("labels")


def _is_region(value: Any) -> bool:
    """Whether an object has something of a region of a text."""
    return isinstance(value, dict) and (
        "start" in value or any(key.endswith("labels") for key in value)
    )


def _regions(regions: Sequence[Any]) -> list[Record]:
    """Regions of Label Studio, of which each may have several labels."""
    spans: list[Record] = []
    for number, region in enumerate(regions, 1):
        if not isinstance(region, dict):
            raise BadExport(f"region {number} is not an object", "Export the project again.")
        name = next((key for key in region if key.endswith("labels")), None)
        labels = region[name] if name else None
        if not isinstance(labels, list) or not labels:
            raise BadExport(f"region {number} has no labels", "Label it, or remove it.")
        if not isinstance(region.get("start"), int):
            raise BadExport(f"region {number} does not count characters", "Annotate plain text.")
        shown = {"text": region["text"]} if "text" in region else {}
        spans += [
            {"start": region["start"], "end": region.get("end"), "label": label} | shown
            for label in labels
        ]
    return spans


def _is_min(value: Any) -> bool:
    """JSON-MIN of Label Studio, which has no key for texts without a region."""
    return _has_text(value) and (
        "annotation_id" in value
        or any(
            "start" in row and isinstance(row.get("labels"), list)
            for rows in value.values()
            for row in _objects(rows)
        )
    )


def _region_keys(value: Mapping[str, Any]) -> list[str]:
    return [key for key, rows in value.items() if any(map(_is_region, _objects(rows)))]


def _of_min(value: Any, key: str = "") -> Record:
    """A record whose regions stand under ``key``, if it has any."""
    if not isinstance(value, dict):
        raise BadExport("this is not an object", "All records of a file have one layout.")
    keys = sorted({*_region_keys(value), key} - {""})
    if len(keys) > 1:
        raise BadExport(f"spans are under {' and '.join(keys)}", "Choose one: --spans-key NAME.")
    regions = value.get(keys[0], []) if keys else []
    if not isinstance(regions, list):
        raise BadExport(f"the regions under {keys[0]} are not a list", "Export the project again.")
    return _record(value, value.get("text"), _regions(regions))


TOOLS = (
    Tool("training examples of spaCy", _is_example, _of_example),
    Tool("pipelines of Hugging Face", _is_output, _of_output),
    Tool("Label Studio (JSON)", _is_label_studio, _of_label_studio),
    Tool("Label Studio (JSON-MIN)", _is_min, _of_min),
    Tool(
        "Prodigy",
        lambda value: _has_text(value) and value.get("answer") in (ACCEPTED, *LEFT_OUT)
        and ("spans" in value or "_input_hash" in value),
        _of_prodigy,
    ),
    Tool(
        "doccano",
        lambda value: _has_text(value) and (
            any(_is_triples(value.get(key)) for key in ("label", "labels"))
            or any("start_offset" in one for one in _objects(value.get("entities")))
        ),
        _of_key("label", "labels", "entities"),
    ),
    Tool(
        "groups of spans of spaCy",
        lambda value: _has_text(value) and isinstance(value.get("spans"), dict),
        _of_groups,
    ),
    Tool(
        "documents of spaCy",
        lambda value: _has_text(value) and isinstance(value.get("ents"), list),
        _of_key("ents"),
    ),
    Tool(
        "entities",
        lambda value: _has_text(value) and "spans" not in value and (
            _is_triples(value.get("entities"))
            or any(set(BEGINS) & set(one) for one in _objects(value.get("entities")))
        ),
        _of_key("entities"),
    ),
)  # fmt: skip


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
