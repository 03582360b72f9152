"""A split put to a model: right and unusable answers, the cache, the ceiling, interrupted runs."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import unseen
from unseen.core.asking import Manner
from unseen.core.errors import EndpointError, SpecError
from unseen.predict import read_predictions
from unseen.predict.item import CUT_OFF
from unseen.predict.language import Budget, predict_with_language_model
from unseen.predict.language.asking import answers_path
from unseen.results.answers import score_answers
from unseen.results.scoring import score

TASK = unseen.task("cogitao/g2-1")  # grids of several sizes
MIXED = Manner(context="mixed")


@pytest.fixture
def truth():
    """The right answer by the last line of a prompt."""
    return {
        str(example.inputs["grid"].tolist()): example.target["grid"].tolist()
        for split in ("test", "test_ood")
        for example in unseen.load(TASK.id, split)[:40]
    }


@pytest.fixture
def right(truth):
    """A model that is always right."""
    return lambda prompt, number: str(truth[prompt.rpartition("Test Input: ")[2]])


@pytest.fixture
def ask(model, tmp_path):
    """Ask for a few examples, with the cache and the predictions in a folder of the test's."""

    def ask_model(split="test_ood", *, task=TASK, model=model, **options):
        path = tmp_path / "run" / "predictions.parquet"
        options = {"count": 5, "manner": MIXED, "cache": tmp_path / "cache", "concurrency": 1, **options}
        return predict_with_language_model(task, split, path, model=model, **options)

    return ask_model


def test_right_answers_score_one(server, ask, right):
    server.answer = right
    outcome = ask()
    predictions = read_predictions(outcome.path)
    assert (predictions.model, predictions.split, predictions.indices) == ("openai:tiny", "test_ood", (0, 1, 2, 3, 4))
    assert score(TASK, "test_ood", outcome.path)["grid_accuracy"] == 1.0
    assert (outcome.usable, outcome.unasked, len(outcome.answers)) == (5, 0, 5)


def test_unusable_answers_are_counted_and_wrong(server, ask, right):
    def answer(prompt, number):
        grid = right(prompt, number)
        return [grid, f"```\n{grid}\n```", "[[0]]", "I will not.", ""][number]

    server.answer = answer
    outcome = ask()
    assert outcome.usable == 1
    assert outcome.reasons == {
        "the answer is not a list of lists of colors": 2,
        "the answer has another size than the input": 1,
        "the answer is empty": 1,
    }
    predictions = read_predictions(outcome.path)
    assert [value.shape == (0, 0) for value in predictions.values] == [False, True, True, True, True]
    scores = score_answers(TASK, "test_ood", outcome)
    assert scores.all == {"grid_accuracy": 0.2, "cell_accuracy": 0.2, "non_background_accuracy": 0.2}
    assert set(scores.usable.values()) == {1.0}
    assert score(TASK, "test_ood", outcome.path)["grid_accuracy"] == 0.2


def test_a_lenient_reading_of_the_same_answers_costs_nothing(server, ask, right):
    server.answer = lambda prompt, number: f"Here it is:\n```\n{right(prompt, number)}\n```"
    assert ask().usable == 0
    assert ask(manner=replace(MIXED, lenient=True)).usable == 5
    assert len(server.requests) == 5


def test_no_usable_answer_has_no_score(server, ask):
    scores = score_answers(TASK, "test_ood", ask())
    assert set(scores.all.values()) == {0.0}
    assert np.isnan(list(scores.usable.values())).all()


def test_an_answer_that_is_cut_off_says_so(server, ask):
    server.answer, server.finish = (lambda prompt, number: "[[0, 0"), "length"
    assert ask(count=1).reasons == {CUT_OFF: 1}


def test_answers_are_kept_in_full_and_without_the_key(server, ask):
    server.answer = lambda prompt, number: "I will not."
    kept = answers_path(ask(count=1).path).read_text()
    assert json.loads(kept)["answers"] == [
        {
            "index": 0,
            "reply": {
                "text": "I will not.",
                "cut_off": False,
                "withheld": False,
                "tokens_in": 1_000,
                "tokens_out": 100,
            },
            "unusable": "the answer is not a list of lists of colors",
            "refused": False,
        }
    ]
    assert "secret-key" not in kept


def test_what_was_answered_is_not_asked_again(server, ask, right, tmp_path, monkeypatch):
    server.answer = right
    first = ask(count=3)
    ask(count=5)
    assert len(server.requests) == 5
    monkeypatch.delenv("UNSEEN_API_KEY")  # all is there: no key, no endpoint
    again = ask(count=3)
    assert again.answers == first.answers
    assert again.spent == 0
    assert not any("secret-key" in file.read_text() for file in (tmp_path / "cache").iterdir())


