"""Tests of the resampling engine."""
