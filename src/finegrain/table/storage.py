"""The outcome table as a file: Parquet that everyone can query and finegrain can restore.

>>> import tempfile
>>> from finegrain import align, load, Corpus
>>> gold = Corpus.of([["time", "flies"]], tags=[["NOUN", "VERB"]])
>>> table = align(gold, {"flat": Corpus.of([["time", "flies"]], tags=[["NOUN", "NOUN"]])})
>>> with tempfile.TemporaryDirectory() as folder:
...     table.save(f"{folder}/table.parquet")
...     again = load(f"{folder}/table.parquet")
>>> again.systems, again.corpus.sentence(0), (again.outcome == table.outcome).all()
(('flat',), ['time', 'flies'], np.True_)

The Parquet columns are those of ``to_arrow``. What they cannot hold (the gold text with its layers,
settings, notes, exact types) stands with the whole table in one block of bytes between the file's
first four bytes and its first column, where Parquet readers do not look: they follow the addresses
in the footer. The footer's key ``finegrain`` holds, as JSON, the schema version, where the block
is, its SHA-256, and what belongs to whom::

    {"schema": 2, "version": "0.1.0", "task": "spans", "systems": ["crf"], "labels": ["LOC", "PER"],
     "columns": {"crf": {"outcome": "outcome_crf", "answer": "answer_crf"}},
     "block": {"at": 4, "size": 8123, "sha256": "..."}}

Whatever rewrites the file (a query's result, say) drops the block, and ``load`` says so.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from finegrain import strict_json
from finegrain.complete_file import complete_file
from finegrain.errors import InputError, UsageError
from finegrain.files_read import FilePath
from finegrain.plugins import Late
from finegrain.table.exchange import column_name, pyarrow, to_arrow, value_columns
from finegrain.table.outcome_table import OutcomeTable
from finegrain.table.packing import pack, unpack
from finegrain.table.soundness import require_sound
from finegrain.version import __version__

SCHEMA = 2  # goes up when an older finegrain could not read the file
READABLE = (1, SCHEMA)
KEY = b"finegrain"
MAGIC = b"PAR1"
_MEAN_ALONE = Late("finegrain.metrics.values:mean_alone")
_MEND = "Write it again: finegrain align GOLD SYSTEM... -o table.parquet"


def save(table: OutcomeTable, path: FilePath) -> None:
    """Write the table; a failure leaves what was there untouched."""
    pa = pyarrow()
    columns = to_arrow(table)
    block = pack(replace(table, corpus=replace(table.corpus, further=None)))
    described = json.dumps(_description(table, block))
    columns = columns.replace_schema_metadata({KEY: described})
    parquet = import_module("pyarrow.parquet")
    with (
        complete_file(os.fspath(path)) as temporary,
        open(temporary, "wb") as file,  # noqa: PTH123 - as below; pyarrow takes only UTF-8 names
        pa.PythonFile(file, mode="w") as sink,
        parquet.ParquetWriter(sink, columns.schema, compression="zstd") as writer,
    ):
        sink.write(block)  # the writer has written MAGIC, and asks where it stands
        writer.write_table(columns)


def _description(table: OutcomeTable, block: bytes) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "version": __version__,
        "task": table.task.name,
        "systems": table.systems,
        "labels": table.labels,
        "columns": {
            system: {
                **{kind: column_name(kind, system) for kind in ("outcome", "answer")},
                **value_columns(table, system),
            }
            for system in table.systems
        },
        "block": {
            "at": len(MAGIC),
            "size": len(block),
            "sha256": hashlib.sha256(block).hexdigest(),
        },
    }


def load(path: FilePath) -> OutcomeTable:
    """The table that ``save`` or ``finegrain align`` wrote to a file.

    >>> load("no/such/table.parquet")
    Traceback (most recent call last):
    finegrain.errors.InputError: no/such/table.parquet: no such file. Check the path.
    """
    path = os.fspath(path)
    _require_parquet(path)
    described = _footer(path)
    block = _block(path, described)
    try:
        table = unpack(block)
        require_sound(table)
        table = _with_task(table)
    except (pyarrow().ArrowException, *_BAD_VALUES) as error:
        what = f"the table in it cannot be restored ({type(error).__name__}: {error})"
        raise InputError.at(path, 0, what, _MEND) from None
    return table


# What values of the wrong type, size or name raise where they are used.
_BAD_VALUES = (
    ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip


def _require_parquet(path: str) -> None:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
            start = file.read(len(MAGIC))
    except IsADirectoryError:
        raise InputError.at(path, 0, "this is a directory", "Name a file in it.") from None
    except FileNotFoundError:
        raise InputError.at(path, 0, "no such file", "Check the path.") from None
    except OSError as error:
        raise InputError.at(path, 0, f"cannot be read ({error.strerror or error})") from None
    if start != MAGIC:
        raise InputError.at(path, 0, "this is not a saved table (no Parquet file)", _MEND)


def _footer(path: str) -> dict[str, Any]:
    """What the file says about itself, for a schema that is known."""
    pa = pyarrow()
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
            metadata = import_module("pyarrow.parquet").read_metadata(file).metadata or {}
    except (pa.ArrowException, *_BAD_VALUES):
        what = "the Parquet file is damaged or incomplete"
        raise InputError.at(path, 0, what, _MEND) from None
    if KEY not in metadata:
        what = "a Parquet file, but not a table of finegrain (or rewritten by another program)"
        raise InputError.at(path, 0, what, _MEND)
    try:
        described: dict[str, Any] = strict_json.parse(metadata[KEY].decode(), any_name=True)
        schema = int(described["schema"])
    except _BAD_VALUES:
        what = "what the file says about itself is damaged"
        raise InputError.at(path, 0, what, _MEND) from None
    if schema not in READABLE:
        raise InputError.at(
            path, 0, f"the table has schema {schema}, finegrain {__version__} knows {SCHEMA}",
            "Use the finegrain that wrote it or a newer one." if schema > SCHEMA else _MEND,
        )  # fmt: skip
    return described


def _block(path: str, described: dict[str, Any]) -> bytes:
    try:
        place = described["block"]
        at, size, digest = int(place["at"]), int(place["size"]), str(place["sha256"])
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
            file.seek(at)
            block = file.read(min(max(size, 0), os.fstat(file.fileno()).st_size))
    except _BAD_VALUES:
        what = "what the file says about itself is damaged"
        raise InputError.at(path, 0, what, _MEND) from None
    if hashlib.sha256(block).hexdigest() != digest:
        what = "the file is damaged, or was rewritten by another program"
        raise InputError.at(path, 0, what, _MEND)
    return block


def _with_task(table: OutcomeTable) -> OutcomeTable:
    """The table with the task that is known by its name; an unknown one stays as it was saved.

    The score of an unknown one is the mean of what its units are graded by, or accuracy. Raises
    ``ValueError`` where the table is not one of that task.
    """
    tasks: Any = import_module("finegrain.tasks")  # they know the table, not it them
    try:
        task = tasks.by_name(table.task.name)
    except UsageError:
        graded = table.values.get(table.task.value)
        if graded is None:
            return table
        mean = partial(_MEAN_ALONE, table.task.value, graded.scale)
        return replace(table, task=replace(table.task, metrics=mean))
    given, known = table.outcomes, task.outcomes
    if (given.names, given.correct.name) != (known.names, known.correct.name):
        raise ValueError(f"its outcomes are not those of the task {task}")
    if (given.produced != known.produced).any():  # what was chosen when it was aligned
        task = replace(task, outcomes=given)
    restored = replace(table, task=task)
    if task.check is not None:
        task.check(restored)
    return restored
