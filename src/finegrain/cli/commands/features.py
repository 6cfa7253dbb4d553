"""``finegrain features``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.options import ANALYSIS, ATTRIBUTE, BY, CASE, LEVEL, WHERE

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(LEVEL, BY, ATTRIBUTE, CASE, WHERE, *ANALYSIS)
def features(
    table: OutcomeTable,
    inputs: Inputs,
    level: str,
    by: list[str] | None,
    own: list[str] | None,
    **how: Any,
) -> Any:
    """Describe hard and easy units: attributes by bin, with the trend marked.

    The bin of a unit is the number of systems that are right about it; 0 is hardest. With --train
    also attributes that are learnt. All attributes: finegrain list attributes.

    \b
    Example:
      finegrain features gold.conll crf.conll neural.conll run7.conll
      finegrain features gold.conll crf.conll neural.conll --level token --by hapax,label
      finegrain features gold.conll crf.conll neural.conll --train train.conll
      finegrain features gold.conll crf.conll neural.conll --attribute domain=meta.tsv
    """
    from finegrain.analyses.compare.bin_features import features
    from finegrain.cli.attribute_files import asked
    from finegrain.cli.level import units_at

    units, names, training = asked(units_at(table, level), inputs, by, own)
    return features(units, names, **training, **how)
