"""RSA of many stimuli: ``python -m benchmarks.rsa``, shorter with ``--quick``.

2,000 stimuli (``--quick``: 500) of 300 dimensions, 1,000 permutations: ``fg.rsa`` with one system,
with intervals and everything else that it computes, against a loop that calls scipy's ``spearmanr``
for each permutation of the stimuli. The loop runs some permutations and is multiplied up. CPU time
of this process. Exits with 1 if the target is missed, or the correlation differs.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

import numpy as np
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr

import finegrain as fg

PERMUTATIONS, TIMES = 1_000, 20
_RUN = 10  # permutations of the loop that are timed


def main() -> None:
    """Print what both cost, and the ratio."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    size = 500 if options.parse_args().quick else 2_000
    draw = np.random.default_rng(1)
    gold = draw.normal(size=(size, 300))
    system = gold @ draw.normal(size=(300, 200)) + 20 * draw.normal(size=(size, 200))
    began = time.process_time()
    found = fg.rsa(gold, {"system": system}, intervals=PERMUTATIONS).data["systems"]["system"]
    ours = time.process_time() - began
    began = time.process_time()
    expected = _loop(gold, system, _RUN)
    theirs = (time.process_time() - began) / _RUN * PERMUTATIONS
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{size:,} stimuli, {size * (size - 1) // 2:,} pairs, {PERMUTATIONS:,} permutations")
    print(f"fg.rsa          {ours:10.1f} CPU s   rsa {found['rsa']:.6f}   p {found['p']:.4f}")
    print(f"spearmanr loop  {theirs:10.1f} CPU s   rsa {expected:.6f}   ({_RUN} timed)")
    print(f"{theirs / ours:.0f} times faster (at least {TIMES}); peak memory {memory:,.0f} MB")
    sys.exit(theirs < TIMES * ours or abs(found["rsa"] - expected) > 1e-9)


def _loop(gold: np.ndarray, system: np.ndarray, permutations: int) -> float:
    """The plain way: put the stimuli in another order, and correlate anew."""
    one, other = squareform(pdist(gold, "cosine")), pdist(system, "cosine")
    upper = np.triu_indices(len(gold), 1)
    draw = np.random.default_rng(1)
    for _ in range(permutations):
        order = draw.permutation(len(gold))
        spearmanr(one[np.ix_(order, order)][upper], other)
    return float(spearmanr(one[upper], other)[0])


if __name__ == "__main__":
    main()
