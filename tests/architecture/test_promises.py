"""Scripts of browser tests leave no promise to the driver: Chromium may collect it unresolved."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

BROWSER = Path(__file__).parents[1] / "browser"


@pytest.mark.parametrize("path", sorted(BROWSER.glob("*.py")), ids=lambda path: path.stem)
def test_promises_are_waited_for_by_the_page_itself(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    constants = {
        target.id: ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    scripts = [
        constants.get(ast.unparse(node.args[0]), ast.unparse(node.args[0]))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr.startswith("eval")
        and node.args
    ]
    assert [one for one in scripts if "async" in one or "Promise" in one] == []
