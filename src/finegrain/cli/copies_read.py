"""From files on perturbed copies to one table of systems under conditions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from finegrain import strict_json
from finegrain.adversarial_pairs import Sides, align_pairs, read_pairs
from finegrain.cli.inputs import (
    Columns,
    align_as,
    parse_columns,
    parse_system,
    read_side,
    read_train,
    task_of,
)
from finegrain.cli.invalid_files import Named
from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import say
from finegrain.conditions import Copy, under_conditions
from finegrain.corpus import Corpus
from finegrain.errors import Collector, InputError, UsageError
from finegrain.files_read import called
from finegrain.formats.source import open_source
from finegrain.perturbations.item_fields import is_items
from finegrain.perturbations.restoring import way_of
from finegrain.perturbations.rewriting import Change
from finegrain.perturbed_copies import CHANGES, MANIFEST
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.table.conditions import ORIGINAL
from finegrain.table.doubts import require_no_doubt
from finegrain.table.task import Task

_LISTED = ("old", "new")


class _Read(NamedTuple):
    """The gold file and the systems' outputs on it, and how they are laid out."""

    gold_path: str
    gold: Corpus
    named: list[Named]
    systems: dict[str, Corpus]
    task: Task
    gold_columns: Columns | None
    columns: Columns | None


def conditions_of(inputs: Inputs, copies: str | None, pairs: str | None) -> OutcomeTable:
    """The table of all systems on the original and under all conditions."""
    if copies is None and pairs is None:
        raise UsageError(
            "say where the perturbed texts are: --copies DIR (written by finegrain perturb), or "
            "--pairs FILE for adversarial items that you have"
        )
    read = _originals(inputs)

    def aligned(gold: Corpus, outputs: Iterator[tuple[str, Corpus]], task: Task) -> OutcomeTable:
        return align_as(gold, outputs, replace(inputs, baseline=None), task)

    if pairs is not None:
        if inputs.baseline:
            raise UsageError("--pairs compares outputs that there are: give no --baseline")
        sides = _sides(read, inputs, copies)
        own = {one.name: Sides(read.systems[one.name], sides[one.name]) for one in read.named}
        given = read_pairs(pairs)
        called(pairs, "pairs")
        table = align_pairs(Sides(read.gold, sides[""]), own, given, read.task, aligned)
    else:
        found, notes = _copies(read, inputs, copies or "")
        table = under_conditions(read.gold, read.systems, found, read.task, aligned)
        table = replace(table, notes=(*table.notes, *notes))
    if inputs.strict:
        require_no_doubt(table)
    if not inputs.quiet:
        conditions = len({*table.facets["condition"]} - {ORIGINAL})
        size = sized(read.gold.n_sentences, table.task.words.place)
        systems = sized(len(read.systems), "system")
        say(f"task {table.task}; {size}; {systems} under {sized(conditions, 'condition')}")
    return table


def _originals(inputs: Inputs) -> _Read:
    if len(inputs.files) < 2 and not inputs.baseline:
        raise UsageError(
            "give the gold file and at least one system: GOLD SYSTEM..., or a --baseline"
        )
    if "-" in (one.path for one in map(parse_system, inputs.files)):
        raise UsageError("perturbed outputs go by the names of files: standard input (-) has none")
    columns = parse_columns(inputs.columns)
    if columns is not None and "answer" in columns:
        raise UsageError("--columns: robustness needs a gold file and system files of their own")
    gold_columns = parse_columns(inputs.gold_columns) or columns
    gold_path = inputs.files[0]
    called(gold_path, "gold")
    gold = read_side(gold_path, inputs, gold_columns)
    task = task_of(gold, inputs)
    named = [parse_system(one) for one in inputs.files[1:]]
    systems = {}
    for name, path in named:
        called(path, name)
        systems[name] = read_side(path, inputs, columns, task.formats)
    if len(systems) < len(named):
        raise UsageError("two systems have one name: name them apart: name=path")
    systems |= _floors(gold, task, inputs)
    return _Read(gold_path, gold, named, systems, task, gold_columns, columns)


def _floors(gold: Corpus, task: Task, inputs: Inputs) -> dict[str, Corpus]:
    """Systems learnt from the training file, which are run here."""
    if not inputs.baseline:
        return {}
    train = read_train(inputs)
    how = {"scheme": inputs.scheme, "policy": inputs.policy, "layer": inputs.layer}
    return {
        kind: task.baseline(kind, train, gold, task=task.name, **how) for kind in inputs.baseline
    }


