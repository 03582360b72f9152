"""Devices, precision and seeds."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from unseen.core.errors import SpecError, UnknownName
from unseen.train import devices
from unseen.train.devices import Devices, seed_everything


def draws() -> tuple[float, float, float]:
    return random.random(), float(np.random.rand()), torch.rand(()).item()


def test_every_generator_is_seeded_by_seed_and_path() -> None:
    seed_everything(1, "step", "5")
    first = draws()
    seed_everything(1, "step", "6")
    other = draws()
    seed_everything(1, "step", "5")
    assert draws() == first
    assert not set(first) & set(other)


def test_devices_that_are_not_there_are_refused_with_a_sentence() -> None:
    with pytest.raises(UnknownName, match="no device named 'cud'"):
        Devices("cud")
    if not torch.cuda.is_available():
        with pytest.raises(SpecError, match="this machine has no 2 x cuda; the device auto takes the best there is"):
            Devices("cuda", devices=2).fabric()


def test_half_precision_is_refused_on_a_cpu() -> None:
    with pytest.raises(SpecError, match="precision 16-mixed needs a GPU; on a CPU use bf16-mixed or 32-true"):
        Devices("cpu").fabric("16-mixed")


def test_a_precision_that_the_processor_imitates_is_advised_against(monkeypatch: pytest.MonkeyPatch) -> None:
    for native, advised in ((False, True), (True, False)):
        monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda native=native: native)
        assert ("--recipe precision=32-true" in Devices("cpu").advice("bf16-mixed")) == advised
    assert Devices("cpu").advice("32-true") == ""


def test_workers_are_two_beside_a_gpu_and_beside_a_cpu_left_to_how_long_batches_take() -> None:
    fabric = Devices("cpu").fabric()
    assert Devices("cpu").workers_beside(fabric) is None
    assert [Devices("cpu", workers=workers).workers_beside(fabric) for workers in (0, 3)] == [0, 3]
    graphics: Any = SimpleNamespace(device=torch.device("cuda"))
    assert Devices().workers_beside(graphics) == 2
    assert Devices(workers=0).workers_beside(graphics) == 0


def test_memory_that_is_kept_while_training_is_given_back_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[Any] = []

    class Library:
        def mallopt(self, *given: int) -> int:
            called.append(given)
            return 1

        def malloc_trim(self, pad: int) -> int:
            called.append((pad,))
            return 1

    monkeypatch.setattr(devices.sys, "platform", "linux")
    monkeypatch.setattr(devices.ctypes, "CDLL", lambda name: Library())

    def interrupted() -> None:
        assert dict(called) == devices.KEPT
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), devices.memory_kept():
        interrupted()
    *settings, trimmed = called[len(devices.KEPT) :]
    assert dict(settings) == devices.GIVEN_BACK
    assert trimmed == (0,)


def test_memory_is_left_alone_where_the_c_library_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices.sys, "platform", "darwin")
    with devices.memory_kept():
        assert torch.ones(2).sum() == 2
