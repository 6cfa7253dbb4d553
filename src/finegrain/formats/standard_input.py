"""Standard input as bytes that can be looked at before they are read, however slowly they come."""

from __future__ import annotations

import io
import sys
from typing import IO, Any

from finegrain.errors import InputError
from finegrain.files_read import recorded

STANDARD_INPUT = "standard input"  # what it is called where a file would have its name
LOOKED_AT = 1 << 16  # bytes by which a format is recognised
_opened: dict[str, Any] = {}  # the standard input of this process, and its bytes


class _Patient(io.RawIOBase):
    """Reads until the buffer is full or the input ends, where a pipe hands out what is there."""

    def __init__(self, source: IO[bytes]) -> None:
        super().__init__()
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view, filled = memoryview(buffer).cast("B"), 0
        while block := self._source.read(len(view) - filled):
            view[filled : filled + len(block)] = block
            filled += len(block)
        return filled


def patient(source: IO[bytes]) -> io.BufferedReader:
    """A pipe whose ``peek`` shows its first ``LOOKED_AT`` bytes, or all there are."""
    return io.BufferedReader(_Patient(source), LOOKED_AT)


def stdin() -> io.BufferedReader:
    """Standard input; ``peek`` shows its first ``LOOKED_AT`` bytes, or all there are."""
    if sys.stdin is None:
        raise InputError.at(STANDARD_INPUT, 0, "it is closed", "Name a file.")
    if _opened.get("text") is not sys.stdin:
        _opened["text"] = sys.stdin
        _opened["bytes"] = patient(recorded(sys.stdin.buffer, "-"))
    reader: io.BufferedReader = _opened["bytes"]
    return reader
