"""Pictures of every style are the same as plain Python and as machine code; so are problems (tests/contract)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest

import unseen
from unseen.benchmarks.cvr.render import STYLES

TASKS = ("cvr/shape", "cvr/flip-contact-2", "cvr/rot-inside-2")


def pictures(style: str) -> list[str]:
    """Digests of the pictures of a few problems, of both versions."""
    return [
        hashlib.sha256(unseen.load(task, split, style=style, size=96)[0].inputs["images"].tobytes()).hexdigest()
        for task in TASKS
        for split in ("train", "test_ood")
    ]


@pytest.mark.parametrize("style", STYLES)
def test_a_picture_is_the_same_without_machine_code(style):
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__, style],
        env={**os.environ, "UNSEEN_KERNELS": "plain"},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout.split() == pictures(style)


if __name__ == "__main__":
    print(*pictures(sys.argv[1]))
