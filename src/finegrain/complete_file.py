"""A file appears when it is complete, or not at all.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     with complete_file(f"{folder}/scores.txt") as temporary:
...         _ = Path(temporary).write_text("0.93")
...     [path.name for path in Path(folder).iterdir()]
['scores.txt']

What a symbolic link points to is written, and the link stays; a file that was there keeps its
permissions. A device or a pipe is written as it is: nothing can take its place. The bytes are on
disk before the name is: after a power failure there is the old file or the new one, whole.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finegrain.errors import FinegrainError

_DEVICES = ("/dev/", "/proc/")
_SHORT = 40  # characters of a name that a temporary name begins with: names have a longest length


def write_complete(path: str, text: str) -> None:
    """Write text by way of a temporary file, so that a failure leaves what was there untouched.

    What UTF-8 cannot hold (bytes of a file name that is not UTF-8) is written out.
    """
    with complete_file(path) as temporary:
        Path(temporary).write_text(text, encoding="utf-8", newline="", errors="backslashreplace")


@contextmanager
def complete_file(path: str) -> Iterator[str]:
    """The name of a temporary file beside ``path``, which takes its place in the end.

    A failure leaves what was there untouched.
    """
    try:
        there = _mode(path)
        if _written_straight(path, there):
            yield path
            return
        target = Path(os.path.realpath(path))
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:_SHORT]}.")
        os.close(handle)
        try:
            yield temporary
            Path(temporary).chmod(_new_mode() if there is None else stat.S_IMODE(there))
            _to_disk(temporary)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FinegrainError(f"{path}: cannot be written ({error.strerror or error})") from None


def _to_disk(path: str) -> None:
    """Return when the bytes of a file are on the disk, not only on their way there."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _mode(path: str) -> int | None:
    """Kind and permissions of what is there."""
    try:
        return os.stat(path).st_mode  # noqa: PTH116 - of a link's target, as pathlib does
    except FileNotFoundError:
        return None


def _written_straight(path: str, there: int | None) -> bool:
    """Whether it is a device or a pipe, also where /dev/stdout leads to a file."""
    if there is None or stat.S_ISDIR(there):
        return False
    return not stat.S_ISREG(there) or os.path.abspath(path).startswith(_DEVICES)  # noqa: PTH100


def _new_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
