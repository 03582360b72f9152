"""Rewards are fast enough to train on."""

from __future__ import annotations


def test_a_core_gives_hundreds_of_rewards_a_second_in_every_form(script):
    rates = {(task, form): rate for task, form, rate in script.measured(40)}
    assert len(rates) == 12
    assert min(rates.values()) > 400, rates  # 1,000 on a quiet machine
