"""`unseen train`: train a model on a task, and test it."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unseen.cli.asked import AsJson, Asked, SpecFile, Words, read_asked
from unseen.cli.output import print_json, print_table, progress_bar
from unseen.core.errors import SpecError, UnknownName

if TYPE_CHECKING:
    from unseen.core.task import Task
    from unseen.runs import Run
    from unseen.train import Devices

Device = Annotated[str, typer.Option(help="The device: auto, cpu, gpu, cuda, mps or tpu.")]
RecipeWords = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Any other part of the recipe, such as batch_size=32, or STAGE.epochs=3; may be repeated.",
    ),
]


def train(
    words: Words = None,
    model: Annotated[str, typer.Option(help="A model by name, or your own as file.py:Class.")] = "resnet",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="An option of the model, such as width=64; may be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of weights, order and dropout; the data stay the same.")] = 0,
    epochs: Annotated[int | None, typer.Option(help="Number of rounds through the training examples.")] = None,
    steps: Annotated[int | None, typer.Option(help="Number of steps at most; the schedule ends with them.")] = None,
    minutes: Annotated[float | None, typer.Option(help="Number of minutes at most.")] = None,
    precision: Annotated[
        str | None, typer.Option(help="The precision: 32-true, bf16-mixed, or 16-mixed as in the paper.")
    ] = None,
    select: Annotated[
        str | None, typer.Option(help="The split whose loss chooses the best weights, or SPLIT:VALUE or SPLIT:METRIC.")
    ] = None,
    recipe: RecipeWords = None,
    data: Annotated[
        str | None, typer.Option(help="A folder or URL of data to train on, instead of drawing examples.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder of all runs; each has a folder of its own in it.")] = Path(
        "runs"
    ),
    fresh: Annotated[
        bool, typer.Option("--fresh/--resume", help="Start anew, or continue where an earlier run stopped.")
    ] = False,
    init_from: Annotated[
        str | None, typer.Option(help="Weights to start from: a run, RUN:STAGE, or a .safetensors, .pt or .pth file.")
    ] = None,
    init_names: Annotated[
        list[str] | None,
        typer.Option(
            metavar="THERE=HERE", help="How names of those weights begin, and what that becomes in the model."
        ),
    ] = None,
    freeze: Annotated[
        list[str] | None, typer.Option(help="A part of the model that does not learn; may be repeated.")
    ] = None,
    device: Device = "auto",
    devices: Annotated[int, typer.Option(min=1, help="Number of devices per node.")] = 1,
    nodes: Annotated[int, typer.Option(min=1, help="Number of machines that train together.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0, help="Number of processes that make batches; by default two beside a GPU, else one where it pays."
        ),
    ] = None,
    memory: Annotated[float, typer.Option(min=0, help="GiB of examples to keep between epochs.")] = 1.0,
    spec: SpecFile = None,
    json: AsJson = False,
) -> None:
    """Train a model on a task and test its best weights.

    If it is interrupted, run the same command again: it continues where it stopped.

    unseen train cogitao/s2-translate --model resnet
    """
    from unseen.train import Devices
    from unseen.train import train as train_model

    asked = read_asked(words, spec)
    if asked.words:
        raise SpecError(f"{asked.words[0]!r} is neither a task nor an option; options are written key=value")
    seconds = None if minutes is None else 60 * minutes
    named = {"epochs": epochs, "max_steps": steps, "max_seconds": seconds, "precision": precision, "select": select}
    given = {name: value for name, value in named.items() if value is not None}
    changes = {**given, **dict(read_pairs(recipe or ()))}
    on = Devices(device, devices=devices, nodes=nodes, workers=workers, memory=memory)
    tell_advice(on, changes)
    with progress_bar() as progress:
        run = train_model(
            _task_for(asked, model),
            model,
            seed=seed,
            changes=changes,
            options={name: read_value(text) for name, text in read_pairs(set_ or ())},
            data=data,
            out=out,
            fresh=fresh,
            init_from=init_from,
            init_names=dict(read_pairs(init_names or ())),
            freeze=freeze or (),
            on=on,
            progress=progress,
        )
        if run.rank:  # the first process tells
            return
        scores = tested(run, device=device, progress=progress)
    _tell(run, scores, json)


def _task_for(asked: Asked, model: str) -> Task:
    """The task with its options; one of the model's that stands among them is refused with the way to write it."""
    from unseen.train.modules import model_named, options_of

    try:
        return asked.task()
    except UnknownName as error:
        name = error.name
        if name not in asked.options or name not in options_of(model_named(model))[0]:
            raise
        again = f"write --set {name}={asked.options[name]}, since --set takes one option at a time"
        raise SpecError(f"{name} is an option of {model}, not of {asked.name}: {again}") from None


def tell_advice(on: Devices, *recipes: Mapping[str, Any]) -> None:
    """Say, once, where a precision that recipes ask for is a slow choice on the devices."""
    asked = {str(recipe.get("precision", "")) for recipe in recipes}
    for advice in sorted(filter(None, map(on.advice, asked))):
        print(f"unseen: {advice}", file=sys.stderr)


def read_pairs(written: Sequence[str]) -> list[tuple[str, str]]:
    """`key=value` words as pairs."""
    for word in written:
        if "=" not in word:
            raise SpecError(f"{word!r} has no value; write it as {word}=value")
    return [(word.partition("=")[0], word.partition("=")[2]) for word in written]


def read_value(text: str) -> Any:
    """Return the number, truth value or list that a text spells, or the text.

    >>> read_value("128"), read_value("1e-3"), read_value("true"), read_value("gelu")
    (128, 0.001, True, 'gelu')
    """
    try:
        return jsonlib.loads(text)
    except jsonlib.JSONDecodeError:
        return text


def tested(run: Run, *, device: str, progress: Any) -> dict[str, float]:
    """Return the headline metric of a run's best weights on its test splits."""
    from unseen.predict.trained import predict, splits_to_test
    from unseen.results.scoring import score

    metric = run.task.metrics[0]
    scores = {}
    for split in splits_to_test(run) if run.weights().exists() else ():  # time may be up before the last stage
        path = predict(run, split, device=device, progress=progress)
        scores[split] = score(run.task, split, path, seed=run.config.data_seed, metrics=[metric])[metric]
    return scores


def _tell(run: Run, scores: dict[str, float], as_json: bool) -> None:
    state, metric = run.state, run.task.metrics[0]
    if as_json:
        spent = {"steps": state.step, "seconds": state.seconds, "best_step": state.best_step, "stopped": state.stopped}
        print_json({"run": str(run.folder), **spent, metric: scores})
        return
    ends = {"finished": "trained", "patience": "stopped early", "accuracy": "good enough", "time": "out of time"}
    where = f" in stage {state.stage}" if state.stage else ""
    print(f"{run.folder}: {ends[state.stopped]} after {state.step:,} steps{where}, {state.seconds:,.0f} s")
    if run.config.init_taken:
        print(f"began with: {run.config.init_taken}")
    print(f"best weights: those of step {state.best_step:,}")
    for line in run.log[-1:]:
        print(f"memory: {line.memory / 2**20:,.0f} MiB at most")
        for split, values in line.splits.items():
            if share := values.get("unknown_answers"):
                print(
                    f"{split}: {share:.1%} of the questions have an answer that training never gave; they count wrong"
                )
    if scores:
        print_table(("split", metric), list(scores.items()))
