"""The one language of selection: expressions, their text (``parsing``) and JSON (``json_form``).

``evaluation`` finds the units that a selection holds for; ``selecting`` is what others call.
"""
