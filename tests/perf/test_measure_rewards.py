"""Rewards are fast enough to train on."""

from __future__ import annotations

import importlib.util
from pathlib import Path

PATH = Path(__file__).parents[2] / "perf" / "measure_rewards.py"


def test_a_core_gives_hundreds_of_rewards_a_second_in_every_form():
    spec = importlib.util.spec_from_file_location("measure_rewards", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rates = {(task, form): rate for task, form, rate in module.measured(40)}
    assert len(rates) == 12
    assert min(rates.values()) > 400, rates  # 1,000 on a quiet machine
