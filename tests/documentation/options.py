"""The reference page of the command line: shared options, and every command with its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc

from finegrain.cli.command import Command
from finegrain.cli.commands import COMMANDS
from finegrain.cli.option import Argument, Group, Option
from finegrain.cli.options import BUCKETS, INTERVALS, LABELS, OUTPUT, READING, TRAINING
from finegrain.cli.parser import command_of
from tests.documentation.docstrings import prose, table

SHARED = (READING, LABELS, TRAINING, BUCKETS, INTERVALS, OUTPUT)


def command_line_page() -> str:
    """Commands in their groups, the options they share, then each command."""
    parts = [
        "# Command line",
        (
            "Every command says the same with `--help`. [The commands](../commands.md) shows "
            "them at work and says what they have in common."
        ),
    ]
    for title, summaries in COMMANDS.items():
        rows = [[f"[{name}](#{name})", prose(summary)] for name, summary in summaries.items()]
        parts.append(table([title.lower(), "what it does"], rows))
    parts += ["## Shared options", "What these groups mean is the same in every command."]
    for group in SHARED:
        parts += [f"### {group.title}", _table(group)]
    for names in COMMANDS.values():
        for name in names:
            command = command_of(name)
            parts += [f"## {name}", *_help(command.help), *_parameters(command)]
    return "\n\n".join(parts)


def _help(text: str) -> Iterator[str]:
    """The help text; a paragraph behind a form feed or backspace mark keeps its lines."""
    for paragraph in re.split(r"\n\s*\n", text):
        if "\b" not in paragraph:
            yield prose(paragraph)
            continue
        title, *lines = paragraph.replace("\b", "").strip().splitlines()
        yield f"**{title.rstrip(':')}**"
        yield "```sh\n" + cleandoc("\n".join(lines)) + "\n```"


def _parameters(command: Command) -> Iterator[str]:
    shared = {group.title: group for group in SHARED}
    own = [group for group in command.groups if group.title not in shared]
    listed = [*command.arguments, *(option for group in own for option in group)]
    if listed:
        yield _table(listed)
    links = [_link(group, shared[group.title]) for group in command.groups if group.title in shared]
    if links:
        yield f"And of the shared options: {'; '.join(links)}."


def _link(group: Group, whole: Group) -> str:
    """A shared group, with those of its options that the command has, if not all."""
    link = f"[{group.title}](#{group.title.lower().replace(' ', '-')})"
    missing = [one for one in whole if one not in group.options]
    if not missing:
        return link
    few = len(missing) < len(group.options)
    names = ", ".join(f"`{one.long}`" for one in (missing if few else group))
    return f"{link}{' without' if few else ', only'} {names}"


def _table(listed: Iterable[Argument | Option]) -> str:
    rows = [[_written(one), prose(one.help + _default(one))] for one in listed]
    return table(["argument or option", "meaning"], rows)


def _written(one: Argument | Option) -> str:
    if isinstance(one, Argument):
        return f"`{one.shown}`"
    names = ", ".join(f"`{name}`" for name in re.split(r", |/", one.flags))
    return f"{names} `{one.metavar}`" if one.metavar else names


def _default(one: Argument | Option) -> str:
    shown = "" if isinstance(one, Argument) else one.shown_default
    return f" Default: `{shown}`." if shown else ""
