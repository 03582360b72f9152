"""`unseen predict --model openai:NAME`: put a split to a language model."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from unseen.core.task import Task
    from unseen.predict.language import Form, LanguageModel, Outcome
    from unseen.results.answers import AnswerScores

PREFIX = "openai:"  # of --model: any endpoint that speaks this protocol

BaseUrl = Annotated[str | None, typer.Option(help="An OpenAI-compatible endpoint; OpenAI's own by default.")]
NamesAs = Annotated[
    Literal["original", "coded"], typer.Option("--names", help="Real names of what is composed, or t1, t2, ...")
]
Context = Annotated[
    Literal["same", "mixed"],
    typer.Option(help="Shown first: the example's demonstrations (in_context=K), or others, as published."),
]
Shots = Annotated[int, typer.Option(min=1, help="Examples of a mixed context.")]
Notice = Annotated[bool, typer.Option(help="Announce where the query differs from what is shown.")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Read answers out of prose and code fences.")]
Temperature = Annotated[float | None, typer.Option(min=0, help="The endpoint's own by default.")]
MaxTokens = Annotated[int, typer.Option(min=1, help="Of an answer.")]
LimitAs = Annotated[
    Literal["max_tokens", "max_completion_tokens"], typer.Option(help="What the request calls that limit.")
]
Concurrency = Annotated[int, typer.Option(min=1, help="Requests under way at once.")]
Timeout = Annotated[float, typer.Option(help="Seconds without a byte before a try is given up.")]
Retries = Annotated[int, typer.Option(min=0, help="Further tries of a request that fails for a while.")]
ReplyFolder = Annotated[Path | None, typer.Option("--cache", help="A folder of answers that are paid for.")]
MaxCost = Annotated[float | None, typer.Option(min=0, help="Stop before spending more than this.")]
Price = Annotated[float, typer.Option(min=0, help="Of a million tokens.")]


def ask(
    task: Task,
    split: str,
    model: str,
    *,
    count: int | None = None,
    seed: int = 0,
    out: Path | None = None,
    json: bool = False,
    base_url: BaseUrl = None,
    names: NamesAs = "original",
    context: Context = "same",
    shots: Shots = 5,
    notice: Notice = True,
    lenient: Lenient = False,
    temperature: Temperature = None,
    max_tokens: MaxTokens = 16_384,
    limit_as: LimitAs = "max_tokens",
    concurrency: Concurrency = 4,
    timeout: Timeout = 600.0,
    retries: Retries = 5,
    cache: ReplyFolder = None,
    max_cost: MaxCost = None,
    price_in: Price = 0.0,
    price_out: Price = 0.0,
) -> None:
    """Ask a language model, write its predictions, and print how many answers are usable and right.

    UNSEEN_API_KEY=... unseen predict cogitao/c1-1 test_ood --model openai:gpt-4.1-mini --context mixed --count 10
    """
    from unseen.cli.output import progress_bar
    from unseen.predict import read_predictions
    from unseen.predict.language import Budget, Form, LanguageModel, predict_with_language_model
    from unseen.predict.language.endpoint import OPENAI
    from unseen.results.answers import score_answers

    named = LanguageModel(
        model.removeprefix(PREFIX),
        base_url or OPENAI,
        temperature=temperature,
        max_tokens=max_tokens,
        limit_as=limit_as,
        timeout=timeout,
        retries=retries,
    )
    form = Form(names=names, context=context, shots=shots, notice=notice, lenient=lenient)
    with progress_bar() as progress:
        outcome = predict_with_language_model(
            task,
            split,
            out or default_path(task, split, named, form, seed=seed),
            model=named,
            form=form,
            count=count,
            seed=seed,
            budget=Budget(price_in, price_out, max_cost),
            concurrency=concurrency,
            cache=cache,
            progress=progress,
        )
    print_outcome(outcome, score_answers(task, read_predictions(outcome.path)), title=f"{task.id} {split}", json=json)


def default_path(task: Task, split: str, model: LanguageModel, form: Form, *, seed: int) -> Path:
    """Where predictions go when nobody says: a file per model, form and seed."""
    name = f"{model.name.replace('/', '-')}-{form.names}-{form.context}-seed{seed}.parquet"
    return Path("predictions") / task.id / split / name


def print_outcome(outcome: Outcome, scores: AnswerScores, *, title: str, json: bool) -> None:
    """Counts and reasons, then the scores over all answers and over the usable ones."""
    from unseen.cli.output import print_json, print_table

    unusable = dict(outcome.reasons.most_common())
    if json:
        summary = {"predictions": str(outcome.path), "answers": len(outcome.answers), "usable": outcome.usable}
        summary |= {"unusable": unusable, "unasked": outcome.unasked, "spent": outcome.spent}
        print_json({**summary, "scores": {"all": _known(scores.all), "usable": _known(scores.usable)}})
        return
    counts: list[tuple[str, object]] = [("answers", len(outcome.answers)), ("usable", outcome.usable)]
    counts.append(("unusable", sum(unusable.values())))
    counts += [(f"  {reason}", times) for reason, times in unusable.items()]
    counts += [("not asked, for want of budget", outcome.unasked)] if outcome.unasked else []
    counts += [("spent", outcome.spent)] if outcome.spent else []
    print_table(("", ""), counts, title=f"{title}: {outcome.path}")
    rows = [(name, value, scores.usable[name]) for name, value in scores.all.items()]
    print_table(("score", "all answers", "usable answers"), rows)


def _known(scores: dict[str, float]) -> dict[str, float | None]:
    """Scores for JSON, which has no nan."""
    return {name: None if isnan(value) else value for name, value in scores.items()}
