"""The gate: rules are read properly, decided rightly, and what broke is shown."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.trust.gate import Gate, Policy
from finegrain.analyses.trust.gate_rules import CountRule, DropRule, parse_rule
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.testing import small_corpora
from finegrain.views.gate_files import as_junit, as_summary
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.conftest import Run
from tests.schema import require_schema

SPANS = fg.align(*small_corpora("spans"))
TAGS = fg.align(*small_corpora("tags"))


# reading


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("new_errors > 5", ("new_error", None, ">", 5)),
        ("new_errors[PER]>=1", ("new_error", "PER", ">=", 1)),
        ("  changed_errors [ 'B [x]' ] > 0 ", ("changed_error", "B [x]", ">", 0)),
        ('new_errors["say \\"hi\\""] > 2', ("new_error", 'say "hi"', ">", 2)),
    ],
)
def test_counts_are_read(text: str, rule: tuple[Any, ...]) -> None:
    found = parse_rule(text)
    assert isinstance(found, CountRule)
    assert (found.kind, found.label, found.operator, found.limit) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("fair.f1 drops 0.3", ("fair.f1", 0.3, None)),
        ("accuracy drops 1 at p < .05", ("accuracy", 1.0, 0.05)),
        ("fair_f1 drops .5 at p<=0.01", ("fair_f1", 0.5, 0.01)),
    ],
)
def test_drops_are_read(text: str, rule: tuple[Any, ...]) -> None:
    found = parse_rule(text)
    assert isinstance(found, DropRule)
    assert (found.metric, found.points, found.p) == rule


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("new_error[PER] > 5", 0, "unknown count 'new_error'. Did you mean 'new_errors'?"),
        ("new_errors[PER > 5", 15, "expected ']', found '>'"),
        ("new_errors[] > 5", 11, "expected a label, found ']'"),
        ("new_errors = 5", 11, "expected > or >=, found '='"),
        ("new_errors < 5", 11, "expected > or >=, found '<'"),
        ("new_errors > many", 13, "expected a whole number, found 'many'"),
        ("new_errors > -1", 13, "expected a whole number, found '-1'"),
        ("new_errors > 5 or", 15, "expected the end, found 'or'"),
        ("fair.f1 falls 0.3", 8, "expected drops, found 'falls'"),
        ("fair.f1", 7, "expected drops, found the end"),
        ("fair.f1 drops", 13, "expected the drop in points, such as 0.3, found the end"),
        ("fair.f1 drops 0", 14, "expected a number above 0 and up to 100"),
        ("fair.f1 drops 1e9", 14, "expected the drop in points"),
        ("fair.f1 drops 0.3 at q < .05", 21, "expected p, as in at p < .05, found 'q'"),
        ("fair.f1 drops 0.3 at p > .05", 23, "expected <, as in at p < .05, found '>'"),
        ("fair.f1 drops 0.3 at p < 5", 25, "expected a number above 0 and up to 1"),
        ("fair.f1 drops 0.3 p < .05", 18, "expected at p < .05, or the end, found 'p'"),
        ("new_errors['PER > 5", 11, "the quote that opens here is not closed"),
        ("", 0, "expected a count such as new_errors, or a metric, found the end"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text: str, at: int, message: str) -> None:
    with pytest.raises(fg.UsageError) as caught:
        parse_rule(text)
    what, line, caret = str(caught.value).split("\n")
    assert what.startswith(message)
    assert line == f"  {text}"
    assert caret.index("^") == at + 2


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_a_usage_error(text: str) -> None:
    with contextlib.suppress(fg.UsageError):
        assert parse_rule(text).text == text


def test_unknown_labels_and_metrics_are_pointed_at_with_the_known_ones() -> None:
    with pytest.raises(fg.UsageError, match=r"unknown label 'PRE'. Did you mean 'PER'(.|\n)*\^"):
        fg.gate(SPANS, ["new_errors[PRE] > 5"])
    with pytest.raises(fg.UsageError, match=r"unknown metric 'fair.f2'. Did you mean 'fair.f1'"):
        fg.gate(SPANS, ["fair.f2 drops 1"])
    short, long = (fg.gate(SPANS, [f"{name} drops 1"]) for name in ("f1", "traditional.f1"))
    assert [one.reason for one in short.checks] == [one.reason for one in long.checks]


# deciding


def _tags(right: list[tuple[bool, bool]], documents: list[int] | None = None) -> fg.OutcomeTable:
    """One token per sentence, with the gold tag A; B where a system is wrong."""
    text = [["w"]] * len(right)
    options: dict[str, Any] = {} if documents is None else {"documents": documents}

    def corpus(tags: list[str]) -> Corpus:
        return Corpus.of(text, tags=[[tag] for tag in tags], **options)

    answers = [["A" if one[place] else "B" for one in right] for place in (0, 1)]
    gold = corpus(["A"] * len(right))
    return fg.align(gold, {"old": corpus(answers[0]), "new": corpus(answers[1])}, task="tags")


def test_counts_are_of_what_only_the_old_one_is_right_about() -> None:
    """3 new errors, 1 correction, 1 that both have."""
    table = _tags([(True, False)] * 3 + [(False, True)] + [(False, False)] + [(True, True)] * 5)
    limits = [("> 3", False), ("> 2", True), (">= 3", True), (">= 4", False)]
    found = fg.gate(table, [f"new_errors {limit}" for limit, _ in limits])
    assert [check.failed for check in found.checks] == [failed for _, failed in limits]
    assert found.checks[1].reason == "3 new errors, 2 allowed"
    assert fg.gate(table, ["new_errors[A] > 2"]).checks[0].value == 3
    assert fg.gate(table, ["changed_errors > 0"]).passed


def test_drops_are_in_points_and_may_have_to_be_beyond_chance() -> None:
    """10 of 100 new errors and 6 corrections: 4 points; 10 against 6 may well be chance."""
    table = _tags([(True, False)] * 10 + [(False, True)] * 6 + [(True, True)] * 84)
    assert fg.gate(table, ["accuracy drops 4"]).failures
    assert fg.gate(table, ["accuracy drops 4.1"]).passed
    assert fg.gate(table, ["accuracy drops 3 at p < .05"]).passed
    # a drop of 10, sqrt(.1 x .9 / 99) = 3.015; of 3 or less: t = 7 / 3.015 = 2.322, p = .0112
    clear = _tags([(True, False)] * 10 + [(True, True)] * 90)
    (check,) = fg.gate(clear, ["accuracy drops 3 at p < .05"]).failures
    assert check.reason.startswith("accuracy falls by 10.00 points, p = .011")
    assert check.value == pytest.approx(-0.1)


def test_a_rule_that_cannot_be_decided_is_no_pass_and_hides_no_other() -> None:
    right = [(True, False)] * 10 + [(True, True)] * 30
    table = _tags(right, documents=[0] * 20 + [1] * 20)
    found = fg.gate(table, ["accuracy drops 3 at p < .05", "new_errors > 9", "new_errors > 10"])
    assert [check.result for check in found.checks] == ["undecided", "FAILS", "passes"]
    reason = "accuracy falls by 25.00 points, on too little text for a test"
    assert found.checks[0].reason == reason
    headline = "new does not pass: 1 of 3 rules fail and 1 of 3 rules cannot be decided"
    assert found.headline() == headline
    alone = fg.gate(table, ["accuracy drops 3 at p < .05"])
    assert not alone.passed
    assert not alone.failures
    root = Xml.fromstring(as_junit(found).split("\n", 1)[1])  # noqa: S314 - our own text
    assert (root.get("failures"), root.get("errors")) == ("1", "1")
    (error,) = root.iter("error")
    assert error.get("message") == reason
    assert fg.gate(table, ["accuracy drops 3 at p < .05"], assume_independent=True).failures
    better = _tags([(new, old) for old, new in right], documents=[0] * 20 + [1] * 20)
    assert fg.gate(better, ["accuracy drops 3 at p < .05"]).passed


def test_counts_agree_with_difference_and_with_their_selection() -> None:
    for table in (SPANS, TAGS):
        counts = fg.difference(table).counts.changes[1].total
        (check,) = fg.gate(table, ["new_errors > 0"]).checks
        assert check.value == counts == fg.show(table, check.where).found
        for label in table.labels:
            (check,) = fg.gate(table, [f"new_errors[{label}] > 100"]).checks
            assert check.value == fg.show(table, check.where).found


def test_a_gate_compares_two_systems_by_rules() -> None:
    with pytest.raises(fg.UsageError, match="the old and the new one; here are 3"):
        fg.gate(fg.majority_vote(SPANS), ["new_errors > 5"])
    with pytest.raises(fg.UsageError, match="needs a rule"):
        fg.gate(SPANS, [])
    with pytest.raises(fg.UsageError, match=r"Write \['new_errors > 5'\]"):
        fg.gate(SPANS, "new_errors > 5")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_same_output_always_passes_and_a_limit_is_a_limit(
    right: list[tuple[bool, bool]],
) -> None:
    same = fg.gate(_tags([(one, one) for one, _ in right]), ["new_errors > 0", "accuracy drops .1"])
    assert same.passed
    broken = sum(old and not new for old, new in right)
    table = _tags(right)
    assert fg.gate(table, [f"new_errors > {broken}"]).passed
    assert not fg.gate(table, [f"new_errors >= {broken}"]).passed


# showing


def test_all_views_and_the_schema() -> None:
    for table, rules in (
        (SPANS, ["new_errors[PER] > 0", "fair.f1 drops 0.3", "changed_errors > 9"]),
        (TAGS, ["new_errors > 0", "accuracy drops 90"]),
    ):
        result = fg.gate(table, rules, examples=1)
        document = json.loads(as_json(result, command="finegrain gate"))
        require_schema(document, "gate")
        assert document["result"]["passed"] is False
        for view in (as_csv, as_latex, as_markdown, as_junit, as_summary):
            assert view(result)
        assert len(result.failures[0].units) == 1


HOSTILE = "]]>&<script>\x1b[31m\x00|`*\u202e"


def _hostile() -> Gate:
    text = [[HOSTILE, "b"]]
    gold = Corpus.of(text, tags=[[HOSTILE, "B"]])
    new = Corpus.of(text, tags=[["B", "B"]])
    table = fg.align(gold, {"old": gold, HOSTILE: new}, task="tags")
    return fg.gate(table, ["new_errors > 0"])


def test_hostile_text_is_harmless_in_xml_and_markdown() -> None:
    result = _hostile()
    root = Xml.fromstring(as_junit(result).split("\n", 1)[1])  # noqa: S314 - our own text
    (failure,) = root.iter("failure")
    assert "]]>&<script>\\x1b[31m\\x00" in (failure.text or "")
    assert [child.tag for child in root.iter()] == [
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
    ]
    summary = as_summary(result)
    assert "\x1b" not in summary
    assert "<script" not in summary.replace("\\<script", "")
    rows = [line for line in summary.splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in rows[:3]}) == 1


def test_junit_counts_failures() -> None:
    result = fg.gate(SPANS, ["new_errors > 0", "new_errors > 99"])
    root = Xml.fromstring(as_junit(result).split("\n", 1)[1])  # noqa: S314 - our own text
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert [case.find("failure") is not None for case in root.iter("testcase")] == [True, False]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    gold = "Ada\tB-PER\nleft\tO\nRome\tB-LOC\n"
    (tmp_path / "gold.tsv").write_text(gold)
    (tmp_path / "old.tsv").write_text(gold)
    (tmp_path / "new.tsv").write_text(gold.replace("B-PER", "O"))
    return ["gold.tsv", "old.tsv", "new.tsv"]


def test_the_exit_code_tells_the_result(run: Run, files: list[str], tmp_path: Path) -> None:
    failed = run("gate", *files, "--fail-if", "new_errors[PER] > 0", "--junit", "out.xml", "-q")
    assert failed.returncode == 1
    assert "new_errors[PER] > 0  FAILS   1 new error of PER, 0 allowed" in failed.stdout
    assert "line 1  Ada" in failed.stdout
    assert failed.stderr == ""
    assert "<failure" in (tmp_path / "out.xml").read_text()
    passed = run("gate", *files, "--fail-if", "new_errors[LOC] > 0", "-q")
    assert (passed.returncode, passed.stderr) == (0, "")
    typo = run("gate", *files, "--fail-if", "new_errors[LCO] > 0", "-q")
    assert typo.returncode == 2
    assert typo.stderr.splitlines()[1:] == ["  new_errors[LCO] > 0", "             ^"]
    test = run("gate", *files, "--fail-if", "traditional.f1 drops 1 at p < .05")
    assert test.returncode == 2
    assert "undecided  traditional_f1 falls" in test.stdout
    assert "add documents, or change the rule, or use --assume-independent." in test.stderr
    assert run("gate", *files[:2], "--fail-if", "new_errors > 0").returncode == 2
    assert run("gate", *files).returncode == 2


def test_the_summary_is_added_to_what_is_there(run: Run, files: list[str], tmp_path: Path) -> None:
    (tmp_path / "summary.md").write_text("# earlier\n")
    for rule in ("new_errors > 0", "new_errors > 9"):
        run("gate", *files, "--fail-if", rule, "--summary", "summary.md", "-q")
    text = (tmp_path / "summary.md").read_text()
    assert text.startswith("# earlier\n## ❌ new does not pass: 1 of 1 rules fail\n")
    assert "## ✅ new passes" in text
    done = run("gate", *files, "--fail-if", "new_errors > 9", "--summary", "no/such/folder.md")
    assert done.returncode == 3
    assert "cannot be written" in done.stderr


def test_json_goes_to_a_file_and_the_result_to_stderr(
    run: Run, files: list[str], tmp_path: Path
) -> None:
    done = run("gate", *files, "--fail-if", "new_errors > 0", "-o", "gate.json", "-q")
    assert done.returncode == 1
    assert "new does not pass: 1 of 1 rules fail" in done.stderr
    assert json.loads((tmp_path / "gate.json").read_text())["result"]["passed"] is False


def test_a_margin_rule_passes_fails_or_is_undecided() -> None:
    """Of 200 tokens old is right about 190. New loses 30: 15 points, sqrt(.15 x .85 / 199) = 2.53,
    so a drop of 5 or less is refuted (t = 10 / 2.53 = 3.95). New loses 4 and gains 4: 0 points,
    sqrt(8 / 200 / 199) = 1.418, so a drop of 5 or more is refuted (t = 3.53), one of 1 is not.
    """
    worse = _tags([(True, False)] * 30 + [(True, True)] * 160 + [(False, False)] * 10)
    same = _tags([(True, False)] * 4 + [(False, True)] * 4 + [(True, True)] * 192)
    (check,) = fg.gate(worse, ["accuracy not worse than 5"]).checks
    assert check.result == "FAILS"
    assert check.p == pytest.approx(5e-5, abs=4e-5)
    (check,) = fg.gate(same, ["accuracy not worse than 5"]).checks
    assert check.result == "passes"
    assert check.p == pytest.approx(0.00026, abs=2e-5)
    found = fg.gate(same, ["accuracy not worse than 1"])
    (check,) = found.checks
    assert check.result == "undecided"
    assert not found.passed
    # 200 x ((1.653 + 0.844) x 1.418)^2 = 2,507
    assert check.reason.endswith("about 2,500 tokens would decide") or check.reason.endswith(
        "about 2,500 sentences would decide"
    )


@pytest.mark.parametrize(("policy", "code"), [("stop", 2), ("pass", 0), ("fail", 1)])
def test_the_user_says_what_undecided_does(policy: Policy, code: int) -> None:
    same = _tags([(True, False)] * 4 + [(False, True)] * 4 + [(True, True)] * 192)
    found = fg.gate(same, ["accuracy not worse than 1"], undecided=policy)
    assert found.exit_code == code
    assert found.passed == (policy == "pass")
    assert found.to_json()["undecided"] == policy


def test_pushes_share_the_p_of_a_rule() -> None:
    """A drop of 10 against 3: p = .011, which passes as one of ten pushes."""
    clear = _tags([(True, False)] * 10 + [(True, True)] * 90)
    rule = ["accuracy drops 3 at p < .05"]
    assert fg.gate(clear, rule).failures
    shared = fg.gate(clear, rule, pushes=10)
    assert not shared.failures
    assert "|pushes:10|" in shared.signature
    with pytest.raises(UsageError, match="1 or more"):
        fg.gate(clear, rule, pushes=0)


def test_small_losses_add_up_since_the_first_version() -> None:
    """Each version loses 3 of 100 tokens, the third 6 since the first."""
    text = [["x"]] * 100
    gold = Corpus.of(text, tags=[["N"]] * 100)
    systems = {
        name: Corpus.of(text, tags=[["V"]] * wrong + [["N"]] * (100 - wrong))
        for name, wrong in (("first", 0), ("old", 3), ("new", 6))
    }
    table = fg.align(gold, systems, task="tags")
    found = fg.gate(table, ["accuracy drops 5"], systems=["old", "new"], since="first")
    now, since = found.checks
    assert (now.result, since.result) == ("passes", "FAILS")
    assert since.value == pytest.approx(-0.06)
    assert since.name == "accuracy drops 5 (since first)"
    assert since.found == 6
    assert "(since first)" in str(found)
