"""What a rule declares is what its audit may find."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from unseen.audit.statistics import STATISTICS
from unseen.benchmarks.cvr.audit import BOUND, tells
from unseen.benchmarks.cvr.rules import RULES


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_declared_statistic_exists_and_has_a_reason(rule):
    found = tells(SimpleNamespace(rules=(rule.name,)))
    assert found == rule.tells
    assert found.keys() <= STATISTICS.keys()
    assert all(found.values())


def test_the_bound_is_between_chance_and_certainty():
    assert 0.25 < BOUND < 0.5
