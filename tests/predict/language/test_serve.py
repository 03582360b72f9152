"""A real vision-language model, tiny and random, behind `transformers serve`, takes all five benchmarks.

It needs transformers[serving] and PyTorch, in this environment or in that of the Python that UNSEEN_SERVE_PYTHON names.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import unseen
from unseen.core.asking import Manner
from unseen.predict.language import LanguageModel, predict_with_language_model

PYTHON = os.environ.get("UNSEEN_SERVE_PYTHON", sys.executable)
NEEDED = ("transformers", "fastapi", "uvicorn")
MISSING = sys.executable == PYTHON and not all(importlib.util.find_spec(name) for name in NEEDED)
ASKED = [
    *(("cogitao/s1-translate", "images"), ("cvr/shape", "odd"), ("svib/dsprites-sa", "choose")),
    *(("video/vmds", "count"), ("covr/iid", "free")),
]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(MISSING, reason="transformers[serving] is not installed; name a Python: UNSEEN_SERVE_PYTHON"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A served model: where it is, and its name."""
    folder = tmp_path_factory.mktemp("model")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": "", "PYTHONWARNINGS": "default"}
    script = Path(__file__).with_name("tiny_vlm.py")
    subprocess.run([PYTHON, str(script), str(folder)], check=True, env=environment, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(PYTHON).parent / "transformers"), "serve", str(folder), "--port", str(port)]
    served = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--device", "cpu"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/health", served)
        yield f"http://127.0.0.1:{port}/v1", str(folder)
    finally:
        served.terminate()
        served.wait(30)


def wait_for(url, served, seconds=180):
    until = time.monotonic() + seconds
    while time.monotonic() < until and served.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail("transformers serve did not start")


@pytest.mark.parametrize(("task", "form"), ASKED)
def test_every_item_is_answered(address, monkeypatch, tmp_path, task, form):
    monkeypatch.setenv("UNSEEN_API_KEY", "none")
    url, name = address
    model = LanguageModel(name, url, max_tokens=8, timeout=120.0, retries=0)
    outcome = predict_with_language_model(
        unseen.task(task),
        "test",
        tmp_path / "p.parquet",
        model=model,
        manner=Manner(form=form, shots=1 if form == "choose" else None),
        count=3,
        cache=tmp_path / "cache",
        concurrency=1,
    )
    assert len(outcome.answers) == 3
    assert not outcome.unanswered
    assert all(answer.reply.text is not None for answer in outcome.answers)
    assert unseen.score(task, "test", outcome.path).count == 3
