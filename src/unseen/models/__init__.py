"""Baselines: one readable file each, plain PyTorch. A model knows no benchmark, file, device or optimizer.

A model is any `nn.Module` made from what it must know of a task (`Grids` for grid tasks) and its own options:

    model = MODELS["resnet"](grids, width=128)
    model(batch)              -> for grid tasks: logits (batch, classes, side, side)
    model.loss(batch)         -> (loss, {name: value to log}); only where the model has an objective of its own
    model.loss_and_output(batch) -> (loss, what `model(batch)` gives); only beside a `loss` that shares its pass with
                                 the output, to spare evaluations the second pass
    model.predict(batch)      -> for grid tasks: colors (batch, side, side), -1 where there is padding; only where the
                                 likeliest class of `model(batch)` is not the answer

A batch is what `Dataset.torch` gives: `input_grid` (batch, side, side) int64 with -1 for padding, `input_code`
(batch, tokens), `target_grid`, and `input_demonstration_inputs`, `input_demonstration_targets` (batch, k, side, side).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from unseen.core.registry import Registry

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True)
class Grids:
    """What a model must know of a grid task."""

    side: int  # of the padded grids
    code_length: int  # tokens of the task code; 0 where there is none
    tokens: int  # different task tokens, the padding identity included
    demonstrations: int = 0  # in-context pairs

    colors = 10  # 0 is background
    classes = 11  # the colors, then padding


class MakeModel(Protocol):
    """A class or function that makes a model for a task."""

    def __call__(self, task: Any, **options: Any) -> nn.Module:
        """A model for a task."""


MODELS: Registry[MakeModel] = Registry("model", group="unseen.models", listing="unseen list --models")
for _name, _place in {
    "resnet": "unseen.models.resnet:ResNet",
    "vanilla-tf": "unseen.models.vanilla_tf:VanillaTF",
    "grid-tf": "unseen.models.grid_tf:GridTF",
    "pl-tf": "unseen.models.pl_tf:PLTF",
    "llada": "unseen.models.llada:LLaDA",
}.items():
    MODELS.add_lazy(_name, _place)
