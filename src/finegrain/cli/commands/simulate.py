"""``finegrain simulate``."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import SEED
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.simulation import Simulation

_WHY = {
    "ill_formed": ": nothing else has tags that begin with I-",
    "runs": ": nothing else is answered several times",
    "label_noise": ": nothing else has gold labels that can be made wrong",
}


@command(
    Argument("DIRECTORY", "Where to write.", file=""),
    Option("--tokens N", "Approximate number of gold tokens.", default=20_000, least=100),
    Option(
        "-t, --task TASK",
        "spans (entities and parts of speech, the default), dependencies, coreference, "
        "classification (reviews), regression (grades), multilabel (aspects), qa, ranking, "
        "clustering, ratings, generation, representations, perplexity, "
        "minimal_pairs, segmentation (of sentences).",
    ),
    Option(
        "-s, --system NAME=WEAKNESS,...",
        "name=weakness,weakness (see: finegrain list weaknesses); name alone for none.",
        repeated=True,
        to="systems",
    ),
    Option(
        "--noise SHARE", "Share of errors that depend on nothing.", default=0.08, least=0, most=1
    ),
    Option(
        "--ill-formed SHARE",
        "Share of predicted spans that begin with I-.",
        default=0.0,
        least=0,
        most=1,
    ),
    Option(
        "--label-noise SHARE",
        "Share of gold labels of items that are wrong.",
        default=0.0,
        least=0,
        most=1,
    ),
    Option("--runs N", "How often systems answer every item, in a column run.", default=1, least=1),
    SEED,
)
def simulate(
    directory: str,
    task: str | None,
    systems: list[str] | None,
    *,
    tokens: int,
    noise: float,
    seed: int,
    **asked: Any,
) -> None:
    """Make a corpus and systems with planted weaknesses.

    Writes gold.conll, train.conll and one file per system: token, part of speech, entity tag. With
    --task dependencies the files are CoNLL-U with trees, with coreference CoNLL 2012 with chains,
    with classification and regression CSV, with other tasks of items JSON lines.

    \b
    Example:
      finegrain simulate play --system careful= --system hasty=long-entities,spurious
      finegrain score play/gold.conll play/careful.conll play/hasty.conll
      finegrain simulate trees --task dependencies --system near=long-arcs
      finegrain simulate reviews --task classification --system brisk=negation,overconfident
      finegrain simulate grades --task regression --system mild=compressed
      finegrain simulate judged --task ratings --system large=quality=4 --system small=
    """
    from finegrain.cli.folders import write_simulation
    from finegrain.cli.standard_streams import tell
    from finegrain.tasks import known

    made = {name: one.simulate for name, one in known().items() if one.simulate is not None}
    chosen = next(iter(made)) if task is None else task
    if chosen not in made:
        raise UsageError.unknown("task", chosen, made)
    asked["runs"] = asked["runs"] if asked["runs"] > 1 else 0
    options = {name: value for name, value in asked.items() if value}
    for name in options:
        takers = [task for task, one in made.items() if name in signature(one).parameters]
        if chosen not in takers:
            raise UsageError(
                f"--{name.replace('_', '-')} is for {' and '.join(takers)}{_WHY[name]}"
            )
    wanted = _systems(systems) if systems else None
    result: Simulation = made[chosen](
        tokens=tokens, seed=seed, systems=wanted, noise=noise, **options
    )
    tell(*write_simulation(result, directory))


def _systems(arguments: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Weaknesses by the name of the system.

    >>> _systems(["hasty=long-entities,spurious", "careful="])
    {'hasty': ('long-entities', 'spurious'), 'careful': ()}
    """
    from finegrain.cli.folders import require_file_names
    from finegrain.corpus.names import misnamed

    pairs = [(name, told) for name, _, told in (one.partition("=") for one in arguments)]
    if what := misnamed((name for name, _ in pairs), "system"):
        raise UsageError(f"--system: {what}")
    found = {name: tuple(filter(None, told.split(","))) for name, told in pairs}
    require_file_names(found)
    return found
