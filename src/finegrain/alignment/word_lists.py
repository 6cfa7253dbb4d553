"""Lists of words in files: how often training data have them, or which label they have.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = Path(folder, "counts").write_text("the\\t12\\nCat\\t3\\n")
...     _ = Path(folder, "text").write_text("The cat sat on the mat.\\n")
...     _ = Path(folder, "labels").write_text("the\\tfunction\\ncat\\tcontent\\n")
...     frequencies(f"{folder}/counts")["cat"], frequencies(f"{folder}/text")["the"]
...     word_labels(f"{folder}/labels")["cat"]
(3, 2)
'content'
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from finegrain.alignment.segment_words import split
from finegrain.errors import Collector
from finegrain.formats.source import open_source

FREQUENCIES, LABELS = "frequencies", "word_labels"
"""Settings: a file of training text or of words with counts; one of words with labels."""
_COUNT = re.compile(r"(\S+)[\t ]+(\d+)\Z")
_HEAD = 50  # lines that tell what a file is


@lru_cache(4)
def frequencies(path: str) -> Counter[str]:
    """How often words stand in a text, or as often as lines of a word and a number say."""
    source = open_source(path)
    head = [line for line in source.head(_HEAD) if line.strip()]
    found: Counter[str] = Counter()
    if not all(_COUNT.match(line.strip()) for line in head):
        for line in source.lines():
            found.update(split(line))
        return found
    problems = Collector(source.name)
    for number, line in enumerate(source.lines(), 1):
        match = _COUNT.match(line.strip())
        if match:
            for word in split(match[1]):
                found[word] += int(match[2])
        elif line.strip():
            problems.add(number, "expected a word and how often it occurs", "Write: word 12.")
    problems.raise_any()
    return found


@lru_cache(4)
def word_labels(path: str) -> dict[str, str]:
    """The label of each word; words are in lower case."""
    source = open_source(path)
    problems = Collector(source.name)
    found: dict[str, str] = {}
    for number, line in enumerate(source.lines(), 1):
        word, label = (part.strip() for part in line.partition("\t")[::2])
        if word and label:
            found.setdefault(word.lower(), label)
        elif line.strip():
            problems.add(number, "expected a word, a tab and its label", "Write: word<TAB>label.")
    problems.raise_any()
    return found
