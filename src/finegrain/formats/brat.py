"""`brat`: a text (.txt) with standoff annotation (.ann) beside it, or a folder of such pairs.

    T1	PER 6 9	Ada
    T2	LOC 10 15;20 24	North York

Offsets count characters from 0, the second is one past the last, and ``;`` separates the parts of
a span with gaps. What stands at the end of a line must be the text between the offsets (a line end
counts as a space). Tokens are the words between white space and sentences the lines. Other
kinds of annotation (relations, events, attributes, notes) are counted in a note. In a folder every
pair is a document, called by its path without the suffix; folders inside of it are read, too.

>>> from finegrain.errors import Collector
>>> marked = list(spans_of("I met Ada.", "T1\\tPER 6 9\\tAda\\n", "memory", Collector("memory")))
>>> marked
[Marked(label='PER', parts=((6, 9),))]
>>> print(standoff("I met Ada.", marked), end="")
T1	PER 6 9	Ada
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from finegrain.corpus import Corpus
from finegrain.corpus.notes import Information
from finegrain.errors import Collector, InputError, UsageError
from finegrain.files_read import opened
from finegrain.formats.running_text import Builder, Marked, Part, texts
from finegrain.formats.source import Source

TEXT, STANDOFF = ".txt", ".ann"
_OTHER_KIND = re.compile(r"[EMRAN#*]\S*\t")
_SPAN = re.compile(r"(T\S+)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)\t(.*)\Z", re.DOTALL)
_NAME = re.compile(r"(?:(?![./])[^/\\\x00-\x1f]+/)*(?![./])[^/\\\x00-\x1f]+\Z")
_BOM = "\ufeff"
_OFFSETS = "Offsets count characters, also those of line ends."


def looks_like(source: Source) -> bool:
    """True for a text or standoff file that has the other beside it, and for a folder of them."""
    if source.folder:
        return any(name.endswith(STANDOFF) for name in _files(source.name))
    stem, suffix = os.path.splitext(source.name)  # noqa: PTH122 - keeps the name as it was given
    other = {TEXT: STANDOFF, STANDOFF: TEXT}.get(suffix)
    return other is not None and os.path.isfile(stem + other)  # noqa: PTH113 - as above


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read a pair of files or a folder; up to ``limit`` problems are gathered before giving up."""
    builder, problems, others = Builder(), Collector(source.name, limit=limit), 0
    names = _documents(source.name) if source.folder else None
    if names is None:
        stems = [os.path.splitext(source.name)[0]]  # noqa: PTH122
    else:
        stems = [f"{source.name.rstrip('/')}/{name}" for name in names]
    for stem in stems:
        text = _content(stem + TEXT)
        if text.startswith(_BOM):
            text = " " + text[1:]  # it counts as a character, but is none of the first word
        annotation = _content(stem + STANDOFF)
        others += sum(bool(_OTHER_KIND.match(line)) for line in annotation.split("\n"))
        marked = list(spans_of(text, annotation, stem + STANDOFF, problems))
        builder.add_text(text, marked, line=int(names is None), many_lines=names is None)
    problems.raise_any()
    corpus = builder.corpus(
        source.name, ids=names, documents=names is not None, running_text=True
    )  # fmt: skip
    if not corpus.n_tokens:
        raise InputError.at(source.name, 0, "there is no text")
    note = Information(f"{others} annotations that are not spans passed over")
    return replace(corpus, notes=(*corpus.notes, note)) if others else corpus


def _files(folder: str) -> list[str]:
    """The files in a folder and the folders below it, but for hidden ones."""
    from pathlib import Path  # noqa: PLC0415 - slow to import

    root = Path(folder)
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return [path.as_posix() for path in found if not any(p.startswith(".") for p in path.parts)]


def _documents(folder: str) -> list[str]:
    """The names of the documents in a folder; every text must have its annotation."""
    files = _files(folder)
    parts = {suffix: {name[:-4] for name in files if name.endswith(suffix)}
             for suffix in (TEXT, STANDOFF)}  # fmt: skip
    alone = sorted(parts[TEXT] ^ parts[STANDOFF])
    if alone:
        have, lack = (TEXT, STANDOFF) if alone[0] in parts[TEXT] else (STANDOFF, TEXT)
        raise InputError.at(
            f"{folder.rstrip('/')}/{alone[0]}{have}", 0, f"there is no {lack} file beside it",
            "An empty .ann file says that there are no spans.",
        )  # fmt: skip
    if not parts[TEXT]:
        raise InputError.at(folder, 0, "no .txt and .ann files in this folder")
    return sorted(parts[TEXT])


