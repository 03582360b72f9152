"""Weights to begin with: of a run, of one stage of a run, or from a file, under the model's names."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from unseen.core.errors import DataError, SpecError
from unseen.runs import is_run, open_run
from unseen.train.checkpoint import load_weights

PICKLED = (".pt", ".pth")
# what PyTorch raises for files that are damaged, or would run code
UNREADABLE = (
    pickle.UnpicklingError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
)
INSIDE = ("state_dict", "model")  # where checkpoints of other programs keep the weights
SHOWN = 3  # names of weights in a sentence; further ones are counted


def weights_file(source: str) -> Path:
    """Return the file behind RUN, RUN:stage, or the path of a file."""
    if is_run(source):
        return open_run(source).weights()
    folder, colon, stage = source.rpartition(":")
    if colon and is_run(folder):
        run = open_run(folder)
        if stage not in run.config.recipes:
            stages = ", ".join(filter(None, run.config.recipes)) or "but one, without a name"
            raise DataError(f"{folder} has no stage {stage!r}; its stages are {stages}")
        return run.weights(stage)
    if not Path(source).is_file():
        raise DataError(f"{source} is neither the folder of a run, nor RUN:stage, nor a file of weights")
    return Path(source)


def read_weights(path: Path) -> dict[str, Tensor]:
    """Return the weights in a file: safetensors, or a state dict that PyTorch saved, read without running code."""
    if path.suffix not in PICKLED:
        return load_weights(path, own=False)
    try:
        found: Any = torch.load(path, map_location="cpu", weights_only=True)
    except UNREADABLE as error:
        told = isinstance(error, pickle.UnpicklingError | RuntimeError | OSError)  # others say what they stumbled over
        reason = str(error).partition("\n")[0] if told else "it is something else, or damaged"
        raise DataError(f"{path} is no state dict that can be read safely: {reason}") from error
    found = found if isinstance(found, Mapping) else {}
    held = next((found[name] for name in INSIDE if isinstance(found.get(name), Mapping)), found)
    weights = {name: value for name, value in held.items() if isinstance(value, Tensor)}
    if not weights:
        raise DataError(f"{path} holds no weights by name; save model.state_dict()")
    return weights


def take_over(model: nn.Module, weights: Mapping[str, Tensor], *, what: str, names: Mapping[str, str]) -> str:
    """Take over the weights whose name and shape are the model's; says which were and which were not.

    `names` tells how names in the file begin and how they begin in the model: {"encoder": "eye"}. A model may know by
    itself how other programs call its weights.
    """
    own = model.state_dict()
    renamed = {_renamed(name, names): value for name, value in weights.items()}
    if callable(adopt := getattr(model, "adopt", None)):
        renamed = adopt(renamed)
    taken = {name: value for name, value in renamed.items() if name in own and own[name].shape == value.shape}
    if not taken:
        raise SpecError(f"no weight of {what} has the name and shape of one of the model's; state how names are mapped")
    model.load_state_dict(taken, strict=False)
    said = [f"{len(taken)} of {len(own)} weights are those of {what}"]
    if fresh := [name for name in own if name not in taken]:
        said.append(f"{_listed(fresh)} of the model begin afresh")
    if unused := [name for name in renamed if name not in taken]:
        said.append(f"{_listed(unused)} there have no place in it")
    return "; ".join(said)


def _renamed(name: str, names: Mapping[str, str]) -> str:
    """A name as the model has it, by the longest beginning that is mapped.

    >>> _renamed("module.encoder.0.weight", {"module": "", "module.encoder": "eye"})
    'eye.0.weight'
    """
    starts = [start for start in names if name == start or name.startswith(f"{start}.")]
    if not starts:
        return name
    start = max(starts, key=len)
    return f"{names[start]}{name[len(start) :]}".lstrip(".")


def _listed(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
