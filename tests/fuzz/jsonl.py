"""JSON lines: tokens with tags, or text with spans by characters.

>>> lines = ['{"text": "I met Ada.", "spans": [{"start": 6, "end": 9, "label": "PER"}]}']
>>> read(lines).spans
[Span(sentence=0, label='PER', begin=2, end=3, some=frozenset(), cuts=(0, 1))]
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.fuzz.corpora import Corpus, Invalid
from tests.fuzz.running_text import Marked, add_text, documents
from tests.fuzz.strict_json import records

LAYERS = ("tags", "ner_tags", "pos_tags", "chunk_tags", "upos", "xpos", "feats", "lemma")


def write_tokens(rng: Random, corpus: Corpus, tags: list[list[str]]) -> bytes:
    """A record per sentence, or per document."""
    layer = rng.choice(("tags", "ner_tags"))
    whole, named = len(corpus.words) % 2 == 0, len(corpus.words[0]) % 2 == 0  # as in other files
    found: list[dict[str, Any]] = []
    if whole:
        for document, name in enumerate(corpus.names):
            here = [at for at, one in enumerate(corpus.documents) if one == document]
            found.append({"id": name, "tokens": [corpus.words[at] for at in here],
                          layer: [tags[at] for at in here]})  # fmt: skip
    else:
        found = [
            {"id": str(at), "tokens": words, layer: tags[at]}
            for at, words in enumerate(corpus.words)
        ]
    return _lines(rng, found, named=named)


def write_text(rng: Random, corpus: Corpus) -> bytes:
    """A record per document: its text, and where spans begin and end in it."""
    found = []
    for name, text, marked in documents(rng, corpus):
        spans = [
            {"start": parts[0][0], "end": parts[-1][1], "label": label} for label, parts in marked
        ]
        found.append({"id": name, "text": text, "spans": spans})
    return _lines(rng, found, named=rng.random() < 0.5)


def _lines(rng: Random, found: list[dict[str, Any]], *, named: bool) -> bytes:
    if not named:
        found = [{key: value for key, value in one.items() if key != "id"} for one in found]
    ascii_only = rng.random() < 0.3
    return "".join(json.dumps(one, ensure_ascii=ascii_only) + "\n" for one in found).encode()


def read(lines: list[str], gold: Corpus | None = None) -> Corpus:
    """Records of one form, with ids in all of them or in none.

    Spans of a system may lack their text: it is that of the document of ``gold`` with its id, or,
    where no record has an id, that in its place.
    """
    corpus = Corpus([])
    in_order = 0
    names: list[str | None] = []
    forms: set[tuple[str, ...]] = set()
    nested = False
    for _, record in records(lines, corpus.doubts):
        name = record.get("id")
        if name is not None and (
            isinstance(name, bool) or not isinstance(name, str | int) or name == ""
        ):
            raise Invalid("an id that is neither text nor number")
        names.append(None if name is None else str(name))
        if "spans" in record or ("text" in record and "tokens" not in record):
            forms.add(("text",))
            text = record.get("text")
            if "text" not in record and gold is not None and gold.texts:
                in_order += name is None
                text = _text_of(gold, names[-1], in_order)
            if not isinstance(text, str) or not isinstance(record.get("spans"), list):
                raise Invalid("no text with spans")
            corpus.texts.append(text)
            add_text(corpus, text, [_marked(one, text) for one in record["spans"]], len(names) - 1)
        elif "tokens" in record:
            forms.add(tuple(name for name in LAYERS if name in record))
            nested |= _tokens(corpus, record, len(names) - 1)
        else:
            raise Invalid("neither text nor tokens")
    if len(forms) != 1:
        raise Invalid("records of different forms, or none")
    if in_order and gold is not None and in_order != len(gold.texts):
        raise Invalid("spans without text for some texts of the gold file only")
    known = [name for name in names if name is not None]
    if known and (len(known) < len(names) or len(set(known)) < len(known)):
        raise Invalid("ids that are missing or occur twice")
    corpus.names = known
    if not known and not nested and forms != {("text",)}:
        corpus.documents = []
    return corpus


def _text_of(gold: Corpus, name: str | None, in_order: int) -> str | None:
    """The text of a gold document; None if there is none."""
    if name is None:
        return gold.texts[in_order - 1] if in_order <= len(gold.texts) else None
    return dict(zip(gold.names, gold.texts, strict=False)).get(name)


def _tokens(corpus: Corpus, record: dict[str, Any], document: int) -> bool:
    """Take in tokens with tags; whether they are a list of sentences."""
    tokens = record["tokens"]
    layers = [name for name in LAYERS if name in record]
    if not layers:
        raise Invalid("tokens without tags")
    nested = (
        isinstance(tokens, list) and bool(tokens) and all(isinstance(one, list) for one in tokens)
    )
    for place, name in enumerate(layers):
        tags = record[name]
        if nested and not isinstance(tags, list):
            raise Invalid("tags that are no list")
        pairs = [(tokens, tags)]
        if nested:
            if len(tokens) != len(tags):
                raise Invalid("tags of another number of sentences")
            pairs = list(zip(tokens, tags, strict=True))
        for one, other in pairs:
            if not (_strings(one) and _strings(other) and len(one) == len(other)):
                raise Invalid("not one tag for each token")
            if not place:
                corpus.words.append(one)
                corpus.tags.append(other)
                corpus.documents.append(document)
    return nested


def _strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)


def _marked(span: object, text: str) -> Marked:
    if not isinstance(span, dict):
        raise Invalid("a span that is not an object")
    label, begin, end = (span.get(key) for key in ("label", "start", "end"))
    if not isinstance(label, str) or not label or type(begin) is not int or type(end) is not int:
        raise Invalid("a span without label, start or end")
    if not 0 <= begin < end <= len(text) or not text[begin:end].strip():
        raise Invalid("a span outside of its text, or of white space")
    if span.get("text", text[begin:end]) != text[begin:end]:
        raise Invalid("a span with another text")
    return label, [(begin, end)]
