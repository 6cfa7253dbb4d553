"""Measures of runs by ir_measures with pytrec_eval: qrels, then runs, as its own readers read them.

The first argument names the measures, separated by commas.
"""

from __future__ import annotations

import sys

import ir_measures


def main() -> None:
    """Print a line for every run."""
    names, qrels_file, *run_files = sys.argv[1:]
    measures = [ir_measures.parse_measure(name) for name in names.split(",")]
    qrels = list(ir_measures.read_trec_qrels(qrels_file))
    evaluator = ir_measures.evaluator(measures, qrels)
    for file in run_files:
        found = evaluator.calc_aggregate(ir_measures.read_trec_run(file))
        print(" ".join(f"{found[measure]:.6f}" for measure in measures))


if __name__ == "__main__":
    main()
