"""What the documentation shows is what happens."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from finegrain.cli.parser import every_command
from tests.documentation.console import ROOT, blocks, pages, run, shown

Simulate = Callable[[str, Path], str]
PAGES = [page for page in pages() if blocks(page.read_text())]


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="session")
def simulate(tmp_path_factory: pytest.TempPathFactory) -> Simulate:
    """Run a ``finegrain simulate``, each once: what it made is copied."""
    made: dict[str, tuple[Path, str]] = {}

    def copied(command: str, folder: Path) -> str:
        if command not in made:
            place = tmp_path_factory.mktemp("simulated")
            made[command] = place, run(command, place)
        place, printed = made[command]
        shutil.copytree(place, folder, dirs_exist_ok=True)
        return printed

    return copied


def _is_simulation(command: str) -> bool:
    return command.startswith("finegrain simulate ")


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path, simulate: Simulate) -> None:
    for block in blocks(page.read_text()):
        for one in shown(block):
            execute = simulate if _is_simulation(one.command) else run
            assert execute(one.command, tmp_path).rstrip() == one.output.rstrip(), one.command


def test_the_readme_shows_commands() -> None:
    assert ROOT / "README.md" in PAGES


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_python_examples_run(page: Path, tmp_path: Path, simulate: Simulate) -> None:
    """The ```python blocks of a page run one after the other in one namespace."""
    code = "\n".join(
        re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    )
    if code:
        for block in blocks(page.read_text()):
            for one in shown(block):
                if _is_simulation(one.command):
                    simulate(one.command, tmp_path)
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT / "src")},
        )


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_command_is_documented_with_an_example() -> None:
    text = "\n".join(page.read_text() for page in pages())
    for command in every_command():
        assert f"finegrain {command.name}" in text, f"{command.name} is on no page"
        assert f"finegrain {command.name}" in command.help, f"{command.name}: no example"


def _help_examples() -> list[tuple[str, str]]:
    found = []
    for command in every_command():
        lines = [line.strip() for line in command.help.splitlines()]
        found += [(command.name, line) for line in lines if line.startswith("finegrain ")]
    # explore runs until it is interrupted: tests/explorer does both
    return [one for one in found if one[0] != "explore"]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that help texts speak of."""
    folder = tmp_path_factory.mktemp("help")
    run("finegrain simulate made --tokens 1000 --system crf= --system neural=too-short", folder)
    made = folder / "made"
    (folder / "train.conll").write_text((made / "train.conll").read_text())
    gold, crf, neural = ((made / f"{name}.conll").read_text() for name in ("gold", "crf", "neural"))
    for name, text in (
        ("gold.conll", gold), ("crf.conll", crf), ("run7.conll", neural), ("neural.conll", neural),
        ("submission.conll", crf), ("old.conll", neural), ("new.conll", crf),
    ):  # fmt: skip
        (folder / name).write_text(text)
    run("finegrain simulate trees -t dependencies --tokens 500 --system parser=", folder)
    for name in ("gold.conllu", "parser.conllu"):
        (folder / name).write_text((folder / "trees" / name).read_text())
    run(
        "finegrain simulate reviews -t classification --tokens 500 --system svm= --system bert=",
        folder,
    )
    for name in ("gold.csv", "svm.csv", "bert.csv"):
        (folder / name).write_text((folder / "reviews" / name).read_text())
    judged = [(f"q{query}", f"d{at}") for query in range(8) for at in range(12)]
    (folder / "qrels").write_text(
        "".join(f"{query} 0 {name} {at % 3 % 2}\n" for at, (query, name) in enumerate(judged))
    )
    (folder / "run.bm25").write_text(
        "".join(
            f"{query} Q0 {name} {at} {100 - at} bm25\n" for at, (query, name) in enumerate(judged)
        )
    )
    numbers = {"gold": 0.0, "ridge": 0.5, "forest": -0.25}
    for name, shift in numbers.items():
        rows = "".join(f"q{at}\t{at % 5 + shift * (at % 3)}\n" for at in range(40))
        (folder / f"{name}.tsv").write_text(f"id\tscore\n{rows}")
    inputs = run("finegrain behave generate sentiment", folder).splitlines()
    (folder / "svm.jsonl").write_text(
        "".join(json.dumps({"id": json.loads(one)["id"], "label": "positive"}) + "\n"
                for one in inputs)
    )  # fmt: skip
    (folder / "classifier.py").write_text(
        "def predict(texts):\n    return ['neutral'] * len(texts)\n"
    )
    run("finegrain perturb gold.conll -o perturbed --with upper,typos", folder)
    for name in ("upper", "typos"):
        copy = folder / "perturbed" / name
        (copy / "crf.conll").write_text((copy / "gold.conll").read_text())
    contrast = [
        f"{at},{'no ' * (at > 7)}good film,{'neg' if at > 7 else 'pos'}" for at in range(16)
    ]
    for name in ("contrast.csv", "answers.csv"):
        (folder / name).write_text("\n".join(["id,text,label", *contrast]) + "\n")
    made_from = [f"{at}\t{at + 8}\tnegation\tchanges" for at in range(8)]
    header = "original\tperturbed\tkind\texpected"
    (folder / "pairs.tsv").write_text("\n".join([header, *made_from]) + "\n")
    (folder / "answers.tsv").write_text("1\t0\n1\t1\n")
    (folder / "labels.tsv").write_text("item\tann\tben\n1\t3\t2\n2\t1\t1\n")
    (folder / "crowd.tsv").write_text(
        "annotator\titem\tlabel\nann\t1\tx\nben\t1\tx\nann\t2\ty\nben\t2\tx\n"
    )
    run("finegrain crowd crowd.tsv -o aggregated.csv", folder)
    (folder / "guess.csv").write_text("id,label\n1,x\n2,y\n")
    ratings = [f"{who},{item},{system},{score}" for who in "rs" for item in "12"
               for system, score in (("a", 4), ("b", 2 + len(item)))]  # fmt: skip
    (folder / "ratings.csv").write_text("\n".join(["rater,item,system,score", *ratings]) + "\n")
    for name in ("bleu.csv", "comet-scores.csv"):
        (folder / name).write_text("item,system,value\n1,a,0.4\n1,b,0.3\n2,a,0.2\n2,b,0.1\n")
    (folder / "judges.tsv").write_text("\tyes\tno\nyes\t300\t20\nno\t10\t70\n")
    run("finegrain suite suite.toml --start made", folder)
    (folder / "meta.tsv").write_text("sentence\tdomain\n1\tnews\n2\tchat\n")
    run("finegrain align gold.conll crf.conll -o table.parquet", folder)
    for name, answers in (("crf.tsv", crf), ("neural.tsv", neural)):
        rows = [
            f"{one.split(chr(9))[0]}\t{one.split(chr(9))[-1]}\t{two.split(chr(9))[-1]}"
            if one
            else ""
            for one, two in zip(gold.splitlines(), answers.splitlines(), strict=True)
        ]
        (folder / name).write_text("\n".join(rows) + "\n")
    _vectors(folder)
    (folder / "texts.jsonl").write_text('{"id": "d1", "text": "Ada slept."}\n')
    for name in ("answers.jsonl", "batch.jsonl"):
        (folder / name).write_text('{"id": "d1", "answer": "[[\\"Ada\\", \\"PER\\"]]"}\n')
    labels = [f"q{at},{'pos' if at % 3 else 'neg'},p{at // 2}" for at in range(12)]
    (folder / "gold.csv").write_text("\n".join(["id,label,passage", *labels]) + "\n")
    runs = [
        f"q{at},{run},{'pos' if (at + run) % 4 else 'neg'}" for at in range(12) for run in (1, 2)
    ]
    (folder / "runs.csv").write_text("\n".join(["id,run,answer", *runs]) + "\n")
    for name in ("lexicon.csv", "svm.csv", "bert.csv"):
        sure = [f"q{at},pos,0.{6 + at % 4},0.{4 - at % 4}" for at in range(12)]
        (folder / name).write_text("\n".join(["id,label,prob_pos,prob_neg", *sure]) + "\n")
    return folder


def _vectors(folder: Path) -> None:
    """Vectors of some words, of people and of models, and what probes find in them."""
    drawn = np.random.default_rng(1)
    words = [f"word{at}" for at in range(24)]
    person, model = drawn.normal(size=(2, 24, 4))
    np.savez(folder / "human.npz", ids=words, ann=person, ben=person + 0.1 * model)
    np.save(folder / "human.npy", person)
    for name in ("bert", "l0", "l1"):
        np.save(folder / f"{name}.npy", model + person)
    np.savez(folder / "bert.npz", layer0=model, layer1=person)
    rows = [" ".join([word, *map(str, row)]) for word, row in zip(words, person, strict=True)]
    for name in ("glove.txt", "skipgram.vec"):
        (folder / name).write_text("\n".join(rows) + "\n")
    labels = [f"{word},{'xy'[at % 2]},{'ab'[at % 2]}" for at, word in enumerate(words)]
    (folder / "labels.csv").write_text("\n".join(["word,label,number", *labels]) + "\n")
    pairs = [f"{one},{two},{at % 10}" for at, (one, two) in enumerate(combinations(words[:8], 2))]
    (folder / "wordsim.csv").write_text("\n".join(["word1,word2,score", *pairs]) + "\n")
    run("finegrain probe labels.csv bert=bert.npz -p probed --no-intervals --seeds 1", folder)


@pytest.mark.parametrize(("command", "example"), _help_examples())
def test_examples_of_help_texts_run(command: str, example: str, prepared: Path) -> None:
    del command
    run(example, prepared)
