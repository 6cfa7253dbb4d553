"""Text and annotation as columns; knows no files and no metrics."""

from finegrain.corpus.clusters import Clusters
from finegrain.corpus.document import LAYER, Corpus
from finegrain.corpus.spans import Spans
from finegrain.corpus.texts import Coded, IntArray, Texts

__all__ = ["LAYER", "Clusters", "Coded", "Corpus", "IntArray", "Spans", "Texts"]
