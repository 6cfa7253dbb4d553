"""The parser of the command line, made from what commands declare: click knows nothing else.

Of all commands only the one that is asked for is loaded and built.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from finegrain.cli.command import Command
from finegrain.cli.commands import COMMANDS
from finegrain.cli.name_lists import names_in
from finegrain.cli.option import Argument, Option
from finegrain.errors import UsageError, closest
from finegrain.version import __version__

_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def command_of(name: str) -> Command:
    """The command of a name, from the file that is called so."""
    module = import_module(f"finegrain.cli.commands.{name}")
    return next(one for one in vars(module).values() if isinstance(one, Command))


def every_command() -> list[Command]:
    """All commands, in the order of help; this loads them."""
    return [command_of(name) for names in COMMANDS.values() for name in names]


class Parsed(click.Command):
    """A command as click parses it."""

    def __init__(self, declared: Command) -> None:
        params = [*map(_argument, declared.arguments), *map(_option, declared.options)]
        super().__init__(declared.name, help=declared.help, params=params)
        self.declared = declared

    def invoke(self, ctx: click.Context) -> None:
        """Run it."""
        self.declared.run(_values(self.declared, ctx))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what was typed; a wrong option is told with the one that it is close to."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = [name for one in self.declared.options for name in _flags(one)]
            ctx.fail(f"No such option: {error.option_name}.{_hint(error.option_name, known)}")

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Nothing: they come with the options, in every version of click."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments, then options under the headings of their groups."""
        declared = self.declared
        sections = {"Arguments": [(one.shown, one.help) for one in declared.arguments]}
        sections["Options"] = []
        sections |= {one.title: [_row(option) for option in one] for one in declared.groups}
        next(reversed(sections.values())).append(("-h, --help", "Show this message and exit."))
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Root(click.Group):
    """``finegrain``, which has all commands."""

    def __init__(self) -> None:
        super().__init__(
            "finegrain",
            help="Where, how and why NLP systems differ.\n\nStart with: finegrain demo",
            context_settings=_HELP,
            params=[
                click.Option(
                    ["--version"], is_flag=True, is_eager=True, expose_value=False,
                    callback=_version, help="Print the version and exit.",
                )
            ],
        )  # fmt: skip
        self._summaries = {name: text for one in COMMANDS.values() for name, text in one.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names."""
        return list(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, which is loaded now."""
        return Parsed(command_of(cmd_name)) if cmd_name in self._summaries else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was typed; a wrong name is told with the one that it is close to."""
        name = args[0]
        if name not in self._summaries:
            ctx.fail(f"No such command: {name}.{_hint(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Names with summaries, in their groups, without loading any of them."""
        width = max(map(len, self._summaries))
        for title, summaries in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in summaries.items()])


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    del param
    if value:
        click.echo(f"finegrain {__version__}")
        ctx.exit()


def _hint(name: str, known: Sequence[str]) -> str:
    close = closest(name, known)
    return f" Did you mean {close}?" if close else ""


def _argument(declared: Argument) -> click.Argument:
    return click.Argument(
        [declared.name], metavar=declared.usage, required=declared.required,
        nargs=-1 if declared.many else 1, shell_complete=_files if declared.file else None,
    )  # fmt: skip


def _option(declared: Option) -> click.Option:
    if declared.is_flag:
        kind: dict[str, Any] = {"is_flag": True}
    else:
        kind = {"type": _type(declared), "multiple": declared.repeated or declared.names}
    return click.Option(
        [*declared.flags.split(", "), _key(declared)], metavar=declared.metavar,
        required=declared.required, shell_complete=_completion(declared), **kind,
    )  # fmt: skip


def _flags(declared: Option) -> list[str]:
    """All that can be typed for it."""
    return declared.flags.replace("/", ", ").split(", ")


def _key(declared: Option) -> str:
    """Where click keeps the value: two options may speak of one value."""
    return declared.long.removeprefix("--").replace("-", "_") + "_"


def _type(declared: Option) -> Any:
    least, most = declared.least, declared.most
    if declared.value_type is int:
        return click.IntRange(least, most)  # type: ignore[arg-type]  # whole numbers
    return click.FloatRange(least, most) if declared.value_type is float else click.STRING


def _completion(declared: Option) -> Any:
    if declared.file:
        return _files
    if not declared.choices:
        return None
    return lambda ctx, param, typed: [one for one in declared.choices if one.startswith(typed)]


def _files(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """What shells complete to names of files."""
    del ctx, param
    return [CompletionItem(typed, type="file")]


def _row(option: Option) -> tuple[str, str]:
    shown = f"  [default: {option.shown_default}]" if option.shown_default else ""
    return option.shown, option.help + shown


def _values(declared: Command, ctx: click.Context) -> dict[str, Any]:
    """What was typed, and the default of what was not."""
    values: dict[str, Any] = {one.name: one.unless_given for one in reversed(declared.options)}
    for argument in declared.arguments:
        typed = ctx.params[argument.name]
        values[argument.name] = list(typed) if argument.many else typed
    for option in declared.options:
        key = _key(option)
        if ctx.get_parameter_source(key) is ParameterSource.COMMANDLINE:
            values[option.name] = _value(option, ctx.params[key])
    return values


def _value(option: Option, typed: Any) -> Any:
    if option.is_flag:
        return typed if "/" in option.flags else option.value
    if option.names:
        return names_in(*typed) or None
    if option.choices and typed not in option.choices:
        raise UsageError.unknown(option.name.replace("_", " "), typed, option.choices)
    return list(typed) if option.repeated else typed
