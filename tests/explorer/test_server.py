"""The server of the explorer: who is answered, what is said, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.errors import UsageError
from tests.conftest import ROOT, Run

pytest.importorskip("starlette", reason="needs the extra explore")
pytest.importorskip("uvicorn", reason="needs the extra explore")
pytest.importorskip("httpx2", reason="needs httpx2")
pytest.importorskip("vl_convert", reason="needs the extra report")

from starlette.testclient import TestClient

from finegrain.explorer.answers import Answers
from finegrain.explorer.server import application, listening

PORT, TOKEN = 8123, "right-token"
HERE = f"http://127.0.0.1:{PORT}"


@pytest.fixture(scope="module")
def report() -> Any:
    play = fg.simulate(tokens=3_000, seed=1)
    table = fg.align(play.gold, play.systems)
    return fg.report(table, instances=len(table))


@pytest.fixture(scope="module")
def client(report: Any) -> TestClient:
    answers = Answers.of(report, command="finegrain explore table.parquet")
    return TestClient(application(answers.paths(), port=PORT, token=TOKEN), base_url=HERE)


def _units(client: TestClient, query: str) -> Any:
    answer = client.get(f"/{TOKEN}/units?{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


# --- who is answered ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/", "", "/units", "/wrong-token/", "/wrong-token/units", f"/{TOKEN}x/", f"/{TOKEN[:-1]}/",
     f"//{TOKEN}/", "/%72ight-toke/", "/\u0442oken/", "/%ff/"],
)  # fmt: skip
def test_nobody_is_answered_without_the_token(client: TestClient, path: str) -> None:
    answer = client.get(HERE + path)
    assert answer.status_code == 403
    assert "token" in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "localhost:80", "127.0.0.1:1", ""]
)
def test_other_names_of_this_computer_are_refused(client: TestClient, host: str) -> None:
    answer = client.get(f"/{TOKEN}/", headers={"Host": host})
    assert answer.status_code == 403
    assert "<html" not in answer.text


def test_the_name_localhost_is_fine(client: TestClient) -> None:
    assert client.get(f"/{TOKEN}/", headers={"Host": f"LocalHost:{PORT}"}).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
@pytest.mark.parametrize("path", ["", "units", "api/score"])
def test_only_get(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, f"/{TOKEN}/{path}")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")


@pytest.mark.parametrize(
    "path",
    ["../pyproject.toml", "..%2f..%2fetc/passwd", "%2e%2e/", "/etc/passwd", "units/../../x",
     "api/", "api/../units.py", "api/%00", "units.html", "assets/main.js", "\\..\\x"],
)  # fmt: skip
def test_paths_lead_nowhere_else(client: TestClient, path: str) -> None:
    answer = client.get(f"{HERE}/{TOKEN}/{path}")
    assert answer.status_code in (403, 404)


def test_every_answer_is_harmless(client: TestClient) -> None:
    for path in (f"{TOKEN}/", f"{TOKEN}/units", f"{TOKEN}/units.csv", f"{TOKEN}/no", "", "x/"):
        headers = client.get(f"/{path}").headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert not {"set-cookie", "access-control-allow-origin", "server"} & set(headers)


def test_the_page_has_no_units_and_one_policy(client: TestClient) -> None:
    answer = client.get(f"/{TOKEN}/")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    told = re.search(r'Content-Security-Policy" content="([^"]*)"', answer.text)
    assert told is not None
    meta = told.group(1).replace("&#39;", "'")
    assert answer.headers["content-security-policy"] == f"{meta}; frame-ancestors 'none'"
    assert "connect-src 'self'" in meta
    data = re.search(r'id="data">(.*?)</script>', answer.text, re.DOTALL)
    assert data is not None
    found = json.loads(data.group(1))
    assert set(found["units"]) == {"found"}
    assert found["units_at"] == "units"


# --- what is said -------------------------------------------------------------------------------


def test_pages_hold_every_unit_once(client: TestClient, report: Any) -> None:
    seen: list[int] = []
    page, total = 1, _units(client, "")["count"]
    assert total == len(report.table)
    while len(seen) < total:
        found = _units(client, f"page={page}&size=200")
        units = found["units"]
        seen += [units["row"][place] for place in units["chosen"]]
        assert found["page"] == page
        page += 1
    assert sorted(seen) == list(range(1, total + 1))
    assert _units(client, "page=99999")["page"] == -(-total // 20)
    assert len(_units(client, "size=5000")["units"]["chosen"]) == 200
    assert _units(client, "where=folded_text=none-such") | {"units": None} == {
        "count": 0, "page": 1, "units": None,
    }  # fmt: skip


def test_counts_are_those_of_show(client: TestClient, report: Any) -> None:
    for query, where in {
        "where=label=ORG": "label=ORG",
        "where=outcome[baseline]=FN&where=label=PER": "outcome[baseline]=FN and gold=PER",
        "where=change[baseline,crf]=correction": "change[baseline,crf]=correction",
        "where=gold!%3Dnone&where=systems_correct=1": "gold!=none and systems_correct=1",
        "where=length%3E3%20and%20gold!%3Dnone": "length>3 and gold!=none",
    }.items():
        assert _units(client, query)["count"] == fg.show(report.table, where).found > 0


def test_all_spans_of_a_sentence_come_with_it(client: TestClient, report: Any) -> None:
    units = _units(client, "where=row=7")["units"]
    sentence = units["at"][units["chosen"][0]]
    table = report.table
    expected = [row + 1 for row in range(len(table)) if table.sentence[row] + 1 == sentence]
    assert units["row"] == expected


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("were=label%3DPER", "unknown parameter 'were'. Did you mean 'where'?"),
        ("where=lable=PER", "unknown field 'lable'. Did you mean 'label'?"),
        ("page=0", "page is a number from 1"),
        ("page=-1", "page is a number from 1"),
        ("size=x", "size is a number from 1"),
        ("where=label=none-such", "unknown label 'none-such'"),
        ("where=answer=none-such", "unknown label 'none-such'"),
        ("where=outcome[x]=FN", "unknown system 'x'"),
        ("where=bucket[sentence_length]=77", "unknown bucket '77'"),
        ("where=gold%3D", "gold="),
        ("where=%1b[31m", "\\x1b[31m"),
    ],
)
def test_a_wrong_query_is_told(client: TestClient, query: str, message: str) -> None:
    for path in ("units", "units.csv", "units.jsonl"):
        answer = client.get(f"/{TOKEN}/{path}?{query}")
        assert answer.status_code == 400
        if path == "units":
            assert message in answer.text
            assert answer.headers["content-type"].startswith("text/plain")
    assert client.get(f"/{TOKEN}/api/score?label=PER").status_code == 400


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files, and the table that is made of them."""
    made = tmp_path_factory.mktemp("explore")
    play = fg.simulate(tokens=1_500, seed=1, systems={"crf": (), "neural": ("too-short",)})
    for name, corpus in {"gold": play.gold, "train": play.train, **play.systems}.items():
        fg.write(corpus, str(made / f"{name}.conll"))
    return made


