"""What do the models of videos cost here? The columns of the paper's Table E.4, on one thread of this machine.

python perf/measure_video_costs.py                       all models of Table E.4 and the slot models
python perf/measure_video_costs.py FILE vimon savi       some of them; the table is also written to FILE, as JSON

Every model learns and answers in processes of its own, so that memory is its own. An iteration is a step on `BATCH`
videos of VMDS (ten frames of 64x64); the paper's batches are as large as its GPU held, so that epochs in an hour, not
iterations, are to be compared. Times are of the processor, of the fastest of three tries or more, or of fewer that
took long.

The last columns are of the same model written down plainly: one slot after the other, and a decoder that is told
latents and coordinates at every place. A plain step has to come to the same loss. Both take turns, so that whatever
else the machine does slows both. Of MONet's VAE and SAVi's decoder, where all of the difference is, the time is also
taken by itself, forwards and backwards.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

import unseen
from unseen.benchmarks.video.paper import COSTS
from unseen.cli.output import print_table
from unseen.models import MODELS, Videos
from unseen.models.convolutions import Broadcast
from unseen.train.devices import memory_kept

BATCH, TRIES, HOUR = 2, 3, 3600
SHORT, LONG = 5, 30  # seconds: tries go on until the former, and end where they have taken longer than the latter
SIDE = 64
VMDS = Videos(side=SIDE, frames=10, slots=4)
FRAMES = BATCH * VMDS.frames
CLIPS, TESTED = 10_000, 1_000  # of training, and of the test set
COLUMNS = (
    *("model", "side", "parameters", "batch", "MiB to learn", "iterations in 1 h", "epochs in 1 h"),
    *("MiB to answer", "s a video", "whole test set", "plain step takes", "plain VAE or decoder takes"),
)
NOT_MEASURED = {"plain": None, "paint": None}  # by the paper
ONE = "--one"  # model and work: what a process of its own is asked for


# ---------------------------------------------------------------------------- what is measured


def learn(name: str) -> dict[str, float]:
    """Take a few steps -> their time."""
    model, batch = made(name)
    (seconds,) = fastest(steps(model, batch, []))
    count = sum(weight.numel() for weight in model.parameters())
    return {"seconds": seconds, "parameters": count, "mebibytes": peak()}


def learn_plainly(name: str) -> dict[str, float]:
    """Take a few steps, and as many of the model written plainly -> how many times as long these take."""
    losses: list[float] = []
    ours, plain = (steps(write(made(name)[0]), made(name)[1], losses) for write in (as_it_is, write_plainly))
    seconds, plainly = fastest(ours, plain)
    if not math.isclose(*losses[:2], rel_tol=1e-3):
        raise SystemExit(f"{name} comes to a loss of {losses[0]}, and written plainly to {losses[1]}")
    return {"times": plainly / seconds}


def steps(model: nn.Module, batch: Any, losses: list[float]) -> Callable[[], None]:
    """What takes a step of a model, and notes its loss."""
    optimizer = torch.optim.Adam(model.parameters(), 1e-4)

    def step() -> None:
        torch.manual_seed(1)
        optimizer.zero_grad()
        loss = model.loss(batch)[0]  # type: ignore[operator]
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))

    return step


def answer(name: str) -> dict[str, float]:
    """Answer a video -> the time that it takes."""
    model, batch = made(name)
    one = {key: value[:1] for key, value in batch.items() if hasattr(value, "shape")}
    with torch.inference_mode():
        return {"seconds": fastest(lambda: model.eval().predict(one))[0], "mebibytes": peak()}


def paint_plainly(name: str) -> dict[str, float]:
    """Go through the part of a model that slots are painted by, forwards and backwards, both ways."""
    seconds, plainly = fastest(*(PAINTERS[name](write(made(name)[0])) for write in (as_it_is, write_plainly)))
    return {"times": plainly / seconds}


def explain_and_paint(model: nn.Module) -> Callable[[], None]:
    """MONet's VAE at work on the frames of a batch."""
    images = torch.rand(FRAMES, 3, SIDE, SIDE)
    claimed = torch.rand(FRAMES, model.slots, SIDE, SIDE).log_softmax(1)  # type: ignore[arg-type]

    def work() -> None:
        mean, _ = model.encoder(images, claimed).chunk(2, dim=-1)  # type: ignore[operator]
        colors, logits = model.decoder(mean)  # type: ignore[operator]
        (colors.sum() + logits.sum()).backward()

    return work


def paint_slots(model: nn.Module) -> Callable[[], None]:
    """SAVi's decoder at work on the slots of a batch."""
    slots = torch.rand(FRAMES, model.slots, 128)  # type: ignore[arg-type]
    return lambda: model.decoder(slots).image.sum().backward()  # type: ignore[operator]


PAINTERS = {"monet": explain_and_paint, "savi": paint_slots}
WORKS: dict[str, Callable[[str], dict[str, float]]] = {
    "learn": learn,
    "answer": answer,
    "plain": learn_plainly,
    "paint": paint_plainly,
}


def made(name: str) -> tuple[nn.Module, Any]:
    """A model and some videos of VMDS."""
    videos = unseen.load("video/vmds", "train", **getattr(MODELS[name], "view", {}))[:BATCH]
    batch = next(iter(videos.torch(BATCH)))
    torch.manual_seed(0)
    return MODELS[name](VMDS), batch


