"""Run the experiments of a published table: train, predict, score, and set the results beside the paper's.

python experiments/run.py table2 --models resnet --only s2-translate     one task, as in the paper
python experiments/run.py table1 --budget 0.01 --seeds 1                 everything, with a hundredth of the training
python experiments/run.py table2 --dry-run                               the commands, and nothing else

Interrupted, it goes on where it was: what has a record is not run again. With a budget below 1, training has that share
of the paper's steps, its schedule shortened alike; runs and records are kept apart from those of other budgets, say so,
and `unseen results` shows the share.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from unseen.core.catalogue import BENCHMARKS, task
from unseen.core.task import Benchmark
from unseen.results.compare import experiments_of

HERE = Path(__file__).parent
TABLES = sorted(path.stem for path in HERE.glob("table*.toml"))


@dataclass(frozen=True)
class Experiment:
    """One training of one model on one task, in a folder for runs and records of one budget."""

    benchmark: Benchmark
    task: str
    model: str
    seed: int
    budget: float
    out: Path

    @property
    def folder(self) -> Path:
        return self.out / "runs" / self.task / self.model / f"seed-{self.seed}"

    @property
    def record(self) -> Path:
        return self.out / "results" / self.task / f"{self.model}-seed-{self.seed}.json"

    @property
    def steps(self) -> int:
        """Of training, at this budget."""
        paper = self.benchmark.file("paper")
        per_epoch: int = ceil(task(self.task).split("train").size / paper.BATCH_SIZE[self.model])
        epochs: int = paper.EPOCHS[self.model]
        return max(1, round(self.budget * epochs * per_epoch))

    @property
    def examples(self) -> int:
        """That training sees, but for the shorter last batch of an epoch."""
        return self.steps * int(self.benchmark.file("paper").BATCH_SIZE[self.model])

    def commands(self) -> Iterator[list[str]]:
        train = ["train", self.task, "--model", self.model, "--seed", str(self.seed), "--out", str(self.out / "runs")]
        if self.budget < 1:
            warm_up = max(1, round(self.budget * self.benchmark.file("paper").WARM_UP))
            train += ["--steps", str(self.steps), "--recipe", f"warmup={warm_up}"]
        yield train
        yield ["predict", str(self.folder)]
        yield ["score", str(self.folder), "--results", str(self.out / "results")]


def read_table(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text())


def planned(table: dict[str, Any], asked: argparse.Namespace) -> list[Experiment]:
    """What a table needs, less what was not asked for."""
    benchmark = BENCHMARKS[table["benchmark"]]
    results = benchmark.file("paper").TABLES[table["table"]]
    places = dict.fromkeys(
        (experiment, result.model) for result in results for experiment in experiments_of(benchmark, result.task)
    )
    return [
        Experiment(benchmark, f"{benchmark.name}/{name}", model, seed, asked.budget, asked.out)
        for seed in range(asked.seeds or table["seeds"])  # all tasks once before any a second time
        for name, model in places
        if model in (asked.models or [model]) and any(name.startswith(start) for start in asked.only or [""])
    ]


def cost(table: dict[str, Any], experiments: Sequence[Experiment]) -> str:
    """How long the experiments take, from the examples per second that the table's file states."""
    lines = [f"{len(experiments)} runs, {sum(one.examples for one in experiments):,} training examples"]
    for place, speeds in table["examples_per_second"].items():
        hours = sum(one.examples / speeds[one.model] for one in experiments) / 3600
        lines.append(f"about {hours:,.1f} hours on {place}")
    return "; ".join(lines)


def run(experiments: Sequence[Experiment], *, dry_run: bool) -> None:
    for one in experiments:
        if one.record.exists():
            print(f"# done: {one.record}", flush=True)
            continue
        for command in one.commands():
            call(command, dry_run=dry_run)


def call(command: Sequence[str], *, dry_run: bool) -> None:
    """Show a command and run it; a command that fails ends everything, with its exit code."""
    print(shlex.join(["unseen", *command]), flush=True)
    if not dry_run:
        code = subprocess.run([sys.executable, "-m", "unseen", *command]).returncode
        if code:
            sys.exit(code)


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run the experiments of a published table.")
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("--budget", type=share, default=1.0, help="share of the paper's training steps, up to 1")
    parser.add_argument("--models", nargs="+", help="only these")
    parser.add_argument("--only", nargs="+", metavar="TASK", help="only tasks whose names begin so: s2, s2-translate")
    parser.add_argument("--seeds", type=int, help="how many; the table's own number by default")
    parser.add_argument("--out", type=Path, help="folder for runs/ and results/; by default here, or budget-SHARE/")
    parser.add_argument("--dry-run", action="store_true", help="show the commands, and run none")
    asked = parser.parse_args(arguments)
    asked.out = asked.out or Path("." if asked.budget == 1 else f"budget-{asked.budget:g}")
    return asked


def share(text: str) -> float:
    value = float(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"must be above 0 and at most 1, got {text}")
    return value


def main(arguments: Sequence[str] | None = None) -> None:
    asked = read_arguments(arguments)
    table = read_table(asked.table)
    experiments = planned(table, asked)
    if not experiments:
        sys.exit(
            f"{asked.table} has nothing of models {asked.models} and tasks {asked.only}; see --dry-run without them"
        )
    title = BENCHMARKS[table["benchmark"]].file("paper").TITLES[table["table"]]
    print(f"# Table {table['table']}: {title}\n# {cost(table, experiments)}", flush=True)
    run(experiments, dry_run=asked.dry_run)
    results = ["results", table["benchmark"], "--table", table["table"], "--records", str(asked.out / "results")]
    call(results, dry_run=asked.dry_run)


if __name__ == "__main__":
    main()
