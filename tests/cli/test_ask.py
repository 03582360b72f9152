"""Asking a language model from the command line: the summary for people and for programs."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import unseen
from unseen.cli.ask import Asking, ask, write_run
from unseen.core.asking import Manner
from unseen.predict.language import LanguageModel

TASK = unseen.task("cogitao/c1-1")


class Echo(BaseHTTPRequestHandler):
    """Answers with the test input, and refuses every other time to answer at all."""

    asked = 0

    def do_POST(self):
        prompt = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"][0]["content"]
        text = prompt.rpartition("Test Input: ")[2] if Echo.asked % 2 == 0 else "I will not."
        Echo.asked += 1
        usage = {"prompt_tokens": 1_000_000, "completion_tokens": 0}
        content = json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def options(monkeypatch, tmp_path):
    """What every call of these tests has in common."""
    monkeypatch.setenv("UNSEEN_API_KEY", "none")
    monkeypatch.chdir(tmp_path)
    Echo.asked = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        url = f"http://127.0.0.1:{http.server_port}/v1"
        yield {"base_url": url, "context": "mixed", "concurrency": 1, "cache": tmp_path / "cache"}
        http.shutdown()
        thread.join()


def test_the_summary_counts_what_is_unusable(options, capsys):
    ask(TASK, "test_ood", "openai:echo", Asking(**options), count=4)
    out = " ".join(capsys.readouterr().out.split())
    path = "runs/cogitao/c1-1/echo+context=mixed/seed-0/predictions-test_ood.parquet"
    counts = "answers 4 usable 2 unusable 2 the answer is not a list of lists of colors 2"
    assert f"cogitao/c1-1 test_ood: {path} {counts}" in out
    assert "score all items 95 % usable answers" in out
    assert Path(path).exists()


def test_programs_read_the_same(options, capsys, tmp_path):
    asking = Asking(price_in=2.0, **options)
    ask(TASK, "test_ood", "openai:echo", asking, count=4, out=tmp_path / "p.parquet", json=True)
    summary = json.loads(capsys.readouterr().out)
    assert summary["predictions"] == str(tmp_path / "p.parquet")
    assert (summary["answers"], summary["usable"], summary["unasked"], summary["spent"]) == (4, 2, 0, 8.0)
    assert summary["unusable"] == {"the answer is not a list of lists of colors": 2}
    scores = summary["scores"]
    assert scores["all"]["cell_accuracy"] == pytest.approx(scores["usable"]["cell_accuracy"] / 2)


def test_scores_that_do_not_exist_are_null(options, capsys):
    Echo.asked = 1
    ask(TASK, "test_ood", "openai:echo", Asking(**options), count=1, json=True)
    assert set(json.loads(capsys.readouterr().out)["scores"]["usable"].values()) == {None}


def test_examples_that_were_too_dear_are_counted(options, capsys):
    ask(TASK, "test_ood", "openai:echo", Asking(price_in=1.0, max_cost=0.001, **options), count=4)
    assert "not asked, for want of budget 4" in " ".join(capsys.readouterr().out.split())


def test_models_forms_and_seeds_have_runs_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = write_run(TASK, LanguageModel("maker/some:7b"), Manner(names="coded", form="images"), seed=3)
    folder = "runs/cogitao/c1-1/maker-some-7b+form=images+names=coded~"
    assert run.folder.as_posix().startswith(folder)
    assert run.folder.name == "seed-3"


def test_the_verb_asks_a_language_model_about_a_task(options, run, tmp_path):
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    asked = ("cogitao/c1-1", "test_ood", "--model", "openai:echo", "--count", 4)
    done = run("predict", *asked, "--out", tmp_path / "p.parquet", *words)
    assert done.code == 0
    assert "usable 2" in " ".join(done.out.split())
    assert (tmp_path / "p.parquet").exists()


def test_another_kind_of_model_is_a_mistake(run):
    done = run("predict", "cogitao/c1-1", "--model", "resnet")
    assert done.code == 2
    assert "error: --model resnet is no language model, openai:NAME, and no baseline of cogitao/c1-1" in done.err
