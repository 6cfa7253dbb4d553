r"""A gate for other programs: JUnit XML, and a summary in Markdown.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> table = fg.align(*small_corpora("tags"))
>>> print(as_junit(fg.gate(table, ["new_errors > 5"])), end="")
<?xml version="1.0" encoding="utf-8"?>
<testsuites name="finegrain gate" tests="1" failures="0" errors="0">
  <testsuite name="nouns -&gt; mixed" tests="1" failures="0" errors="0">
    <testcase classname="finegrain.gate" name="new_errors &gt; 5">
      <system-out>3 new errors, 5 allowed</system-out>
    </testcase>
  </testsuite>
</testsuites>

Words of the corpus stand in both: characters that XML cannot hold are written out, and Markdown
that is meant as text is escaped.
"""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from finegrain.analyses.trust.gate import Check, Gate, place_of
from finegrain.views.escape import markdown, visible
from finegrain.views.text_formats import as_markdown


def as_junit(result: Gate) -> str:
    """One test suite with a test case per rule."""
    sizes = {
        "tests": result.checks, "failures": result.failures, "errors": result.undecided,
    }  # fmt: skip
    counts = {name: str(len(checks)) for name, checks in sizes.items()}
    root = Xml.Element("testsuites", {"name": "finegrain gate", **counts})
    suite = Xml.SubElement(
        root, "testsuite", {"name": visible(" -> ".join(result.systems)), **counts}
    )
    for check in result.checks:
        case = Xml.SubElement(
            suite, "testcase", {"classname": "finegrain.gate", "name": visible(check.name)}
        )
        if check.failed:
            said = {"message": visible(check.reason), "type": "rule"}
            Xml.SubElement(case, "failure", said).text = "\n".join(_lines(result, check))
        elif not check.decided:
            Xml.SubElement(case, "error", {"message": visible(check.reason), "type": "undecided"})
        else:
            Xml.SubElement(case, "system-out").text = visible(check.reason)
    Xml.indent(root)
    text = Xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _lines(result: Gate, check: Check) -> list[str]:
    """The reason, then a line per unit that broke."""
    lines = [visible(check.reason)]
    for unit in check.units:
        answers = ", ".join(f"{answer.system}: {answer.outcome}" for answer in unit.answers)
        place = place_of(unit, result.task.words)
        label = unit.mark.label if unit.is_gold else f"not gold, {unit.mark.label}"
        lines.append(visible(f"{place}: {unit.text} ({label}); {answers}"))
    hidden = check.found - len(check.units)
    return [*lines, *([f"... and {hidden:,} more"] if hidden and check.units else [])]


def as_summary(result: Gate) -> str:
    """A section of GitHub-flavoured Markdown, to be added to a job's summary."""
    sign = "✅" if result.passed else "❌"
    return f"## {sign} {markdown(result.headline())}\n\n{as_markdown(result)}\n"
