"""A folder in place of a system's file: every file in it is a run of the system.

``bert/`` with ``1.conll`` and ``2.conll`` in it is the same as ``bert@1=bert/1.conll
bert@2=bert/2.conll``; ``name=folder`` gives the system another name.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from finegrain.cli.inputs import parse_system
from finegrain.cli.options import Inputs
from finegrain.errors import InputError
from finegrain.formats import brat
from finegrain.formats.source import open_source, stem


def with_runs(inputs: Inputs) -> Inputs:
    """The same inputs with the files of folders in place of the folders."""
    gold, *systems = inputs.files
    runs = [run for argument in systems for run in _runs_in(argument)]
    return replace(inputs, files=[gold, *runs])


def _runs_in(argument: str) -> list[str]:
    """The arguments that one stands for: itself, or one for every file in a folder."""
    name, path = parse_system(argument)
    folder = Path(path)
    if not folder.is_dir() or brat.looks_like(open_source(path)):  # such a folder is one corpus
        return [argument]
    files = sorted(
        (one for one in folder.iterdir() if one.is_file() and not one.name.startswith(".")),
        key=lambda one: (len(one.name), one.name),  # 2 before 10
    )
    if not files:
        mend = "Put one file for each run into it."
        raise InputError.at(path, 0, "an empty folder", mend)
    return [f"{name}@{stem(str(one))}={one}" for one in files]
