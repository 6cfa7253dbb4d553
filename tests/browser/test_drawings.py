"""Trees and chains in the page of a report: what they draw, say, and do with hostile text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.corpus import Clusters, Corpus
from tests.browser.conftest import Opened

Open = Callable[..., Opened]
HOSTILE = "<img src=x onerror=alert(1)>"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def _arcs(heads: list[str], relations: list[str], words: list[str]) -> Corpus:
    return Corpus.of([words], head=[heads], deprel=[relations])


@pytest.fixture(scope="module")
def tree_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """She saw the dog: `moved` hangs the dog on the article, `named` calls it a subject."""
    words = ["She", "saw", "the", HOSTILE]
    gold = _arcs(["2", "0", "4", "2"], ["nsubj", "root", "det", "obj"], words)
    systems = {
        "right": gold,
        "moved": _arcs(["2", "0", "4", "3"], ["nsubj", "root", "det", "obj"], words),
        "named": _arcs(["2", "0", "4", "2"], ["nsubj", "root", "det", "nsubj"], words),
    }
    path = tmp_path_factory.mktemp("trees") / "report.html"
    fg.report(fg.align(gold, systems, task="dependencies")).save(str(path))
    return path


TEXT = [["Ada", "met", HOSTILE, "."], ["Rain", "fell", "."], ["She", "saw", "her", "dog", "."]]
ADA, EVE, SHE, HER, DOG = (0, 0, 1), (0, 2, 3), (2, 0, 1), (2, 2, 3), (2, 2, 4)


def _chains(**chains: list[tuple[int, int, int]]) -> Corpus:
    here = [0, 0, 0]
    rows = [(*mention, name) for name, mentions in chains.items() for mention in mentions]
    return replace(Corpus.of(TEXT, documents=here), clusters=Clusters.of(rows, documents=here))


@pytest.fixture(scope="module")
def chain_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """She is Ada; `other` takes her for whom Ada met, `alone` for nobody who was named."""
    gold = _chains(ada=[ADA, SHE, HER], eve=[EVE], dog=[DOG])
    systems = {
        "other": _chains(ada=[ADA], eve=[EVE, SHE, HER]),
        "alone": _chains(ada=[ADA], eve=[EVE], she=[SHE, HER], dog=[DOG]),
    }
    path = tmp_path_factory.mktemp("chains") / "report.html"
    fg.report(fg.align(gold, systems, task="coreference")).save(str(path))
    return path


def test_gold_arcs_stand_above_and_differing_arcs_below(open_page: Open, tree_page: Path) -> None:
    opened = open_page(tree_page, "#instances?row=4")
    tree = opened.page.locator(".unit svg.tree")
    assert tree.count() == 1
    kinds = tree.locator("g.arc").evaluate_all("all => all.map(one => one.classList[1])")
    # three gold arcs that all have, the object that two systems miss; one arc of each of the two
    assert sorted(kinds) == ["missed", "moved", "renamed", "shared", "shared", "shared"]
    assert tree.locator("g.arc.moved text").inner_html() == "obj"
    assert tree.locator("g.arc.renamed text").inner_html() == "nsubj"
    assert "the same tree" in (tree.text_content() or "")
    assert opened.complaints == []


def test_a_tree_is_told_in_words(open_page: Open, tree_page: Path) -> None:
    opened = open_page(tree_page, "#instances?row=4")
    said = opened.page.get_attribute("svg.tree[role=img]", "aria-label")
    assert said.startswith(f"Tree. In the gold standard {HOSTILE} on saw as obj.")
    assert f"moved has {HOSTILE} on the as obj." in said
    assert f"named has {HOSTILE} on saw as nsubj." in said
    assert "right has the same tree." in said


def test_a_sentence_is_drawn_once_and_then_only_arcs_of_the_unit(
    open_page: Open, tree_page: Path
) -> None:
    """All four words of the one sentence are listed; the object has its gold arc, and two more."""
    opened = open_page(tree_page)
    arcs = "all => all.map(one => one.querySelectorAll('g.arc').length)"
    units = opened.page.locator(".unit")
    drawn = units.evaluate_all(arcs)
    assert drawn == [6, 1, 1, 1]  # the object is the hardest, and comes first
    assert "the same here" in (units.nth(1).text_content() or "")
    units.nth(1).get_by_role("button", name="whole sentence").click()
    assert units.evaluate_all(arcs) == [6, 6, 1, 1]


def test_names_stand_beside_their_bands(open_page: Open, tree_page: Path) -> None:
    """The last row of names ends where the drawing does."""
    opened = open_page(tree_page, "#instances?row=4")
    bottoms = opened.page.evaluate(
        """() => [".name:last-child", "svg.tree"].map(
             one => document.querySelector(`.unit ${one}`).getBoundingClientRect().bottom)"""
    )
    assert abs(bottoms[0] - bottoms[1]) <= 1


def test_mentions_have_the_colour_of_their_gold_chain(open_page: Open, chain_page: Path) -> None:
    """She is in Ada's chain, 1. `other` links her to whom Ada met: that chain is 2, and so is she.

    `alone` opens a chain with her, which is a part of 1 that it keeps apart: 1′.
    """
    opened = open_page(chain_page, "#instances?text=dog")
    unit = opened.page.locator(".unit", has=opened.page.locator(".mention.current", has_text="She"))
    told = unit.first.locator(".passage").evaluate_all(
        """all => all.map(one => [one.querySelector("h3").firstChild.textContent,
             [...one.querySelectorAll(".mention")].map(each =>
               [...each.querySelectorAll(":scope > bdi")].map(word => word.textContent).join(" ")
               + " " + (each.querySelector(":scope > sub")?.textContent ?? ""))])"""
    )
    found = dict(told)
    assert found["gold"][0] == "Ada 1"
    assert found["other"][:3] == ["Ada 1", f"{HOSTILE} 2", "She 2"]
    assert found["alone"][0] == "Ada 1"
    assert "She 1" in found["gold"]
    assert "She 1′" in found["alone"]
    assert opened.complaints == []


def test_chains_are_told_in_words(open_page: Open, chain_page: Path) -> None:
    opened = open_page(chain_page, "#instances?text=dog")
    said = opened.page.eval_on_selector_all(
        "svg.strip[role=img]", "all => all.map(one => one.getAttribute('aria-label'))"
    )
    own = next(one for one in said if one.startswith("Chains of the document. She:"))
    assert "gold: goes back to Ada;" in own
    assert "alone: no antecedent" in own
    assert f"other: goes back to {HOSTILE}" in own


def test_the_whole_document_unfolds(open_page: Open, tmp_path: Path) -> None:
    play = fg.simulate_chains(tokens=1_500, train_tokens=100)
    path = tmp_path / "tales.html"
    fg.report(fg.align(play.gold, play.systems, task="coreference")).save(str(path))
    opened = open_page(path, "#instances?verdict.0=wrong")
    folded = opened.page.locator(".unit", has_text="whole document").first
    place, words = folded.get_attribute("aria-label"), len(folded.inner_text())
    folded.locator("button", has_text="whole document").click()
    unfolded = opened.page.locator(f".unit[aria-label='{place}']")
    assert len(unfolded.inner_text()) > words + 100
    unfolded.locator("button", has_text="shorter").click()
    assert len(unfolded.inner_text()) == words
    ticks = opened.page.locator(".unit").first.locator("svg.strip path.tick")
    drawn = "all => all.map(one => one.getAttribute('d')).join('').split('M').length - 1"
    assert ticks.evaluate_all(drawn) > 10
    assert opened.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["tree_page", "chain_page"])
def test_drawings_fit_a_narrow_screen_and_hostile_text_stays_text(
    open_page: Open, which: str, scheme: str, request: pytest.FixtureRequest
) -> None:
    opened = open_page(request.getfixturevalue(which), "#instances", width=400, scheme=scheme)
    assert opened.page.evaluate(FITS)
    assert opened.page.locator("#instances img").count() == 0
    assert HOSTILE in opened.page.inner_text("#instances")
    assert opened.complaints == []


# follow a link where every look at the clock takes a second: the units that are listed, and whether
# more are to come, before anything else happens; then when paper asks for them
SLOWLY = """async hash => new Promise(done => {
  let clock = 0;
  performance.now = () => (clock += 1000);
  const list = document.querySelector("#instances .units");
  const told = () => [list.children.length, list.hasAttribute("aria-busy")];
  const count = () => document.getElementById("count").textContent;
  new MutationObserver((_, watching) => {
    watching.disconnect();
    const first = [...told(), count()];
    dispatchEvent(new Event("beforeprint"));
    done([first, told()]);
  }).observe(list, { childList: true });
  location.hash = hash;
})"""


def test_the_first_units_do_not_wait_for_the_others(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    first, printed = opened.resolved(SLOWLY, "#instances?verdict.0=wrong")
    listed, busy, count = first
    assert 1 <= listed < 20
    assert busy
    assert int(count) > 20
    assert printed[0] == 20
    opened.settle()
    assert opened.page.locator(".unit").count() == 20
    assert opened.complaints == []


def test_what_is_asked_for_last_is_listed(open_page: Open, spans_page: Path) -> None:
    opened = open_page(spans_page)
    opened.resolved(SLOWLY, "#instances?verdict.0=wrong")
    opened.go("instances?row=3")
    opened.settle()
    assert opened.page.locator(".unit").count() == 1
    assert opened.page.get_attribute("#instances .units", "aria-busy") is None
