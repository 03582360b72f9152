"""LARS (You et al., 2017): momentum, with a step for each layer that is a share of the layer's own size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.optim import Optimizer

TRUST = 1e-3  # that share, as MoCo-v3 and its forebears have it


class LARS(Optimizer):
    """Layer-wise adaptive rates; vectors, such as biases, take plain momentum steps without weight decay."""

    def __init__(self, params: Any, *, lr: float, momentum: float = 0.9) -> None:
        super().__init__(params, {"lr": lr, "weight_decay": 0.0, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Take one step."""
        loss = closure() if closure else None
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                change = weight.grad
                if weight.ndim > 1:
                    change = change.add(weight, alpha=group["weight_decay"])
                    size, length = weight.norm(), change.norm()
                    share = torch.where((size > 0) & (length > 0), TRUST * size / length, torch.ones_like(size))
                    change = change * share
                state = self.state[weight]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(weight)
                state["momentum"].mul_(group["momentum"]).add_(change)
                weight.add_(state["momentum"], alpha=-group["lr"])
        return loss
