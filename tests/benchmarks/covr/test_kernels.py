"""Kernels: compiled code gives what the same code gives without compilation."""

from __future__ import annotations

import os
import subprocess
import sys

FIRST_QUESTIONS = """
import hashlib, unseen

for options in ({}, {"images": "3d", "renderer": "none"}):
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
