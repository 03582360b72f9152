"""Draw the picture of docs/code_order.md from the runs of its sweep, and count what models answer to a held-out pair.

unseen sweep cogitao/code-order && python docs/code_order.py runs
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import mean

import numpy as np

import unseen
from unseen.benchmarks.cogitao.render import paint
from unseen.predict import read_predictions
from unseen.render import figure
from unseen.render.png import encode_png
from unseen.runs import Run, open_run
from unseen.sweeps import plan, read_sweep

PICTURE = Path(__file__).parent / "pictures" / "pages" / "code-order.png"
SPLIT = "test_paired_ood"
CELL = 15  # pixels
EXAMPLES = 2  # of each experiment


def titled(words: str, grid: np.ndarray, wrong: np.ndarray | None = None) -> np.ndarray:
    """A grid below its title, with a cross in every wrong cell."""
    drawn = figure.lined(np.maximum(grid, 0), CELL)
    if wrong is not None:
        drawn = figure.crossed(drawn, wrong, CELL)
    return figure.above([figure.text(words, size=12, color=figure.QUIET), drawn], gap=4)


def answers_of(run: Run) -> list[np.ndarray]:
    """What a model answered to the held-out pair."""
    return [np.asarray(answer) for answer in read_predictions(run.predictions_file(SPLIT)).values]


def counted(run: Run) -> dict[str, float]:
    """The share of answers that are what some sequence of the two steps asks for, in percent."""
    spec = run.task.splits[SPLIT].spec
    shares = dict.fromkeys(("both steps", "reversed", "first step", "second step"), 0)
    answers = answers_of(run)
    for example, answer in zip(unseen.load(run.task.id, SPLIT), answers, strict=True):
        first, second = example.record.sequence
        asked = ((first, second), (second, first), (first,), (second,))
        for name, sequence in zip(shares, asked, strict=True):
            shares[name] += np.array_equal(paint(sequence, example.record.query, spec)[0][-1], answer)
    return {name: 100 * share / len(answers) for name, share in shares.items()}


def summed_up(runs: list[Run]) -> str:
    """What some seeds of one model answer: each share as a mean, and from the lowest to the highest."""
    found = [counted(run) for run in runs]
    columns = {name: [one[name] for one in found] for name in found[0]}
    said = (f"{name} {mean(all_):.1f} ({min(all_):.1f} to {max(all_):.1f})" for name, all_ in columns.items())
    first = runs[0]
    steps = " -> ".join(first.task.splits[SPLIT].spec.sequences[0])
    return f"{steps}, {first.config.model}, {len(runs)} seeds: {', '.join(said)}"


def row(published: Run, mended: Run, index: int) -> np.ndarray:
    """One example: what both orders ask for, and what both models answer."""
    example = unseen.load(published.task.id, SPLIT)[index]
    right, reverse = example.target["grid"], example.target["paired_grid"]
    answers = [answers_of(run)[index] for run in (published, mended)]
    pieces = [
        titled("input", example.inputs["grid"]),
        titled("held out: right", right),
        titled("published answers", answers[0], answers[0] != right),
        titled("trained reverse", reverse),
        titled("mended answers", answers[1], answers[1] != right),
    ]
    whole = figure.beside(pieces, gap=18, align="start")
    return figure.above([figure.chain(example.scene["sequence"], whole.shape[1]), whole], gap=8)


def main() -> None:
    planned = plan(read_sweep("cogitao/code-order"), out=Path(sys.argv[1]).parent)
    forms: dict[str, dict[str, list[Run]]] = {}  # by task and model, the seeds
    for one in planned:
        if one.record.exists():
            run = open_run(one.folder)
            forms.setdefault(one.task, {}).setdefault(one.model, []).append(run)
    for models in forms.values():
        for runs in models.values():
            print(summed_up(runs))
    both = [models for models in forms.values() if len(models) == 2]
    rows = [row(*(runs[0] for runs in models.values()), index) for models in both for index in range(EXAMPLES)]
    PICTURE.write_bytes(encode_png(figure.margin(figure.above(rows, gap=26), 10)))
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
