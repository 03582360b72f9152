"""Questions to look at: one volume of the built-in world, made once."""

from __future__ import annotations

import pytest

from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.volume import make


@pytest.fixture(scope="session")
def questions():
    return make(Spec(), 7, 0)[0]
