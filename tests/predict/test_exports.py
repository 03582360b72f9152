"""Items in other tools' files: what they hold, and that what comes back is scored as here."""

from __future__ import annotations

import ast
import base64
import csv
import importlib.util
import io
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import unseen
from unseen.core.asking import Manner
from unseen.core.errors import MissingExtra
from unseen.predict.exports import write_inspect, write_vlmevalkit

HAS_INSPECT = importlib.util.find_spec("inspect_ai") is not None


def rows(task, form, tmp_path, count=3):
    path = write_vlmevalkit(unseen.load(task, "test")[:count], tmp_path, Manner(form=form))
    csv.field_size_limit(sys.maxsize)
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_a_table_for_vlmevalkit_holds_images_question_options_and_letter(tmp_path):
    found = rows("cvr/shape", "odd", tmp_path)
    assert [row["index"] for row in found] == ["0", "1", "2"]
    for row, example in zip(found, unseen.load("cvr/shape", "test")[:3], strict=True):
        images = [
            np.asarray(Image.open(io.BytesIO(base64.b64decode(one))).convert("RGB"))
            for one in ast.literal_eval(row["image"])
        ]
        assert np.array_equal(images, example.inputs["images"])
        assert row["answer"] == "ABCD"[example.record.odd]
        assert [row[letter] for letter in "ABCD"] == ["1", "2", "3", "4"]
        assert row["question"].index("<image 1>") < row["question"].index("<image 4>")


def test_answers_that_are_no_choice_are_written_out(tmp_path):
    row = rows("video/vmds", "count", tmp_path, 1)[0]
    assert row["answer"].isdecimal()
    assert "A" not in row
    row = rows("cogitao/c1-1", "grids", tmp_path, 1)[0]
    assert row["answer"].startswith("[[")
    assert "image" not in row


@pytest.mark.parametrize(
    ("task", "form"), [("svib/dsprites-sa", "choose"), ("video/vmds", "which"), ("covr/iid", "options")]
)
def test_the_letter_names_the_right_option(tmp_path, task, form):
    for row in rows(task, form, tmp_path):
        assert row["answer"] in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        assert row[row["answer"]]


def test_a_task_file_for_inspect_says_what_it_draws(tmp_path):
    path = write_inspect(unseen.load("cvr/shape", "test_ood", seed=7)[:5], tmp_path, Manner(shots=2, rule=True))
    tree = ast.parse(path.read_text())
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert function.name == path.stem == "cvr_shape_test_ood"
    assert function.decorator_list[0].id == "task"
    call = function.body[0].value
    assert [ast.literal_eval(one) for one in call.args] == ["cvr/shape", "test_ood"]
    settings = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
    assert settings == {"count": 5, "seed": 7, "shots": 2, "rule": True}


@pytest.mark.skipif(HAS_INSPECT, reason="inspect-ai is installed")
def test_without_inspect_the_extra_is_named():
    with pytest.raises(MissingExtra, match=r'inspect-ai.* needs inspect-ai; .*pip install "\.\[inspect\]"'):
        importlib.import_module("unseen.predict.inspected")


@pytest.mark.skipif(not HAS_INSPECT, reason='inspect-ai is not installed; pip install ".[inspect]" to run this')
@pytest.mark.parametrize(("task", "form"), [("cvr/shape", "odd"), ("svib/dsprites-sa", "choose"), ("cogitao/c1-1", "")])
@pytest.mark.filterwarnings("default")  # those of a library that is not ours
def test_inspect_runs_the_task_and_its_log_comes_back(tmp_path, monkeypatch, task, form):
    import tiktoken
    from inspect_ai import eval as inspect_eval
    from inspect_ai.model import ModelOutput, get_model

    from unseen.predict import read_predictions
    from unseen.predict.inspected import inspect_task, read_log, write_log

    # inspect-ai fetches a table to count tokens by, which tests must not
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: SimpleNamespace(encode=lambda text, **_: text.split()))
    made = inspect_task(task, "test", count=4, form=form)
    said = [sample.target for sample in made.dataset]
    said[2] = "no idea"
    model = get_model(
        "mockllm/model", custom_outputs=[ModelOutput.from_content("mockllm/model", text) for text in said]
    )
    (log,) = inspect_eval(made, model=model, log_dir=str(tmp_path), display="none", max_connections=1, max_samples=1)
    assert log.status == "success"
    assert log.results.scores[0].metrics["mean"].value == 0.75
    logged = read_log(log.location)
    write_log(logged, tmp_path / "p.parquet")
    found = read_predictions(tmp_path / "p.parquet")
    assert found.model == "mockllm/model"
    assert next(iter(unseen.score(task, "test", found).values())) == 0.75
