"""Kernels: compiled code gives what the same code gives without compilation."""

from __future__ import annotations

import os
import subprocess
import sys

FIRST_QUESTIONS = """
import hashlib, unseen

for options in ({"size": 64}, {"images": "3d", "renderer": "none"}):
    for question in unseen.load("covr/iid", "test", **options)[:60]:
        images = b"".join(image.tobytes() for image in question.inputs.get("images", ()))
        print(question.record.to_json(), hashlib.sha256(images).hexdigest())
"""


def printed(**environment: str) -> str:
    command = [sys.executable, "-W", "error", "-c", FIRST_QUESTIONS]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=True).stdout


def test_questions_and_pictures_are_the_same_without_compilation(tmp_path):
    plain = printed(UNSEEN_KERNELS="plain", UNSEEN_CACHE=str(tmp_path))
    assert plain == printed(UNSEEN_KERNELS="compiled")
    assert plain.count("\n") == 120


FIRST_QUESTION = """
import unseen
from unseen.benchmarks.covr.world import flat
from unseen.core.kernel import Kernel

counts = {"kernels": 0, "scenes": 0}

def counted(name, function):
    def run(*given):
        counts[name] += 1
        return function(*given)
    return run

Kernel._run_plain = counted("kernels", Kernel._run_plain)
flat._finished = counted("scenes", flat._finished)
unseen.load("covr/iid", "train")[123_456].arrays
print(counts["kernels"], counts["scenes"])
"""


def test_one_question_anywhere_takes_few_scenes_and_few_calls_of_plain_kernels(tmp_path):
    """Where nothing is compiled, these calls are what one waits for: there were 6,000, and 1,350 scenes."""
    command = [sys.executable, "-W", "error", "-c", FIRST_QUESTION]
    environment = {**os.environ, "UNSEEN_KERNELS": "plain", "UNSEEN_CACHE": str(tmp_path)}
    kernels, scenes = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=True
    ).stdout.split()
    assert int(kernels) < 3_000
    assert int(scenes) < 600
