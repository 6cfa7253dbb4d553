"""Mutants of the product: small faults put into it, which the tests must notice.

``mutants`` makes them from the syntax tree, ``reached`` records which test calls which function,
``run`` runs the tests that reach each mutant. Not part of ``make test``: see ``make mutants``.
"""