def _content(path: str) -> str:
    """A file to the last character: line ends stay as they are, because offsets count them."""
    try:
        with opened(path) as file:
            data = file.read()
    except FileNotFoundError:
        mend = "A text and its annotation are side by side: x.txt, x.ann."
        raise InputError.at(path, 0, "no such file", mend) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError.at(path, 0, f"cannot be read ({reason})") from None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError.at(
            path, line, f"not UTF-8: byte {data[error.start]:#04x} at byte offset {error.start}",
            "Convert the file, e.g. iconv -f latin1 -t utf-8.",
        ) from None  # fmt: skip


class _Fault(ValueError):
    """What is wrong with a line, and how to fix it."""


def spans_of(text: str, annotation: str, path: str, problems: Collector) -> Iterator[Marked]:
    """The spans of a standoff file; faults are added to ``problems``."""
    known: set[str] = set()
    for number, line in enumerate(annotation.removeprefix(_BOM).split("\n"), 1):
        if not line.strip() or _OTHER_KIND.match(line):
            continue
        try:
            yield _span(line.removesuffix("\r"), text, known)
        except _Fault as fault:
            problems.add(number, *fault.args, path=path)


def _span(line: str, text: str, known: set[str]) -> Marked:
    found = _SPAN.match(line)
    if not found:
        raise _Fault("no annotation that brat knows", "Write: T1, tab, PER 0 3, tab, the text.")
    name, label, offsets, surface = found.groups()
    if name in known:
        raise _Fault(f"the second {name[:20]}", "Numbers are unique.")
    known.add(name)
    parts = tuple(sorted(_part(part, text) for part in offsets.split(";")))
    if any(one[1] > two[0] for one, two in pairwise(parts)):
        raise _Fault(f"parts of {name[:20]} overlap", "The parts must be side by side.")
    expected = _surface(text, parts)
    if surface.strip() != expected.strip():
        what = f"{_quoted(surface)}, but the text is {_quoted(expected)}"
        raise _Fault(f"{name[:20]} says {what}", _OFFSETS)
    return Marked(label, parts)


def _part(part: str, text: str) -> Part:
    begin, end = (int(number[:19]) for number in part.split(" "))
    if begin >= end:
        raise _Fault(f"a span ends ({end}) where or before it begins ({begin})",
                     "The second number is one past the last character.")  # fmt: skip
    if end > len(text):
        raise _Fault(f"a span ends at {end}, but the text has {len(text)} characters", _OFFSETS)
    if not text[begin:end].strip():
        raise _Fault(f"nothing but white space from {begin} to {end}", _OFFSETS)
    return begin, end


def _surface(text: str, parts: Iterable[Part]) -> str:
    """The text of a span as it stands in its line."""
    return " ".join(re.sub(r"[\r\n\t]", " ", text[slice(*part)]) for part in parts)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def standoff(text: str, marked: Iterable[Marked]) -> str:
    """Spans as lines."""
    lines = []
    for number, (label, parts) in enumerate(marked, 1):
        if label.split() != [label]:
            raise UsageError(f"brat cannot hold the label {label!r}: it has white space in it")
        offsets = ";".join(f"{begin} {end}" for begin, end in parts)
        lines.append(f"T{number}\t{label} {offsets}\t{_surface(text, parts)}\n")
    return "".join(lines)


def write(corpus: Corpus) -> str:
    """The standoff lines of a corpus of one document, whose text is ``files(corpus)["1.txt"]``."""
    made = files(corpus)
    if len(made) > 2:
        raise UsageError("brat holds one document per file: write this corpus to a folder")
    return next(text for name, text in made.items() if name.endswith(STANDOFF))


def files(corpus: Corpus) -> dict[str, str]:
    """File name -> content: a pair for every document, or one for a corpus without documents."""
    if corpus.spans is None:
        raise UsageError("this corpus has no spans, so it cannot be written as brat")
    made: dict[str, str] = {}
    listed = list(texts(corpus, undivided="whole"))
    width = len(str(len(listed)))
    for number, (name, text, marked) in enumerate(listed, 1):
        stem = f"{number:0{width}}" if name is None else name
        if not _NAME.match(stem):
            raise UsageError(f"the document id {stem!r} cannot be the name of a file")
        made[stem + TEXT] = text + "\n"
        made[stem + STANDOFF] = standoff(text, marked)
    return made
