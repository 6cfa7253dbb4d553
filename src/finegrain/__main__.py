"""``python -m finegrain``."""

from finegrain.cli import main

main()
