"""The version and how to cite it, in one place."""

__version__ = "0.1.0"

BIBTEX = f"""\
@software{{finegrain,
  author  = {{{{The finegrain developers}}}},
  title   = {{finegrain: where, how and why {{NLP}} systems differ}},
  version = {{{__version__}}},
  year    = {{2026}}
}}"""
