"""Commands shown in the documentation: run them, compare them, or rewrite them.

In a block that opens with ```console, a line that begins with ``$ `` is a command and the lines
below it are what it prints on standard output. The blocks of a page run one after the other in one
empty folder. ``python -m tests.documentation.console`` puts the real output into the pages, or
into those that are named.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.command_line import run_finegrain

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """The README and all pages below docs/."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@dataclass(frozen=True, slots=True)
class Shown:
    """A command and what the page says it prints."""

    command: str
    output: str


def shown(block: str) -> Iterator[Shown]:
    """The commands of a block with their outputs."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield Shown(command, output)


def run(command: str, folder: Path) -> str:
    """What a finegrain command prints; anything but success is an error."""
    words = shlex.split(command)
    if words[0] != "finegrain":
        raise ValueError(f"only finegrain commands can be shown with output: {command}")
    files = [path for word in words[1:] for path in _expanded(word, folder)]
    done = run_finegrain(*files, cwd=folder)
    if done.returncode:
        raise RuntimeError(f"{command}\nexit code {done.returncode}\n{done.stderr}")
    return done.stdout


def _expanded(word: str, folder: Path) -> list[str]:
    """The files that a pattern stands for, as a shell has it; the word itself if there are none."""
    if "*" not in word:
        return [word]
    return sorted(str(path.relative_to(folder)) for path in folder.glob(word)) or [word]


def rewritten(page: str, folder: Path) -> str:
    """The page with the real outputs."""

    def block(match: re.Match[str]) -> str:
        return "".join(f"$ {one.command}\n{run(one.command, folder)}" for one in shown(match[0]))

    return _BLOCK.sub(block, page)


def blocks(page: str) -> list[str]:
    """The console blocks of a page."""
    return _BLOCK.findall(page)


if __name__ == "__main__":
    for path in [Path(page) for page in sys.argv[1:]] or pages():
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(rewritten(path.read_text(), Path(folder)))
