"""Models by name or from a user's file, with weights of another run and frozen parts."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from torch import nn

from unseen.core.catalogue import task as task_named
from unseen.core.errors import FAULTS, DataError, SpecError, UnseenError, fault, unknown
from unseen.core.options import parse_id
from unseen.core.own_code import own_code
from unseen.core.task import Task
from unseen.data.dataset import SEED
from unseen.models import MODELS, MakeModel, Stage
from unseen.runs import Run
from unseen.train.interface import interface_of


def make_model(
    name: str,
    task: Task,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = SEED,
    made: MakeModel | None = None,
) -> nn.Module:
    """A model for a task: a registered name, or `path/to/file.py:Class`; the seed is that of the training examples.

    `made` is what makes it, where that has been looked up by the name already.
    """
    options = options or {}
    made = made or model_named(name)
    kinds = getattr(made, "kinds", (task.kind.name,))  # a user's own need not say
    if task.kind.name not in kinds:
        raise SpecError(
            f"{name} answers {' and '.join(kinds)} tasks, and {task.id} is one of kind {task.kind.name};"
            " list the models: unseen list --models"
        )
    _check_options(name, made, options)
    told = interface_of(_viewed(made, task), seed)
    try:
        model = made(told, **options)
    except (*FAULTS, RuntimeError, AssertionError) as error:
        if not options or isinstance(error, UnseenError):
            raise
        given = ", ".join(f"{option}={value!r}" for option, value in options.items())
        raise SpecError(f"the model {name} cannot be made with {given}: {fault(error)}") from error
    if not isinstance(model, nn.Module):
        raise SpecError(f"the model {name!r} makes a {type(model).__name__}, and training needs an nn.Module")
    return model


def shown_to(name: str, task: Task) -> Task:
    """The task as a model must see it: with the options of its view that the model needs, or welcomes and it has."""
    return _viewed(model_named(name), task)


def _viewed(made: MakeModel, task: Task) -> Task:
    welcome: Mapping[str, Any] = getattr(made, "welcome", {})
    shown = {option: value for option, value in welcome.items() if hasattr(task.view, option)}
    shown |= getattr(made, "view", {})
    bare, given = parse_id(task.id)
    return task_named(bare, **{**given, **shown}) if shown else task


def model_named(name: str) -> MakeModel:
    """The class or function that makes a model, named by the user: code of the user's own is known from then on."""
    code = own_code(name)
    if code is None:
        return MODELS[name]
    code.remember()
    return code.run()  # type: ignore[no-any-return]


def model_of_run(run: Run, *, trust: bool = False) -> MakeModel:
    """The class or function that makes the model of a run; code that only the run names has to be known, or trusted."""
    if not run.config.trained:
        again = f"unseen predict {run.config.task} --model {run.config.model}"
        raise DataError(f"{run.folder} is of a baseline that was never trained; have it answer with: {again}")
    code = own_code(run.config.model)
    if code is None:
        return MODELS[run.config.model]
    code.check(run.folder, digest=run.config.model_digest, trust=trust)
    return code.run()  # type: ignore[no-any-return]


def options_of(made: MakeModel) -> tuple[list[str], bool]:
    """Return the options that a model names, and whether it takes others, too."""
    _, *parameters = inspect.signature(made).parameters.values()  # the first is the task
    kinds = {parameter.name: parameter.kind for parameter in parameters}
    named = [name for name, kind in kinds.items() if kind is not inspect.Parameter.VAR_KEYWORD]
    return named, len(named) < len(kinds)


def _check_options(name: str, made: MakeModel, options: Mapping[str, Any]) -> None:
    known, others = options_of(made)
    for option in options:
        if option not in known and not others:
            raise unknown("option", option, known, where=f"the model {name}")


def stages_of(model: nn.Module) -> tuple[Stage, ...]:
    """Return the stages that a model declares, or the one without a name that every other model has."""
    stages: tuple[Stage, ...] = tuple(getattr(model, "stages", ())) or (Stage(""),)
    names = [stage.name for stage in stages]
    if len(set(names)) < len(names) or (len(names) > 1 and "" in names):
        raise SpecError(f"stages need names of their own, and these are {', '.join(map(repr, names))}")
    for number, stage in enumerate(stages):
        if stage.start and stage.start not in names[:number]:
            raise SpecError(f"the stage {stage.name} starts from {stage.start}, which is no stage before it")
    return stages


# ---------------------------------------------------------------------------- parts, and which of them learn


def belongs(name: str, parts: Sequence[str]) -> bool:
    """Tell whether a parameter or module is one of these parts, or inside one.

    >>> belongs("body.1.weight", ["body.1"]), belongs("body.10.weight", ["body.1"])
    (True, False)
    """
    return any(name == part or name.startswith(f"{part}.") for part in parts)


def parts_of(model: nn.Module) -> list[str]:
    """Return the names of a model's outermost parts."""
    return list(dict.fromkeys(name.partition(".")[0] for name, _ in model.named_parameters()))


def set_learning(model: nn.Module, able: Collection[str], learns: Sequence[str], frozen: Sequence[str]) -> None:
    """Let the parts named in `learns` learn, all where none is, but none of the frozen ones.

    `able` are the parameters that can learn at all; a model may have made others that cannot.
    """
    names = [name for name, _ in model.named_parameters()]
    for part in (*learns, *frozen):
        if not any(belongs(name, (part,)) for name in names):
            raise unknown("part", part, parts_of(model), where="the model")
    for name, parameter in model.named_parameters():
        chosen = not learns or belongs(name, learns)
        parameter.requires_grad_(name in able and chosen and not belongs(name, frozen))
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise SpecError(f"freezing {', '.join(frozen)} leaves nothing to train")


def train_mode(model: nn.Module) -> None:
    """Put a model in training mode, all but what does not learn: its dropout and statistics rest too."""
    model.train()
    for module in model.modules():
        own = list(module.parameters())
        if own and not any(parameter.requires_grad for parameter in own):
            module.eval()
