"""How gold and systems are brought together: the algorithms that tasks use."""
