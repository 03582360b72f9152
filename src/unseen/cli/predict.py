"""`unseen predict`: the answers of a trained model, or of a language model, as files that `unseen score` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from unseen.cli import ask as language
from unseen.cli.asked import AsJson, Asked, Seed, SpecFile, read_asked
from unseen.cli.output import progress_bar
from unseen.cli.train import Device
from unseen.core.errors import SpecError

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN|TASK [SPLIT]... [KEY=VALUE]...", help="The folder of a run, or a task to ask about."),
]


def predict(
    words: Words = None,
    model: Annotated[
        str | None, typer.Option(help="openai:NAME asks a language model; some baselines, such as majtempl, need none.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="A folder of data, instead of drawing them.")] = None,
    device: Device = "auto",
    count: Annotated[int | None, typer.Option(min=1, help="Ask about so many examples only.")] = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None, typer.Option(help="The predictions file of a language model or of a baseline without training.")
    ] = None,
    base_url: language.BaseUrl = None,
    names: language.NamesAs = "original",
    context: language.Context = "same",
    shots: language.Shots = 5,
    notice: language.Notice = True,
    lenient: language.Lenient = False,
    temperature: language.Temperature = None,
    max_tokens: language.MaxTokens = 16_384,
    limit_as: language.LimitAs = "max_tokens",
    concurrency: language.Concurrency = 4,
    timeout: language.Timeout = 600.0,
    retries: language.Retries = 5,
    cache: language.ReplyFolder = None,
    max_cost: language.MaxCost = None,
    price_in: language.Price = 0.0,
    price_out: language.Price = 0.0,
    spec: SpecFile = None,
    json: AsJson = False,
) -> None:
    """Answer splits with the best weights of a run, put them to a language model, or take a baseline without training.

    unseen predict runs/cogitao/s2-translate/resnet/seed-0 val test

    unseen predict video/vmds test_occlusion --model regions

    UNSEEN_API_KEY=... unseen predict cogitao/c1-1 test_ood --model openai:gpt-4.1-mini --context mixed --count 10
    """
    asked = read_asked(words, spec)
    if model is None:
        _answer(Path(asked.name), asked.words, data=data, device=device)
        return
    if not model.startswith(language.PREFIX):
        _answer_untrained(asked, model, data=data, count=count, seed=seed, out=out)
        return
    if data:
        raise SpecError("a language model is asked about examples as they are drawn; leave --data out")
    language.ask(
        asked.task(),
        asked.only_split("test"),
        model,
        count=count,
        seed=seed,
        out=out,
        json=json,
        base_url=base_url,
        names=names,
        context=context,
        shots=shots,
        notice=notice,
        lenient=lenient,
        temperature=temperature,
        max_tokens=max_tokens,
        limit_as=limit_as,
        concurrency=concurrency,
        timeout=timeout,
        retries=retries,
        cache=cache,
        max_cost=max_cost,
        price_in=price_in,
        price_out=price_out,
    )


def _answer_untrained(
    asked: Asked, model: str, *, data: Path | None, count: int | None, seed: int, out: Path | None
) -> None:
    """Answer splits, all test splits by default, with a baseline that needs no training; into one file, or a run."""
    from unseen.data.stored import drawn_or_stored
    from unseen.predict.untrained import UNTRAINED, check_answers, predict_untrained
    from unseen.results.run import PREDICTIONS, write_untrained

    if model not in UNTRAINED:
        raise SpecError(
            f"--model {model} is no language model, {language.PREFIX}NAME, and none of {', '.join(UNTRAINED)};"
            " a run knows its model itself"
        )
    task = asked.task()
    check_answers(model, task)
    splits = asked.words or tuple(name for name in task.splits if name.startswith("test"))
    if out and len(splits) > 1:
        raise SpecError(f"--out is one file, and there are {len(splits)} splits; name one of {', '.join(splits)}")
    datasets = {split: drawn_or_stored(task, split, seed, data)[:count] for split in splits}
    if out:
        files, scored = {splits[0]: out}, f"{task.id} {splits[0]} {out}"
    else:
        run = write_untrained(task, model, seed=datasets[splits[0]].source.seed)
        files, scored = {split: run / PREDICTIONS.format(split=split) for split in splits}, str(run)
    for split, path in files.items():
        with progress_bar() as progress:
            predict_untrained(model, datasets[split], path, progress)
        print(f"{path}: {len(datasets[split]):,} predictions")
    print(f"score them with: unseen score {scored}")


def _answer(run: Path, splits: tuple[str, ...], *, data: Path | None, device: Any) -> None:
    """Answer splits, the test splits by default, with a trained model."""
    from unseen.predict.run import predict as predict_split
    from unseen.predict.run import splits_to_test
    from unseen.train import open_run

    opened = open_run(run)
    for split in splits or splits_to_test(opened):
        with progress_bar() as progress:
            path = predict_split(opened, split, data=data, device=device, progress=progress)
        print(f"{path}: score it with: unseen score {opened.task.id} {split} {path}")
