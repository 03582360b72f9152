"""The profile of a training says how long its steps wait for data."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

pytest.importorskip("torch")

PATH = Path(__file__).parents[2] / "perf" / "profile_training.py"


def test_waiting_is_a_share_of_the_steps(tiny: str, small_task: str, capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("profile_training", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(small_task, tiny, "3", "auto", "width=4")
    told = " ".join(capsys.readouterr().out.split())
    assert "workers auto: 3 steps in" in told
    (share,) = re.findall(r"waiting for data: ([\d.]+)% of the steps' time, (?:as wanted|too long)", told)
    assert 0 < float(share) < 100
