"""``finegrain demo``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def demo(
    directory: Annotated[
        str, typer.Option("--directory", "-d", help="Where to put the simulated files.")
    ] = "finegrain-demo",
    tokens: Annotated[int, typer.Option(min=1000, help="About so many tokens of gold.")] = 20_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same demo.")] = 1,
) -> None:
    """Show what finegrain does, on data that it makes.

    \b
    Example:
      finegrain demo
    """
    from finegrain import api
    from finegrain.analyses.error_types import error_types
    from finegrain.cli.simulating import write_simulation
    from finegrain.simulation import simulate
    from finegrain.views.terminal import print_result

    simulated = simulate(tokens=tokens, seed=seed)
    paths = write_simulation(simulated, directory)
    typer.echo("Simulated systems and what is wrong with them:")
    for name, weaknesses in simulated.planted.items():
        typer.echo(f"  {name}: {', '.join(weaknesses) or 'errors at random'}")
    gold, systems = paths[0], " ".join(paths[2:])
    typer.echo(f"\n$ finegrain score {gold} {systems}\n")
    table = api.align(simulated.gold, simulated.systems)
    print_result(api.score(table), sys.stdout)
    typer.echo(f"\n$ finegrain errors {gold} {systems} --examples 1\n")
    print_result(error_types(table, examples=1), sys.stdout)
    typer.echo(f"\nThe files are in {directory}: try the commands on them.")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)
