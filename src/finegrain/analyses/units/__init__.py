"""The instances behind every number."""
