"""A small task, a tiny model, and a short training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from unseen.models import MODELS  # noqa: E402
from unseen.train import Machine, Recipe, Run, train  # noqa: E402

TASK = "cogitao/custom+grid=5-7+max_size=3+objects=1+samples=100+sequences=translate_up"
OOD = TASK.replace("+samples", "+held_out=translate_down+samples").replace(
    "sequences=translate_up", "sequences=translate_up,translate_down"
)
TINY = f"{Path(__file__).parent / 'tiny.py'}:Tiny"
OWNER = TINY.replace(":Tiny", ":Owner")
SHORT = {"batch_size": 16, "epochs": 2, "warmup": 4}

Trained = Callable[..., Run]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def trained(tmp_path: Path) -> Trained:
    """Train the tiny model: settings of the recipe by name, everything else by keyword."""

    def run(task: str = TASK, model: str = TINY, *, out: str = "runs", recipe: dict[str, object] | None = None, **more):
        settings = Recipe(**(SHORT | (recipe or {})))
        return train(task, model, recipe=settings, out=tmp_path / out, machine=Machine("cpu"), **more)

    return run


@pytest.fixture
def registered() -> Iterator[str]:
    """The tiny model under a name."""
    from unseen.train.modules import model_named

    MODELS.add("tiny", model_named(TINY))
    yield "tiny"
    MODELS.remove("tiny")
