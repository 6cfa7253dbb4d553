"""vl-convert, which draws without a browser; where memory is limited, in a process of its own.

Its JavaScript engine reserves much more address space than it uses and, where it does not get it
(``ulimit -v``, batch systems), ends the process that it runs in. So under such a limit it gets a
process of its own, whose end is told like any other error; each figure takes about a second then.

>>> converter().vegalite_to_svg({"mark": "point", "data": {"values": []}})[:4]
'<svg'
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from finegrain.errors import FinegrainError, MissingExtra

_CHILD = """
import json, sys, vl_convert
name, given, options = json.load(sys.stdin)
try:
    made = getattr(vl_convert, name)(*given, **options)
except ValueError as error:
    sys.stderr.write(str(error))
    sys.exit(3)
text = isinstance(made, str)
sys.stdout.buffer.write((b"text\\n" + made.encode()) if text else (b"data\\n" + made))
"""
_REFUSED = 3  # exit code of the child where a specification cannot be drawn


def converter() -> Any:
    """The functions of vl-convert."""
    package = _package()
    return _Apart() if _is_limited() else package


def build() -> str:
    """Which vl-convert is installed: a version may come as several builds, of different sizes."""
    package = _package()
    files = Path(package.__file__).parent.glob("*.*")
    return f"{package.__version__}-{sum(one.stat().st_size for one in files)}"


def _package() -> Any:
    try:
        import vl_convert  # type: ignore[import-untyped,unused-ignore]  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("drawing figures", "report") from None
    return vl_convert


def _is_limited() -> bool:
    """Whether this process may have only so much address space."""
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


class _Apart:
    """The same functions, each call in a process of its own."""

    def __getattr__(self, name: str) -> Any:
        return partial(_called, name)


def _called(name: str, *given: Any, **options: Any) -> str | bytes:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", _CHILD],
        input=json.dumps([name, given, options]).encode(),
        capture_output=True,
        check=False,
    )
    kind, _, made = done.stdout.partition(b"\n")
    if done.returncode == _REFUSED:
        raise ValueError(done.stderr.decode(errors="replace"))
    if done.returncode or kind not in (b"text", b"data"):
        raise FinegrainError(
            "no figure can be drawn: the chart engine ended early, as it does where address space "
            "is limited (ulimit -v); lift the limit, or leave out figures and pages"
        )
    return made.decode() if kind == b"text" else made