def test_another_temperature_is_another_request(server, ask, model):
    ask(count=1)
    ask(count=1, model=replace(model, temperature=1.0))
    assert len(server.requests) == 2


def test_a_damaged_file_of_the_cache_is_replaced(server, ask, tmp_path):
    ask(count=1)
    (file,) = (tmp_path / "cache").iterdir()
    file.write_text("{")
    ask(count=1)
    ask(count=1)
    assert len(server.requests) == 2


def test_a_run_that_fails_goes_on_where_it_stopped(server, ask, right, tmp_path):
    refusal = (401, {}, b"")
    server.answer = lambda prompt, number: refusal if number >= 2 else right(prompt, number)
    with pytest.raises(EndpointError, match=r"401 Unauthorized; answers so far are kept: run again to go on$"):
        ask()
    assert len(list((tmp_path / "cache").iterdir())) == 2
    asked = len(server.requests)
    server.answer = right
    assert ask().usable == 5
    assert len(server.requests) == asked + 3


@pytest.mark.parametrize("concurrency", [1, 3])
def test_the_ceiling_is_not_exceeded_and_what_is_done_is_kept(server, ask, right, concurrency):
    server.answer = right
    # an answer costs 1,000 + 100 * 10 millionths; before it is sent, a prompt of some 10 kB could cost 5 times that
    budget = Budget(price_in=1.0, price_out=10.0, max_cost=0.02)
    outcome = ask(count=20, budget=budget, concurrency=concurrency)
    assert 0 < len(outcome.answers) < 20
    assert outcome.unasked == 20 - len(outcome.answers)
    assert outcome.spent == pytest.approx(0.002 * len(server.requests))
    assert outcome.spent <= 0.02
    assert len(read_predictions(outcome.path)) == len(server.requests) == len(outcome.answers)
    ask(count=20, budget=budget, concurrency=concurrency)
    assert len(server.requests) > len(outcome.answers)


def test_a_ceiling_of_nothing_asks_nothing(server, ask):
    outcome = ask(budget=Budget(price_in=1.0, max_cost=0.0))
    assert (outcome.answers, outcome.unasked, server.requests) == ((), 5, [])


def test_requests_are_under_way_together(server, ask, right):
    server.answer, server.delay = right, 0.1
    shown = []
    together = ask(count=12, concurrency=4, progress=lambda done, total, text: shown.append((done, total)))
    assert 2 <= server.most_at_once <= 4
    assert together.usable == 12
    assert shown == [(done, 12) for done in range(1, 13)]
    assert read_predictions(together.path).indices == tuple(range(12))


def test_the_query_is_not_in_its_context(server, ask, right):
    server.answer = right
    ask("test", count=20)
    for request in server.requests:
        before, _, asked = request["messages"][0]["content"].rpartition("Test Input: ")
        assert before.count("Input ") == 5
        assert asked not in before


def test_demonstrations_come_with_the_task(server, ask):
    ask(task=unseen.task("cogitao/c1-1", in_context=2), count=1, manner=Manner())
    text = server.requests[0]["messages"][0]["content"]
    assert "Output 2: [[" in text
    assert "Output 3" not in text


def test_the_same_seed_asks_the_same(server, ask, tmp_path):
    ask(count=2)
    ask(count=2, cache=tmp_path / "another")
    assert server.requests[:2] == server.requests[2:]
    ask(count=2, seed=1)
    assert len(server.requests) == 6


def test_a_benchmark_without_prompts_is_refused(server, ask, model):
    task = replace(TASK, benchmark=replace(TASK.benchmark, name="mute", package="unseen.render"))
    with pytest.raises(SpecError, match="mute has no prompts"):
        ask(task=task)


@pytest.mark.parametrize("options", [{"count": 0}, {"concurrency": 0}])
def test_counts_start_at_one(server, ask, options):
    with pytest.raises(SpecError, match="neither can be below 1"):
        ask(**options)


def test_shots_are_not_below_none():
    with pytest.raises(SpecError, match="shots counts solved examples"):
        Manner(shots=-1)


def test_tokens_below_zero_do_not_undo_the_ceiling(server, ask, right):
    server.answer, server.usage = right, {"prompt_tokens": -(10**9), "completion_tokens": -(10**9)}
    budget = Budget(price_in=10.0, price_out=10.0, max_cost=0.1)
    outcome = ask(budget=budget)
    assert outcome.unasked > 0
    assert 0 < outcome.spent <= 0.1


def test_the_key_is_in_no_file(server, ask, model, tmp_path):
    server.answer = lambda prompt, number: "secret-key"
    ask(model=replace(model, base_url=server.url + "/secret-key"), count=1)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 3  # predictions, answers in full, the cache
    assert not [path for path in files if b"secret-key" in path.read_bytes()]
