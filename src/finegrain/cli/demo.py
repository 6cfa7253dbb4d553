"""``finegrain demo``."""

from __future__ import annotations

import sys
from pathlib import Path
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

    Ends with a report: a page with everything that was found.

    \b
    Example:
      finegrain demo
    """
    from finegrain.analyses.reports.report import report
    from finegrain.cli.simulating import write_simulation
    from finegrain.cli.standard_streams import tell
    from finegrain.simulation import simulate
    from finegrain.tasks import align
    from finegrain.views.terminal import print_result

    simulated = simulate(tokens=tokens, seed=seed)
    paths = write_simulation(simulated, directory)
    tell("Simulated systems and what is wrong with them:")
    for name, weaknesses in simulated.planted.items():
        tell(f"  {name}: {', '.join(weaknesses) or 'errors at random'}")
    gold, train, systems = paths[0], paths[1], " ".join(paths[2:])
    page = str(Path(directory) / "report.html")
    tell("", f"$ finegrain report {gold} {systems} --train {train} -o {page}", "")
    table = align(simulated.gold, simulated.systems)
    found = report(table, train=simulated.train, title="A simulated corpus", seed=seed)
    print_result(found, sys.stdout)
    _save_page(found, page)
    tell(f"The files are in {directory}: try the commands on them.")


def _save_page(found: object, page: str) -> None:
    """Write the page; without the extra, say how to get it."""
    from finegrain.analyses.reports.report import Report
    from finegrain.cli.standard_streams import say, tell
    from finegrain.errors import MissingExtra

    if not isinstance(found, Report):
        return
    try:
        found.save(page)
    except MissingExtra as missing:
        tell("")
        say(f"no page was written: {missing}")
    else:
        tell("", f"The report is in {page}: open it in a browser.")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)
