"""Documents of spaCy in their own file."""

from __future__ import annotations

import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import finegrain as fg
from finegrain.errors import InputError, UsageError
from finegrain.formats import docbin

TEXTS = ["Ada met Bob.", "Bern is quiet."]
GOLD = [[(0, 3, "PER"), (8, 11, "PER")], [(0, 4, "LOC")]]


@pytest.fixture
def spacy() -> Any:
    return pytest.importorskip("spacy", reason="spaCy is not installed")


def written(spacy: Any, path: Path, *, group: str = "") -> None:
    nlp = spacy.blank("en")
    docs = []
    for text, spans in zip(TEXTS, GOLD, strict=True):
        doc = nlp.make_doc(text)
        found = [doc.char_span(begin, end, label=label) for begin, end, label in spans]
        if group:
            doc.spans[group] = found
        else:
            doc.ents = found
        docs.append(doc)
    spacy.tokens.DocBin(docs=docs).to_disk(path)


@pytest.mark.parametrize("group", ["", "sc"])
def test_documents_are_read_with_their_entities_or_spans(
    spacy: Any, tmp_path: Path, group: str
) -> None:
    written(spacy, tmp_path / "gold.spacy", group=group)
    corpus = fg.read(tmp_path / "gold.spacy")
    table = fg.align(corpus, {"same": corpus})
    assert [table.text(row) for row in range(len(table))] == ["Ada", "Bob", "Bern"]
    assert table.labels == ("LOC", "PER")


def test_damaged_documents_are_refused_at_any_byte(spacy: Any, tmp_path: Path) -> None:
    written(spacy, tmp_path / "gold.spacy")
    data = (tmp_path / "gold.spacy").read_bytes()
    for size in range(1, len(data), 7):
        (tmp_path / "cut.spacy").write_bytes(data[:size])
        with pytest.raises(InputError, match=r"cut\.spacy"):
            fg.read(tmp_path / "cut.spacy")
    (tmp_path / "cut.spacy").write_bytes(data + b"junk")
    with pytest.raises(InputError, match="something stands behind"):
        fg.read(tmp_path / "cut.spacy")


def test_what_is_something_else_is_told(spacy: Any, tmp_path: Path) -> None:
    (tmp_path / "x.spacy").write_bytes(zlib.compress(b"not documents"))
    with pytest.raises(InputError, match="not a DocBin of spaCy"):
        fg.read(tmp_path / "x.spacy")


def test_text_of_that_name_is_text(tmp_path: Path) -> None:
    (tmp_path / "x.spacy").write_text("Ada B-PER\n")
    assert fg.read(tmp_path / "x.spacy").n_tokens == 1


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(docbin, "import_module", missing)
    (tmp_path / "x.spacy").write_bytes(zlib.compress(b"not documents"))
    with pytest.raises(UsageError, match=r"pip install finegrain\[spacy\]"):
        fg.read(tmp_path / "x.spacy")


def test_more_than_fits_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(docbin, "_LARGEST", 1000)
    monkeypatch.setattr(docbin, "import_module", lambda name: SimpleNamespace(DocBin=None))
    (tmp_path / "x.spacy").write_bytes(zlib.compress(bytes(5000)))
    with pytest.raises(InputError, match="GiB of documents"):
        fg.read(tmp_path / "x.spacy")
