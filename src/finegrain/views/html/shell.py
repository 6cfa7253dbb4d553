"""What all pages share: the frame around their sections, the scripts, the style, the policy.

Scripts and styles stand in the page and are named by their hashes in its security policy; data is
JSON that cannot end its element; everything else goes through templates that escape it.

>>> points(0.9179), signed(-0.0123), count(12345)
('91.79', '−1.23', '12,345')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from finegrain.analyses.evidence import (
    GOLD,
    Evidence,
    in_bucket,
    solved_by,
)
from finegrain.analyses.reports.finding import shortened
from finegrain.analyses.selection.expressions import Expression
from finegrain.errors import MissingExtra
from finegrain.version import BIBTEX, __version__
from finegrain.views.charts import engine, palette
from finegrain.views.escape import visible
from finegrain.views.html.embedding import as_data, policy
from finegrain.views.html.kept_text import kept
from finegrain.views.html.modules import joined, needed
from finegrain.views.html.sections.section import Filled
from finegrain.views.html.wording import count, first_upper, points, signed, tied


@dataclass(frozen=True, slots=True)
class Page:
    """What a page holds.

    ``facts`` stand below the title, how many and of what; ``target`` is the section that the link
    at the very top leads to; ``start`` is the script that the page begins with, and ``data`` what
    it works on; ``asking`` are further directives of the policy; ``given`` is what the templates
    of the sections need beside their own context.
    """

    title: str
    facts: Sequence[tuple[int, str]]
    sections: Sequence[Filled]
    target: str
    start: str
    data: Mapping[str, Any]
    asking: tuple[str, ...] = ()
    given: Mapping[str, Any] | None = None


def written(page: Page) -> str:
    """The whole page as one file."""
    text: str = (
        _environment()
        .get_template("page.html")
        .render(
            **(page.given or {}),
            title=page.title,
            facts=page.facts,
            sections=page.sections,
            target=page.target,
            version=__version__,
            policy=page_policy(page.start, *page.asking),
            vega=vega_script(),
            script=page_script(page.start),
            style=page_style(),
            data=as_data(page.data),
        )
    )
    return text


def page_policy(start: str, *asking: str) -> str:
    """What a page may do: run its own scripts, and what else is allowed by ``asking``."""
    return policy([vega_script(), page_script(start)], [page_style()], *asking)


def page_script(start: str) -> str:
    """The script that a page begins with and all it needs, as one; they hold no ``</script``."""
    modules = {one.name: one.read_text("utf-8") for one in _assets(".js")}
    return joined(needed(modules, start))


def page_style() -> str:
    """The colours and all style sheets."""
    return "\n".join([palette.style(), *(one.read_text("utf-8") for one in _assets(".css"))])


@cache
def vega_script() -> str:
    """Vega, Vega-Lite and its embedding, as the converter of figures carries them.

    It takes longer to put them together than to make the rest of a page, so that they are kept.
    """
    return kept(f"vega-{engine.build()}.js", _vega_script)


def _vega_script() -> str:
    bundle: str = engine.converter().javascript_bundle()
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _assets(suffix: str) -> list[Traversable]:
    folder = resources.files("finegrain.views.html") / "assets"
    found = (one for one in folder.iterdir() if one.name.endswith(suffix))
    return sorted(found, key=lambda one: one.name)


@cache
def _environment() -> Any:
    try:
        import jinja2  # noqa: PLC0415 - an extra

        from finegrain.views.html.compiled_templates import CompiledTemplates  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("a report as HTML", "report") from None
    environment = jinja2.Environment(
        bytecode_cache=CompiledTemplates(Path(__file__).parent / "templates"),
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
        "shortened": shortened,
        "tied": tied,
    }
    environment.globals |= {"fragment": fragment, "bibtex": BIBTEX, **_SELECTIONS}
    return environment


_SELECTIONS = {"GOLD": GOLD, "in_bucket": in_bucket, "solved_by": solved_by}


def fragment(number: int, where: Expression) -> str:
    """The address of the units behind a number."""
    return f"#{Evidence.of(number, where).fragment}"
