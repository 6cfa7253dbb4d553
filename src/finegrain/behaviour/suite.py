"""Behavioural suites after CheckList (Ribeiro et al. 2020): tests by capability and kind.

>>> suite = BehaviourSuite.of({"name": "tiny", "labels": ["neg", "pos"], "tests": [
...     {"name": "not good", "capability": "negation", "kind": "mft",
...      "template": "It is not {positive}.", "expect": "neg"}]})
>>> suite.tests[0].kind, suite.tests[0].expect
('mft', ('neg',))

Three kinds: a minimum functionality test (``mft``) says what the answer is; an invariance test
(``inv``) says that answers stay the same when slots (``vary``) or the text (``perturb``) change; a
directional test (``dir``) says where the answer moves when the text ``becomes`` another one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from finegrain.behaviour.templates import Template
from finegrain.errors import InputError, UsageError
from finegrain.files_read import record
from finegrain.perturbations import by_name
from finegrain.perturbations.perturbation import Perturbation
from finegrain.sizes import sized

Kind = Literal["mft", "inv", "dir"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Answers = Literal["label", "text", "entities"]
ANSWERS: tuple[Answers, ...] = get_args(Answers)
DIRECTIONS = ("higher", "lower", "not higher", "not lower", "changes", "same")
NUMBER = 100  # cases of a test
VERSIONS = 5  # of a text in an invariance test
STARTERS = tuple(
    sorted(
        one.name.removesuffix(".toml")
        for one in (files("finegrain.behaviour") / "starters").iterdir()
        if one.name.endswith(".toml")
    )
)
"""Names of the suites that are shipped."""
_KEYS = {
    "name", "capability", "kind", "template", "expect", "vary", "perturb", "rate", "becomes",
    "number", "versions", "tolerance", "of",
}  # fmt: skip
Check = Callable[[Any, Any], bool]
Fields = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class BehaviourTest:
    """A test.

    Parameters
    ----------
    template: field of the input (``text``, or ``premise`` and ``hypothesis``) -> patterns; of
        several patterns each serves for its share of the cases
    expect: labels or texts of which one must be answered (``mft``), a direction (``dir``), or a
        function of the answer and the case
    vary: slots that differ between versions of a text (``inv``)
    perturb: what makes versions of a text (``inv``)
    becomes: the patterns of the changed text (``dir``)
    of: the label whose probability moves (``dir``); default: the mean place in the list of labels
    tolerance: by how much probabilities may move the wrong way
    """

    name: str
    capability: str
    kind: Kind
    template: Fields
    expect: tuple[str, ...] | Check = ()
    vary: tuple[str, ...] = ()
    perturb: Perturbation | None = None
    rate: float | None = None
    becomes: Fields = field(default_factory=dict)
    number: int = NUMBER
    versions: int = VERSIONS
    tolerance: float = 0.0
    of: str = ""

    @property
    def group(self) -> str:
        """What rules and tables call tests of this capability and kind."""
        return f"{self.capability}.{self.kind}"


@dataclass(frozen=True, slots=True)
class BehaviourSuite:
    """Tests, the labels from the lowest to the highest, and the lexicons that templates use."""

    name: str
    tests: tuple[BehaviourTest, ...]
    labels: tuple[str, ...] = ()
    answers: Answers = "label"
    lexicons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """``13 tests of vocabulary, negation, fairness``."""
        capabilities = dict.fromkeys(test.capability for test in self.tests)
        return f"{sized(len(self.tests), 'test')} of {', '.join(capabilities)}"

    @classmethod
    def of(cls, given: Mapping[str, Any], source: str = "the suite") -> BehaviourSuite:
        """A suite from what stands in its file."""
        known = {"name", "labels", "answers", "lexicons", "tests"}
        for key in given:
            if key not in known:
                raise InputError.at(source, 0, str(UsageError.unknown("key", key, known)))
        answers = given.get("answers", "label")
        if answers not in ANSWERS:
            raise InputError.at(source, 0, str(UsageError.unknown("answers", answers, ANSWERS)))
        lexicons = {
            name: tuple(str(one) for one in _list(values))
            for name, values in dict(given.get("lexicons", {})).items()
        }
        labels = tuple(str(one) for one in _list(given.get("labels", ())))
        tests = tuple(
            _test(one, place, source) for place, one in enumerate(_list(given.get("tests", ())), 1)
        )
        suite = cls(str(given.get("name", "suite")), tests, labels, answers, lexicons)
        require_sound(suite, source)
        return suite


def _list(values: Any) -> Sequence[Any]:
    return values if isinstance(values, list | tuple) else [values]


def _fields(value: Any) -> Fields:
    if isinstance(value, Mapping):
        return {str(name): tuple(map(str, _list(own))) for name, own in value.items()}
    return {"text": tuple(map(str, _list(value)))}


def _test(given: Any, place: int, source: str) -> BehaviourTest:
    where = f"test {place}"
    if not isinstance(given, Mapping):
        raise InputError.at(source, 0, f"{where}: a test is a table", "Write [[tests]].")
    where = f"test {place} ({given.get('name', 'without a name')})"
    for key in given:
        if key not in _KEYS:
            raise InputError.at(source, 0, f"{where}: {UsageError.unknown('key', key, _KEYS)}")
    for key in ("name", "capability", "kind", "template"):
        if key not in given:
            raise InputError.at(source, 0, f"{where}: there is no {key}", f"Give it a {key}.")
    kind = str(given["kind"]).lower()
    if kind not in KINDS:
        raise InputError.at(source, 0, f"{where}: {UsageError.unknown('kind', kind, KINDS)}")
    try:
        perturb = by_name(str(given["perturb"])) if "perturb" in given else None
    except UsageError as error:
        raise InputError.at(source, 0, f"{where}: {error}") from None
    expect = given.get("expect", ())
    numbers = {name: given[name] for name in ("number", "versions") if name in given}
    for name, value in numbers.items():
        if not isinstance(value, int) or value < 1:
            raise InputError.at(source, 0, f"{where}: {name} is a whole number from 1 on")
    return BehaviourTest(
        str(given["name"]), str(given["capability"]), kind,
        _fields(given["template"]),
        expect if callable(expect) else tuple(map(str, _list(expect))),
        tuple(map(str, _list(given.get("vary", ())))),
        perturb, given.get("rate"), _fields(given["becomes"]) if "becomes" in given else {},
        tolerance=float(given.get("tolerance", 0.0)), of=str(given.get("of", "")), **numbers,
    )  # fmt: skip


def require_sound(suite: BehaviourSuite, source: str) -> None:
    """Raise for tests that say too little, or the impossible."""
    if not suite.tests:
        raise InputError.at(source, 0, "there are no tests in it", "Write [[tests]].")
    names = [test.name for test in suite.tests]
    for place, test in enumerate(suite.tests):
        where = f"test {place + 1} ({test.name})"
        try:
            what = _fault(suite, test)
            for patterns in test.becomes.values():
                for pattern in patterns:
                    Template.of(pattern, suite.lexicons)
        except UsageError as error:
            what = str(error)
        if names.index(test.name) < place:
            what = "another test has this name"
        if what:
            raise InputError.at(source, 0, f"{where}: {what}")


def _fault(suite: BehaviourSuite, test: BehaviourTest) -> str:
    """What is wrong with a test; nothing if it is sound."""
    slots = {
        slot
        for patterns in test.template.values()
        for pattern in patterns
        for slot in Template.of(pattern, suite.lexicons).slots
    }
    labels = () if callable(test.expect) else test.expect
    mft, inv, dir_ = (test.kind == kind for kind in KINDS)
    of_labels = suite.answers == "label" and suite.labels
    unknown = next((one for one in labels if one not in suite.labels), None)
    free = callable(test.expect)
    moves = labels[:1] and labels[0] not in ("changes", "same")
    faults = {
        "a capability is named without a point": "." in test.capability or not test.capability,
        "a minimum functionality test says what to expect":
            mft and not labels and not free and suite.answers != "entities",
        f"the label {unknown!r} is not among labels": mft and of_labels and unknown is not None,
        "an invariance test has either vary or perturb":
            inv and bool(test.vary) == (test.perturb is not None),
        f"vary names what is not a slot of the template: {sorted({*test.vary} - slots)}":
            inv and not slots.issuperset(test.vary),
        "the perturbation changes no words":
            test.perturb is not None and test.perturb.words is None,
        "a directional test says what the text becomes": dir_ and not test.becomes,
        f"expect of a directional test is one of {', '.join(DIRECTIONS)}":
            dir_ and not free and labels[:1] not in [(one,) for one in DIRECTIONS],
        "directions need labels, from the lowest to the highest, or the label meant (of)":
            dir_ and bool(moves) and not suite.labels and not test.of,
    }  # fmt: skip
    return next((what for what, holds in faults.items() if holds), "")


def read_suite(path: str) -> BehaviourSuite:
    """A suite: a TOML file, ``module:NAME`` in Python, or the name of one that is shipped."""
    if path in STARTERS and not Path(path).is_file():
        text = files("finegrain.behaviour").joinpath("starters", f"{path}.toml").read_text("utf-8")
        return BehaviourSuite.of(tomllib.loads(text), path)
    module, colon, name = path.partition(":")
    if colon and not Path(path).exists():
        return _of_python(module, name)
    try:
        given = tomllib.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        known = ", ".join(STARTERS)
        raise InputError.at(path, 0, "no such file", f"Shipped suites: {known}.") from None
    except OSError as error:
        raise InputError.at(path, 0, f"cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError.at(path, 0, f"it is not TOML: {error}") from None
    record(path)
    return BehaviourSuite.of(given, path)


def _of_python(module: str, name: str) -> BehaviourSuite:
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{module}:{name} cannot be imported: {error}") from None
    if isinstance(found, Mapping):
        return BehaviourSuite.of(found, f"{module}:{name}")
    if not isinstance(found, BehaviourSuite):
        raise UsageError(f"{module}:{name} is not a suite: make it with BehaviourSuite.of({{...}})")
    require_sound(found, f"{module}:{name}")
    return found
