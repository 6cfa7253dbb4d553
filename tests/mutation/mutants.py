"""Small faults in the source, made from its syntax tree: comparisons flipped, numbers changed, ...

>>> tree = ast.parse("def half(n):\\n    return n / 2 if n > 1 else -n\\n")
>>> sorted(one.change for one in faults("half.py", tree))
['-n -> n', '1 -> 2', '2 -> 3', 'n / 2 -> n * 2', 'n > 1 -> n >= 1',
 'return of n / 2 if n > 1 else -n -> None']
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
# Where numbers are made. Tables in words (listings) have tests of their own kind.
FOLDERS = ("table", "metrics", "resampling", "analyses")
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


class Mutant(NamedTuple):
    """One fault: where it is, what it changes, and the place of its node in the tree."""

    path: str
    line: int
    change: str
    at: int
    function: int  # the first line of the function that has it, 0 for none


def modules() -> list[Path]:
    """The files that are mutated."""
    source = ROOT / "src" / "finegrain"
    return sorted(path for folder in FOLDERS for path in (source / folder).rglob("*.py"))


def sample(number: int, seed: int) -> list[Mutant]:
    """So many faults, drawn from all of them."""
    every = [
        one
        for path in modules()
        for one in faults(str(path.relative_to(ROOT)), ast.parse(path.read_text("utf-8")))
    ]
    chosen = random.Random(seed).sample(range(len(every)), min(number, len(every)))
    return [every[at] for at in sorted(chosen)]


def mutated(mutant: Mutant) -> ast.Module:
    """The syntax tree of its file, with the fault."""
    tree = ast.parse((ROOT / mutant.path).read_text("utf-8"))
    node = next(node for at, node in enumerate(ast.walk(tree)) if at == mutant.at)
    changed = _changed(node)
    assert changed is not None
    node.__class__ = changed.__class__  # type: ignore[assignment]
    node.__dict__.update(changed.__dict__)
    return tree


def faults(path: str, tree: ast.Module) -> Iterator[Mutant]:
    """Every fault that can be put into a file, outside of annotations and messages."""
    exempt = {id(node) for node in _exempt(tree)}
    functions = _functions(tree)
    for at, node in enumerate(ast.walk(tree)):
        if id(node) in exempt:
            continue
        changed = _changed(node)
        if changed is not None:
            line = getattr(node, "lineno", 0)
            yield Mutant(path, line, _words(node, changed), at, _home(functions, line))


def _exempt(tree: ast.Module) -> Iterator[ast.AST]:
    """Types, decorators, errors that are raised, and what runs for type checkers only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            parts = [*node.decorator_list, node.returns]
        elif isinstance(node, ast.ClassDef):
            parts = [*node.decorator_list, *node.bases]
        elif isinstance(node, ast.AnnAssign | ast.arg):
            parts = [node.annotation]
        elif isinstance(node, ast.Raise | ast.JoinedStr):
            parts = [node]
        elif isinstance(node, ast.Assign) and _names_a_type(node.value):
            parts = [node.value]
        else:
            continue
        for part in parts:
            if part is not None:
                yield from ast.walk(part)


def _names_a_type(value: ast.expr) -> bool:
    """Whether this is ``Callable[...]`` or ``str | Path``: the name of a type."""
    return isinstance(value, ast.Subscript) or (
        isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr)
    )


def _functions(tree: ast.Module) -> list[tuple[int, int, int]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            found.append((first, node.end_lineno or first, first))
    return found


def _home(functions: list[tuple[int, int, int]], line: int) -> int:
    """The first line of the innermost function around a line."""
    return max((first for first, last, _ in functions if first <= line <= last), default=0)


def _changed(node: ast.AST) -> ast.AST | None:
    """The node with a fault; None where there is nothing to change."""
    for kind, change in _CHANGES.items():
        if isinstance(node, kind):
            return change(deepcopy(node))
    return None


def _comparison(node: ast.Compare) -> ast.AST | None:
    node.ops[0] = OPERATORS[type(node.ops[0])]()  # type: ignore[assignment]
    return node


def _operator(node: ast.BinOp | ast.BoolOp) -> ast.AST | None:
    other = OPERATORS.get(type(node.op))
    if other is None:
        return None
    node.op = other()  # type: ignore[assignment]
    return node


def _number(node: ast.Constant) -> ast.AST | None:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        return None
    node.value += 1
    return node


def _sign(node: ast.UnaryOp) -> ast.AST | None:
    return node.operand if isinstance(node.op, ast.Not | ast.USub | ast.Invert) else None


def _returned(node: ast.Return) -> ast.AST | None:
    if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
        return None
    node.value = ast.copy_location(ast.Constant(None), node.value)
    return node


def _arguments(node: ast.Call) -> ast.AST | None:
    """The first two arguments swapped."""
    if len(node.args) < 2 or any(isinstance(one, ast.Starred) for one in node.args[:2]):
        return None
    first, second = node.args[:2]
    if ast.dump(first) == ast.dump(second) or ast.unparse(node.func) in ("cast", "isinstance"):
        return None
    node.args[:2] = [second, first]
    return node


_CHANGES: dict[type[ast.AST], Callable[..., ast.AST | None]] = {
    ast.Compare: _comparison,
    ast.BinOp: _operator,
    ast.BoolOp: _operator,
    ast.Constant: _number,
    ast.UnaryOp: _sign,
    ast.Return: _returned,
    ast.Call: _arguments,
}


def _words(node: ast.AST, changed: ast.AST) -> str:
    if isinstance(node, ast.Return) and node.value is not None:
        return f"return of {ast.unparse(node.value)} -> None"
    return f"{ast.unparse(node)} -> {ast.unparse(changed)}"
