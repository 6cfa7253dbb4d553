"""All commands by what they are for, in the order of ``--help``; each has a file of its name.

The summaries are the first lines of the commands' own help, which a test compares: help of all
commands loads none of them.

>>> COMMANDS["Data"]["list"]
'List what finegrain knows, or explain one thing.'
"""

from __future__ import annotations

COMMANDS = {
    "Score": {
        "score": "Score systems, overall and per label.",
        "errors": "Count error types, overall and per label.",
        "confusion": "Show which label is taken for which.",
        "study": "Look into what is special about a task: calibration, curves, residuals and others.",  # noqa: E501
        "suite": "Compare systems over many data sets: scores, ranks, attributes, improvements.",
        "vectors": "Answer benchmarks of words from vectors: similarity and analogies.",
        "probe": "Train probes: in which layers is a label known?",
        "rsa": "Compare the geometry of vectors with that of gold: representational similarity.",
    },
    "Compare": {
        "difference": "Compare outputs: what one corrects, breaks or gets wrong in another way.",
        "oracle": "Show what a perfect choice among the systems would reach.",
        "difficulty": "Sort units into bins by how many systems are right about them.",
        "features": "Describe hard and easy units: attributes by bin, with the trend marked.",
        "words": "Follow words across bins: are all mentions of a word equally hard?",
        "invented": "Count what is not gold by how many systems produce it, with precision.",
        "triage": "Find gold annotation worth another look.",
    },
    "Explain": {
        "buckets": "Score units that are alike: by length, density, frequency, consistency, any attribute.",  # noqa: E501
        "diagnose": "Diagnose systems: what their scores go with, where they are good, bad, ahead, behind.",  # noqa: E501
        "slices": "Find slices that matter: where a system is weak, or two differ, beyond chance.",
        "robustness": "Show what perturbed texts cost each system: drops, flips, where it hurts, the worst case.",  # noqa: E501
        "behave": "Run behavioural tests (CheckList): what must be answered, must stay the same, must move.",  # noqa: E501
    },
    "Trust": {
        "significance": "Test which systems differ by more than chance.",
        "seeds": "Compare systems that were trained several times, over seeds and items.",
        "repeats": "Show how runs of one item differ, and what one more run would bring.",
        "gate": "Let a new version pass, or not: exit code 1 if a rule fails, with what broke.",
        "agreement": "Measure how far annotators agree: one file each, or one table of labels.",
        "crowd": "Judge the workers of a crowd, and aggregate their labels.",
        "validate": "Validate automatic metrics against judgements of people.",
    },
    "Data": {
        "describe": "Describe a data set without any system: sizes, attributes, labels, lengths, overlap.",  # noqa: E501
        "check": "Validate files: every problem with its line.",
        "convert": "Write a corpus in another format.",
        "align": "Save the outcome table: gold and systems in one file.",
        "ground": "Turn answers of language models into a corpus: every item in its text, or a class that says why not.",  # noqa: E501
        "split": "Divide a file into parts for training and testing, or check parts for overlap.",
        "perturb": "Write perturbed copies of a labelled file: typos, OCR errors, case, names.",
        "simulate": "Make a corpus and systems with planted weaknesses.",
        "list": "List what finegrain knows, or explain one thing.",
    },
    "Look": {
        "report": "Run all analyses and write one page with everything.",
        "explore": "Look at everything in the web browser, however much it is.",
        "show": "Show the units themselves, in context.",
        "demo": "Show what finegrain does, on data that it makes.",
    },
}
