"""What the server of commands makes before it forks a process for each: the same for all of them.

``tests.command_line`` has it loaded there.
"""

from __future__ import annotations

from finegrain.simulation.templates import template_bank

template_bank()
