"""A command: a function, whose docstring is its help, and the options that it declares.

>>> from finegrain.cli.options import SEED
>>> @command(SEED)
... def throw(seed: int) -> None:
...     '''Throw a dice.'''
>>> throw.name, throw.summary, [option.long for option in throw.options]
('throw', 'Throw a dice.', ['--seed'])

The function gets what its parameters name: values of options and arguments, ``inputs`` (what was
said about files), ``table`` (gold and systems aligned) and ``destination`` (where the result goes).
Options of its own that it does not name go to ``**how``, by their names, for the analysis. What it
returns is printed or written.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from finegrain.cli.files_apart import require_apart, tells_inputs
from finegrain.cli.option import Argument, Group, Option
from finegrain.cli.options import LABELS, LEVEL, OUTPUT, READING, TRAINING, WHERE, Inputs, Output

_SHARED = frozenset([*READING, *LABELS, *TRAINING, *OUTPUT, LEVEL])
Part = Argument | Option | Group | tuple[Argument | Group, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the command line."""

    function: Callable[..., Any]
    arguments: tuple[Argument, ...]
    groups: tuple[Group, ...]
    records: bool = False  # which files were read, whatever is written

    @property
    def name(self) -> str:
        """What is typed."""
        return self.function.__name__.rstrip("_")

    @property
    def help(self) -> str:
        """All that ``--help`` says before the options."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The first paragraph."""
        return self.help.partition("\n\n")[0]

    @property
    def options(self) -> list[Option]:
        """All options, in the order of help."""
        return [option for group in self.groups for option in group]

    def run(self, values: Mapping[str, Any]) -> None:
        """Call the function with what it asks for; print or write its result."""
        require_apart([*self.arguments, *self.options], values)
        if not self.records and not tells_inputs(values):
            self._run(values)
            return
        from finegrain.files_read import recording

        with recording():
            self._run(values)

    def _run(self, values: Mapping[str, Any]) -> None:
        inputs, destination = (
            self._inputs(values),
            Output(values.get("format"), values.get("output")),
        )
        asked = inspect.signature(self.function).parameters
        offered = {**values, "inputs": inputs, "destination": destination}
        if "table" in asked:
            offered["table"] = self._table(inputs, values)
        given = {name: offered[name] for name in asked if name in offered}
        if any(one.kind is one.VAR_KEYWORD for one in asked.values()):
            own = {option.name for option in self.options if option not in _SHARED}
            left = own - {*asked, "format", "output"}
            given |= {name: values[name] for name in left}
        result = self.function(**given)
        if result is not None:
            from finegrain.cli.output import emit

            emit(result, destination, strict=inputs.strict)

    def _inputs(self, values: Mapping[str, Any]) -> Inputs:
        """What was said about files."""
        files: list[str] = []
        for argument in self.arguments:
            value = values[argument.name]
            files += value if argument.many else [] if value is None else [value]
        known = {one.name for one in fields(Inputs)}
        said = [one.name for one in self.options if one in _SHARED and one.name in known]
        return Inputs(files, **{name: values[name] for name in said})

    def _table(self, inputs: Inputs, values: Mapping[str, Any]) -> Any:
        """Gold and systems aligned, with what a selection of units asks of training data."""
        from finegrain.cli.inputs import load

        table = load(inputs)
        if WHERE not in self.options or not values["where"] or inputs.train is None:
            return table
        from finegrain.cli.learning import with_learnt

        fold_case = values.get("fold_case", True)
        return with_learnt(table, values["where"], inputs, fold_case=fold_case)


def command(*parts: Part, records: bool = False) -> Callable[[Callable[..., Any]], Command]:
    """Make a function into a command that takes these arguments and options."""
    flat = [one for part in parts for one in (part if isinstance(part, tuple) else (part,))]
    arguments = tuple(one for one in flat if isinstance(one, Argument))
    own = Group("Options", tuple(one for one in flat if isinstance(one, Option)))
    groups = [group for group in flat if isinstance(group, Group)]

    def made(function: Callable[..., Any]) -> Command:
        return Command(function, arguments, tuple(filter(list, [own, *groups])), records)

    return made


def without(parts: Iterable[Argument | Group], *names: str) -> tuple[Argument | Group, ...]:
    """The same arguments and groups, without the options of these names."""
    left = {*names}
    return tuple(
        one
        if isinstance(one, Argument)
        else Group(one.title, tuple(option for option in one if option.name not in left))
        for one in parts
    )
