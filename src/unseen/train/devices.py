"""What trains: devices, processes and precision, through Lightning Fabric; and memory that steps use again."""

from __future__ import annotations

import ctypes
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from lightning_fabric import Fabric

from unseen.core.errors import SpecError, unknown
from unseen.core.random import path_key
from unseen.core.recipe import PRECISIONS

KINDS = ("auto", "cpu", "gpu", "cuda", "mps", "tpu")


@dataclass(frozen=True)
class Devices:
    """Where a training runs; it changes how long it takes, and on several devices the rounding."""

    device: str = "auto"
    devices: int = 1  # of each node
    nodes: int = 1
    workers: int | None = None  # processes that make batches; None: two beside a GPU, one beside a CPU where it pays
    memory: float = 1.0  # GiB of examples that each process keeps; what does not fit is made or read anew every epoch

    def __post_init__(self) -> None:
        if self.device not in KINDS:
            raise unknown("device", self.device, KINDS)
        if not self.memory >= 0:
            raise SpecError(f"memory is in GiB and cannot be {self.memory}")

    def fabric(self, precision: str = PRECISIONS[0]) -> Fabric:
        """Return the devices, not launched yet.

        >>> Devices("cpu").fabric().device
        device(type='cpu')
        """
        if precision == "16-mixed" and self._on_cpu:
            raise SpecError("precision 16-mixed needs a GPU; on a CPU use bf16-mixed or 32-true")
        return self._made(precision)

    def advice(self, precision: str) -> str:
        """Give what to say to somebody who asks for a precision that this machine imitates, at many times the cost."""
        if precision != "bf16-mixed" or not self._on_cpu or torch.ops.mkldnn._is_mkldnn_bf16_supported():
            return ""
        return "this processor has no bfloat16 and imitates it slowly; --recipe precision=32-true is much faster here"

    @property
    def _on_cpu(self) -> bool:
        return bool(self._made("32-true").device.type == "cpu")

    def _made(self, precision: Any) -> Fabric:
        try:
            return Fabric(accelerator=self.device, devices=self.devices, num_nodes=self.nodes, precision=precision)
        except (RuntimeError, ValueError) as error:  # what Fabric raises for devices that are not there
            which = f"{self.devices} x {self.device}"
            raise SpecError(f"this machine has no {which}; the device auto takes the best there is") from error

    def workers_beside(self, fabric: Fabric) -> int | None:
        """How many processes make batches; None leaves that to how long batches take, as `train/ahead.py` has it."""
        return 2 if self.workers is None and fabric.device.type != "cpu" else self.workers


# glibc's mallopt: its parameters, what keeps memory, and what the library begins with
TRIM_THRESHOLD, MMAP_MAX = -1, -4
KEPT = {MMAP_MAX: 0, TRIM_THRESHOLD: -1}
GIVEN_BACK = {MMAP_MAX: 65_536, TRIM_THRESHOLD: 128 * 1024}


@contextmanager
def memory_kept() -> Iterator[None]:
    """Let the C library keep the memory that a step frees for the next one, where it is glibc.

    Otherwise large tensors are given back to the system at once and had anew page by page, which on a CPU takes more
    than half the time of a step of small convolutions. Nothing that is computed changes.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if libc is None or not hasattr(libc, "mallopt"):
        yield
        return
    for parameter, value in KEPT.items():
        libc.mallopt(parameter, value)
    try:
        yield
    finally:
        for parameter, value in GIVEN_BACK.items():
            libc.mallopt(parameter, value)
        libc.malloc_trim(0)


def seed_everything(seed: int, *path: str) -> None:
    """Seed Python, numpy and torch from a path, so that what follows is a function of seed and path alone."""
    key = path_key(seed, *path)
    random.seed(key)
    np.random.seed(key % 2**32)
    torch.manual_seed(key % 2**63)
