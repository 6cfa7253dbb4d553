"""``finegrain buckets``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.options import ANALYSIS, ATTRIBUTE, BUCKETS, BY, CASE, INTERVALS, METRIC, WHERE

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(BY, ATTRIBUTE, METRIC, CASE, WHERE, BUCKETS, INTERVALS, *ANALYSIS)
def buckets(
    table: OutcomeTable,
    inputs: Inputs,
    *,
    by: list[str] | None,
    own: list[str] | None,
    edges: list[str] | None,
    **how: Any,
) -> Any:
    """Score units that are alike: by length, density, frequency, consistency, any attribute.

    \b
    Spans go by the eight attributes of Fu, Liu and Neubig (2020), five of which need --train:
      entity_length, sentence_length, entity_density, oov_density, entity_frequency,
      token_frequency, entity_consistency, token_consistency
    Intervals come from resampling documents, or sentences where there are none.
    All attributes: finegrain list attributes; one explained: finegrain list attributes NAME.
    The units of a bucket: finegrain show ... --where "entity_length>3"; where in --format json.

    \b
    Example:
      finegrain buckets gold.conll crf.conll neural.conll --train train.conll
      finegrain buckets gold.conll crf.conll --by entity_length,label --buckets 3
      finegrain buckets gold.conll crf.conll --by entity_length+label --metric fair_f1
      finegrain buckets gold.conll crf.conll --by entity_length --where "label=PER"
      finegrain buckets gold.conll crf.conll --attribute domain=meta.tsv
    """
    from finegrain.analyses.explain.buckets import buckets as buckets_of
    from finegrain.cli.attribute_files import asked, edges_of

    units, names, training = asked(table, inputs, by, own)
    return buckets_of(units, names, bucketing=edges_of(edges), **training, **how)
