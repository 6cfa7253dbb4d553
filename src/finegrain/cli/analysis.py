"""From a function of the outcome table to a command with all the shared options.

``analysis`` turns ``function(table, **own options)``, which returns a result, into a command
with the arguments that every analysis has: files, task, format, columns, scheme, policy, output.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from finegrain.cli import options

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable


def _shared(
    gold: options.GoldArgument,
    systems: options.SystemsArgument = None,
    task: options.TaskOption = None,
    input: options.InputOption = None,
    columns: options.ColumnsOption = None,
    gold_columns: options.GoldColumnsOption = None,
    header: options.HeaderOption = "auto",
    comment: options.CommentOption = None,
    scheme: options.SchemeOption = None,
    policy: options.PolicyOption = "conlleval",
    format: options.FormatOption = None,
    output: options.OutputOption = None,
    quiet: options.QuietOption = False,
) -> tuple[options.Inputs, options.Output]:
    inputs = options.Inputs(
        [gold, *(systems or [])],
        task,
        input,
        columns,
        gold_columns,
        header,
        comment,
        scheme,
        policy,
        quiet,
    )
    return inputs, options.Output(format, output)


def analysis(function: Callable[..., Any]) -> Callable[..., None]:
    """Make ``function(table, **own options)``, which returns a result, into a command."""
    shared = inspect.signature(_shared, eval_str=True).parameters
    heavy = {"OutcomeTable": Any}  # imported only when a command runs
    signature = inspect.signature(function, eval_str=True, locals=heavy)
    own = {name: given for name, given in signature.parameters.items() if name != "table"}
    last = [name for name in shared if name in ("format", "output", "quiet")]
    ordered = [shared[name] for name in shared if name not in last]
    ordered += own.values()
    ordered += (shared[name] for name in last)

    def command(**given: Any) -> None:
        from finegrain.cli.inputs import load
        from finegrain.cli.output import emit

        inputs, output = _shared(**{name: given.pop(name) for name in shared})
        table: OutcomeTable = load(inputs)
        emit(function(table, **given), output)

    command.__name__ = function.__name__
    command.__doc__ = function.__doc__
    keyword = inspect.Parameter.KEYWORD_ONLY
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # typer reads it
        [parameter.replace(kind=keyword) for parameter in ordered]
    )
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    return command
