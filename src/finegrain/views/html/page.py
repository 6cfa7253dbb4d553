"""A report as one HTML file that opens from disk and loads nothing.

Scripts and styles stand in the page and are named by their hashes in its security policy; data is
JSON that cannot end its element; everything else goes through templates that escape it. The scripts
of ``assets`` find data in ``data.js`` only and units through ``source.js``, which asks a server for
them where the page names its address (``units_at``).
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from finegrain.analyses.reports.report import Report
from finegrain.analyses.units.evidence import Evidence
from finegrain.errors import MissingExtra
from finegrain.views.charts import palette
from finegrain.views.charts.chart import converter
from finegrain.views.escape import visible
from finegrain.views.html.embedding import as_data, policy
from finegrain.views.html.modules import joined
from finegrain.views.html.payload import payload
from finegrain.views.html.sections import sections_of


def as_html(report: Report, *, units_at: str | None = None) -> str:
    """The whole page; with the address of a server that has the units, without units."""
    data = as_data(payload(report, units_at=units_at))
    vega, script, style = vega_script(), page_script(), page_style()
    template = _environment().get_template("page.html")
    text: str = template.render(
        report=report,
        sections=sections_of(report),
        policy=page_policy(units_at=units_at),
        units_at=units_at,
        vega=vega,
        script=script,
        style=style,
        data=data,
    )
    return text


def page_policy(*, units_at: str | None = None) -> str:
    """What the page may do: run its own scripts; with ``units_at``, also ask its own server."""
    asking = () if units_at is None else ("connect-src 'self'",)
    return policy([vega_script(), page_script()], [page_style()], *asking)


def page_script() -> str:
    """The scripts of the page as one; they hold no ``</script``."""
    return joined({one.name: one.read_text("utf-8") for one in _assets(".js")})


def page_style() -> str:
    """The colours and all style sheets."""
    return "\n".join([palette.style(), *(one.read_text("utf-8") for one in _assets(".css"))])


@cache
def vega_script() -> str:
    """Vega, Vega-Lite and its embedding, as the converter of figures carries them."""
    bundle: str = converter().javascript_bundle()
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _assets(suffix: str) -> list[Traversable]:
    folder = resources.files("finegrain.views.html") / "assets"
    found = (one for one in folder.iterdir() if one.name.endswith(suffix))
    return sorted(found, key=lambda one: one.name)


@cache
def _environment() -> Any:
    try:
        import jinja2  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("a report as HTML", "report") from None
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("finegrain.views.html", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "points": points,
        "count": count,
        "visible": visible,
        "signed": signed,
        "first_upper": first_upper,
    }
    environment.globals["fragment"] = fragment
    return environment


def points(value: float | None, digits: int = 2) -> str:
    """A proportion in points of 100; a dash where it is undefined.

    >>> points(0.9179), points(-0.002, 1), points(-0.0002, 1), points(None)
    ('91.79', '−0.2', '0.0', '–')
    """
    undefined = value is None or value != value  # noqa: PLR0124 - nan
    if undefined or value is None:
        return "–"
    return f"{100 * value:z.{digits}f}".replace("-", "−")


def signed(value: float | None, digits: int = 2) -> str:
    """A difference in points, with a true minus.

    >>> signed(-0.0123), signed(0.5), signed(-0.00001)
    ('−1.23', '+50.00', '+0.00')
    """
    undefined = value is None or value != value  # noqa: PLR0124 - nan
    if undefined or value is None:
        return "–"
    return f"{100 * value:+z.{digits}f}".replace("-", "−")


def first_upper(text: str) -> str:
    """The first letter as a capital, the others as they are.

    >>> first_upper("traditional F1")
    'Traditional F1'
    """
    return text[:1].upper() + text[1:]


def count(value: int) -> str:
    """A number of things.

    >>> count(12345)
    '12,345'
    """
    return f"{value:,}"


def fragment(number: int, conditions: dict[str, str | int]) -> str:
    """The address of the units behind a number."""
    return f"#{Evidence.of(number, conditions).fragment}"
