"""Behavioural tests as tables, tidy records and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.analyses.interval_cells import bounds, bracketed, interval_heading
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import number

if TYPE_CHECKING:
    from finegrain.analyses.trust.behaviour import Behaviour, Failure, Rate

_VERSIONS = 4  # of a failing case that are shown


def listings(result: Behaviour) -> tuple[Listing, ...]:
    """Rates by capability and kind, by test; biased fill-ins; examples; rules."""
    found = [matrix(result), tests(result), biased(result)]
    found += [examples(result)] if result.failures else []
    found += [checks(result)] if result.checks else []
    return tuple(found)


def _rows(rates: tuple[Rate, ...], systems: tuple[str, ...]) -> list[list[Rate]]:
    """The rates of all systems side by side."""
    keys = dict.fromkeys((one.capability, one.kind, one.test) for one in rates)
    known = {(one.capability, one.kind, one.test, one.system): one for one in rates}
    return [[known[*key, name] for name in systems] for key in keys]


def _table(result: Behaviour, rates: tuple[Rate, ...], title: str, system: str = "") -> Listing:
    by_test = bool(rates and rates[0].test)
    columns = [Column("test")] if by_test else []
    columns += [Column("capability"), Column("kind"), Column("cases", "count")]
    for group in [""] if system else result.systems:
        columns += [
            Column("failed", "count", group=group), Column("%", "score", group=group),
            Column(interval_heading(result.level), "number", group=group),
        ]  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for own in _rows(rates, (system,) if system else result.systems):
        first = own[0]
        cells: list[Cell] = [first.test] if by_test else []
        cells += [first.capability, first.kind.upper(), first.n]
        for one in own:
            cells += [one.failed, one.value, bracketed(*one.ends)]
        rows.append(tuple(cells))
    return Listing(title, tuple(columns), tuple(rows))


def matrix(result: Behaviour) -> Listing:
    """Rates by capability and kind."""
    return _table(result, result.rates, f"{result.suite}: failing cases by capability and kind")


def tests(result: Behaviour) -> Listing:
    """Rates by test."""
    return _table(result, result.tests, "By test")


def ordered(result: Behaviour, system: str) -> tuple[Rate, ...]:
    """The tests of a system, what fails most first."""
    own = (one for one in result.tests if one.system == system)
    return tuple(sorted(own, key=lambda one: -one.value))


def tests_of(result: Behaviour, system: str) -> Listing:
    """The same as a table."""
    return _table(result, ordered(result, system), f"{system}: tests", system)


def biased(result: Behaviour) -> Listing:
    """Fill-ins that fail more often than the others of their test."""
    columns = (
        Column("system"), Column("test"), Column("slot"), Column("fill-in"),
        Column("failed", "count"), Column("of", "count"), Column("%", "score"),
        Column("others, %", "score"), Column("p", "p"),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.system, one.test, one.slot, f"{one.fill} (all)" if one.is_group else one.fill,
            one.failed, one.n, one.failed / one.n, one.rest_failed / one.rest, one.p,
        )
        for one in result.biased
    )  # fmt: skip
    note = f"{result.tested:,} values and groups of values tested, p Holm-corrected for all of them"
    if not rows:
        note = f"No fill-in fails more often than the others of its test ({note})."
    return Listing("Biased fill-ins", columns, rows, note)


def shown(failure: Failure) -> list[tuple[str, str, bool]]:
    """Texts and answers of a failing case, those first that fail, with the one they differ from."""
    pairs = list(zip(failure.texts, failure.answers, failure.failing, strict=True))
    kept = [one for one in pairs if not one[2]][:1] + [one for one in pairs if one[2]]
    return kept[:_VERSIONS]


def examples(result: Behaviour) -> Listing:
    """Failing cases."""
    columns = tuple(map(Column, ("system", "test", "text", "answer", "expected")))
    rows: list[tuple[Cell, ...]] = []
    for one in result.failures:
        for place, (text, answer, failing) in enumerate(shown(one)):
            first = place == 0
            rows.append((
                one.system if first else "", one.test if first else "", text,
                answer if failing else f"{answer} (fits)", one.expected if first else "",
            ))  # fmt: skip
    return Listing("Cases that fail", columns, tuple(rows))


def checks(result: Behaviour) -> Listing:
    """Rules and what became of them."""
    columns = (Column("rule"), Column("system"), Column("on"), Column("result"))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.rule, one.system, one.group, "FAILS" if one.failed else "passes")
        for one in result.checks
    )
    failed = sum(one.failed for one in result.checks)
    title = f"{failed} of {len(rows)} rules fail" if failed else f"no rule of {len(rows)} fails"
    return Listing(title, columns, rows)


def records(result: Behaviour) -> Listing:
    """One row for each system and test."""
    columns = (
        Column("system"), Column("capability"), Column("kind"), Column("test"),
        Column("failed", "count"), Column("cases", "count"), Column("rate", "score"),
        Column("low", "score"), Column("high", "score"),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.system, one.capability, one.kind, one.test, one.failed, one.n, one.value, *one.ends)
        for one in result.tests
    )
    return Listing("behaviour", columns, rows)


def to_json(result: Behaviour) -> dict[str, Any]:
    """The JSON object of ``behave score``."""
    return {
        "suite": result.suite,
        "confidence": result.level,
        "cases": result.n_cases,
        "inputs": result.n_inputs,
        "passed": result.passed,
        "rates": [_rate(one) for one in result.rates],
        "tests": [_rate(one) for one in result.tests],
        "fill_ins_tested": result.tested,
        "biased": [
            {
                "system": one.system, "test": one.test, "slot": one.slot, "fill": one.fill,
                "group": one.is_group, "failed": one.failed, "n": one.n,
                "rest_failed": one.rest_failed, "rest": one.rest, "p": number(one.p),
            }
            for one in result.biased
        ],
        "failures": [
            {
                "system": one.system, "test": one.test, "expected": one.expected,
                "texts": list(one.texts), "answers": list(one.answers),
                "failing": list(one.failing),
            }
            for one in result.failures
        ],
        "checks": [one.to_json() for one in result.checks],
    }  # fmt: skip


def _rate(one: Rate) -> dict[str, Any]:
    return {
        "system": one.system, "capability": one.capability, "kind": one.kind,
        "test": one.test or None, "failed": one.failed, "n": one.n, "rate": number(one.value),
        "interval": bounds(*one.ends),
    }  # fmt: skip
