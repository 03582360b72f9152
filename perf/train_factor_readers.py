"""Train the networks that read the objects of SVIB's 3-D images, and say how well they read.

python perf/train_factor_readers.py clevr
python perf/train_factor_readers.py clevrtex

Images are those of `svib/<world>-omni` (every combination of values), whose masks and records give objects, looks and
places. Of the train split a network learns. On images of the val split, sharp and blurred ones, it is chosen how sure
it has to be, so that it tells as much as it can with at most WRONG of the objects told wrongly. On images of the test
split, which took no part in either, it is measured. What is drawn and what is trained is kept in a folder, so that an
interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import permutations
from math import hypot
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from safetensors.torch import save_file

import unseen
from unseen.benchmarks.svib import factors
from unseen.benchmarks.svib.probe import CELLS, SIDE, Probe, Read, grid, prepared, told, weights
from unseen.benchmarks.svib.render import seen
from unseen.benchmarks.svib.worlds import WORLDS
from unseen.core.files import write_whole
from unseen.metrics.image import NEAR

BATCH = 32
LOOKED_AT = {"val": 400, "test": 500}  # images
SAVED = 200  # images or steps between two looks at the clock
WRONG = 0.008  # share of objects that may be told wrongly where it is chosen how sure a reader has to be; below 1 %
BLURRED = 24  # pixels across, to which images are reduced and enlarged again
CHANNELS = list(permutations(range(3)))


class Drawn(NamedTuple):
    """Images uint8 (n, SIDE, SIDE, 3), what is in each cell float16 (n, objects, CELLS, CELLS), looks and places."""

    images: np.ndarray
    shares: np.ndarray  # of a cell's pixels, that show an object
    objects: np.ndarray  # float32 (n, objects, factors + 2)


def drawn(world: str, split: str, count: int, folder: Path, seconds: float) -> Drawn:
    """Draw images and their objects, or read those that were drawn; stop when time is up."""
    path = folder / f"{world}-{split}.npz"
    made = [list(one) for one in np.load(path).values()] if path.exists() else [[], [], []]
    episodes = unseen.load(f"svib/{world}-omni", split)
    spec, view, began = episodes.task.split(split).spec, episodes.task.view, time.monotonic()
    while len(made[0]) < count and time.monotonic() - began < seconds:
        record = episodes[len(made[0])].record
        picture = seen(record.target, record, spec, view)
        cells = picture.masks.reshape(CELLS, len(picture.masks) // CELLS, CELLS, -1)
        shares = [(cells == number).mean(axis=(1, 3)) for number in range(1, len(record.target) + 1)]
        objects = [(*one.look, one.x, one.y) for one in factors.truth(record, spec)]
        image = (prepared(picture.image)[0].movedim(0, -1).numpy() * 255).round().astype(np.uint8)
        for values, value in zip(made, (image, np.array(shares, np.float16), objects), strict=True):
            values.append(value)
    found = Drawn(np.array(made[0]), np.array(made[1]), np.array(made[2], np.float32))
    np.savez(path, **found._asdict())
    return found


class Batch(NamedTuple):
    """What is shown, and what is to be told: shares of cells, looks, and places from the upper left."""

    images: torch.Tensor
    shares: torch.Tensor
    looks: torch.Tensor
    places: torch.Tensor


def batch(data: Drawn, step: int, world: str) -> Batch:
    """Images drawn by chance: mirrored, in other colors, brighter, blurred, as models draw them."""
    draw = torch.Generator().manual_seed(step)
    chosen = torch.randint(len(data.images), (BATCH,), generator=draw).numpy()
    images = torch.from_numpy(data.images[chosen]).movedim(-1, 1).float() / 255
    shares, objects = (torch.from_numpy(one[chosen]).float() for one in (data.shares, data.objects))
    looks, places = objects[..., :-2].long(), torch.stack([objects[..., -2], 1 - objects[..., -1]], dim=-1)
    turned = torch.rand(BATCH, generator=draw) < 0.5
    images, shares = (torch.where(turned[:, None, None, None], one.flip(3), one) for one in (images, shares))
    places[turned, :, 0] = 1 - places[turned, :, 0]
    if WORLDS[world].colors:
        order = torch.randint(len(CHANNELS), (BATCH,), generator=draw)
        images = torch.stack([image[list(CHANNELS[k])] for image, k in zip(images, order, strict=True)])
        looks[..., 0] = recolored(WORLDS[world].colors)[order[:, None], looks[..., 0]]
    images = images * (0.85 + 0.3 * torch.rand(BATCH, 1, 1, 1, generator=draw))
    if torch.rand((), generator=draw) < 0.35:
        images = blurred(images, int(torch.randint(SIDE // 4, SIDE, (), generator=draw)))
    images = (images + 0.02 * torch.randn(images.shape, generator=draw)).clamp(0, 1)
    return Batch(images, shares, looks, places)


def recolored(colors: tuple[str, ...]) -> torch.Tensor:
    """Which color each becomes when the channels are put into another order: (orders, colors)."""
    values = [tuple(bytes.fromhex(color)) for color in colors]
    return torch.tensor([[values.index(tuple(one[k] for k in order)) for one in values] for order in CHANNELS])


def blurred(images: torch.Tensor, pixels: int) -> torch.Tensor:
    """Images reduced to so many pixels across, and enlarged again."""
    return F.interpolate(F.interpolate(images, (pixels, pixels), mode="area"), (SIDE, SIDE), mode="bilinear")


def loss_of(network: Probe, shown: Batch) -> torch.Tensor:
    """How far the network is from what is there; every object counts the same, however many cells show it."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        shows, middles, values = network(shown.images.contiguous(memory_format=torch.channels_last))
    loss = 2 * F.binary_cross_entropy_with_logits(shows, shown.shares.sum(dim=1))
    most, owner = shown.shares.max(dim=1)
    counts = most * (most > 0.3)
    total = torch.stack([(counts * (owner == k)).sum(dim=(1, 2)) for k in range(shown.shares.shape[1])], dim=1)
    counts = counts / (total.gather(1, owner.flatten(1)).view_as(counts) + 2) / BATCH
    which = torch.arange(BATCH)[:, None, None]
    wanted = CELLS * shown.places[which, owner].movedim(-1, 1) - grid()
    off = F.smooth_l1_loss(middles, wanted, beta=0.3, reduction="none").sum(dim=1)
    loss = loss + 0.5 * (off * counts).sum()
    for k, one in enumerate(values):
        loss = loss + (F.cross_entropy(one, shown.looks[which, owner, k], reduction="none") * counts).sum()
    return loss


