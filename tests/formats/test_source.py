"""Bytes come from plain and compressed files and from pipes; what cannot be read is refused."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from finegrain.corpus.texts import PADDING
from finegrain.errors import InputError, MissingExtra
from finegrain.formats import read
from finegrain.formats.source import Source, open_source, source_of

TEXT = "New\tB-LOC\nYörk\tI-LOC\n"
COMPRESSORS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor(write_checksum=True).compress,  # as the command zstd does
}
compressed = pytest.mark.parametrize(
    ("suffix", "compress"), COMPRESSORS.items(), ids=list(COMPRESSORS)
)
Compress = Callable[[bytes], bytes]


def text_of(source: Source) -> str:
    return source.buffer[source.begin : source.end].decode()


def message_of(path: str) -> str:
    with pytest.raises(InputError) as caught:
        open_source(path)
    return str(caught.value)


def test_a_plain_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(TEXT, encoding="utf-8")
    source = open_source(str(path))
    assert (source.name, text_of(source)) == (str(path), TEXT)


def test_the_buffer_ends_in_a_newline_and_padding() -> None:
    source = source_of("f", b"a O")
    assert source.buffer == b"a O\n" + bytes(PADDING)
    assert (source.begin, source.end) == (0, 4)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\r\nb", "a\nb\n"),
        (b"a\r\nb\r", "a\nb\n"),  # cut between CR and LF
        (b"a\rb\nc\n", "a\rb\nc\n"),  # a CR inside of a line is no line end
        (b"a\rb\r", "a\nb\n"),  # unless there is no other line end
        (b"a\rb\n", "a\nb\n"),  # but at the end of the file
        (b"a\r\rb", "a\n\nb\n"),
        (b"a\r\r\nb\r\r\r\n", "a\nb\n"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        (b"a\xef\xbb\xbf\n", "a\ufeff\n"),  # a byte order mark elsewhere is a character
    ],
)
def test_line_ends_and_byte_order_marks(data: bytes, text: str) -> None:
    assert text_of(source_of("f", data)) == text


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"a O\rb O\r", "line ends are carriage returns alone (CR)"),
        (b"a O\r\r\nb O\r\n", "1 line ends in several carriage returns (CR)"),
        (b"a O\r\r\nb O\r\r\n", "2 lines end in several carriage returns (CR)"),
    ],
)
def test_odd_line_ends_are_read_and_said(data: bytes, note: str, tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes(data)
    corpus = read(str(path))
    assert corpus.sentence(0) == ["a", "b"]
    assert list(corpus.layers["tags"]) == ["O", "O"]
    assert corpus.notes == (note,)


@pytest.mark.parametrize(
    "text",
    ["a O\rb O\nc O\n", "a O\nb\r O\n", '{"text": "a", \r"spans": []}\n{}\n', "甲 乙\r丙\n丁\n"],
)
def test_a_carriage_return_inside_of_a_line_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(text, encoding="utf-8", newline="")
    line = text[: text.index("\r")].count("\n") + 1
    with pytest.raises(InputError, match=rf"a:{line}: a carriage return \(CR\) inside of a line"):
        read(str(path))


def test_head_and_lines() -> None:
    source = source_of("f", b"\xef\xbb\xbfone\n\nthree")
    assert source.head(2) == ["one", ""]
    assert source.head(9) == source.lines() == ["one", "", "three"]


@compressed
def test_compressed_files_are_read_whatever_they_are_called(
    suffix: str, compress: Compress, tmp_path: Path
) -> None:
    for name in (f"a.tsv.{suffix}", "a.tsv"):
        (tmp_path / name).write_bytes(compress(TEXT.encode()))
        assert text_of(open_source(str(tmp_path / name))) == TEXT


def test_a_plain_file_may_be_called_gz(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_text(TEXT, encoding="utf-8")
    assert text_of(open_source(str(path))) == TEXT


@compressed
def test_files_of_several_members_are_read_to_the_end(suffix: str, compress: Compress) -> None:
    assert text_of(source_of("f", compress(b"a O\n") + compress(b"b O\n"))) == "a O\nb O\n"


@compressed
@pytest.mark.parametrize("cut", [0.3, 0.6, 0.99])
def test_a_truncated_archive_is_refused(
    suffix: str, compress: Compress, cut: float, tmp_path: Path
) -> None:
    whole = compress(random.Random(1).randbytes(2000).hex().encode())
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(whole[: int(len(whole) * cut)])
    kind = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}[suffix]
    assert message_of(str(path)).startswith(f"{path}: damaged {kind} file (")
    assert message_of(str(path)).endswith("Copy or compress it again.")


@compressed
def test_damaged_bytes_in_an_archive_are_refused(suffix: str, compress: Compress) -> None:
    data = bytearray(compress(TEXT.encode() * 50))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(InputError, match="f: damaged"):
        source_of("f", data)


def test_an_archive_of_latin1_is_not_utf8() -> None:
    # offsets count in the text, not in the archive: b"Z", b"\xfc", ...
    with pytest.raises(InputError, match="f:1: not UTF-8: byte 0xfc at byte offset 1"):
        source_of("f", gzip.compress("Zürich O\n".encode("latin1")))


@compressed
def test_an_archive_of_nothing_is_an_empty_file(suffix: str, compress: Compress) -> None:
    with pytest.raises(InputError, match="f: the file is empty"):
        source_of("f", compress(b""))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b" \n\t\r\n",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf\n",
        b"\xef\xbb\xbf \r\n",
        "\u0085".encode() * 50_000,  # white space that is no ASCII
        "\u00a0\n\u2003\u2028\n".encode(),
        b"\x1c\x1d\x1e\x1f",
    ],
)
def test_a_file_without_a_word_is_empty(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(data)
    assert message_of(str(path)) == f"{path}: the file is empty. Check how it was written."


@pytest.mark.parametrize(
    ("data", "line", "byte", "offset"),
    [
        (b"Z\xfcrich O\n", 1, "0xfc", 1),
        (b"a O\nb O\nZ\xfcrich O\n", 3, "0xfc", 9),
        (b"a O\r\nb\xff O\r\n", 2, "0xff", 6),  # the CR counts: it is a byte of the file
        (b"\xef\xbb\xbfa \xe4\n", 1, "0xe4", 5),  # so do the three bytes of the mark
        ("ä\n".encode() + b"\xe4", 2, "0xe4", 3),
        ("日".encode()[:2], 1, "0xe6", 0),  # cut inside of a character
        (b"ab\nc\xed\xa0\x80\n", 2, "0xed", 4),  # a surrogate
    ],
)
def test_what_is_not_utf8_is_refused_with_its_byte(
    data: bytes, line: int, byte: str, offset: int
) -> None:
    with pytest.raises(InputError) as caught:
        source_of("f", data)
    expected = f"f:{line}: not UTF-8: byte {byte} at byte offset {offset}. Convert the file"
    assert str(caught.value).startswith(expected)


def test_the_byte_offset_is_right_far_into_a_file() -> None:
    # UTF-8 is checked in blocks of 1 MiB; this fault lies in the third one
    data = "ä O\n".encode() * 500_000  # 5 bytes each
    data += b"x\xe4 O\n"
    with pytest.raises(InputError) as caught:
        source_of("f", data)
    assert "f:500001: not UTF-8: byte 0xe4 at byte offset 2500001." in str(caught.value)


@pytest.mark.parametrize("name", [None, "conll"])
def test_a_directory_is_refused_by_formats_that_are_files(name: str | None, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(str(tmp_path), format=name)
    assert str(caught.value) == f"{tmp_path}: this is a directory. Name a file in it."


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.tsv"
    assert message_of(str(path)) == f"{path}: no such file. Check the path."


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match=r"f: reading zstd files needs .*'finegrain\[zstd\]'"):
        source_of("f", COMPRESSORS["zst"](b"a O\n"))


def test_a_file_used_as_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a O\n", encoding="utf-8")
    path = tmp_path / "a" / "b"
    assert message_of(str(path)).startswith(f"{path}: cannot be read (")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads anything")
def test_a_forbidden_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(TEXT, encoding="utf-8")
    path.chmod(0)
    assert message_of(str(path)).startswith(f"{path}: cannot be read (Permission denied)")


def test_a_failure_of_the_file_system_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert message_of("a.tsv") == "a.tsv: cannot be read (Permission denied)."


class FakeInput:
    """Standard input with bytes in it."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("compress", [bytes, *COMPRESSORS.values()])
def test_a_dash_is_standard_input(compress: Compress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", FakeInput(compress(TEXT.encode())))
    source = open_source("-")
    assert (source.name, text_of(source)) == ("standard input", TEXT)


def test_empty_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", FakeInput(b""))
    assert message_of("-") == "standard input: the file is empty. Check how it was written."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = "import sys; open(sys.argv[1], 'wb').write(b'a O\\n' * 100_000)"
    with subprocess.Popen([sys.executable, "-c", writer, str(path)]):
        assert text_of(open_source(str(path))) == "a O\n" * 100_000
