"""Documents that spaCy keeps as a ``DocBin`` (``train.spacy``), as JSON lines.

Needs spaCy itself, the extra ``spacy``. Entities are taken; where no document has any, groups of
spans are.
"""

from __future__ import annotations

import json
import zlib
from importlib import import_module
from typing import Any

from finegrain.errors import InputError, UsageError

SUFFIX = ".spacy"
_COMPRESSED = 0x78  # the first byte of what zlib compressed
_LARGEST = 1 << 30  # bytes of all documents
_MEND = "Check how it was written: DocBin(docs=docs).to_disk(path)."


def is_docbin(name: str, data: bytes | bytearray) -> bool:
    """Whether a file is called so, and begins as what zlib compressed."""
    return name.endswith(SUFFIX) and data[:1] == bytes([_COMPRESSED])


def as_lines(name: str, data: bytes) -> bytes:
    """The documents as JSON lines, with their entities or groups of spans."""
    try:
        spacy = import_module("spacy")
        docbin = import_module("spacy.tokens").DocBin
    except ImportError:
        raise UsageError(f"{name} needs spaCy: pip install finegrain[spacy]") from None
    _require_size(name, data)
    try:
        docs = list(docbin().from_bytes(data).get_docs(spacy.blank("xx").vocab))
    except Exception as error:  # whatever damaged bytes lead to inside of spaCy
        what = f"this is not a DocBin of spaCy ({type(error).__name__})"
        raise InputError.at(name, 0, what, _MEND) from None
    groups = not any(doc.ents for doc in docs) and any(len(doc.spans) for doc in docs)
    lines = [json.dumps(_record(doc, groups=groups), ensure_ascii=False) for doc in docs]
    return "".join(f"{line}\n" for line in lines).encode()


def _record(doc: Any, *, groups: bool) -> dict[str, Any]:
    if not groups:
        return {"text": doc.text, "ents": [_span(span) for span in doc.ents]}
    found = {name: [_span(span) for span in spans] for name, spans in doc.spans.items()}
    return {"text": doc.text, "spans": found}


def _span(span: Any) -> dict[str, Any]:
    return {"start": span.start_char, "end": span.end_char, "label": span.label_}


def _require_size(name: str, data: bytes) -> None:
    """Refuse what is damaged, or becomes too large when it is decompressed."""
    opened = zlib.decompressobj()
    try:
        opened.decompress(data, _LARGEST)
    except zlib.error:
        raise InputError.at(name, 0, "damaged: it cannot be decompressed", _MEND) from None
    if opened.unconsumed_tail:
        raise InputError.at(name, 0, f"more than {_LARGEST >> 30} GiB of documents", "Divide it.")
    if not opened.eof or opened.unused_data:
        what = "it ends early" if not opened.eof else "something stands behind the documents"
        raise InputError.at(name, 0, f"damaged: {what}", _MEND)
