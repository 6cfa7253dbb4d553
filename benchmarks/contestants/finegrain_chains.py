"""All scores of chains from CoNLL 2012 files, with finegrain."""

from __future__ import annotations

import json
import sys

import finegrain as fg
from finegrain.metrics.coreference import chain_counts
from finegrain.metrics.coreference.scores import FAMILIES, f1
from finegrain.table.samples import whole

gold, *systems = sys.argv[1:]
# one system is in memory at a time
table = fg.align(fg.read(gold), ((path, fg.read(path)) for path in systems), task="coreference")
sums = chain_counts(table, whole(table))[0]
print(
    json.dumps(
        [{name: float(f1(counts[place])) for place, name in enumerate(FAMILIES)} for counts in sums]
    )
)
