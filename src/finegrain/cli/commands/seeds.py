"""``finegrain seeds``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, CONFIDENCE, CORRECTION, METRIC, SEED, WHERE

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs


@command(
    METRIC,
    CORRECTION,
    Option("--resamples N", "Of the items.", default=1000, least=1),
    CONFIDENCE,
    SEED,
    WHERE,
    *ANALYSIS,
)
def seeds(inputs: Inputs, **how: Any) -> Any:
    """Compare systems that were trained several times, over seeds and items.

    Files named name@seed=path are runs of one system; so are the files of a folder that is given in
    place of a file. Mean, standard deviation and an interval that holds for other seeds and other
    items alike; differences of systems; the expected best run by the number of runs.

    \b
    Example:
      finegrain seeds gold.conll bert@1=crf.conll bert@2=run7.conll crf.conll
      finegrain seeds gold.conll bert@1=crf.conll bert@2=neural.conll --metric fair_f1
    """
    import finegrain as fg
    from finegrain.cli.inputs import load
    from finegrain.cli.learning import with_learnt

    gold, *systems = inputs.files
    runs = [run for argument in systems for run in _runs_in(argument)]
    table = load(replace(inputs, files=[gold, *runs]))
    return fg.seeds(with_learnt(table, how["where"], inputs), **how)


def _runs_in(argument: str) -> list[str]:
    """The arguments that one stands for: itself, or one for every file in a folder.

    ``bert/`` with ``1.conll`` and ``2.conll`` in it is the same as ``bert@1=bert/1.conll
    bert@2=bert/2.conll``; ``name=folder`` gives the system another name.
    """
    from finegrain.cli.inputs import parse_system
    from finegrain.errors import InputError
    from finegrain.formats import brat
    from finegrain.formats.source import open_source, stem

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
