"""A short training of the tiny model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from unseen.runs import Run  # noqa: E402
from unseen.train import Devices, Recipe, train  # noqa: E402

SHORT = {"batch_size": 16, "epochs": 2, "warmup": 4}  # 7 steps an epoch

Train = Callable[..., Run]


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def short(tmp_path: Path, tiny: str, small_task: str) -> Train:
    """Train the tiny model: settings of the recipe and arguments of `train`, both by name."""

    def run(task: str = small_task, model: str = tiny, *, out: str = "runs", **given):
        settings = {name: given.pop(name) for name in list(given) if name in Recipe.__dataclass_fields__}
        on = given.pop("on", Devices("cpu"))
        return train(task, model, recipe=Recipe(**SHORT | settings), out=tmp_path / out, on=on, **given)

    return run


@pytest.fixture
def weights() -> Callable[[Run, str], dict[str, bytes]]:
    """The bytes of a run's weights, to compare bit for bit."""
    from unseen.train.checkpoint import load_weights

    def read(run: Run, name: str = "last.safetensors") -> dict[str, bytes]:
        return {key: tensor.numpy().tobytes() for key, tensor in load_weights(run.folder / name).items()}

    return read
