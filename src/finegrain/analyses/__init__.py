"""Analyses: pure functions from the outcome table to frozen results."""
