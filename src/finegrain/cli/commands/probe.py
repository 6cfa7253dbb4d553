"""``finegrain probe``."""

from __future__ import annotations

from functools import partial
from typing import Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import INTERVALS, OUTPUT, STRICT


@command(
    Argument(
        "LABELS", "Items with an id and a label: CSV, JSON lines, or vectors with such fields."
    ),
    Argument(
        "LAYER...",
        "Vectors of the items; name=path names them. Several arrays of one file are layers.",
        to="layers",
    ),
    Option("--label COLUMN", "Column with the label; default: label, gold, tag.", default=""),
    Option(
        "--type COLUMN",
        "Column with the type of items, which training and test do not share; default: type, "
        "lemma, word, form.",
        default="",
    ),
    Option("--classifier linear|mlp", "Kind of probe.", default="linear"),
    Option("--folds N", "Folds of types.", default=5, least=2),
    Option("--seeds N", "Repetitions with other folds and orders.", default=3, least=1),
    Option(
        "-p, --predictions DIRECTORY",
        "Write gold.csv and the predictions of every layer, to score, compare and report.",
    ),
    STRICT,
    INTERVALS,
    OUTPUT,
)
def probe(
    labels: str,
    layers: list[str],
    *,
    predictions: str | None,
    strict: bool,
    quiet: bool,
    **how: Any,
) -> Any:
    """Train probes: in which layers is a label known?

    Accuracy on types that the probe has not seen, selectivity over a control task, online code
    length, learning curves; the most frequent label and random vectors beside them.

    \b
    Example:
      finegrain probe labels.csv layer0=l0.npy layer1=l1.npy --type word
      finegrain probe labels.csv bert=bert.npz --label number -p probed
      finegrain report probed/gold.csv probed/bert@*.csv -o report.html
    """
    from finegrain.analyses.studies.probing import probe as probing_of
    from finegrain.cli.inputs import parse_system
    from finegrain.cli.standard_streams import progress_bar, say
    from finegrain.files_read import called
    from finegrain.formats import read
    from finegrain.sizes import sized

    named = [parse_system(argument) for argument in layers]
    for name, path in (("labels", labels), *named):
        called(path, name)
    vectors = partial(read, format="vectors", strict=strict)
    read_named = ((name, vectors(path)) for name, path in named)
    shown = None if quiet else progress_bar("probing")
    found = probing_of(read(labels, strict=strict), read_named, progress=shown, **how)
    if not quiet:
        data = found.data
        size = f"{sized(data['n'], 'item')}; {sized(data['types'], 'type')} ({data['type']})"
        say(f"{size}; label {data['label']}: {', '.join(data['labels'][:10])}")
    if predictions is not None:
        for path in _write(found, predictions):
            if not quiet:
                say(path)
    return found


def _write(found: Any, directory: str) -> list[str]:
    """Write gold and predictions as files of classification; return their paths."""
    from finegrain.cli.folders import write_items
    from finegrain.errors import FinegrainError

    if found.gold is None or found.predictions is None:
        raise FinegrainError("there are no predictions")
    return write_items(found.gold, found.predictions, directory)
