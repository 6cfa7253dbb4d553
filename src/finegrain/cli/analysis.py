"""From a function of the outcome table to a command with all the shared options.

``analysis`` turns ``function(table, **own options)``, which returns a result, into a command
(``where: options.WhereOption`` can ask for what is learnt from training data;
what the user said of files goes to a parameter ``inputs``, and where the result goes to a
parameter ``destination``, where there are such; ``level`` decides how files are aligned; what has
no parameter ``table`` reads its files itself)
with the arguments that every analysis has: files, task, format, columns, scheme, policy, output.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from finegrain.cli import options
from finegrain.cli.level import aligned_for


def _shared(
    gold: options.GoldArgument,
    systems: options.SystemsArgument = None,
    task: options.TaskOption = None,
    input: options.InputOption = None,
    columns: options.ColumnsOption = None,
    gold_columns: options.GoldColumnsOption = None,
    header: options.HeaderOption = "auto",
    comment: options.CommentOption = None,
    names: options.NamesOption = None,
    scheme: options.SchemeOption = None,
    policy: options.PolicyOption = "conlleval",
    layer: options.LayerOption = options.LAYER,
    map: options.MapOption = None,
    labels: options.LabelsOption = None,
    exclude: options.ExcludeOption = None,
    label_schema: options.SchemaOption = None,
    by_characters: options.CharactersOption = False,
    set: options.SetOption = None,
    missing: options.MissingOption = None,
    repeats: options.RepeatsOption = None,
    cluster: options.ClusterOption = None,
    train: options.TrainOption = None,
    baseline: options.BaselineOption = None,
    vote: options.VoteOption = False,
    strict: options.StrictOption = False,
    format: options.FormatOption = None,
    output: options.OutputOption = None,
    quiet: options.QuietOption = False,
) -> tuple[options.Inputs, options.Output]:
    inputs = options.Inputs(
        files=[gold, *(systems or [])],
        task=task,
        input=input,
        columns=columns,
        gold_columns=gold_columns,
        header=header,
        comment=comment,
        names=names,
        scheme=scheme,
        policy=policy,
        layer=layer,
        map=map,
        labels=labels,
        exclude=exclude,
        label_schema=label_schema,
        by_characters=by_characters,
        set=set,
        missing=missing,
        repeats=repeats,
        cluster=cluster,
        train=train,
        baseline=baseline,
        vote=vote,
        strict=strict,
        quiet=quiet,
    )
    return inputs, options.Output(format, output)


def _told(table: Any, inputs: options.Inputs, given: dict[str, Any]) -> Any:
    """The table with what a selection of units asks of training data."""
    if not given["where"] or inputs.train is None:
        return table
    from finegrain.cli.learnt_fields import with_learnt

    fold_case = not given.get("case_sensitive", False)
    return with_learnt(table, given["where"], inputs, fold_case=fold_case)


def analysis(
    function: Callable[..., Any], *, leave_out: tuple[str, ...] = ()
) -> Callable[..., None]:
    """Make ``function(table, **own options)``, which returns a result, into a command.

    Shared options that are named in ``leave_out`` are not offered; without a result nothing is
    printed.
    """
    offered = inspect.signature(_shared, eval_str=True).parameters
    shared = {name: given for name, given in offered.items() if name not in leave_out}
    heavy = {"OutcomeTable": Any, "Inputs": Any, "Output": Any}  # imported only when a command runs
    signature = inspect.signature(function, eval_str=True, locals=heavy)
    asked = signature.parameters.get("where")
    restricts = asked is not None and asked.annotation == options.WhereOption
    wants_inputs = "inputs" in signature.parameters
    hidden = ("table", "inputs", "destination")
    own = {name: given for name, given in signature.parameters.items() if name not in hidden}
    last = [name for name in shared if name in ("format", "output", "quiet")]
    ordered = [shared[name] for name in shared if name not in last]
    ordered += own.values()
    ordered += (shared[name] for name in last)

    def command(**given: Any) -> None:
        from finegrain.cli.inputs import load
        from finegrain.cli.output import emit

        inputs, output = _shared(**{name: given.pop(name) for name in shared})
        if "level" in given:
            inputs = aligned_for(inputs, given["level"])
        if "table" in signature.parameters:
            given["table"] = load(inputs)
            if restricts:
                given["table"] = _told(given["table"], inputs, given)
        if wants_inputs:
            given["inputs"] = inputs
        if "destination" in signature.parameters:
            given["destination"] = output
        result = function(**given)
        if result is not None:
            emit(result, output, strict=inputs.strict)

    command.__name__ = function.__name__
    command.__doc__ = function.__doc__
    keyword = inspect.Parameter.KEYWORD_ONLY
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # typer reads it
        [parameter.replace(kind=keyword) for parameter in ordered]
    )
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    return command
