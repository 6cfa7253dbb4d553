"""``finegrain simulate``."""

from __future__ import annotations

from typing import Annotated

import typer

TaskOption = Annotated[
    str | None,
    typer.Option(
        "--task",
        "-t",
        metavar="TASK",
        help="spans (entities and parts of speech, the default), dependencies, coreference, "
        "classification (reviews), regression (grades), multilabel (aspects), qa, ranking, "
        "clustering, ratings, generation, representations, perplexity, minimal_pairs, "
        "segmentation (of sentences).",
    ),
]


def simulate(
    directory: Annotated[
        str, typer.Argument(metavar="DIRECTORY", help="Where to write.", show_default=False)
    ],
    tokens: Annotated[int, typer.Option(min=100, help="About so many tokens of gold.")] = 20_000,
    task: TaskOption = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            "-s",
            metavar="NAME=WEAKNESS,...",
            help="name=weakness,weakness (see: finegrain list weaknesses); name alone for none.",
        ),
    ] = None,
    noise: Annotated[
        float, typer.Option(min=0, max=1, help="Share of errors that depend on nothing.")
    ] = 0.08,
    ill_formed: Annotated[
        float, typer.Option(min=0, max=1, help="Share of predicted spans that begin with I-.")
    ] = 0.0,
    label_noise: Annotated[
        float, typer.Option(min=0, max=1, help="Share of gold labels of items that are wrong.")
    ] = 0.0,
    runs: Annotated[
        int, typer.Option(min=1, help="How often systems answer every item, in a column run.")
    ] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.")] = 1,
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
    """  # fmt: skip
    from finegrain.cli.simulating import simulated, systems_of, write_simulation
    from finegrain.cli.standard_streams import tell

    wanted = systems_of(system) if system else None
    made = simulated(task, tokens, seed, wanted, noise, ill_formed, label_noise, runs)
    for path in write_simulation(made, directory):
        tell(path)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(simulate)