def _sides(read: _Read, inputs: Inputs, folder: str | None) -> Mapping[str, Corpus]:
    """System -> its output on perturbed items, "" -> their gold; of one file, the same again."""
    if folder is None:
        return {"": read.gold, **read.systems}
    found = {}
    for name, path, columns in (
        ("", read.gold_path, read.gold_columns),
        *((one.name, one.path, read.columns) for one in read.named),
    ):
        beside = str(Path(folder) / Path(path).name)
        called(beside, f"perturbed {name or 'gold'}")
        found[name] = read_side(beside, inputs, columns, read.task.formats)
    return found


def _copies(read: _Read, inputs: Inputs, folder: str) -> tuple[dict[str, Copy], list[str]]:
    """The copies that systems have outputs for; what should be known of the others."""
    found: dict[str, Copy] = {}
    notes = []
    for name in _manifest(folder, read):
        place = Path(folder) / name
        paths = {one.name: place / Path(one.path).name for one in read.named}
        there = {system: path for system, path in paths.items() if path.exists()}
        if not there and not inputs.baseline:
            notes.append(f"{name}: no system has an output on this copy, so it is left out")
            continue
        for system, path in paths.items():
            if system not in there:
                raise InputError.at(
                    str(path), 0, f"{system} has no output on this copy",
                    "Run it on the copy, and write its output there.",
                )  # fmt: skip
        gold_path = str(place / Path(read.gold_path).name)
        called(gold_path, f"gold of {name}")
        gold = read_side(gold_path, inputs, read.gold_columns)
        outputs = {}
        for system, path in there.items():
            called(str(path), f"{system}@{name}")
            outputs[system] = read_side(str(path), inputs, read.columns, read.task.formats)
        outputs |= _floors(gold, read.task, inputs)
        changes = _changes(str(place / CHANGES), read.gold)
        _require_fit(str(place / CHANGES), changes, read.gold, gold)
        found[name] = Copy(gold, changes, outputs)
    if not found:
        first = Path(folder) / "..." / Path(inputs.files[-1]).name
        raise UsageError(f"{folder}: there are no outputs on the copies, such as {first}")
    return found, notes


def _manifest(folder: str, read: _Read) -> list[str]:
    """The names of the copies, which were made from this gold file."""
    path = str(Path(folder) / MANIFEST)
    source = open_source(path)
    try:
        known = strict_json.parse("\n".join(source.lines()))
        file, digest = known["file"], known["sha256"]
        names = [str(one["folder"]) for one in known["copies"]]
    except (strict_json.BadJson, KeyError, TypeError):
        what = "it is not what finegrain perturb writes"
        raise InputError.at(path, 0, what, "Name the folder that it wrote.") from None
    own = Path(read.gold_path)
    if file != own.name:
        what = f"the copies are those of {file!r}, and not of {own.name!r}"
        raise InputError.at(path, 0, what, "Give the file that they were made from.")
    made_from = digest is None or not own.is_file() or digest == _digest(own)
    if not made_from:
        what = f"the copies were made from another version of {read.gold_path}"
        raise InputError.at(path, 0, what, "Make them again: finegrain perturb.")
    if any("/" in name or name.startswith(".") for name in names):
        raise InputError.at(path, 0, "a copy has no folder of its own", "Make the copies again.")
    return names


def _require_fit(path: str, changes: Sequence[Change], gold: Corpus, copy: Corpus) -> None:
    """Changes must lead from the words of the original to those of the copy."""
    if is_items(gold) or gold.tokens is None:
        return
    for line, change in enumerate(changes, 1):
        words = gold.sentence(change.sentence)[change.begin : change.begin + len(change.old)]
        if tuple(words) != change.old:
            what = f"{' '.join(change.old)!r} does not stand there in {gold.source}"
            raise InputError.at(path, line, what, "Make the copies again: finegrain perturb.")
    if len(way_of(gold, changes).of_new) != copy.n_tokens:
        what = f"the changes do not lead from {gold.source} to {copy.source}"
        raise InputError.at(path, 0, what, "Make the copies again: finegrain perturb.")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _changes(path: str, gold: Corpus) -> Sequence[Change]:
    """The changes of a copy, as they were recorded."""
    source = open_source(path) if Path(path).stat().st_size else None
    problems = Collector(path)
    found = []
    for number, line in enumerate(source.lines() if source else [], 1):
        try:
            record: Any = strict_json.parse(line)
            texts = [tuple(map(str, record[key])) for key in _LISTED]
            text, word = int(record["text"]) - 1, int(record["word"]) - 1
            change = Change(text, word, texts[0], texts[1], str(record.get("field", "")))
        except (strict_json.BadJson, KeyError, TypeError, ValueError, AttributeError):
            problems.add(number, "this is no change that finegrain perturb wrote", "Make it again.")
            continue
        if not 0 <= change.sentence < gold.n_sentences or change.begin < 0:
            problems.add(number, f"there is no text {change.sentence + 1}", "Make it again.")
            continue
        found.append(change)
    problems.raise_any()
    return found