def trained(world: str, data: Drawn, steps: int, folder: Path, seconds: float) -> tuple[Probe, int]:
    """Train a network, or go on; stop when time is up. Returns it and how many steps it has had."""
    torch.manual_seed(0)
    network = Probe(tuple(map(len, WORLDS[world].vocabularies)))
    network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=0.02)
    path, step = folder / f"{world}.pt", 0
    if path.exists():
        step, state, moments = torch.load(path).values()
        network.load_state_dict(state)
        optimizer.load_state_dict(moments)
    began, total = time.monotonic(), 0.0
    while step < steps and time.monotonic() - began < seconds:
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * min(1.0, (step + 1) / 100) * max(0.01, 1 - step / steps)
        loss = loss_of(network, batch(data, step, world))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        step, total = step + 1, total + float(loss.detach())
        if step % SAVED == 0:
            print(json.dumps({"step": step, "loss": round(total / SAVED, 3)}), flush=True)
            total = 0.0
    torch.save({"step": step, "weights": network.state_dict(), "moments": optimizer.state_dict()}, path)
    return network.eval(), step


class Judged(NamedTuple):
    """Readings of some images: how sure each was, whether it was right, and how many objects there are."""

    sure: np.ndarray
    right: np.ndarray
    objects: int

    def shares(self, sure: float) -> dict[str, float]:
        """Shares of the objects that are told right and wrong by a reader that has to be so sure."""
        told = self.sure >= sure
        right = float((told & self.right).sum() / self.objects)
        return {"right": round(right, 4), "wrong": round(float(told.sum() / self.objects) - right, 4)}


def judged(network: Probe, data: Drawn, pixels: int) -> Judged:
    """Read images that are blurred to so many pixels, and compare with what is there."""
    shown = blurred(torch.from_numpy(data.images).movedim(-1, 1).float() / 255, pixels)
    with torch.inference_mode():
        found = [one for some in shown.split(BATCH) for one in told(network, some, data.objects.shape[1])]
    right = [one for some, there in zip(found, data.objects, strict=True) for one in are_right(some, there)]
    return Judged(np.array([one.sure for some in found for one in some]), np.array(right), data.objects[..., 0].size)


def are_right(found: list[Read], there: np.ndarray) -> list[bool]:
    """Whether each reading is one of the objects in every factor, and in its place."""
    left = [(tuple(map(int, one[:-2])), float(one[-2]), float(one[-1])) for one in there]
    right = []
    for one in found:
        same = [(look, x, y) for look, x, y in left if look == one.look and hypot(x - one.x, y - one.y) <= NEAR]
        right.append(bool(same))
        if same:
            left.remove(same[0])
    return right


def calibrated(*some: Judged) -> float:
    """How sure a reader has to be: as little as keeps wrong readings below WRONG in each set of readings."""
    for sure in np.arange(0.0, 1.0, 0.01):
        if all(one.shares(float(sure))["wrong"] <= WRONG for one in some):
            return round(float(sure), 2)
    return 1.0


def main() -> None:
    """Draw, train, choose how sure, measure, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", choices=[name for name, world in WORLDS.items() if not world.flat])
    parser.add_argument("--images", type=int, default=4000)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of drawing and of training, at most")
    parser.add_argument("--folder", type=Path, default=Path("runs/factor_readers"))
    asked = parser.parse_args()
    torch.set_num_threads(1)  # so that a second run gives the same bits
    asked.folder.mkdir(parents=True, exist_ok=True)
    data = drawn(asked.world, "train", asked.images, asked.folder, asked.seconds)
    if len(data.images) < asked.images:
        print(f"{len(data.images):,} images of {asked.images:,} drawn")
        return
    network, step = trained(asked.world, data, asked.steps, asked.folder, asked.seconds)
    if step < asked.steps:
        print(f"{step:,} steps of {asked.steps:,} trained")
        return
    halves = {name: value.half().contiguous() for name, value in network.state_dict().items()}
    network.load_state_dict(halves)  # as it ships
    looked_at = {split: drawn(asked.world, split, count, asked.folder, np.inf) for split, count in LOOKED_AT.items()}
    sure = calibrated(*(judged(network, looked_at["val"], pixels) for pixels in (SIDE, BLURRED)))
    result = {
        f"{name}_{share}": value
        for name, pixels in (("sharp", SIDE), ("blurred", BLURRED))
        for share, value in judged(network, looked_at["test"], pixels).shares(sure).items()
    }
    save_file(halves, asked.folder / "halves.safetensors", {"sure": str(sure), "measured": json.dumps(result)})
    write_whole(weights(asked.world), (asked.folder / "halves.safetensors").read_bytes())
    print(json.dumps({"world": asked.world, "images": asked.images, "steps": asked.steps, "sure": sure, **result}))


if __name__ == "__main__":
    main()
