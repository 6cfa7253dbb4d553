"""Suites: many data sets, each with its gold, training and system files, compared at once."""

from __future__ import annotations

from finegrain.suites.suite import Suite

__all__ = ["Suite"]
