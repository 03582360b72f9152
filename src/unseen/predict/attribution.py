"""How much every pixel speaks for a model's answer: integrated gradients (Sundararajan et al., 2017).

The image is faded in from a blank sheet, and the gradient of the answer's log probability is summed up along the way.
Over all pixels this gives how much likelier the answer became, so that nothing is left out and nothing is counted
twice.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.core.progress import Progress
from unseen.data.dataset import Dataset, Generated
from unseen.data.torch import Batch
from unseen.runs import Run
from unseen.runs.views import Looks, write_looks
from unseen.train.devices import Devices
from unseen.train.feed import Feed
from unseen.train.training import trained_model

STEPS = 32  # of the way from a blank sheet to the image
BLANK = 255.0  # every channel of the sheet
TOGETHER = 4  # problems at once: each takes all its images, forwards and backwards


def integrated_gradients(model: nn.Module, batch: Batch, *, steps: int = STEPS) -> Tensor:
    """Tell how much each pixel speaks for the image that a model takes for the odd one, (b, 4, height, width)."""
    images: Tensor = batch["input_images"].float()
    with torch.no_grad():
        chosen = model(batch).argmax(dim=1)
    summed = torch.zeros_like(images)
    for step in range(steps):
        share = (step + 0.5) / steps  # the middle of each piece of the way
        faded = torch.lerp(torch.full_like(images, BLANK), images, share).requires_grad_()
        likely = model({**batch, "input_images": faded}).log_softmax(dim=1)
        summed += torch.autograd.grad(likely.gather(1, chosen[:, None]).sum(), faded)[0]
    return ((images - BLANK) * summed / steps).sum(dim=-1)


def attribute(
    run: Run,
    split: str,
    count: int,
    *,
    device: str = "auto",
    trust: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write down where the model of a run looks in the first examples of a split; returns the file.

    `trust` is as for `predict`.
    """
    if run.task.kind.name != "odd":
        raise SpecError(f"where a model looks is worked out for odd-one-out tasks, and {run.task.id} is none")
    fabric = Devices(device).fabric()
    model: Any = fabric.to_device(trained_model(run, trust=trust))
    dataset = Dataset(Generated(run.task, split, run.config.data_seed))[:count]
    looks: Looks = {}
    for batch in Feed(dataset).in_order(TOGETHER):
        values = integrated_gradients(model, fabric.to_device(batch)).cpu().numpy()
        looks |= dict(zip(batch["index"].tolist(), values, strict=True))
        if progress:
            progress(len(looks), len(dataset), f"{split}, where it looks")
    path = run.attribution_file(split)
    write_looks(path, looks)
    return path
