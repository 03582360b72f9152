"""Settings of all tests: no deadlines (the first call of a kernel compiles), same examples every run."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("unseen", deadline=None, derandomize=True)
settings.load_profile("unseen")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recorded outputs of the published generators, which lies outside the repository."""
    root = Path(__file__).resolve().parents[1]
    candidates = [beside / "shared" / "data" for beside in (root.parent, root.parent.parent)]
    for folder in candidates:
        if folder.is_dir():
            return folder
    pytest.skip(f"the recorded outputs are in neither of {', '.join(map(str, candidates))}")
