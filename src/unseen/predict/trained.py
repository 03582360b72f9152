"""A model and a data set -> predictions, and the predictions file of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor, nn

from unseen.core.progress import Progress
from unseen.data.dataset import Dataset
from unseen.data.stored import drawn_or_stored
from unseen.models import Interface
from unseen.predict.prediction_column import parse_form
from unseen.predict.predictions import write_predictions
from unseen.runs import Run, model_name, open_run
from unseen.runs.views import write_views
from unseen.train.devices import Devices, memory_kept, seed_everything
from unseen.train.feed import Feed
from unseen.train.interface import interface_of
from unseen.train.loss import Learner, image_prediction
from unseen.train.modules import shown_to
from unseen.train.training import trained_model

Array = npt.NDArray[Any]

BATCH = 50
VIEWED = 4  # examples of a split whose views are kept


def answer(
    model: nn.Module,
    dataset: Dataset,
    told: Interface | None = None,
    *,
    batch_size: int = BATCH,
    device: str = "auto",
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Any]:
    """Return a model's answer to every example of a data set, in order, as `answer_columns` gives it first."""
    columns = answer_columns(model, dataset, told, batch_size=batch_size, device=device, seed=seed, progress=progress)
    return columns[dataset.task.kind.prediction[0]]


def answer_columns(
    model: nn.Module,
    dataset: Dataset,
    told: Interface | None = None,
    *,
    batch_size: int = BATCH,
    device: str = "auto",
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, list[Any]]:
    """Return a model's answer to every example of a data set, in order, and what it hands in beside, by columns.

    `told` is what the model was made from.

    Grids keep the side of the batches and -1 where the model says padding, for it is not told their size; scores
    compare them with targets padded alike. `seed` is for models that draw lots while they answer.
    """
    fabric = Devices(device).fabric()
    learner = Learner(fabric.to_device(model), told or interface_of(dataset.task)).eval()
    name, form = dataset.task.kind.prediction
    seed_everything(seed, "predict", dataset.split)
    answers: list[Any] = []
    columns = {name: answers}
    with torch.inference_mode(), memory_kept():
        for batch in Feed(dataset).in_order(batch_size):
            predicted, beside = learner.answered(fabric.to_device(batch))
            answers += predicted if isinstance(predicted, list) else _arrays(predicted, form)
            for further, painted in beside.items():
                columns.setdefault(further, []).extend(_pictures(painted))
            if progress:
                progress(len(answers), len(dataset), dataset.split)
    return columns


@torch.inference_mode()
def views(model: Any, dataset: Dataset, *, device: str = "auto") -> dict[str, Array]:
    """What a model makes of examples on the way to its answers: uint8 (examples, side, side, 3) by name."""
    fabric = Devices(device).fabric()
    batch = fabric.to_device(next(Feed(dataset).in_order(len(dataset))))
    found: dict[str, Tensor] = fabric.to_device(model).eval().views(batch)
    return {name: image_prediction(images).cpu().numpy() for name, images in found.items()}


def _pictures(painted: Tensor) -> list[Array]:
    """Frames (batch, t, 3, side, side) of values from 0 to 1 as they are stored, uint8 (t, side, side, 3) each."""
    flat = image_prediction(painted.flatten(0, 1))
    return list(flat.reshape(*painted.shape[:2], *flat.shape[1:]).cpu().numpy())


def _arrays(predicted: Tensor, form: str) -> list[Array]:
    """Answers as arrays of the type that predictions of their kind have."""
    return list(predicted.cpu().numpy().astype(parse_form(form)[0]))


def predict(
    run: Run | str | Path,
    split: str = "test",
    *,
    data: str | Path | None = None,
    count: int | None = None,
    device: str = "auto",
    trust: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Answer a split, or its first `count` examples, with the best weights of a run; returns the predictions file.

    `trust` runs a model's own code that you have not named yourself, in a training for instance: a run may be a
    stranger's.
    """
    run = run if isinstance(run, Run) else open_run(run)
    model = trained_model(run, trust=trust)
    dataset = drawn_or_stored(shown_to(run.config.model, run.task), split, run.config.data_seed, data)[:count]
    columns = answer_columns(
        model,
        dataset,
        interface_of(run.task, run.config.data_seed),
        batch_size=run.config.recipe.eval_batch,
        device=device,
        seed=run.config.seed,
        progress=progress,
    )
    if callable(getattr(model, "views", None)):
        shown = dataset[:VIEWED]
        write_views(run.views_file(split), list(shown.indices), views(model, shown, device=device))
    path = run.predictions_file(split)
    write_predictions(
        path,
        run.task,
        split,
        columns.pop(run.task.kind.prediction[0]),
        seed=dataset.source.seed,
        model=model_name(run.config.model, run.config.options),
        indices=dataset.indices,
        beside=columns,
    )
    return path


def splits_to_test(run: Run) -> list[str]:
    """Return the splits that a run is tested on."""
    return [split for split in run.task.splits if split.startswith("test")]
