"""Corpora, and systems with known weaknesses, made from a seed.

They show what an analysis should find, and whether it finds nothing where there is nothing:

>>> simulation = simulate(tokens=500, systems={"clumsy": ["long-entities"], "plain": []})
>>> " ".join(simulation.gold.sentence(1))
'He died in Rådburg , eight years after Martin van der Linden .'
>>> simulation.planted
{'clumsy': ('cuts or misses entities of 4 or more tokens',), 'plain': ()}

The text is invented from the word lists and the grammar in ``data/``. It is meant to look like news
and encyclopedias, not to be one: words are drawn independently, so it has no meaning beyond the
sentence and is useless for training language models.
"""

from finegrain.simulation.answer_scenario import ANSWER_WEAKNESSES, simulate_answers
from finegrain.simulation.aspects import ASPECT_WEAKNESSES, simulate_aspects
from finegrain.simulation.chains import CHAIN_WEAKNESSES, simulate_chains
from finegrain.simulation.grades import GRADE_WEAKNESSES, simulate_grades
from finegrain.simulation.groups import GROUP_WEAKNESSES, simulate_groups
from finegrain.simulation.judgements import RATING_WEAKNESSES, simulate_ratings
from finegrain.simulation.language_models import (
    LANGUAGE_MODEL_WEAKNESSES,
    simulate_language_models,
)
from finegrain.simulation.minimal_pairs import (
    MINIMAL_PAIR_WEAKNESSES,
    simulate_minimal_pairs,
)
from finegrain.simulation.questions import QUESTION_WEAKNESSES, simulate_questions
from finegrain.simulation.reviews import REVIEW_WEAKNESSES, simulate_reviews
from finegrain.simulation.scenario import SHOWCASE, Simulation, simulate
from finegrain.simulation.searches import SEARCH_WEAKNESSES, simulate_searches
from finegrain.simulation.splitters import SPLITTER_WEAKNESSES, simulate_splitters
from finegrain.simulation.stimuli import VECTOR_WEAKNESSES, simulate_vectors
from finegrain.simulation.translations import TRANSLATION_WEAKNESSES, simulate_translations
from finegrain.simulation.trees import TREE_WEAKNESSES, simulate_trees
from finegrain.simulation.weaknesses import WEAKNESSES, Weakness

__all__ = [
    "ANSWER_WEAKNESSES",
    "ASPECT_WEAKNESSES",
    "CHAIN_WEAKNESSES",
    "GRADE_WEAKNESSES",
    "GROUP_WEAKNESSES",
    "LANGUAGE_MODEL_WEAKNESSES",
    "MINIMAL_PAIR_WEAKNESSES",
    "QUESTION_WEAKNESSES",
    "RATING_WEAKNESSES",
    "REVIEW_WEAKNESSES",
    "SEARCH_WEAKNESSES",
    "SHOWCASE",
    "SPLITTER_WEAKNESSES",
    "TRANSLATION_WEAKNESSES",
    "TREE_WEAKNESSES",
    "VECTOR_WEAKNESSES",
    "WEAKNESSES",
    "Simulation",
    "Weakness",
    "simulate",
    "simulate_answers",
    "simulate_aspects",
    "simulate_chains",
    "simulate_grades",
    "simulate_groups",
    "simulate_language_models",
    "simulate_minimal_pairs",
    "simulate_questions",
    "simulate_ratings",
    "simulate_reviews",
    "simulate_searches",
    "simulate_splitters",
    "simulate_translations",
    "simulate_trees",
    "simulate_vectors",
]
