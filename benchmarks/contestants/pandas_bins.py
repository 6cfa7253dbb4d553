"""pandas with default types, row sums and np.histogram: bins of a 0/1 table, nothing checked."""

import json
import sys

import numpy as np
import pandas as pd

frame = pd.read_csv(sys.argv[1], sep="\t", header=None)
sizes, _ = np.histogram(frame.sum(axis=1), bins=np.arange(frame.shape[1] + 2))
print(json.dumps(sizes.tolist()))
