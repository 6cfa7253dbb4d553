"""A folder of perturbed copies of a labelled file, for any program to be run on.

    DIR/perturbations.json        what was done: perturbations, rates, seed, the file
    DIR/typos/gold.conll          a copy under the name of the file
    DIR/typos/changes.jsonl       every change: where, old words, new words

Systems' outputs on a copy are put beside it, under the name that their output on the original has
(``DIR/typos/crf.conll``); ``finegrain robustness`` finds them there.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder) / "gold.conll"
...     _ = path.write_text("Ada B-PER\\nslept O\\n")
...     made = write_copies(File.of(str(path)), f"{folder}/out", [Wanted("upper"), Wanted("lower")])
...     print(Path(folder, "out", "upper", "gold.conll").read_text())
ADA	B-PER
SLEPT	O
<BLANKLINE>
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed
from finegrain.complete_file import write_complete
from finegrain.corpus import Corpus
from finegrain.corpus.columns import cell
from finegrain.corpus.items import line_of
from finegrain.errors import UsageError
from finegrain.formats import FORMATS, delimited, read
from finegrain.formats.source import open_source
from finegrain.perturbations import by_name
from finegrain.perturbations.item_fields import is_items
from finegrain.perturbations.lexicons import given
from finegrain.perturbations.perturbation import Perturbation
from finegrain.perturbations.perturbing import Perturbed, perturb
from finegrain.version import __version__
from finegrain.writing import as_text, folder_beside, put_folder, write

MANIFEST = "perturbations.json"
CHANGES = "changes.jsonl"
DEFAULT = (
    "typos", "ocr", "lower", "upper", "no-punctuation", "look-alikes", "numbers", "names",
    "synonyms",
)  # fmt: skip
"""What is done if nobody says what; those that change nothing are left out, and that is said."""


class Wanted(NamedTuple):
    """A perturbation that is asked for, and its rate, if another one than its own."""

    name: str
    rate: float | None = None


class File(NamedTuple):
    """The file to copy, as it was read."""

    path: str
    corpus: Corpus

    @classmethod
    def of(cls, path: str) -> File:
        return cls(path, read(path))

    @property
    def name(self) -> str:
        return Path(self.path).name


@dataclass(frozen=True, slots=True)
class Copy:
    """A perturbed copy: its folder, and how much was changed."""

    name: str
    folder: str
    rate: float
    share: str
    changes: int
    texts: int
    refused: int

    def to_json(self) -> dict[str, Any]:
        return {
            "perturbation": self.name, "folder": self.folder, "rate": self.rate,
            "share": self.share, "changes": self.changes, "texts": self.texts,
            "refused": self.refused,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Copies(Printed):
    """All copies of a file, in the order that was asked for; ``n_texts``: how many it has."""

    source: str
    folder: str
    seed: int
    copies: tuple[Copy, ...]
    n_texts: int
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> str:
        """No task: texts are changed, nothing is judged."""
        return "corpus"

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the copies."""
        return tuple(one.folder for one in self.copies)

    def to_json(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "n_texts": self.n_texts,
            "copies": [one.to_json() for one in self.copies],
        }

    def listings(self) -> tuple[Listing, ...]:
        return (self.records(),)

    def records(self) -> Listing:
        columns = (
            Column("copy"), Column("rate", "number"), Column("of"), Column("changes", "count"),
            Column("texts changed", "count"), Column("left out", "count"),
        )  # fmt: skip
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (one.folder, f"{one.rate:g}", one.share, one.changes, one.texts, one.refused)
            for one in self.copies
        )
        left = any(one.refused for one in self.copies)
        note = "left out: changes that would have cut through an annotation" if left else ""
        return Listing(f"{self.n_texts:,} texts of {self.source}", columns, rows, note)


