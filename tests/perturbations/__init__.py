"""Perturbations and what becomes of annotation."""
