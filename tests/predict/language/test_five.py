"""All five benchmarks, put to a server on loopback by the command line as a user does it, and set side by side."""

from __future__ import annotations

import base64
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import unseen
from unseen.cli import main
from unseen.core.asking import Manner
from unseen.core.errors import EndpointError, UnknownName
from unseen.predict import read_predictions
from unseen.predict.item import items
from unseen.predict.language import Budget, LanguageModel, predict_with_language_model
from unseen.predict.language.asking import WITHHELD
from unseen.predict.language.message import message
from unseen.results.answers import score_answers
from unseen.results.scoring import score

ASKED = [
    ("cogitao/c1-1", "grids"),
    ("cogitao/c1-1", "images"),
    ("cvr/shape", "odd"),
    ("svib/dsprites-sa", "choose"),
    ("svib/dsprites-sa", "factors"),
    ("video/vmds", "count"),
    ("video/vmds", "boxes"),
    ("video/vmds", "which"),
    ("covr/iid", "free"),
    ("covr/iid", "options"),
]
COUNT = 4


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def truths(task, split, count=COUNT, **manner):
    """The right answer in words, by the content of a message."""
    found = items(unseen.task(task), split, Manner(**manner))
    some = [next(found) for _ in range(count)]
    return {
        json.dumps(message(item.parts, item.manner).content): item.form.say(item.form.truth(item.example))
        for item in some
    }


def knowing(known):
    """A model that knows every answer."""
    return lambda content, number: known[json.dumps(content)]


def ask(task, split, model, path="predictions.parquet", **how):
    how = {"count": COUNT, "cache": Path("cache"), "concurrency": 2, **how}
    manner = how.pop("manner", None) or Manner(form=how.pop("form", ""))
    return predict_with_language_model(unseen.task(task), split, Path(path), model=model, manner=manner, **how)


@pytest.mark.parametrize(("task", "form"), ASKED)
def test_right_answers_score_one(server, model, task, form):
    split = "test"
    server.answer = knowing(truths(task, split, form=form))
    outcome = ask(task, split, model, form=form)
    assert outcome.usable == COUNT
    assert next(iter(score(task, split, outcome.path).values())) == 1.0
    assert set(score_answers(unseen.task(task), split, outcome, Manner(form=form)).all.values()) <= {1.0}


@pytest.mark.parametrize(("task", "form"), ASKED)
def test_useless_answers_score_nothing(server, model, task, form):
    server.answer = lambda content, number: "I would rather talk about the weather, if that is all right."
    outcome = ask(task, "test", model, form=form)
    assert outcome.usable == 0
    assert sum(outcome.reasons.values()) == COUNT
    assert next(iter(score(task, "test", outcome.path).values())) == 0.0


