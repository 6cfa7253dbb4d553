"""How docstrings become pages."""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from finegrain.metrics import METRICS
from finegrain.metrics.metric import Metric
from tests.documentation.docstrings import first_paragraph, markdown, needed_imports, prose, table
from tests.documentation.reference import definition, metric_page
from tests.documentation.signatures import signature
from tests.documentation.site import equation, on_config

HERE = sys.modules[__name__]


def halved(value: float, *, places: int = 2) -> float:
    """Half of it.

    >>> halved(1.0)
    0.5
    """
    return round(value / 2, places)


def test_parameters_become_a_list() -> None:
    text = (
        "Do it.\n\nParameters\n----------\nsystems: name -> corpus,\n    or pairs\nseed: a number"
    )
    assert markdown(text) == (
        "Do it.\n\n**Parameters**\n\n- `systems`: name -> corpus, or pairs\n- `seed`: a number"
    )


def test_equations_over_several_lines_stay_together() -> None:
    text = "It.\n\n.. math::\n\n    a = b \\\\\n    c = d\n\nWhere."
    assert markdown(text) == "It.\n\n```math\na = b \\\\\nc = d\n```\n\nWhere."


def test_equations_in_a_line_are_marked() -> None:
    assert prose("is :math:`A / B` in ``tokens``") == "is $`A / B`$ in `tokens`"


def test_indented_examples_keep_their_blank_lines() -> None:
    assert markdown("A file:\n\n    a O\n\n    b O\n\nEnd.") == (
        "A file:\n\n```text\na O\n\nb O\n```\n\nEnd."
    )


def test_tables_of_equals_signs_become_tables() -> None:
    text = "====  ======\nname  what\n====  ======\na     first\n      of all\n====  ======"
    assert markdown(text) == "| name | what |\n| :-- | :-- |\n| a | first of all |"


def test_a_docstring_cannot_put_tags_on_the_page() -> None:
    assert prose("see <script>x</script> & ``<b>``") == "see &lt;script>x&lt;/script> &amp; `<b>`"


def test_a_bar_does_not_end_a_cell() -> None:
    assert table(["a"], [["x|y\nz"]]).splitlines()[-1] == r"| x\|y z |"


def test_the_first_paragraph_is_one_line() -> None:
    assert first_paragraph("One\n    line.\n\n    More.") == "One line."
    assert first_paragraph(None) == ""


def test_doctests_get_the_imports_they_need() -> None:
    """np and halved come from this module; total is made by the example, print is built in."""
    text = ">>> total = np.array([halved(1.0)])\n>>> print(total)\n[0.5]"
    assert needed_imports(text, HERE) == [
        ">>> import numpy as np",
        f">>> from {__name__} import halved",
    ]


def test_long_calls_are_wrapped() -> None:
    assert signature(halved, "halved") == "halved(value: float, *, places: int = 2) -> float"
    wrapped = signature(halved, "a" * 80)
    assert wrapped.split("\n    ", 1)[1] == (
        "value: float,\n    *,\n    places: int = 2,\n) -> float"
    )


def test_a_metric_is_described_by_the_function_it_is_named_after() -> None:
    """fair_f1 is micro(f1) overall and f1 per label; macro_f1 exists overall only."""
    assert definition(METRICS["fair_f1"]).main.__name__ == "f1"
    assert definition(METRICS["fair_macro_f1"]).main.__name__ == "macro"


def test_a_metric_made_with_partial_is_described_by_its_function() -> None:
    def statistics(*_: object) -> NDArray[np.float64]:
        return np.zeros(1)

    score = partial(halved, places=1)
    made = Metric("half", statistics, score, "half", "nobody")  # type: ignore[arg-type]
    assert definition(made).main is halved
    assert "# half\n\nHalf.\n\nHalf of it." in metric_page(made)


@pytest.mark.parametrize(
    ("latex", "mathml"),
    [
        ("gold_l", "<msub><mtext>gold</mtext><mi>l</mi></msub>"),
        (r"\text{every token}", "<mtext>every&#x000A0;token</mtext>"),
        (r"a \quad b", '<mspace width="1em" />'),
        (r"\frac{TP}{n}", "<mfrac><mrow><mtext>TP</mtext></mrow><mrow><mi>n</mi></mrow></mfrac>"),
    ],
)
def test_names_of_several_letters_stay_together_in_equations(latex: str, mathml: str) -> None:
    assert mathml in equation(latex)


def test_a_star_in_the_navigation_stands_for_the_pages_not_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from mkdocs.config.defaults import MkDocsConfig

    (tmp_path / "d").mkdir()
    for name in ("index.md", "a.md", "b.md", "c.md", "d/e.md"):
        (tmp_path / name).write_text("# x\n")
    config = MkDocsConfig()
    config.load_dict(
        {
            "docs_dir": str(tmp_path),
            "nav": ["index.md", {"More": [{"B": "b.md"}, "*.md"]}, {"D": ["d/*.md"]}],
        }
    )
    assert on_config(config).nav == [
        "index.md", {"More": [{"B": "b.md"}, "a.md", "c.md"]}, {"D": ["d/e.md"]},
    ]  # fmt: skip
