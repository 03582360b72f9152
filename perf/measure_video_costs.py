"""What do the models of videos cost here? The columns of the paper's Table E.4, on one thread of this machine.

python perf/measure_video_costs.py                       all models of Table E.4 and the slot models, two steps each
python perf/measure_video_costs.py FILE vimon savi       some of them; the table is also written to FILE, as JSON

An iteration is a step on `BATCH` videos of VMDS (ten frames of 64x64); the paper's batches are as large as its GPU
held, so that epochs in an hour, not iterations, are to be compared. Times are of the processor, of the fastest step.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import unseen
from unseen.benchmarks.video.paper import COSTS
from unseen.cli.output import print_table
from unseen.models import MODELS, Videos

BATCH, STEPS, HOUR = 2, 2, 3600
VMDS = Videos(side=64, frames=10, slots=4)
CLIPS, TESTED = 10_000, 1_000  # of training, and of the test set
COLUMNS = ("model", "parameters", "batch", "s an iteration", "epochs in 1 h", "s a video", "whole test set, min", "MiB")


def fastest(work: Callable[[], Any]) -> float:
    """Seconds of the processor, of the fastest of a few tries."""
    spent = []
    for _ in range(STEPS):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def measure(name: str) -> dict[str, Any]:
    """What a model takes to learn and to answer."""
    torch.manual_seed(0)
    view = getattr(MODELS[name], "view", {})
    videos = unseen.load("video/vmds", "train", **view)[:BATCH]
    model, batch = MODELS[name](VMDS), next(iter(videos.torch(BATCH)))
    optimizer = torch.optim.Adam(model.parameters(), 1e-4)

    def learn() -> None:
        optimizer.zero_grad()
        model.loss(batch)[0].backward()
        optimizer.step()

    iteration = fastest(learn)
    one = {key: value[:1] for key, value in batch.items() if hasattr(value, "shape")}
    with torch.inference_mode():
        answer = fastest(lambda: model.eval().predict(one))
    return {
        "model": name,
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "batch": BATCH,
        "seconds": iteration,
        "epochs": HOUR / iteration * BATCH / CLIPS,
        "answer": answer,
        "mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def line(cost: dict[str, Any]) -> tuple[str, ...]:
    """What was measured as a row."""
    return (
        *(cost["model"], f"{cost['parameters']:,}", str(cost["batch"]), f"{cost['seconds']:.2f}"),
        *(f"{cost['epochs']:.3f}", f"{cost['answer']:.2f}", f"{cost['answer'] * TESTED / 60:.0f}"),
        f"{cost['mebibytes']:,.0f}",
    )


def main(file: str = "", *models: str) -> None:
    torch.set_num_threads(1)
    found = [measure(name) for name in models or [name for name in MODELS if "video" in MODELS[name].kinds]]
    if file:
        Path(file).write_text(json.dumps(found, indent=1) + "\n")
    print_table(COLUMNS, [line(cost) for cost in found], title="one thread of this machine; MiB are the most so far")
    published = [
        line(
            {
                "model": one.model,
                "parameters": one.parameters,
                "batch": one.train_batch,
                "seconds": HOUR / one.iterations,
                "epochs": one.epochs,
                "answer": one.seconds_a_video,
                "mebibytes": one.train_mebibytes,
            }
        )
        for one in COSTS
    ]
    print_table(COLUMNS, published, title="published, on an RTX 2080 Ti (Table E.4)")


if __name__ == "__main__":
    main(*sys.argv[1:])
