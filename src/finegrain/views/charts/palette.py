"""The colours of pages and figures: named by role, for light and dark ground.

Text has a contrast of 4.5 or more on its ground, marks 3 or more but for the palest pieces of bars;
the colours of labels and errors differ under protan, deutan and tritan vision, those of errors in
grey too: five or more of lightness (L*, 0 to 100) lie between any two. The grey of further labels
does not differ from all of them, so its marks are hollow. On dark ground lightness is
reversed, so that more is always further from the page.

>>> INK.light, INK.dark
('#1a1d21', '#e6e8ea')
"""

from __future__ import annotations

from typing import NamedTuple

from finegrain.table.outcomes import Role


class Colour(NamedTuple):
    """A role with its two colours."""

    role: str
    light: str
    dark: str


PAPER = Colour("paper", "#ffffff", "#14171a")
INK = Colour("ink", "#1a1d21", "#e6e8ea")
SECOND = Colour("second", "#565d66", "#a7aeb6")
THIRD = Colour("third", "#6d747d", "#8b939c")
ACCENT = Colour("accent", "#00616d", "#63c5d0")
ACTIVE = Colour("active", "#e2f0f1", "#173339")
RULE = Colour("rule", "#cfd5da", "#3a4148")
HAIRLINE = Colour("hairline", "#e8ebee", "#262b30")
WASH = Colour("wash", "#f4f6f7", "#1b1f23")
# text in cells of the sequential colours 0 to 3, 4 and 5, 6 to 8: whichever contrasts more
ON_LOW = Colour("on-low", "#000001", "#ffffff")
ON_MIDDLE = Colour("on-middle", "#000002", "#000000")
ON_HIGH = Colour("on-high", "#fffffe", "#000000")

LABELS = tuple(
    Colour(f"label-{place}", light, dark)
    for place, (light, dark) in enumerate(
        (
            ("#005db4", "#5893ee"),
            ("#be5737", "#e87f25"),
            ("#36917f", "#6bc79b"),
            ("#8c387b", "#c877a5"),
            ("#b18a0e", "#f0d861"),
            ("#2d3a44", "#c7dbea"),
        )
    )
)
OTHER_LABEL = Colour("label-other", "#7a828b", "#646a70")

_LOW_TO_HIGH = (
    ("#f3f7f7", "#13242c"), ("#c3e2e5", "#123a47"), ("#94ccd4", "#105161"), ("#67b5c2", "#15697a"),
    ("#3f9caf", "#298290"), ("#1b839a", "#4799a5"), ("#026981", "#6bb0b7"), ("#065065", "#92c6c9"),
    ("#103847", "#bcdcdb"),
)  # fmt: skip
SEQUENTIAL = tuple(
    Colour(f"seq-{place}", light, dark) for place, (light, dark) in enumerate(_LOW_TO_HIGH)
)

# by the role of an outcome
ERRORS: dict[Role, Colour] = {
    "missed": Colour("error-missed", "#22303c", "#f5f1e8"),
    "invented": Colour("error-invented", "#b18a0f", "#f0cf55"),
    "short": Colour("error-short", "#005db5", "#a9c4e9"),
    "long": Colour("error-long", "#76abe4", "#6a9fe2"),
    "crossing": Colour("error-crossing", "#abcbea", "#4672dd"),
    "label": Colour("error-label", "#be5738", "#f39551"),
    "both": Colour("error-both", "#76296a", "#c06e9d"),
}

EVERY = (
    PAPER, INK, SECOND, THIRD, ACCENT, ACTIVE, RULE, HAIRLINE, WASH, ON_LOW, ON_MIDDLE, ON_HIGH,
    *LABELS, OTHER_LABEL, *SEQUENTIAL, *ERRORS.values(),
)  # fmt: skip


def text_on(test: str) -> dict[str, object]:
    """The colour of text in cells: ``test`` is an expression for the value from 0 to 1."""
    return {
        "condition": [
            {"test": f"{test} >= {6 / 9}", "value": ON_HIGH.light},
            {"test": f"{test} >= {4 / 9}", "value": ON_MIDDLE.light},
        ],
        "value": ON_LOW.light,
    }


def style() -> str:
    """The colours as variables of a style sheet; print is light."""
    light = "".join(f"--{one.role}:{one.light};" for one in EVERY)
    dark = "".join(f"--{one.role}:{one.dark};" for one in EVERY)
    screen = "@media screen and (prefers-color-scheme: dark)"
    return (
        f":root{{color-scheme:light;{light}}}\n{screen}{{:root{{color-scheme:light dark;{dark}}}}}"
    )


def variables() -> dict[str, str]:
    """Light colour -> variable, for figures that are drawn in a page; every colour is one role."""
    return {one.light: f"var(--{one.role})" for one in EVERY}
