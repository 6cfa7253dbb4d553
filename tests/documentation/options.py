"""The reference page of the command line: every command with its arguments and options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from finegrain.cli.commands import Built
from tests.documentation.docstrings import prose, table


def command_line_page() -> str:
    """Every command: what it does, its examples, its arguments and options."""
    commands = Built()
    rows = [
        [f"[{name}](#{name})", prose((command.help or "").split("\n\n")[0])]
        for name, command in commands.items()
    ]
    parts = [
        "# Command line",
        (
            "Every command says the same with `--help`. [The commands](../commands.md) shows "
            "them at work and says what they have in common."
        ),
        table(["command", "what it does"], rows),
    ]
    for name, command in commands.items():
        parts += [f"## {name}", *_help(inspect.cleandoc(command.help or ""))]
        parts.append(_parameters(command))
    return "\n\n".join(parts)


def _help(text: str) -> Iterator[str]:
    """The help text; a paragraph behind a form feed or backspace mark keeps its lines."""
    for paragraph in re.split(r"\n\s*\n", text):
        if "\b" not in paragraph:
            yield prose(paragraph)
            continue
        title, *lines = paragraph.replace("\b", "").strip().splitlines()
        yield f"**{title.rstrip(':')}**"
        yield "```sh\n" + inspect.cleandoc("\n".join(lines)) + "\n```"


def _parameters(command: Any) -> str:
    rows = []
    for parameter in command.params:
        if getattr(parameter, "hidden", False):
            continue
        rows.append([_written(parameter), _meaning(parameter)])
    return table(["argument or option", "meaning"], rows)


def _written(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    return names if parameter.is_flag else f"{names} `{parameter.metavar or _choices(parameter)}`"


def _choices(parameter: Any) -> str:
    choices = getattr(parameter.type, "choices", None)
    return "|".join(map(str, choices)) if choices else parameter.type.name.upper()


def _meaning(parameter: Any) -> str:
    text = parameter.help or ""
    default = parameter.default
    shown = parameter.param_type_name == "option" and not parameter.is_flag
    if shown and isinstance(default, str | int | float) and parameter.show_default is not False:
        text += f" Default: `{default}`."
    return prose(text)
