"""Models by name or from a user's file, with weights of another run and frozen parts."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from unseen.core.errors import DataError, SpecError, unknown
from unseen.core.task import Task
from unseen.models import MODELS, MakeModel
from unseen.train.interface import interface_of


def make_model(name: str, task: Task, options: Mapping[str, Any] | None = None) -> nn.Module:
    """A model for a task: a registered name, or `path/to/file.py:Class`."""
    options = options or {}
    made = model_named(name)
    interface = interface_of(task)
    _check_options(name, made, options)
    model = made(interface, **options)
    if not isinstance(model, nn.Module):
        raise SpecError(f"the model {name!r} makes a {type(model).__name__}, and training needs an nn.Module")
    return model


def model_named(name: str) -> MakeModel:
    """The class or function that makes a model."""
    path, colon, attribute = name.rpartition(":")
    return _from_file(Path(path), attribute) if colon and path.endswith(".py") else MODELS[name]


def short_name(name: str) -> str:
    """The name of a model without the path of its file.

    >>> short_name("resnet"), short_name("my/models.py:Mine")
    ('resnet', 'Mine')
    """
    return name.rpartition(":")[2]


def _from_file(path: Path, attribute: str) -> MakeModel:
    if not path.is_file():
        raise DataError(f"there is no file {path} to take the model {attribute} from")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # the name ends in .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, attribute):
        raise unknown("model", attribute, [name for name in vars(module) if not name.startswith("_")], where=str(path))
    return getattr(module, attribute)  # type: ignore[no-any-return]


def _check_options(name: str, made: MakeModel, options: Mapping[str, Any]) -> None:
    _, *parameters = inspect.signature(made).parameters.values()  # the first is the task
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        return
    known = [parameter.name for parameter in parameters]
    for option in options:
        if option not in known:
            raise unknown("option", option, known, where=f"the model {name}")


def load_matching(model: nn.Module, weights: Mapping[str, Tensor], *, what: str) -> int:
    """Take over the weights whose name and shape are the model's; how many they were."""
    own = model.state_dict()
    matching = {name: value for name, value in weights.items() if name in own and own[name].shape == value.shape}
    if not matching:
        raise SpecError(f"no weight of {what} has the name and shape of one of the model's")
    model.load_state_dict(matching, strict=False)
    return len(matching)


def freeze(model: nn.Module, parts: Sequence[str]) -> None:
    """Keep the parameters whose names begin with one of these as they are."""
    names = [name for name, _ in model.named_parameters()]
    for part in parts:
        if not any(name.startswith(part) for name in names):
            raise unknown("part", part, dict.fromkeys(name.partition(".")[0] for name in names), where="the model")
    for name, parameter in model.named_parameters():
        if name.startswith(tuple(parts)):
            parameter.requires_grad_(False)
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise SpecError(f"freezing {', '.join(parts)} leaves nothing to train")


def learning(model: nn.Module, parts: Sequence[str]) -> None:
    """Put a model in training mode, all but its frozen parts: their dropout and statistics rest too."""
    model.train()
    for name, module in model.named_modules():
        if name and name.startswith(tuple(parts)):
            module.eval()
