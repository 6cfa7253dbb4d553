"""ES modules in one inline script, which a page that opens from disk needs.

Each module keeps its own scope: it becomes a function, its imports constants taken from the modules
before it, its exports what the function returns.

>>> print(joined({"a.js": 'import { one } from "./b.js";\\nexport const two = one + 1;',
...               "b.js": "export const one = 1;"}))
const modules = {};
modules["b.js"] = (() => {
const one = 1;
return { one };
})();
modules["a.js"] = (() => {
const { one } = modules["b.js"];
const two = one + 1;
return { two };
})();
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const|let|class) (\w+)", re.MULTILINE)


def needed(modules: Mapping[str, str], start: str) -> dict[str, str]:
    """The module that a page starts with, and all that it needs.

    >>> list(needed({"a.js": 'import { one } from "./b.js";', "b.js": "", "c.js": ""}, "a.js"))
    ['a.js', 'b.js']
    """
    found: dict[str, str] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = modules[name]
            waiting += [one[1] for one in _IMPORT.findall(modules[name])]
    return found


def joined(modules: Mapping[str, str]) -> str:
    """One script that runs the modules in the order of their imports; circles are an error."""
    needs = {name: {one[1] for one in _IMPORT.findall(text)} for name, text in modules.items()}
    order = TopologicalSorter({name: sorted(needs[name]) for name in sorted(needs)}).static_order()
    return "const modules = {};\n" + "\n".join(_scoped(name, modules[name]) for name in order)


def _scoped(name: str, text: str) -> str:
    exported = [one[1] for one in _EXPORT.findall(text)]
    body = _IMPORT.sub(r'const {\1} = modules["\2"];', text)
    body = _EXPORT.sub(r"\1 \2", body)
    returned = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    return f'modules["{name}"] = (() => {{\n{body.strip()}\n{returned}}})();'