def test_images_are_sent_as_png_files_between_their_names(server, model):
    server.answer = lambda content, number: "1"
    ask("cvr/shape", "test", model, count=1)
    content = server.requests[0]["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "image_url"] * 4
    assert [part["text"].splitlines()[-1] for part in content[::2]] == [f"Image {k}:" for k in range(1, 5)]
    sent = [decoded(part) for part in content[1::2]]
    assert np.array_equal(sent, unseen.load("cvr/shape", "test")[0].inputs["images"])


def decoded(part):
    head, _, data = part["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))


@pytest.mark.parametrize(
    ("manner", "shapes"),
    [
        (Manner(image_size=256), [(256, 256, 3)] * 4),
        (Manner(images_as="strip", image_size=64), [(93, 300, 3)]),
    ],
)
def test_size_and_strips_are_choices_that_the_record_keeps(server, model, manner, shapes):
    server.answer = lambda content, number: "1"
    outcome = ask("cvr/shape", "test", model, manner=manner, count=1)
    sent = [decoded(part) for part in server.requests[0]["messages"][0]["content"] if part["type"] == "image_url"]
    assert [image.shape for image in sent] == shapes
    kept = json.loads(outcome.path.with_suffix(".answers.json").read_text())["manner"]
    assert (kept["image_size"], kept["images_as"], kept["form"]) == (manner.image_size, manner.images_as, "odd")


def test_every_image_is_in_the_key_of_the_cache(server, model):
    server.answer = lambda content, number: "1"
    ask("cvr/shape", "test", model, count=2)
    ask("cvr/shape+style=filled", "test", model, count=2)  # the same words, other pixels
    assert len(server.requests) == 4
    ask("cvr/shape", "test", model, count=2)
    assert len(server.requests) == 4
    kept = [path.read_text() for path in Path("cache").iterdir()]
    assert not any("base64" in text for text in kept)  # an image can be drawn again, and has its digest there


def test_images_count_in_the_budget(server, model):
    server.answer = lambda content, number: "1"
    budget = Budget(price_in=1.0, max_cost=0.03)  # four images may cost 34,000 tokens
    assert ask("cvr/shape", "test", model, budget=budget).unasked == COUNT
    assert not server.requests


def test_a_view_is_scored_by_its_own_metrics_and_as_nothing_else(server, model):
    server.answer = lambda content, number: "3"
    outcome = ask("video/vmds", "test", model, form="count")
    found = read_predictions(outcome.path)
    assert (found.form, found.values) == ("count", [3] * COUNT)
    scores = score("video/vmds", "test", outcome.path)
    assert (list(scores), scores.form) == (["count_accuracy"], "count")
    with pytest.raises(UnknownName, match="no metric named 'mota' in the form count of video"):
        score("video/vmds", "test", outcome.path, metrics=["mota"])


# ---------------------------------------------------------------------------- runs go on


def refusing(known, refusal, every=2):
    """A model that knows, and an endpoint that refuses every other item for good."""
    return lambda content, number: (
        refusal if list(known).index(json.dumps(content)) % every else known[json.dumps(content)]
    )


def error(status, words):
    return status, {}, json.dumps({"error": {"message": words}}).encode()


def test_a_refused_item_counts_as_wrong_and_the_run_goes_on(server, model):
    server.answer = refusing(truths("cvr/shape", "test"), error(400, "this image is not allowed"))
    outcome = ask("cvr/shape", "test", model)
    assert outcome.unanswered == {"refused: it answered 400 Bad Request: this image is not allowed": 2}
    assert (outcome.usable, outcome.unasked) == (2, 0)
    assert score("cvr/shape", "test", outcome.path)["odd_accuracy"] == 0.5
    assert len(server.requests) == COUNT


@pytest.mark.parametrize("failure", [error(500, "oops"), error(429, "later"), None, (200, {}, b"{}")])
def test_an_answer_that_never_comes_is_left_out_and_asked_again_next_time(server, model, failure):
    known = truths("cvr/shape", "test")
    server.answer = refusing(known, failure)
    hasty = LanguageModel("tiny", server.url, retries=1, first_wait=0.01, timeout=2.0, max_tokens=200)
    outcome = ask("cvr/shape", "test", hasty)
    assert sum(outcome.unanswered.values()) == 2
    assert read_predictions(outcome.path).indices == (0, 2)
    server.answer = knowing(known)
    before = len(server.requests)
    assert ask("cvr/shape", "test", hasty).usable == COUNT
    assert len(server.requests) == before + 2


def test_a_content_filter_is_told_from_an_empty_answer(server, model):
    server.answer, server.finish = (lambda content, number: ""), "content_filter"
    assert ask("cvr/shape", "test", model).reasons == {WITHHELD: COUNT}


def test_an_endpoint_that_answers_nothing_is_given_up(server, model):
    server.answer = lambda content, number: error(400, "no such parameter")
    with pytest.raises(EndpointError, match=r"the first 10 items got no answer: .*no such parameter"):
        ask("cvr/shape", "test", model, count=60, concurrency=1)
    assert len(server.requests) < 20


def test_what_was_answered_is_written_when_the_key_is_withdrawn(server, model):
    known = truths("cvr/shape", "test", 8)
    server.answer = lambda content, number: error(401, "expired") if number > 3 else known[json.dumps(content)]
    with pytest.raises(EndpointError, match="401 Unauthorized: expired; answers so far are kept"):
        ask("cvr/shape", "test", model, count=8, concurrency=1)
    found = read_predictions("predictions.parquet")
    assert len(found) == 4
    assert score("cvr/shape", "test", found)["odd_accuracy"] == 1.0


def test_what_was_answered_is_written_when_a_user_interrupts(server, model):
    server.answer = knowing(truths("cvr/shape", "test", 8))

    def stop(done, total, text):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask("cvr/shape", "test", model, count=8, concurrency=1, progress=stop)
    found = read_predictions("predictions.parquet")
    assert 3 <= len(found) < 8
    assert score("cvr/shape", "test", found)["odd_accuracy"] == 1.0


def test_progress_tells_rate_cost_and_an_estimate(server, model):
    server.answer = lambda content, number: "1"
    shown = []
    ask(
        "cvr/shape",
        "test",
        model,
        budget=Budget(price_in=10.0),
        progress=lambda done, total, text: shown.append((done, total, text)),
    )
    assert shown[-1][:2] == (COUNT, COUNT)
    assert "a minute" in shown[-1][2]
    assert "0.04 spent, about 0.04 for all" in shown[-1][2]


def test_a_killed_run_goes_on_without_asking_twice(server, tmp_path):
    known = truths("cvr/shape", "test", 12)
    server.answer, server.delay = knowing(known), 0.15
    command = [
        *(sys.executable, "-m", "unseen", "predict", "cvr/shape", "test", "--model", "openai:tiny", "--count", "12"),
        *("--base-url", server.url, "--concurrency", "2", "--cache", str(tmp_path / "cache")),
    ]
    killed = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while len(list((tmp_path / "cache").glob("*.json"))) < 4 and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    kept = len(list((tmp_path / "cache").glob("*.json")))
    assert 4 <= kept < 12
    asked = len(server.requests)
    server.delay = 0.0
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(server.requests) - asked == 12 - kept  # those under way when it was killed are asked again, no others
    found = read_predictions(next((tmp_path / "runs").rglob("*.parquet")))
    assert len(found) == 12
    assert score("cvr/shape", "test", found)["odd_accuracy"] == 1.0


# ---------------------------------------------------------------------------- side by side


def test_two_test_takers_people_and_the_floor_stand_side_by_side(server, tmp_path, run_command):
    known = truths("cvr/shape", "test", 40)
    for name, answer in (("good", knowing(known)), ("bad", lambda content, number: "2")):
        server.answer = answer
        url = ("--base-url", server.url, "--cache", tmp_path / "cache")
        asked = ("cvr/shape", "test", "--model", f"openai:{name}", "--count", 40)
        assert run_command("predict", *asked, *url).code == 0
        assert run_command("score", f"runs/cvr/shape/{name}/seed-0").code == 0
    out = " ".join(run_command("results", "cvr").out.split())
    assert "Test takers on cvr/shape" in out
    assert "test good 100.0 91.2 to 100.0 40" in out
    assert "test people (paper) 96.7 93.0 to 98.5 180" in out or "people (paper) 96.7" in out
    assert "test floor:" in out
    assert out.index("test good") < out.index("test bad") < out.index("people (paper)") < out.index("floor:")
    files = [f"runs/cvr/shape/{name}/seed-0/predictions-test.parquet" for name in ("good", "bad")]
    compared = run_command("score", "cvr/shape", "test", files[0], "--against", files[1])
    assert "on 40 shared items" in compared.out
    assert "McNemar's" in compared.out


def test_views_stand_in_tables_of_their_own(server, tmp_path, run_command):
    server.answer = lambda content, number: "1"
    for form in ("count", "which"):
        asked = ("video/vmds", "test", "--model", "openai:tiny", "--form", form, "--count", 6)
        done = run_command("predict", *asked, "--base-url", server.url, "--cache", tmp_path / "cache")
        assert done.code == 0, done.err
        assert run_command("score", f"runs/video/vmds/tiny+form={form}/seed-0").code == 0
    out = " ".join(run_command("results", "video").out.split())
    assert "Test takers on video/vmds, count." in out
    assert "Test takers on video/vmds, which." in out
    assert run_command("results", "video", "--html", "report").code == 0
    table = json.loads(run_command("results", "video", "--json").out)
    assert not any("tiny" in row["model"] for one in table["tables"] for row in one["rows"])


@pytest.fixture
def run_command(capsys):
    """Run a command in this process, as tests of the command line do."""

    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        printed = capsys.readouterr()
        return SimpleNamespace(code=ended.value.code, out=printed.out, err=printed.err)

    return run
