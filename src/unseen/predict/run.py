"""A model and a data set -> predictions, and the predictions file of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch
from torch import nn

from unseen.data.dataset import Dataset
from unseen.data.stored import drawn_or_stored
from unseen.predict.columns import parse_form
from unseen.predict.predictions import write_predictions
from unseen.train.devices import Devices, seed_everything
from unseen.train.feed import Feed
from unseen.train.loss import Learner
from unseen.train.run import PREDICTIONS, Run, folder_name, open_run

Array = npt.NDArray[Any]
Progress = Callable[[int, int, str], None]  # examples done, of how many, and of which split

TESTS = ("test", "test_ood")
BATCH = 50


def answer(
    model: nn.Module,
    dataset: Dataset,
    *,
    batch_size: int = BATCH,
    device: str = "auto",
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Array]:
    """A model's answer to every example of a data set, in order.

    Grids keep the side of the batches and -1 where the model says padding, for it is not told their size; scores
    compare them with targets padded alike. `seed` is for models that draw lots while they answer.
    """
    fabric = Devices(device).fabric()
    learner = Learner(fabric.to_device(model), dataset.task.kind).eval()
    dtype, _ = parse_form(dataset.task.kind.prediction[1])
    seed_everything(seed, "predict", dataset.split)
    answers: list[Array] = []
    with torch.inference_mode():
        for batch in Feed(dataset).in_order(batch_size):
            predicted = learner.predict(fabric.to_device(batch))
            answers += list(predicted.cpu().numpy().astype(dtype))
            if progress:
                progress(len(answers), len(dataset), dataset.split)
    return answers


def predict(
    run: Run | str | Path,
    split: str = "test",
    *,
    data: str | Path | None = None,
    device: str = "auto",
    progress: Progress | None = None,
) -> Path:
    """Answer a split with the best weights of a run; returns the predictions file, which lies in the run's folder."""
    run = run if isinstance(run, Run) else open_run(run)
    dataset = drawn_or_stored(run.task, split, run.config.data_seed, data)
    answers = answer(
        run.model(),
        dataset,
        batch_size=run.config.recipe.eval_batch,
        device=device,
        seed=run.config.seed,
        progress=progress,
    )
    path = predictions_file(run.folder, split)
    write_predictions(
        path,
        run.task,
        split,
        answers,
        seed=dataset.source.seed,
        model=folder_name(run.config.model, run.config.options),
        indices=dataset.indices,
    )
    return path


def predictions_file(folder: Path, split: str) -> Path:
    """Where the predictions of a run lie."""
    return folder / f"{PREDICTIONS}{split}.parquet"


def splits_to_test(run: Run) -> list[str]:
    """The splits that a run is tested on."""
    return [split for split in TESTS if split in run.task.splits]
