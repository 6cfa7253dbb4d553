"""What selections can ask of outputs: ``--where "lost_numbers[mine]>0"``.

>>> from finegrain.tasks.item_examples import generation
>>> from finegrain.tasks.generation import align
>>> table = align(*generation())
>>> lost_source_numbers(table)[:, 1].tolist(), lost_source_names(table)[:, 1].tolist()
([0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
>>> lost_numbers(table).T.tolist(), length_ratio(table)[:2].round(2).tolist()
([[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]], [[1.0, 0.67], [1.0, 1.0]])
"""

from __future__ import annotations

from finegrain.alignment.segment_measures import Floats, per_segment
from finegrain.alignment.segment_texts import require_sources
from finegrain.table import OutcomeTable


def lost_numbers(table: OutcomeTable) -> Floats:
    """``[unit, system]`` the numbers of the reference that the output lacks."""
    kept = per_segment(table, "kept")
    lost: Floats = kept[..., 1] - kept[..., 0]
    return lost


def lost_names(table: OutcomeTable) -> Floats:
    """``[unit, system]`` the capitalised words of the reference that the output lacks."""
    kept = per_segment(table, "kept")
    lost: Floats = kept[..., 3] - kept[..., 2]
    return lost


def lost_source_numbers(table: OutcomeTable) -> Floats:
    """``[unit, system]`` the numbers of the source that the output lacks."""
    kept = _of_sources(table)
    lost: Floats = kept[..., 1] - kept[..., 0]
    return lost


def lost_source_names(table: OutcomeTable) -> Floats:
    """``[unit, system]`` the capitalised words of the source that the output lacks."""
    kept = _of_sources(table)
    lost: Floats = kept[..., 3] - kept[..., 2]
    return lost


def _of_sources(table: OutcomeTable) -> Floats:
    require_sources(table)
    return per_segment(table, "kept_of_source")


def length_ratio(table: OutcomeTable) -> Floats:
    """``[unit, system]`` words of the output by words of the nearest reference."""
    lengths = per_segment(table, "lengths")
    shares: Floats = lengths[..., 0] / lengths[..., 1].clip(1)
    return shares


def word_errors(table: OutcomeTable) -> Floats:
    """``[unit, system]`` the fewest edits of words that make the output of the reference."""
    found: Floats = per_segment(table, "wer")[..., :3].sum(axis=-1)
    return found