def write_copies(
    file: File,
    folder: str,
    wanted: Sequence[Wanted] = (),
    *,
    seed: int = 1,
    fields: Sequence[str] = (),
    lists: Mapping[str, str] | None = None,
) -> Copies:
    """Write perturbed copies of a file into a new folder.

    Parameters
    ----------
    wanted: names and rates of perturbations; default: the usual ones that change something
    seed: the same seed gives the same bytes
    fields: of items, the columns to change
    lists: ``names``, ``synonyms``, ``sentences`` -> a file with the user's own
    """
    asked = list(wanted) or [Wanted(name) for name in DEFAULT]
    lists = dict(lists or {})
    made: dict[str, Perturbed] = {}
    notes = []
    for one, name in zip(asked, _folders(asked), strict=True):
        chosen = _with_list(by_name(one.name), lists)
        found = perturb(file.corpus, chosen, rate=one.rate, seed=seed, fields=fields)
        if found.changes or wanted:
            made[name] = found
        if not found.changes:
            what = "changes nothing in this file"
            notes.append(f"{name} {what}" if wanted else f"{name} {what}: there is no copy")
    _require_used(asked, lists)
    if not made:
        raise UsageError(f"{file.path}: nothing in it is changed by {', '.join(_folders(asked))}")
    kept: list[str] = []
    with folder_beside(folder) as temporary:
        for name, found in made.items():
            (temporary / name).mkdir()
            kept += _put(file, found, temporary / name)
        copies = tuple(_copy(name, found) for name, found in made.items())
        result = Copies(
            file.path, folder, seed, copies, file.corpus.n_sentences,
            f"perturbations:{len(copies)}|seed:{seed}|texts:{file.corpus.n_sentences}|v:{__version__}",
            (*notes, *dict.fromkeys(kept)),
        )  # fmt: skip
        manifest = json.dumps(_manifest(file, result), ensure_ascii=False, indent=1)
        (temporary / MANIFEST).write_text(manifest + "\n", encoding="utf-8", newline="")
        put_folder(temporary, folder)
    return result


def _folders(asked: Sequence[Wanted]) -> list[str]:
    """A folder for each: its name, and its rate where a perturbation is asked for again."""
    names = [one.name for one in asked]
    found = [
        one.name if names.count(one.name) == 1 or one.rate is None else f"{one.name}-{one.rate:g}"
        for one in asked
    ]
    again = next((name for name in found if found.count(name) > 1), None)
    if again is not None:
        raise UsageError(f"the perturbation {again} is asked for twice")
    return found


def _with_list(perturbation: Perturbation, lists: Mapping[str, str]) -> Perturbation:
    if perturbation.takes not in lists or perturbation.with_list is None:
        return perturbation
    return perturbation.with_list(given(perturbation.takes, lists[perturbation.takes]))


def _require_used(asked: Sequence[Wanted], lists: Mapping[str, str]) -> None:
    """A list that no perturbation takes was meant for something."""
    taken = {by_name(one.name).takes for one in asked}
    for kind in lists:
        if kind not in taken:
            raise UsageError(f"--{kind} is for a perturbation that is not asked for: --with {kind}")


def _copy(name: str, found: Perturbed) -> Copy:
    return Copy(
        found.perturbation.name, name, found.rate, found.perturbation.share,
        len(found.changes), found.texts_changed, found.refused,
    )  # fmt: skip


def _put(file: File, found: Perturbed, folder: Path) -> tuple[str, ...]:
    """Write a copy and its changes; what should be known of it."""
    ids = found.corpus.fields.get("id")
    records = []
    for one in found.changes:
        record: dict[str, Any] = {"text": one.sentence + 1}
        record |= {} if ids is None else {"id": cell(ids, one.sentence)}
        record |= {"field": one.field} if one.field else {}
        record |= {"word": one.begin + 1, "old": list(one.old), "new": list(one.new)}
        records.append(json.dumps(record, ensure_ascii=False) + "\n")
    write_complete(str(folder / CHANGES), "".join(records))
    target = str(folder / file.name)
    corpus = found.corpus
    if is_items(corpus):
        write_complete(target, _items_text(file, corpus))
        return ()
    said = write(corpus, target, format=corpus.format)
    return tuple(line for line in said if not line.startswith("wrote "))


def _items_text(file: File, corpus: Corpus) -> str:
    """Items as their file has them: with its separator, and a header if it has one."""
    if corpus.format != "csv":
        return as_text(corpus, FORMATS[corpus.format])
    first = next(iter(open_source(file.path).lines()), "")
    text = delimited.write(corpus, separator="\t" if "\t" in first else ",", header=False)
    return f"{first}\n{text}" if line_of(file.corpus, 0) > 1 else text


def _manifest(file: File, result: Copies) -> dict[str, Any]:
    path = Path(file.path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
    return {
        "finegrain": __version__, "file": file.name, "sha256": digest,
        "format": file.corpus.format, **result.to_json(),
    }  # fmt: skip
