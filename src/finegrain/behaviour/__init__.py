"""Behavioural test suites: templates with fill-ins, cases, and whether answers to them fail."""

from finegrain.behaviour.cases import Case, cases_of
from finegrain.behaviour.judging import Answer
from finegrain.behaviour.suite import BehaviourSuite, BehaviourTest, read_suite

__all__ = ["Answer", "BehaviourSuite", "BehaviourTest", "Case", "cases_of", "read_suite"]
