"""`unseen train`: train a model on a task, and test it."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unseen.cli.asked import AsJson, SpecFile, Words, read_asked
from unseen.cli.output import print_json, print_table, progress_bar
from unseen.core.errors import SpecError

if TYPE_CHECKING:
    from unseen.train import Recipe, Run

Device = Annotated[str, typer.Option(help="auto, cpu, gpu, cuda, mps or tpu.")]


def train(
    words: Words = None,
    model: Annotated[str, typer.Option(help="A model, or your own: file.py:Class.")] = "resnet",
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="An option of the model.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of weights, order and dropout; the data stay the same.")] = 0,
    epochs: Annotated[int | None, typer.Option(help="Rounds through the training examples.")] = None,
    steps: Annotated[int | None, typer.Option(help="At most so many; the schedule ends with them.")] = None,
    minutes: Annotated[float | None, typer.Option(help="At most so long.")] = None,
    precision: Annotated[str | None, typer.Option(help="32-true, bf16-mixed, or 16-mixed as in the paper.")] = None,
    select: Annotated[str | None, typer.Option(help="The split whose loss chooses the best weights.")] = None,
    recipe: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Anything else of the recipe: batch_size=32.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="A folder of data, instead of drawing them.")] = None,
    out: Annotated[Path, typer.Option(help="Where runs are kept, each in a folder of its own.")] = Path("runs"),
    fresh: Annotated[bool, typer.Option("--fresh/--resume", help="Start anew, or go on where it stopped.")] = False,
    init_from: Annotated[Path | None, typer.Option(help="A run whose weights to begin with.")] = None,
    freeze: Annotated[list[str] | None, typer.Option(help="A part that does not learn; may be repeated.")] = None,
    device: Device = "auto",
    devices: Annotated[int, typer.Option(min=1, help="So many of them in each node.")] = 1,
    nodes: Annotated[int, typer.Option(min=1, help="Machines that train together.")] = 1,
    workers: Annotated[int | None, typer.Option(min=0, help="Processes that make batches.")] = None,
    spec: SpecFile = None,
    json: AsJson = False,
) -> None:
    """Train a model on a task and test its best weights; interrupted, it goes on where it stopped.

    unseen train cogitao/s2-translate --model resnet
    """
    from unseen.train import Devices
    from unseen.train import train as train_model

    asked = read_asked(words, spec)
    if asked.words:
        raise SpecError(f"{asked.words[0]!r} is neither a task nor an option; options are written key=value")
    seconds = None if minutes is None else 60 * minutes
    changes = {"epochs": epochs, "max_steps": steps, "max_seconds": seconds, "precision": precision, "select": select}
    with progress_bar() as progress:
        run = train_model(
            asked.task(),
            model,
            seed=seed,
            recipe=read_recipe(model, changes, recipe or ()),
            options={name: read_value(text) for name, text in read_pairs(set_ or ())},
            data=data,
            out=out,
            fresh=fresh,
            init_from=init_from,
            freeze=freeze or (),
            on=Devices(device, devices=devices, nodes=nodes, workers=workers),
            progress=progress,
        )
        if run.rank:  # the first process tells
            return
        scores = tested(run, device=device, progress=progress)
    _tell(run, scores, json)


def read_recipe(model: str, changes: dict[str, Any], written: Sequence[str]) -> Recipe:
    """The recipe of a model with what the command line changes of it."""
    from dataclasses import asdict

    from unseen.core.options import read_options
    from unseen.train import Recipe, recipe_for

    given = {name: value for name, value in changes.items() if value is not None}
    settled = {**asdict(recipe_for(model)), **given, **dict(read_pairs(written))}
    (recipe,) = read_options((Recipe,), settled, of="a training recipe")
    return recipe  # type: ignore[no-any-return]


def read_pairs(written: Sequence[str]) -> list[tuple[str, str]]:
    """`key=value` words as pairs."""
    for word in written:
        if "=" not in word:
            raise SpecError(f"{word!r} has no value; write it as {word}=value")
    return [(word.partition("=")[0], word.partition("=")[2]) for word in written]


def read_value(text: str) -> Any:
    """The number, truth value or list that a text spells, or the text.

    >>> read_value("128"), read_value("1e-3"), read_value("true"), read_value("gelu")
    (128, 0.001, True, 'gelu')
    """
    try:
        return jsonlib.loads(text)
    except jsonlib.JSONDecodeError:
        return text


def tested(run: Run, *, device: str, progress: Any) -> dict[str, float]:
    """The headline metric of a run's best weights on its test splits."""
    from unseen.predict.run import predict, splits_to_test
    from unseen.results.scoring import score

    metric = run.task.metrics[0]
    scores = {}
    for split in splits_to_test(run):
        path = predict(run, split, device=device, progress=progress)
        scores[split] = score(run.task, split, path, seed=run.config.data_seed, metrics=[metric])[metric]
    return scores


def _tell(run: Run, scores: dict[str, float], as_json: bool) -> None:
    state, metric = run.state, run.task.metrics[0]
    if as_json:
        spent = {"steps": state.step, "seconds": state.seconds, "best_step": state.best_step, "stopped": state.stopped}
        print_json({"run": str(run.folder), **spent, metric: scores})
        return
    ends = {"finished": "trained", "patience": "stopped early", "time": "out of time"}
    print(f"{run.folder}: {ends[state.stopped]} after {state.step:,} steps, {state.seconds:,.0f} s")
    print(f"best weights: those of step {state.best_step:,}")
    print_table(("split", metric), list(scores.items()))
