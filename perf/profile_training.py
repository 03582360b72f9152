"""Where does the time of a training go? Shares of data, model, optimizer and evaluation over a few steps.

python perf/profile_training.py cogitao/s2-translate resnet 32
"""

from __future__ import annotations

import sys
from tempfile import TemporaryDirectory

import torch

from unseen.cli.output import print_table
from unseen.train import Devices, recipe_for, train

THREADS = 1
MOST_WAITING = 0.05  # share of the time between evaluations that may be spent waiting for data


def main(task: str = "cogitao/s2-translate", model: str = "resnet", steps: str = "32", device: str = "auto") -> None:
    torch.set_num_threads(THREADS)
    with TemporaryDirectory() as out:
        run = train(task, model, recipe=recipe_for(model, max_steps=int(steps)), out=out, on=Devices(device))
        spent, whole = run.curve[-1]["time"], run.state.seconds
    spent["other"] = whole - sum(spent.values())
    lines = [(what, f"{seconds:.3f}", f"{seconds / whole:.2%}") for what, seconds in spent.items()]
    print_table(("spent on", "seconds", "share"), lines, title=f"{task}, {model}: {steps} steps in {whole:.1f} s")
    training = sum(spent[what] for what in ("data", "forward", "backward", "optimizer"))
    verdict = "as wanted" if spent["data"] / training < MOST_WAITING else "too long"
    print(f"waiting for data: {spent['data'] / training:.2%} of the steps' time, {verdict}")


if __name__ == "__main__":
    main(*sys.argv[1:])
