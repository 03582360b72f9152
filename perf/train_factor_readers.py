"""Train the networks that read the objects of SVIB's 3-D images, and say how well they read.

python perf/train_factor_readers.py clevr --images 4000 --steps 4000
python perf/train_factor_readers.py clevrtex --images 4000 --steps 6000

Images are those of `svib/<world>-omni` (every combination of values), whose records give looks and places. What is
drawn and what is trained is kept in a folder, so that an interrupted run goes on where it stopped. The accuracy is that
of the test split, on the images themselves and on blurred ones, as models draw them.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from safetensors.torch import load_file, save_file

import unseen
from unseen.benchmarks.svib import factors
from unseen.benchmarks.svib.probe import CELLS, SIDE, Probe, told, weights
from unseen.benchmarks.svib.render import seen
from unseen.core.files import write_whole
from unseen.metrics.image import factor_accuracy

BATCH = 24
TEST = 400  # images of the test split
SAVED = 200  # images or steps between two looks at the clock


def drawn(world: str, split: str, count: int, folder: Path, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """Draw images and their objects, or read those that were drawn; stop when time is up."""
    path = folder / f"{world}-{split}.npz"
    images, objects = (list(one) for one in np.load(path).values()) if path.exists() else ([], [])
    episodes = unseen.load(f"svib/{world}-omni", split)
    spec, view, began = episodes.task.split(split).spec, episodes.task.view, time.monotonic()
    while len(images) < count and time.monotonic() - began < seconds:
        record = episodes[len(images)].record
        images.append(seen(record.target, record, spec, view).image)
        objects.append([(*one.look, one.x, one.y) for one in factors.truth(record, spec)])
    np.savez(path, images=np.array(images), objects=np.array(objects, np.float32))
    return np.array(images), np.array(objects, np.float32)


def changed(images: torch.Tensor, places: torch.Tensor, draw: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Mirror, brighten and blur images by chance: what models draw is blurred, and as good from the other side."""
    places = places.clone()
    turned = torch.rand(len(images), generator=draw) < 0.5
    images = torch.where(turned[:, None, None, None], images.flip(3), images)
    places[turned, :, 0] = 1 - places[turned, :, 0]
    images = images * (0.85 + 0.3 * torch.rand(len(images), 1, 1, 1, generator=draw))
    if torch.rand((), generator=draw) < 0.3:
        smaller = int(torch.randint(SIDE // 4, SIDE, (), generator=draw))
        images = F.interpolate(F.interpolate(images, (smaller, smaller), mode="area"), (SIDE, SIDE), mode="bilinear")
    return (images + 0.02 * torch.randn(images.shape, generator=draw)).clamp(0, 1), places


def loss_of(network: Probe, images: torch.Tensor, looks: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """How far the network is from what is there."""
    sure, where, values = network(images)
    x, y = places[..., 0] * CELLS, (1 - places[..., 1]) * CELLS
    column, row = x.long().clamp(0, CELLS - 1), y.long().clamp(0, CELLS - 1)
    rows, columns = torch.arange(CELLS)[:, None] + 0.5, torch.arange(CELLS)[None] + 0.5
    far = (rows - y[..., None, None]) ** 2 + (columns - x[..., None, None]) ** 2
    wanted = torch.exp(-far / 0.5).amax(dim=1)
    which = torch.arange(len(images))[:, None].expand_as(row)
    wanted[which, row, column] = 1.0
    loss = 20 * F.binary_cross_entropy_with_logits(sure, wanted)
    offsets = torch.stack([x - column - 0.5, y - row - 0.5], dim=-1)
    loss = loss + 5 * F.smooth_l1_loss(where.movedim(1, -1)[which, row, column], offsets, beta=0.1)
    for k, one in enumerate(values):
        loss = loss + F.cross_entropy(one.movedim(1, -1)[which, row, column].flatten(0, 1), looks[..., k].flatten())
    return loss


def trained(world: str, images: np.ndarray, objects: np.ndarray, steps: int, folder: Path, seconds: float) -> Probe:
    """Train a network, or go on; stop when time is up."""
    values = tuple(map(len, factors.WORLDS[world].vocabularies))
    torch.manual_seed(0)
    network = Probe(values)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=0.01)
    path, first = folder / f"{world}.pt", 0
    if path.exists():
        first, weights, moments = torch.load(path).values()
        network.load_state_dict(weights)
        optimizer.load_state_dict(moments)
    pixels = torch.from_numpy(images).movedim(-1, 1)
    looks, places = torch.from_numpy(objects[..., :-2]).long(), torch.from_numpy(objects[..., -2:])
    began, step = time.monotonic(), first
    while step < steps and time.monotonic() - began < seconds:
        draw = torch.Generator().manual_seed(step)
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * min(1.0, step / 100, 1.02 - step / steps)
        chosen = torch.randint(len(images), (BATCH,), generator=draw)
        shown, where = changed(pixels[chosen].float() / 255, places[chosen], draw)
        loss = loss_of(network, shown, looks[chosen], where)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % SAVED == 0:
            print(json.dumps({"step": step, "loss": round(float(loss), 3)}), flush=True)
    torch.save({"step": step, "weights": network.state_dict(), "moments": optimizer.state_dict()}, path)
    return network.eval()


def measured(network: Probe, images: np.ndarray, objects: np.ndarray) -> dict[str, float]:
    """How well a network reads: objects that are right in everything, told at all, and right of those told."""
    truth = [[(tuple(map(int, one[:-2])), float(one[-2]), float(one[-1])) for one in some] for some in objects]
    pixels = torch.from_numpy(images).movedim(-1, 1).float() / 255
    blurred = F.interpolate(F.interpolate(pixels, (48, 48), mode="area"), (SIDE, SIDE), mode="bilinear")
    result = {}
    for name, shown in (("sharp", pixels), ("blurred", blurred)):
        with torch.inference_mode():
            found = [one for some in shown.split(BATCH) for one in told(network, some, objects.shape[1])]
        said = sum(map(len, found))
        right = factor_accuracy(truth, found) * objects.shape[0] * objects.shape[1]
        result |= {f"{name}_right": right / objects[..., 0].size, f"{name}_told": said / objects[..., 0].size}
        result |= {f"{name}_right_of_told": right / max(1, said)}
    return {name: round(value, 4) for name, value in result.items()}


def main() -> None:
    """Draw, train, measure, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", choices=("clevr", "clevrtex"))
    parser.add_argument("--images", type=int, default=4000)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of drawing and of training, at most")
    parser.add_argument("--folder", type=Path, default=Path("runs/factor_readers"))
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    test = drawn(asked.world, "test", TEST, asked.folder, asked.seconds)
    images = drawn(asked.world, "train", asked.images, asked.folder, asked.seconds)
    if len(images[0]) < asked.images:
        print(f"{len(images[0]):,} images of {asked.images:,} drawn")
        return
    network = trained(asked.world, *images, asked.steps, asked.folder, asked.seconds)
    halves = {name: value.half() for name, value in network.state_dict().items()}
    target = weights(asked.world)
    save_file(halves, asked.folder / "halves.safetensors")
    write_whole(target, (asked.folder / "halves.safetensors").read_bytes())
    network.load_state_dict({name: value.float() for name, value in load_file(target).items()})
    print(json.dumps(measured(network, *test)))


if __name__ == "__main__":
    main()
