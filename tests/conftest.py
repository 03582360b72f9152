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


@pytest.fixture(scope="session")
def tiny() -> str:
    """A tiny model to train, as one names a model of one's own."""
    return f"{Path(__file__).parent / 'tiny.py'}:Tiny"


@pytest.fixture(scope="session")
def owner(tiny: str) -> str:
    """A tiny model that has an objective and answers of its own."""
    return tiny.replace(":Tiny", ":Owner")


@pytest.fixture(scope="session")
def small_task() -> str:
    """A task of a hundred small grids."""
    return "cogitao/custom+grid=5-7+max_size=3+objects=1+samples=100+sequences=translate_up"


@pytest.fixture(scope="session")
def small_ood_task() -> str:
    """The same with two transformations, one of them held out."""
    return (
        "cogitao/custom+grid=5-7+held_out=translate_up:rot90+max_size=3+objects=1+samples=100"
        "+sequences=translate_up,rot90,translate_up:rot90"
    )
