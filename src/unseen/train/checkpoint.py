"""Checkpoints: one safetensors file each, whole at any moment, without pickle.

The best weights are a file of their own, under the model's own names. The checkpoint holds all that training goes on
from: weights as `model.<name>`, the optimizer's tensors as `optimizer.<parameter>.<name>`, and as JSON in the file's
header where training was. It is one file, because two renamed one after the other could be of two moments. The learning
rate and every random number are functions of seed and step, so neither has a state to save. Both files are sealed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from errno import EIO, ENOSPC
from pathlib import Path

from pydantic import ValidationError
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from unseen.core.errors import DataError
from unseen.core.files import written_aside
from unseen.core.seals import BLANK, has_seal, is_file_sealed, seal_file
from unseen.core.seals import NAME as SEAL
from unseen.runs.state import HEADER, State, parse_state


def save_weights(path: Path, model: nn.Module) -> None:
    """Write a model's weights."""
    _save(path, model.state_dict(), {})


def load_weights(path: Path, *, own: bool = True) -> dict[str, Tensor]:
    """Read a model's weights; those of others may have no seal."""
    return _load(path, own=own)[0]


def save_checkpoint(path: Path, model: nn.Module, optimizer: Optimizer, state: State) -> None:
    """Write all that training goes on from."""
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    for number, entries in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": value for name, value in entries.items()}
    _save(path, tensors, {HEADER: json.dumps(asdict(state), allow_nan=False)})


def load_checkpoint(path: Path, model: nn.Module, optimizer: Optimizer) -> State:
    """Put a model and its optimizer where they were; returns the rest of the state."""
    tensors, header = _load(path)
    own = {name.removeprefix("model."): value for name, value in tensors.items() if name.startswith("model.")}
    entries: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        kind, _, rest = name.partition(".")
        if kind == "optimizer":
            number, _, entry = rest.partition(".")
            entries.setdefault(int(number), {})[entry] = value
    try:
        state = parse_state(header)
        model.load_state_dict(own)
    except (KeyError, ValidationError, RuntimeError) as error:
        raise DataError(f"{path} is not a checkpoint of this model; start again with --fresh") from error
    optimizer.load_state_dict({"state": entries, "param_groups": optimizer.state_dict()["param_groups"]})
    return state


def _save(path: Path, tensors: Mapping[str, Tensor], header: dict[str, str]) -> None:
    # copies, because weights that share memory cannot be stored as they are
    whole = {name: value.detach().to("cpu", copy=True).contiguous() for name, value in tensors.items()}
    with written_aside(path) as aside:
        try:
            save_file(whole, aside, {**header, SEAL: BLANK})
        except SafetensorError as error:  # which is no OSError, and says so in words only
            raise OSError(ENOSPC if "space" in str(error).lower() else EIO, str(error)) from error
        seal_file(aside)


def _load(path: Path, *, own: bool = True) -> tuple[dict[str, Tensor], dict[str, str]]:
    try:
        if not is_file_sealed(path) and (own or has_seal(path)):
            raise DataError(f"{path} is damaged, or unseen did not write it: it does not fit its seal")
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118
    except FileNotFoundError:
        raise DataError(f"there is no checkpoint {path}") from None
    except DataError:
        raise
    except (SafetensorError, OSError, RuntimeError) as error:
        raise DataError(f"{path} is not a safetensors file, or a damaged one: {error}") from error
