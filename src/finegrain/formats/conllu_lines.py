"""What stands in the lines of CoNLL-U: the columns of words, and the comment of a document.

>>> NEW_DOCUMENT.match("# newdoc id = weblog-17")[1].strip()
'weblog-17'
"""

from __future__ import annotations

import re

WIDTH = 10
CELLS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")  # behind ID
COLUMNS = CELLS[1:5]  # those that are layers at once
NEW_DOCUMENT = re.compile(r"#[ \t]*newdoc\b(?:[ \t]+id[ \t]*=(.*))?", re.DOTALL)
