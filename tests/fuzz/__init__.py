"""Damaged files: a right score or a clear error, and nothing else.

A case is made from a seed: a small corpus and the answers of one or two systems, written in one of
the formats, then damaged. finegrain scores or refuses it, and so does a second, tiny reader and
scorer that shares no code with it. ``python -m tests.fuzz.run 100000`` counts what happened.
"""
