"""Files that are not text and that no format reads, named for what they are.

>>> require_text("words.txt", bytearray("Ada".encode("utf-16")), 8)
Traceback (most recent call last):
finegrain.errors.InputError: words.txt: this is text in UTF-16, not in UTF-8. Convert it: \
iconv -f utf-16 -t utf-8 words.txt > NEW
"""

from __future__ import annotations

import io

from finegrain.errors import InputError
from finegrain.formats.number_arrays import ZIP

_PEEK = 1 << 12  # bytes in which zeros are counted
_TAR = slice(257, 262)  # where a tar archive says so
_UNPACK = "Unpack it, and name the files in it."
_OFFICE = {"xl/": "an Excel workbook", "word/": "a Word document", "ppt/": "a presentation"}
_LIKE = "Write JSON lines, columns or Parquet."
_BEGINNINGS = (
    (b"%PDF", "a PDF", "Give its text and the annotation of it."),
    (b"SQLite format 3", "a database of SQLite", "Export the table as CSV or JSON lines."),
    (b"\x80\x04\x95", "a pickle of Python, which is never loaded", _LIKE),
    (b"\x80\x05\x95", "a pickle of Python, which is never loaded", _LIKE),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"ARROW1", "an Arrow file", "Write it as Parquet or JSON lines."),
)


def require_text(name: str, data: bytearray, size: int) -> None:
    """Refuse archives, documents and text that is not UTF-8 but UTF-16 or UTF-32."""
    kind = _encoding(data, size)
    if kind:
        what = f"this is text in {kind.upper()}, not in UTF-8"
        raise InputError.at(name, 0, what, f"Convert it: iconv -f {kind} -t utf-8 {name} > NEW")
    if data.startswith(ZIP):
        _refuse_zip(name, bytes(data[:size]))
    if data[_TAR] == b"ustar":
        raise InputError.at(
            name, 0, "this is a tar archive", "Unpack it, and name the files in it."
        )
    for beginning, what, mend in _BEGINNINGS:
        if data.startswith(beginning):
            raise InputError.at(name, 0, f"this is {what}", mend)


def _encoding(data: bytearray, size: int) -> str:
    """UTF-16 or UTF-32, by a byte order mark or by the zeros in its letters."""
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "utf-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    first = data[: min(size, _PEEK)]
    half = len(first) // 2
    odd, even = first[1::2].count(0), first[::2].count(0)
    if half > 1 and max(odd, even) > half * 0.4 and not min(odd, even):
        return "utf-16le" if odd > even else "utf-16be"
    return ""


def _refuse_zip(name: str, data: bytes) -> None:
    """Refuse an archive of files, unless these are arrays of numpy."""
    import zipfile  # noqa: PLC0415 - slow to import

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return  # damaged: whoever reads it says so
    if any(member.endswith(".npy") for member in members):
        return
    for folder, kind in _OFFICE.items():
        if any(member.startswith(folder) for member in members):
            raise InputError.at(name, 0, f"this is {kind}", "Save it as CSV or as plain text.")
    shown = ", ".join(members[:3]) + (", ..." if len(members) > 3 else "")
    what = f"this is a zip archive ({shown})"
    raise InputError.at(name, 0, what, _UNPACK)