def fastest(*works: Callable[[], Any]) -> list[float]:
    """Seconds of the processor that works take, each in the fastest of its tries; works take turns."""
    spent: list[list[float]] = [[] for _ in works]
    while sum(spent[-1]) < (LONG if len(spent[-1]) < TRIES else SHORT):
        for work, each in zip(works, spent, strict=True):
            start = time.process_time()
            work()
            each.append(time.process_time() - start)
    return list(map(min, spent))


def peak() -> float:
    """The most memory that this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# ---------------------------------------------------------------------------- the same, written down plainly


class InTurn(nn.Module):
    """Does for one slot after the other what is done for all of them at once."""

    def __init__(self, work: nn.Module, slots: int) -> None:
        super().__init__()
        self.work, self.slots = work, slots

    def forward(self, x: Tensor) -> Tensor:
        """What is done is the same for any part of a batch."""
        parts = x.unflatten(0, (-1, self.slots)).unbind(1)
        return torch.stack([self.work(part) for part in parts], dim=1).flatten(0, 1)


def in_turn(painter: Broadcast, slots: int) -> Callable[[Tensor], Tensor]:
    """Paint one slot after the other, from latents and coordinates side by side at every place."""

    def spread(vectors: Tensor) -> Tensor:
        painted = []
        for slot in vectors.unflatten(0, (-1, slots)).unbind(1):
            everywhere = slot[:, :, None, None].expand(-1, -1, *painter.places.shape[1:])
            places = painter.places.expand(len(slot), -1, -1, -1)
            painted.append(painter.layers(torch.cat([everywhere, places], dim=1)))
        return torch.stack(painted, dim=1).flatten(0, 1)

    return spread


PARTS = ("encoder.layers", "decoder.brush", "refine.see")  # that work on all slots at once


def as_it_is(model: nn.Module) -> nn.Module:
    """The model."""
    return model


def write_plainly(model: nn.Module) -> nn.Module:
    """The model, all that works on slots at once working on one after the other."""
    for place in PARTS:
        owner, _, part = place.rpartition(".")
        holder = getattr(model, owner, None)
        if isinstance(work := getattr(holder, part, None), nn.Sequential):
            setattr(holder, part, InTurn(work, model.slots))  # type: ignore[arg-type]
    for part in model.modules():
        if isinstance(part, Broadcast):
            part.spread = in_turn(part, model.slots)  # type: ignore[method-assign, arg-type]
    return model


def works_of(name: str) -> list[str]:
    """What there is to measure of a model; trackers and grids have no parts that work on all slots at once."""
    works = ["learn", "answer"]
    works += ["plain"] if name not in ("tba", "scalor") else []
    return works + (["paint"] if name in PAINTERS else [])


# ---------------------------------------------------------------------------- the table


def measure(name: str) -> dict[str, Any]:
    """What a model takes to learn and to answer, each measured in a process of its own."""
    found = {work: _apart(name, work) for work in works_of(name)}
    step = found["learn"]
    return {
        "model": name,
        "side": SIDE,
        "parameters": int(step["parameters"]),
        "batch": BATCH,
        "train_mebibytes": step["mebibytes"],
        "iterations": HOUR / step["seconds"],
        "epochs": HOUR / step["seconds"] * BATCH / CLIPS,
        "test_mebibytes": found["answer"]["mebibytes"],
        "seconds_a_video": found["answer"]["seconds"],
        "seconds_in_all": found["answer"]["seconds"] * TESTED,
        **{work: found[work]["times"] if work in found else None for work in ("plain", "paint")},
    }


def _apart(name: str, work: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, ONE, name, work], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def line(cost: dict[str, Any]) -> tuple[str, ...]:
    """What was measured as a row."""
    minutes, seconds = divmod(round(cost["seconds_in_all"]), 60)
    return (
        *(cost["model"], str(cost["side"]), f"{cost['parameters']:,}", str(cost["batch"])),
        *(f"{cost['train_mebibytes']:,.0f}", f"{cost['iterations']:,.0f}", f"{cost['epochs']:.3g}"),
        *(f"{cost['test_mebibytes']:,.0f}", f"{cost['seconds_a_video']:.2f}", f"{minutes} min {seconds} s"),
        *(f"{cost[how]:.2f} times as long" if cost[how] else "" for how in ("plain", "paint")),
    )


def published() -> list[dict[str, Any]]:
    """The paper's own table."""
    return [{**vars(one), "side": one.resolution, "batch": one.train_batch, **NOT_MEASURED} for one in COSTS]


def main(file: str = "", *models: str) -> None:
    torch.set_num_threads(1)
    if file == ONE:
        name, work = models
        with memory_kept():  # as in training and in answering
            print(json.dumps(WORKS[work](name)))
        return
    found = [measure(name) for name in models or [name for name in MODELS if "video" in MODELS[name].kinds]]
    if file:
        Path(file).write_text(json.dumps(found, indent=1) + "\n")
    print_table(COLUMNS, [line(cost) for cost in found], title="one thread of this machine")
    print_table(COLUMNS, [line(cost) for cost in published()], title="published, on an RTX 2080 Ti (Table E.4)")


if __name__ == "__main__":
    main(*sys.argv[1:])
