"""How good each system is, and what kind of errors it makes."""
