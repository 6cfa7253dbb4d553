"""Surfaces are made once for a table, and go with it."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import finegrain as fg
from finegrain.attributes.surfaces import surfaces
from finegrain.testing import small_corpora


def test_surfaces_are_made_once_for_a_table_and_go_with_it() -> None:
    table = fg.align(*small_corpora("tags"))
    found = surfaces(table)
    assert surfaces(table) is found
    assert surfaces(replace(table)) is not found
    gone = weakref.ref(table)
    del table
    gc.collect()
    assert gone() is None
