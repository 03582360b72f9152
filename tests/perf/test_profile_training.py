"""The profile of a training says how long its steps wait for data."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

pytest.importorskip("torch")


def test_waiting_is_a_share_of_the_steps(
    script: ModuleType, tiny: str, small_task: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script.main(small_task, tiny, "3", "auto", "width=4")
    told = " ".join(capsys.readouterr().out.split())
    assert "workers auto: 3 steps in" in told
    (share,) = re.findall(r"waiting for data: ([\d.]+)% of the steps' time, (?:as wanted|too long)", told)
    assert 0 < float(share) < 100
