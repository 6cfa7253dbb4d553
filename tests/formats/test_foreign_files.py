"""Files that are no text are named for what they are, with the way out that works."""

from __future__ import annotations

import io
import pickle
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import InputError

TAGS = "Ada\tB-PER\nsleeps\tO\n"


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, TAGS)
    return file.getvalue()


def tarred(mode: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        member = tarfile.TarInfo("gold.conll")
        member.size = len(TAGS)
        archive.addfile(member, io.BytesIO(TAGS.encode()))
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (zipped("gold.conll"), "this is a zip archive (gold.conll). Unpack it"),
        (zipped("a", "b", "c", "d"), "this is a zip archive (a, b, c, ...). Unpack it"),
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "this is an Excel workbook. Save it as"),
        (zipped("word/document.xml"), "this is a Word document"),
        (tarred("w"), "this is a tar archive. Unpack it"),
        (tarred("w:gz"), "this is a tar archive. Unpack it"),
        (
            TAGS.encode("utf-16"),
            "this is text in UTF-16, not in UTF-8. Convert it: iconv -f utf-16",
        ),
        (TAGS.encode("utf-16-le"), "this is text in UTF-16LE"),
        (TAGS.encode("utf-16-be"), "this is text in UTF-16BE"),
        (TAGS.encode("utf-32"), "this is text in UTF-32"),
        (pickle.dumps([TAGS] * 9), "this is a pickle of Python, which is never loaded"),
        (b"%PDF-1.7\n", "this is a PDF"),
    ],
)
def test_it_is_named(data: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        fg.read(path)
    assert str(caught.value).startswith(f"{path}: {what}")
    assert "latin1" not in str(caught.value)


def test_text_and_arrays_are_read_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "tags.conll"
    path.write_text("Zoë\tB-PER\nмир\tO\n中文\tO\n", encoding="utf-8")
    assert fg.read(path).n_tokens == 3
    arrays = tmp_path / "layers.npz"
    np.savez(arrays, id=np.array(["cat", "dog"]), layer=np.eye(2))
    assert fg.read(arrays).n_sentences == 2
