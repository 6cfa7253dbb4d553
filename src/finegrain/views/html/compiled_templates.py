"""Templates are compiled once, like modules.

Compiling those of a page takes longer than filling them. What they are compiled to is kept in
``__pycache__`` beside them, where Python keeps compiled modules, under the same conditions: not
with ``PYTHONDONTWRITEBYTECODE``, elsewhere with ``PYTHONPYCACHEPREFIX``, and not at all where that
cannot be written. It is used for the very text of a template that it was compiled from.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, BytecodeCache, bc_magic

from finegrain.complete_file import complete_file
from finegrain.errors import FinegrainError


class CompiledTemplates(BytecodeCache):
    """Compiled templates of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Use what was compiled, if it was from the same text."""
        head = self._head(bucket)
        with suppress(OSError, EOFError, ValueError, TypeError):
            content = self._path(bucket).read_bytes()
            if content.startswith(head):
                bucket.code = marshal.loads(content[len(head) :])  # noqa: S302 - as a module is

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        if sys.dont_write_bytecode:
            return
        path = self._path(bucket)
        with suppress(OSError, FinegrainError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with complete_file(str(path)) as temporary:
                Path(temporary).write_bytes(self._head(bucket) + marshal.dumps(bucket.code))

    def _path(self, bucket: Bucket) -> Path:
        return Path(cache_from_source(str(self._folder / f"{bucket.key}.py")))

    def _head(self, bucket: Bucket) -> bytes:
        said = f"{jinja2.__version__} {bucket.checksum}".encode()
        return bc_magic + hashlib.sha256(said).digest()
