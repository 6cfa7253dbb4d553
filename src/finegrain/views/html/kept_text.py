"""Text that is slow to make, kept as a file for the next time.

It lies in the user's cache folder: ``$XDG_CACHE_HOME/finegrain``, or where the system keeps such
files (``~/.cache/finegrain``). The first line is the SHA-256 of the rest. A file that is cut, that
was changed, that belongs to somebody else or that others may write is not used but made anew; where
nothing can be kept, the text is made every time. The folder may be deleted at any time.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     made = [kept("a.js", lambda n=n: f"run({n});", folder=Path(folder)) for n in range(2)]
>>> made
['run(0);', 'run(0);']
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from finegrain.complete_file import complete_file
from finegrain.errors import FinegrainError


def kept(name: str, make: Callable[[], str], *, folder: Path | None = None) -> str:
    """The text that is kept under a name; what ``make`` makes where there is none."""
    try:
        path = (folder or cache_folder()) / name
    except RuntimeError:  # nobody's home
        return make()
    text = _read(path)
    if text is None:
        text = make()
        with suppress(FinegrainError, OSError):
            _write(path, text)
    return text


def cache_folder() -> Path:
    """Where files are kept that can be made again."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():
        return Path(given) / "finegrain"
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "finegrain" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "finegrain"
    return Path.home() / ".cache" / "finegrain"


def _read(path: Path) -> str | None:
    """What is kept, if it is what was written and nobody else could have written it."""
    try:
        with path.open("rb") as file:
            if not _own(os.fstat(file.fileno())):
                return None
            digest, _, content = file.read().partition(b"\n")
    except OSError:
        return None
    return content.decode() if digest.decode("ascii", "replace") == _digest(content) else None


def _own(status: os.stat_result) -> bool:
    if not stat.S_ISREG(status.st_mode):
        return False
    if sys.platform == "win32":  # where the folder belongs to the user alone
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    content = text.encode()
    with complete_file(str(path)) as temporary:
        Path(temporary).write_bytes(f"{_digest(content)}\n".encode() + content)
    path.chmod(0o600)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
