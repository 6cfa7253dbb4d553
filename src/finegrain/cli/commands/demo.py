"""``finegrain demo``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import SEED


@command(
    Option(
        "-d, --directory DIRECTORY", "Where to put the simulated files.", default="finegrain-demo"
    ),
    Option("--tokens N", "Approximate number of gold tokens.", default=20_000, least=1000),
    SEED,
)
def demo(directory: str, tokens: int, seed: int) -> None:
    """Show what finegrain does, on data that it makes.

    Ends with a report: a page with everything that was found.

    \b
    Example:
      finegrain demo
    """
    from finegrain.analyses.reports.report import report
    from finegrain.cli.folders import write_simulation
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


def _save_page(found: Any, page: str) -> None:
    """Write the page; without the extra, say how to get it."""
    from finegrain.cli.standard_streams import say, tell
    from finegrain.errors import MissingExtra

    try:
        found.save(page)
    except MissingExtra as missing:
        tell("")
        say(f"no page was written: {missing}")
    else:
        tell("", f"The report is in {page}: open it in a browser.")
