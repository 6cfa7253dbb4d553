"""What the server of commands makes before it forks a process for each: the same for all of them.

``tests.command_line`` has it loaded there.
"""

from __future__ import annotations

import typer.main

import tests.command_line  # noqa: F401 - commands are built once
from finegrain.cli import app
from finegrain.simulation.templates import template_bank

dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # all of them
template_bank()
