"""Matrices as heat maps: how much pairs of systems differ, which label is taken for which.

Pages show them as tables; these are for print.
"""

from __future__ import annotations

from finegrain.analyses.compare.difference_matrix import Differences
from finegrain.analyses.scores.confusion import Confusion
from finegrain.views.charts.chart import Spec, reserved, rounded
from finegrain.views.charts.palette import INK, SEQUENTIAL, text_on


def difference_matrix(result: Differences) -> Spec:
    """The share of units that two systems answer differently; similar systems side by side.

    Systems are numbered, so that names stand once, whole and level.
    """
    shares = result.to_json()["matrix"]["diff"]
    numbers = {name: str(place) for place, name in enumerate(result.order, 1)}
    rows = {name: f"{number}  {name}" for name, number in numbers.items()}
    values: list[Spec] = [
        {"row": rows[row], "column": numbers[column], "value": rounded(share),
         "text": "" if row == column else f"{100 * share:.0f}"}
        for row, cells in shares.items()
        for column, share in cells.items()
    ]  # fmt: skip
    most = max((value["value"] or 0 for value in values), default=0)
    description = "Share of units that two systems answer differently, %"
    matrix = _matrix(values, list(rows.values()), list(numbers.values()), most)
    matrix["encoding"]["x"]["axis"]["labelAngle"] = 0
    return {"description": description, "title": description, **matrix}


def confusion_matrix(result: Confusion, system: int = 0, most: int = 25) -> Spec:
    """Gold labels in rows, answers in columns; the labels with most errors, of one system."""
    counts, name = result.counts[system], result.systems[system]
    errors = counts.sum(axis=0) + counts.sum(axis=1) - 2 * counts.diagonal()
    shown = sorted((-errors[: len(result.labels)]).argsort(kind="stable")[:most].tolist())
    none = [len(result.labels)] if len(counts) > len(result.labels) else []  # of spans
    rows, columns = (
        {code: (*result.labels, margin)[code] for code in (*shown, *none)}
        for margin in ("(invented)", "(missed)")
    )
    values = [
        {"row": gold, "column": answer,
         "value": int(counts[row, column]), "text": f"{counts[row, column]:,}"}
        for row, gold in rows.items()
        for column, answer in columns.items()
        if counts[row, column]
    ]  # fmt: skip
    largest = max((value["value"] for value in values), default=0)
    title: Spec = {"text": f"Answers of {name} by gold label"}
    if none:
        title = {"text": f"Errors of {name} by label",
                 "subtitle": "on the diagonal: wrong boundaries"}  # fmt: skip
    return {
        "description": f"{name}: gold label by answered label",
        "title": title,
        **_matrix(values, list(rows.values()), list(columns.values()), largest,
                  titles=("gold", "answer")),
    }  # fmt: skip


def _matrix(
    values: list[Spec],
    rows: list[str],
    columns: list[str],
    most: float,
    titles: tuple[str | None, str | None] = (None, None),
) -> Spec:
    def axis(field: str, names: list[str], title: str | None, **options: object) -> Spec:
        told = {"domain": False, "ticks": False, "labelColor": INK.light, **options}
        return {"field": field, "type": "nominal", "title": title, "axis": told,
                "scale": {"domain": names}}  # fmt: skip

    return {
        "usermeta": {"reserved": reserved(tuple(rows))},
        "data": {"values": values},
        "width": {"step": 34},
        "height": {"step": 26},
        "encoding": {
            "x": axis("column", columns, titles[1], orient="top", labelAngle=-45),
            "y": axis("row", rows, titles[0]),
        },
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "#ffffff", "strokeWidth": 1},
                "encoding": {"color": {
                    "field": "value", "type": "quantitative", "legend": None,
                    "scale": {"type": "quantize", "domain": [0, most or 1],
                              "range": [one.light for one in SEQUENTIAL]},
                }},
            },
            {
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {
                    "text": {"field": "text"},
                    "color": text_on(f"datum.value / {most or 1}"),
                },
            },
        ],
    }  # fmt: skip