FILES = ("gold.conll", "crf.conll", "neural.conll")


@pytest.fixture(scope="module")
def of_files(folder: Path) -> TestClient:
    gold, *systems = (str(folder / name) for name in FILES)
    table = fg.align(fg.read(gold), {Path(one).stem: fg.read(one) for one in systems})
    answers = Answers.of(fg.report(table, instances=len(table)), command="finegrain explore")
    return TestClient(application(answers.paths(), port=PORT, token=TOKEN), base_url=HERE)


@pytest.mark.parametrize(
    "command",
    [["score"], ["confusion"], ["errors"], ["words", "--limit", "12"], ["report"]],
    ids=lambda one: one[0],
)  # fmt: skip
def test_results_are_the_json_of_their_commands(
    of_files: TestClient, folder: Path, run: Run, command: list[str]
) -> None:
    """tests/views/test_report.py has the others: the page and the path have one result."""
    done = run(*command, *FILES, "--format", "json", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    answer = of_files.get(f"/{TOKEN}/api/{command[0]}")
    assert answer.headers["content-type"] == "application/json"
    own = {"command": "", "inputs": []}  # of the process that reads the files
    assert answer.json() | own == json.loads(done.stdout) | own


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("", ""),
        ("where=correct[neural]=no&where=label=PER", "correct[neural]=no and label=PER"),
        ("where=systems_correct=9", "length>99"),
    ],
)
def test_files_of_units_are_what_show_prints(
    of_files: TestClient, folder: Path, run: Run, form: str, query: str, where: str
) -> None:
    options = ["--where", where] if where else []
    done = run("show", *FILES, *options, "--format", form, "--quiet", cwd=folder)
    answer = of_files.get(f"/{TOKEN}/units.{form}?{query}")
    assert answer.headers["content-disposition"] == f'attachment; filename="units.{form}"'
    assert answer.text == done.stdout
    if form == "csv" and not query:
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert len(rows) == _units(of_files, "")["count"]


