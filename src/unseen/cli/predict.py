"""`unseen predict`: the answers of a trained model, or of a language model, as files that `unseen score` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from unseen.cli import ask as language
from unseen.cli.asked import AsJson, Seed, SpecFile, read_asked
from unseen.cli.output import progress_bar
from unseen.cli.train import Device
from unseen.core.errors import SpecError

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN|TASK [SPLIT]... [KEY=VALUE]...", help="The folder of a run, or a task to ask about."),
]


def predict(
    words: Words = None,
    model: Annotated[str | None, typer.Option(help="openai:NAME asks a language model about a task.")] = None,
    data: Annotated[Path | None, typer.Option(help="A folder of data, instead of drawing them.")] = None,
    device: Device = "auto",
    count: Annotated[int | None, typer.Option(min=1, help="Ask about so many examples only.")] = None,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="The predictions file of a language model.")] = None,
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
    """Answer splits with the best weights of a run, or put them to a language model.

    unseen predict runs/cogitao/s2-translate/resnet/seed-0 val test

    UNSEEN_API_KEY=... unseen predict cogitao/c1-1 test_ood --model openai:gpt-4.1-mini --context mixed --count 10
    """
    asked = read_asked(words, spec)
    if model is None:
        _answer(Path(asked.name), asked.words, data=data, device=device)
        return
    if not model.startswith(language.PREFIX):
        raise SpecError(f"--model {model} is no language model, {language.PREFIX}NAME; a run knows its model itself")
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
