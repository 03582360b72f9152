"""`unseen predict`: the answers of a trained model, or of a language model, as files that `unseen score` reads."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unseen.cli import ask as language
from unseen.cli.asked import AsJson, Asked, Seed, SpecFile, Trust, read_asked
from unseen.cli.output import progress_bar
from unseen.cli.train import Device
from unseen.cli.unfold import unfolded
from unseen.cli.where import HERE, Where
from unseen.core.errors import SpecError
from unseen.core.progress import OnlyHere

if TYPE_CHECKING:
    from unseen.data.dataset import Dataset

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN|TASK [SPLIT]... [KEY=VALUE]...", help="The folder of a run, or a task to ask about."),
]

ASKING = language.Asking()


@unfolded
def predict(
    words: Words = None,
    model: Annotated[
        str | None,
        typer.Option(help="A language model, as openai:NAME, or a baseline without training, such as regions."),
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="A folder or URL of data to answer, instead of drawing examples.")
    ] = None,
    device: Device = "auto",
    count: Annotated[int | None, typer.Option(min=1, help="Number of examples at most.")] = None,
    attribution: Annotated[
        int,
        typer.Option(min=0, help="Number of examples to note in which pixels speak for the answer; odd one out only."),
    ] = 0,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option(help="The predictions file of a language model or of a baseline without training.")
    ] = None,
    trust: Trust = False,
    where: Where = HERE,
    asking: language.Asking = ASKING,
    spec: SpecFile = None,
    json: AsJson = False,
) -> None:
    """Answer splits with a model, a language model or a baseline.

    unseen predict runs/cogitao/s2-translate/resnet/seed-0 val test

    unseen predict video/vmds test_occlusion --model regions

    UNSEEN_API_KEY=... unseen predict cogitao/c1-1 test_ood --model openai:gpt-4.1-mini --context mixed --count 10

    UNSEEN_API_KEY=none unseen predict cvr/shape test_ood --model openai:NAME --base-url http://localhost:8000/v1

    unseen predict logs/LOG.eval: the answers in a log of inspect-ai, of a task that unseen export wrote
    """
    asked = read_asked(words, spec)
    if Path(asked.name).suffix == ".eval" or (Path(asked.name).suffix == ".json" and Path(asked.name).is_file()):
        _answers_of_log(Path(asked.name), out)
        return
    if model is None:
        _answer(
            Path(asked.name),
            asked.words,
            where,
            data=data,
            count=count,
            device=device,
            trust=trust,
            attribution=attribution,
        )
        return
    if attribution:
        raise SpecError("--attribution looks into a trained model; name the folder of its run instead of --model")
    if not model.startswith(language.PREFIX):
        _answer_untrained(asked, model, where, data=data, count=count, seed=seed, out=out)
        return
    if where != HERE:
        raise SpecError("a language model answers elsewhere; leave --engine and what belongs to it out")
    if data:
        raise SpecError("a language model is asked about examples as they are drawn; leave --data out")
    split = asked.only_split("test")
    language.ask(asked.task(), split, model, asking, count=count, seed=seed, out=out, json=json)


def _answers_of_log(log: Path, out: Path | None) -> None:
    """Write what a log of inspect-ai holds as predictions, into a run of its model unless a file is named."""
    from unseen.predict.inspected import read_log, write_log
    from unseen.predict.language import LanguageModel

    logged = read_log(log)
    if out:
        path, scored = out, f"{logged.task.id} {logged.split} {out} --seed {logged.seed}"
    else:
        run = language.write_run(logged.task, LanguageModel(logged.model), logged.manner, seed=logged.seed)
        path, scored = run.predictions_file(logged.split), str(run.folder)
    write_log(logged, path)
    print(f"{path}: {len(logged.values):,} predictions\nscore them with: unseen score {scored}")


def _answer_untrained(
    asked: Asked, model: str, where: Where, *, data: str | None, count: int | None, seed: int, out: Path | None
) -> None:
    """Answer splits, all test splits by default, with a baseline that needs no training; into one file, or a run."""
    from unseen.data.stored import drawn_or_stored
    from unseen.engines import in_order
    from unseen.predict.untrained import UNTRAINED, baseline, baselines
    from unseen.runs import write_untrained

    task = asked.task()
    if model not in {*UNTRAINED, *baselines(task)}:
        raise SpecError(
            f"--model {model} is no language model, {language.PREFIX}NAME, and no baseline of {task.id} without"
            f" training: it has {', '.join(baselines(task)) or 'none'}; a run knows its model itself"
        )
    baseline(model, task)
    splits = asked.words or tuple(name for name in task.splits if name.startswith("test"))
    if out and len(splits) > 1:
        raise SpecError(f"--out is one file, and there are {len(splits)} splits; name one of {', '.join(splits)}")
    datasets = {split: drawn_or_stored(task, split, seed, data)[:count] for split in splits}
    if out:
        files, scored = {splits[0]: out}, f"{task.id} {splits[0]} {out}"
    else:
        run = write_untrained(task, model, seed=datasets[splits[0]].source.seed)
        files, scored = {split: run.predictions_file(split) for split in splits}, str(run.folder)
    with progress_bar() as progress:
        jobs = [(datasets[split], path) for split, path in files.items()]
        answer = partial(_write_baseline, model, OnlyHere(progress))
        in_order(where.chosen(), answer, jobs, workers=where.at_once, progress=progress, text="splits")
    for split, path in files.items():
        print(f"{path}: {len(datasets[split]):,} predictions")
    print(f"score them with: unseen score {scored}")


def _write_baseline(model: str, progress: OnlyHere, job: tuple[Dataset, Path]) -> None:
    """Answer a data set with a baseline; this is the work of a worker."""
    from unseen.predict.untrained import predict_untrained

    predict_untrained(model, *job, progress)


def _answer(
    run: Path,
    splits: tuple[str, ...],
    where: Where,
    *,
    data: str | None,
    count: int | None,
    device: str,
    trust: bool,
    attribution: int,
) -> None:
    """Answer splits, the test splits by default, with a trained model."""
    from unseen.engines import in_order
    from unseen.predict.trained import splits_to_test
    from unseen.runs import open_run
    from unseen.train.modules import model_of_run

    opened = open_run(run)
    model_of_run(opened, trust=trust)  # what code is known here, workers elsewhere may not know
    asked = splits or splits_to_test(opened)
    with progress_bar() as progress:
        answer = partial(
            _write_answers, run, OnlyHere(progress), attribution, data=data, count=count, device=device, trust=True
        )
        paths = in_order(where.chosen(), answer, asked, workers=where.at_once, progress=progress, text="splits")
    for split, path in zip(asked, paths, strict=True):
        print(f"{path}: score it with: unseen score {opened.task.id} {split} {path}")


def _write_answers(run: Path, progress: OnlyHere, attribution: int, split: str, **how: Any) -> Path:
    """Answer a split with a trained model; this is the work of a worker."""
    from unseen.predict.attribution import attribute
    from unseen.predict.trained import predict as predict_split
    from unseen.runs import open_run

    opened = open_run(run)
    path = predict_split(opened, split, progress=progress, **how)
    if attribution:
        attribute(opened, split, attribution, device=how["device"], trust=how["trust"], progress=progress)
    return path
