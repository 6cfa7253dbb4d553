"""A first suite file from folders that hold one data set each.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     news = Path(folder) / "news"
...     news.mkdir()
...     for name in ("gold", "train", "crf"):
...         _ = (news / f"{name}.conll").write_text("Ada B-PER")
...     print(started([str(news)], beside=folder))
[datasets."news"]
gold = "news/gold.conll"
train = "news/train.conll"
<BLANKLINE>
[datasets."news".systems]
"crf" = "news/crf.conll"
<BLANKLINE>
"""

from __future__ import annotations

import json
import os.path
from collections.abc import Sequence
from pathlib import Path

from finegrain.errors import InputError

_ROLES = ("gold", "train")
_NOT_SYSTEMS = ("dev", "valid", "validation", "readme", "license")
_NOT_DATA = (".md", ".toml", ".json", ".parquet")


def started(folders: Sequence[str], *, beside: str) -> str:
    """The text of a suite file that stands in the folder ``beside``.

    In each folder, gold.* is the gold file, train.* the training file, and any other file a system.
    """
    return "\n".join(_data_set(Path(folder), beside) for folder in folders)


def _data_set(folder: Path, beside: str) -> str:
    if not folder.is_dir():
        raise InputError.at(
            str(folder), 0, "is not a folder", "Name a folder with gold and systems."
        )
    roles: dict[str, str] = {}
    systems: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        name = path.name.split(".")[0]
        if not path.is_file() or not name or path.suffix in _NOT_DATA:
            continue
        if name.lower() in _NOT_SYSTEMS:
            continue
        home = roles if name in _ROLES else systems
        home[name] = _relative(path, beside)
    if "gold" not in roles or not systems:
        lacking = "a file gold.*" if "gold" not in roles else "a system beside gold and train"
        raise InputError.at(str(folder), 0, f"lacks {lacking}")
    title = f"datasets.{_quoted(folder.resolve().name)}"
    lines = [
        f"[{title}]",
        *(f"{role} = {_quoted(roles[role])}" for role in _ROLES if role in roles),
    ]
    lines += ["", f"[{title}.systems]"]
    lines += (f"{_quoted(name)} = {_quoted(path)}" for name, path in systems.items())
    return "\n".join(lines) + "\n"


def _relative(path: Path, beside: str) -> str:
    return os.path.relpath(path, beside or ".")


def _quoted(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
