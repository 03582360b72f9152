"""Where does the time of a training go? Shares of data, model, optimizer and evaluation over a few steps.

python perf/profile_training.py cogitao/s2-translate resnet 32           one task and model, workers where they pay
python perf/profile_training.py cvr/inside file.py:Mine 32 2             the same with two worker processes
python perf/profile_training.py covr/iid visualbert 8 auto layers=2      options of the model
"""

from __future__ import annotations

import sys
from tempfile import TemporaryDirectory

import torch

from unseen.cli.output import print_table
from unseen.cli.train import read_pairs, read_value
from unseen.train import Devices, train

THREADS = 1
MOST_WAITING = 0.05  # share of the time between evaluations that may be spent waiting for data


def main(
    task: str = "cogitao/s2-translate",
    model: str = "resnet",
    steps: str = "32",
    workers: str = "auto",
    *options: str,
) -> None:
    torch.set_num_threads(THREADS)
    on = Devices(workers=None if workers == "auto" else int(workers))
    changes = {"max_steps": int(steps), "eval_examples": 100}
    with TemporaryDirectory() as out:
        run = train(
            task,
            model,
            changes=changes,
            options={name: read_value(text) for name, text in read_pairs(options)},
            out=out,
            on=on,
        )
        last, whole = run.log[-1], run.state.seconds
    spent = {**last.time, "other": whole - sum(last.time.values())}
    lines = [(what, f"{seconds:.3f}", f"{seconds / whole:.2%}") for what, seconds in spent.items()]
    title = f"{task}, {model}, workers {workers}: {steps} steps in {whole:.1f} s, {last.memory / 2**20:,.0f} MiB"
    print_table(("spent on", "seconds", "share"), lines, title=title)
    training = sum(spent[what] for what in ("data", "forward", "backward", "optimizer"))
    verdict = "as wanted" if spent["data"] / training < MOST_WAITING else "too long"
    print(f"waiting for data: {spent['data'] / training:.2%} of the steps' time, {verdict}")


if __name__ == "__main__":
    main(*sys.argv[1:])
