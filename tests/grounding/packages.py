"""Files of answers as the packages themselves write them, to texts and by mock models of our own.

    python -m tests.grounding.packages FOLDER

writes those of the packages that are installed, which is how the files in ``written`` were made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

WRITTEN = Path(__file__).parent / "written"
TEXTS = {
    f"d{number}": f"{name} met Bob in Ghent." for number, name in enumerate(("Ada", "Eve", "Ian"))
}
ANSWERS = (
    '[{"text": "Ada", "type": "PER"}, {"text": "Rome", "type": "LOC"}]',
    "Here you are. " * 20 + '{"PER": ["Eve"], "LOC": ["ghent"]}',
    "I'm sorry, but I can't help with that.",
)
TOKENS_IN, TOKENS_OUT = 40, 12


def inspect_log(folder: Path) -> list[Path]:
    """Two epochs, the second with thoughts in a part of its own, as ``.eval`` and as JSON."""
    from inspect_ai import Task, eval  # noqa: A004 - its name
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ContentReasoning,
        ContentText,
        ModelOutput,
        ModelUsage,
        get_model,
    )
    from inspect_ai.solver import generate

    def output(content: Any) -> Any:
        message = ChatMessageAssistant(content=content, source="generate")
        choice = ChatCompletionChoice(message=message, stop_reason="stop")
        usage = ModelUsage(input_tokens=TOKENS_IN, output_tokens=TOKENS_OUT, total_tokens=52)
        return ModelOutput(model="mockllm/model", choices=[choice], usage=usage)

    thought = ContentReasoning(reasoning='{"PER": ["Ghent"]}')
    outputs = [output(answer) for answer in ANSWERS]
    outputs += [output([thought, ContentText(text=answer)]) for answer in ANSWERS]
    found = []
    for kind in ("eval", "json"):
        samples = [Sample(input=text, target="", id=name) for name, text in TEXTS.items()]
        task = Task(name="names", dataset=MemoryDataset(samples), solver=generate(), epochs=2)
        model = get_model("mockllm/model", custom_outputs=list(outputs))
        (log,) = eval(
            task, model=model, log_dir=str(folder), log_format=kind, max_samples=1, display="none",
        )  # fmt: skip
        assert log.status == "success", log.error
        path = folder / f"inspect.{kind}"
        Path(log.location.removeprefix("file://")).rename(path)
        found.append(path)
    return found


def langextract(folder: Path) -> list[Path]:
    """Documents with ids, and a text alone, which gets an id that the package makes up."""
    import langextract as lx
    from langextract.core.base_model import BaseLanguageModel
    from langextract.core.types import ScoredOutput

    class Mock(BaseLanguageModel):  # type: ignore[misc]  # of a package without types
        def infer(self, batch_prompts: Any, **_: Any) -> Any:
            extractions = [{"PER": "Bob", "PER_attributes": {"role": "host"}}, {"LOC": "ghent"}]
            said = json.dumps({"extractions": [*extractions, {"PER": "Zoe"}]})
            for _ in batch_prompts:
                yield [ScoredOutput(score=1.0, output=f"```json\n{said}\n```")]

    known = [lx.data.Extraction("PER", "Al", attributes={"role": "guest"})]
    example = lx.data.ExampleData(text="Al slept.", extractions=known)
    documents = [lx.data.Document(text=text, document_id=name) for name, text in TEXTS.items()]
    found = []
    for name, asked in (("documents", documents), ("text", TEXTS["d1"])):
        with warnings.catch_warnings():  # that a mock model knows no schema
            warnings.simplefilter("ignore")
            made = lx.extract(
                asked, prompt_description="names", examples=[example], model=Mock(),
                show_progress=False,
            )  # fmt: skip
        every = made if isinstance(made, list) else [made]
        path = folder / f"langextract-{name}.jsonl"
        lx.io.save_annotated_documents(
            iter(every), output_dir=folder, output_name=path.name, show_progress=False
        )
        found.append(path)
    return found


_GENERATED = """task: generated
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "Names in: {{{{text}}}}"
doc_to_target: none
generation_kwargs: {{until: ["\\n\\n"], max_gen_toks: 20}}
repeats: 2
metric_list: [{{metric: exact_match}}]
filter_list:
  - name: letters
    filter: [{{function: regex, regex_pattern: "([a-z]+)"}}, {{function: take_first}}]
  - name: raw
    filter: [{{function: take_first}}]
"""
_CHOSEN = """task: chosen
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{text}}}} Who?"
doc_to_target: 0
doc_to_choice: [Ada, Bob]
metric_list: [{{metric: acc}}]
"""


def harness(folder: Path) -> list[Path]:
    """Samples of a task with generated answers and of one with options, by the model ``dummy``."""
    import lm_eval  # noqa: F401 - whether it is there

    work = folder / "harness"
    work.mkdir()
    data = work / "texts.jsonl"
    lines = [json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()]
    data.write_text("\n".join(lines) + "\n")
    for name, task in (("generated", _GENERATED), ("chosen", _CHOSEN)):
        (work / f"{name}.yaml").write_text(task.format(data=data))
    command = [
        sys.executable, "-m", "lm_eval", "--model", "dummy", "--tasks", "generated,chosen",
        "--include_path", str(work), "--output_path", str(work / "out"), "--log_samples",
    ]  # fmt: skip
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(work / "cache")}
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **offline})
    found = []
    for name in ("generated", "chosen"):
        (written,) = (work / "out").glob(f"**/samples_{name}_*.jsonl")
        found.append(written.rename(folder / f"harness-{name}.jsonl"))
    return found


WRITERS: dict[str, Callable[[Path], list[Path]]] = {
    "inspect_ai": inspect_log, "langextract": langextract, "lm_eval": harness,
}  # fmt: skip


if __name__ == "__main__":
    target = Path(sys.argv[1])
    for package, writer in WRITERS.items():
        try:
            print(package, *writer(target))
        except ImportError as error:
            print(f"{package} is not installed: {error}")