def test_every_result_has_the_name_of_its_command(client: TestClient, report: Any) -> None:
    names = {"report", *report.results, "difference"} - {"differences"}
    for name in names:
        assert client.get(f"/{TOKEN}/api/{name}").status_code == 200, name
    assert client.get(f"/{TOKEN}/api/differences").status_code == 404
    told = client.get(f"/{TOKEN}/api/difference").json()["result"]
    assert told == json.loads(json.dumps(report.results["differences"].to_json()))


def test_a_file_of_several_blocks_is_one_table(
    of_files: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = of_files.get(f"/{TOKEN}/units.csv").text
    monkeypatch.setattr("finegrain.explorer.answers._BLOCK", 7)
    assert of_files.get(f"/{TOKEN}/units.csv").text == whole


# --- the command --------------------------------------------------------------------------------


@pytest.fixture
def started(folder: Path) -> Iterator[Any]:
    """Start the command; what still runs in the end is ended."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> tuple[subprocess.Popen[str], str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "finegrain", "explore", *arguments, "--no-browser"],
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        running.append(process)
        assert process.stdout is not None
        return process, process.stdout.readline().strip()

    yield start
    for process in running:
        process.kill()
        process.communicate()


def _asked(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=20) as answer:  # noqa: S310 - our own address
        return json.load(answer)


def test_the_command_serves_until_it_is_interrupted(started: Any, folder: Path, run: Run) -> None:
    before = sorted(one.name for one in folder.iterdir())
    process, address = started(*FILES, "--train", "train.conll", "--quiet")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", address)
    everything = _asked(f"{address}units")["count"]
    learnt = _asked(f"{address}units?where=entity_frequency%3D0")["count"]
    assert 0 < learnt < everything
    done = run("score", *FILES, "--train", "train.conll", "--format", "json", "-q", cwd=folder)
    scores = json.loads(done.stdout)
    assert "unseen" in json.dumps(scores["result"]["crf"]["novelty"])
    assert _asked(f"{address}api/score") | {"command": ""} == scores | {"command": ""}
    assert sorted(one.name for one in folder.iterdir()) == before
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "")


def test_a_saved_table_is_explored_at_a_chosen_port(started: Any, folder: Path, run: Run) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    assert run("align", *FILES, "-o", "t.parquet", "-q", cwd=folder).returncode == 0
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process, address = started("t.parquet", "--port", str(port))
    (folder / "t.parquet").unlink()
    assert address.startswith(f"http://127.0.0.1:{port}/")
    assert _asked(f"{address}api/score")["systems"] == ["crf", "neural"]
    second, nothing = started(*FILES, "--port", str(port))
    assert (nothing, second.wait(20)) == ("", 2)
    assert f"port {port} cannot be used" in second.communicate()[1]
    process.send_signal(signal.SIGINT)
    assert "Ctrl-C ends it" in process.communicate(timeout=20)[1]
    assert process.returncode == 0


def test_only_this_computer_can_reach_it() -> None:
    with listening(0) as own:
        assert own.getsockname()[0] == "127.0.0.1"
        with pytest.raises(UsageError, match="without --port a free one is taken"):
            listening(own.getsockname()[1])


def test_without_the_extra_it_says_what_to_install(folder: Path) -> None:
    code = (
        "import sys; sys.modules['uvicorn'] = None; sys.argv = ['finegrain', 'explore',"
        f" *{FILES!r}, '-q']; import finegrain.cli; finegrain.cli.main()"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "pip install 'finegrain[explore]'" in done.stderr
