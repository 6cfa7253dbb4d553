"""A file appears when it is complete, or not at all.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     with complete_file(f"{folder}/scores.txt") as temporary:
...         _ = Path(temporary).write_text("0.93")
...     [path.name for path in Path(folder).iterdir()]
['scores.txt']
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finegrain.errors import FinegrainError


def write_complete(path: str, text: str) -> None:
    """Write text by way of a temporary file, so that a failure leaves what was there untouched."""
    with complete_file(path) as temporary:
        Path(temporary).write_text(text, encoding="utf-8", newline="")


@contextmanager
def complete_file(path: str) -> Iterator[str]:
    """The name of a temporary file beside ``path``, which takes its place in the end.

    A failure leaves what was there untouched.
    """
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        try:
            yield temporary
            mask = os.umask(0)
            os.umask(mask)
            Path(temporary).chmod(0o666 & ~mask)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FinegrainError(f"{path}: cannot be written ({error.strerror or error})") from None
