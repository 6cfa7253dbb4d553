"""A figure: a Vega-Lite specification as a plain dictionary, saved as SVG, PNG, PDF or JSON.

>>> figure = Chart({"mark": "point", "data": {"values": [{"x": 1}]},
...                 "encoding": {"x": {"field": "x", "type": "quantitative"}}})
>>> figure.spec["$schema"]
'https://vega.github.io/schema/vega-lite/v6.json'

Specifications hold their data and the colours for print. A page swaps colours for those of the
reader's ground, and takes ``href`` of a datum as a link to the units behind it and ``told`` as what
it says. Names come from files: whatever they hold, a figure can be drawn, and shows what is
invisible in them.

>>> Chart({"description": "a\\u202eb"})
<Chart: a\\u202eb>
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

from finegrain.complete_file import complete_file
from finegrain.errors import FinegrainError, UsageError
from finegrain.files_read import FilePath
from finegrain.views.charts.engine import converter
from finegrain.views.charts.palette import HAIRLINE, INK, RULE, SECOND
from finegrain.views.escape import visible

Spec = dict[str, Any]
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
FONT = "Helvetica Neue, Liberation Sans, Arial, sans-serif"
SUFFIXES = (".svg", ".png", ".pdf", ".json")
CONFIG: Spec = {
    "background": None,
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": SECOND.light,
        "titleColor": SECOND.light,
        "domainColor": RULE.light,
        "tickColor": RULE.light,
        "gridColor": HAIRLINE.light,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 600,
        "labelPadding": 6,
        "labelFlush": False,
    },
    "legend": {"labelColor": SECOND.light, "titleColor": SECOND.light, "labelFontSize": 12},
    "title": {"color": INK.light, "fontSize": 13, "anchor": "start", "offset": 10},
    "text": {"color": INK.light, "fontSize": 12},
}

KEY: Spec = {
    "orient": "top", "direction": "vertical", "title": None, "labelLimit": 360,
    "symbolType": "square", "symbolOpacity": 1,
}  # fmt: skip

# what every object of JavaScript has: Vega looks texts of expressions (for sorting, say) up in
# objects, and would find these; it does not draw the space that is set behind them
_OF_OBJECTS = frozenset((
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
    "toString", "valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__",
    "__lookupSetter__",
))  # fmt: skip


class Chart:
    """A figure; shown by notebooks, and saved by suffix."""

    __slots__ = ("spec",)

    def __init__(self, spec: Spec) -> None:
        self.spec: Spec = {"$schema": SCHEMA, "config": CONFIG, **_harmless(spec)}

    def __repr__(self) -> str:
        return f"<Chart: {self.spec.get('description', 'without description')}>"

    def save(self, path: FilePath) -> None:
        """Write .svg, .png, .pdf or .json; the file appears only when it is complete."""
        suffix = Path(path).suffix.lower()
        if suffix not in SUFFIXES:
            raise UsageError.unknown("suffix of a figure", suffix, SUFFIXES)
        content = self._written(suffix)  # before there is a file that a crash could leave behind
        with complete_file(os.fspath(path)) as temporary:
            Path(temporary).write_bytes(content)

    def _written(self, suffix: str) -> bytes:
        if suffix == ".json":
            return (json.dumps(self.spec, ensure_ascii=False, indent=1) + "\n").encode()
        draw: Callable[..., str | bytes] = getattr(converter(), f"vegalite_to_{suffix[1:]}")
        printed = {**self.spec, "background": "white", "padding": 8}
        try:
            drawn = draw(printed, scale=2) if suffix == ".png" else draw(printed)
        except ValueError as error:
            reason = " ".join(str(error).split("\n    at ")[0].split())  # not where in its scripts
            raise FinegrainError(f"{self!r} cannot be drawn: {reason}") from None
        return drawn.encode() if isinstance(drawn, str) else drawn

    def _repr_html_(self) -> str:
        """A picture that every notebook shows; what it is of, where it cannot be drawn."""
        try:
            return self._written(".svg").decode()
        except FinegrainError:
            return escape(repr(self))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        del include, exclude
        found: dict[str, Any] = {"application/vnd.vegalite.v5+json": self.spec}
        with suppress(FinegrainError):  # a picture, where nothing draws the specification
            found["image/svg+xml"] = self._written(".svg").decode()
        return found


def _harmless(value: Any) -> Any:
    """A specification whose texts show what is invisible in them and mean nothing to Vega.

    Lines stay lines, as labels of axes have two.

    >>> _harmless({"sort": ["a\\x1b", "constructor"], "height": 9})
    {'sort': ['a\\\\x1b', 'constructor\\xa0'], 'height': 9}
    """
    if isinstance(value, str):
        shown = "\n".join(map(visible, value.split("\n")))
        return f"{shown}\N{NO-BREAK SPACE}" if shown in _OF_OBJECTS else shown
    if isinstance(value, dict):
        return {key: _harmless(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_harmless(inner) for inner in value]
    return value


def reserved(names: tuple[str, ...]) -> int:
    """Pixels for names beside a figure; a page breaks longer ones into lines."""
    return min(330, 16 + round(6.4 * max((len(visible(name)) for name in names), default=0)))


def rounded(value: float | None, digits: int = 4) -> float | None:
    """A number as short as a figure needs it; ``None`` where undefined.

    >>> rounded(0.123456), rounded(float("nan"))
    (0.1235, None)
    """
    return None if value is None or value != value else round(float(value), digits)  # noqa: PLR0124 - nan
