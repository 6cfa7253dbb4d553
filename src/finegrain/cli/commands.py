"""All commands by name, in the order of ``--help``; a command is loaded when it is asked for.

Building a command takes about as long as scoring a small file, so that of 33 only one is built.
The summaries are the first lines of the commands' own help, which a test compares.

>>> "score" in COMMANDS, COMMANDS["demo"]
(True, 'Show what finegrain does, on data that it makes.')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer.main
from typer.core import TyperGroup

from finegrain.cli.files_apart import Command

COMMANDS = {
    "report": "Run all analyses and write one page with everything.",
    "explore": "Look at everything in the web browser, however much it is.",
    "score": "Score systems, overall and per label.",
    "errors": "Count error types, overall and per label.",
    "confusion": "Show which label is taken for which.",
    "difference": "Compare outputs: what one corrects, breaks or gets wrong in another way.",
    "oracle": "Show what a perfect choice among the systems would reach.",
    "difficulty": "Sort units into bins by how many systems are right about them.",
    "features": "Describe hard and easy units: attributes by bin, with the trend marked.",
    "words": "Follow words across bins: are all mentions of a word equally hard?",
    "invented": "Count what is not gold by how many systems produce it, with precision.",
    "triage": "Find gold annotation worth another look.",
    "buckets": "Score units that are alike: by length, density, frequency, consistency, any attribute.",  # noqa: E501
    "diagnose": "Diagnose systems: what their scores go with, where they are good, bad, ahead, behind.",  # noqa: E501
    "suite": "Compare systems over many data sets: scores, ranks, attributes, improvements.",
    "describe": "Describe a data set without any system: sizes, attributes, labels, lengths, overlap.",  # noqa: E501
    "study": "Look into what is special about a task: calibration, curves, residuals and others.",
    "vectors": "Answer benchmarks of words from vectors: similarity and analogies.",
    "probe": "Train probes: in which layers is a label known?",
    "rsa": "Compare the geometry of vectors with that of gold: representational similarity.",
    "significance": "Test which systems differ by more than chance.",
    "seeds": "Compare systems that were trained several times, over seeds and items.",
    "repeats": "Show how runs of one item differ, and what one more run would bring.",
    "slices": "Find slices that matter: where a system is weak, or two differ, beyond chance.",
    "robustness": "Show what perturbed texts cost each system: drops, flips, where it hurts, the worst case.",  # noqa: E501
    "behave": "Run behavioural tests (CheckList): what must be answered, must stay the same, must move.",  # noqa: E501
    "gate": "Let a new version pass, or not: exit code 1 if a rule fails, with what broke.",
    "agreement": "Measure how far annotators agree: one file each, or one table of labels.",
    "crowd": "Judge the workers of a crowd, and aggregate their labels.",
    "validate": "Validate automatic metrics against judgements of people.",
    "show": "Show the units themselves, in context.",
    "align": "Save the outcome table: gold and systems in one file.",
    "check": "Validate files: every problem with its line.",
    "convert": "Write a corpus in another format.",
    "ground": "Turn answers of language models into a corpus: every item in its text, or a class that says why not.",  # noqa: E501
    "split": "Divide a file into parts for training and testing, or check parts for overlap.",
    "perturb": "Write perturbed copies of a labelled file: typos, OCR errors, case, names.",
    "list": "List what finegrain knows, or explain one thing.",
    "simulate": "Make a corpus and systems with planted weaknesses.",
    "demo": "Show what finegrain does, on data that it makes.",
}

_MODULES = {"list": "listing"}  # of commands that are not called like their file


class Commands(TyperGroup):
    """The group of all commands, which builds those that are asked for."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = Built()  # type: ignore[assignment]  # nobody adds to it

    def list_commands(self, ctx: Any) -> list[str]:
        """Names, without building anything."""
        del ctx
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The table of ``--help``, without building anything."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


class Built(Mapping[str, Any]):
    """Commands by name, each built when it is first looked up."""

    def __init__(self) -> None:
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = _built(name)
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _built(name: str) -> Any:
    if name not in COMMANDS:
        raise KeyError(name)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    import_module(f"finegrain.cli.{_MODULES.get(name, name)}").register(alone)
    (registered,) = alone.registered_commands
    registered.cls = Command
    return typer.main.get_command(alone)
