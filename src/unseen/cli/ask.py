"""`unseen predict --model openai:NAME`: put a split to a language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

if TYPE_CHECKING:
    from unseen.core.asking import Manner
    from unseen.core.task import Task
    from unseen.predict.language import LanguageModel, Outcome
    from unseen.results.answers import AnswerScores
    from unseen.runs import Run

Made = TypeVar("Made")
PREFIX = "openai:"  # of --model: any endpoint that speaks this protocol


@dataclass(frozen=True)
class Putting:
    """How items are put into words and pictures and answers are read, as options of the command line."""

    form: Annotated[
        str, typer.Option(help="What is asked, where a benchmark has several forms; unseen list --forms shows them.")
    ] = ""
    shots: Annotated[
        int | None, typer.Option(min=0, help="Number of solved examples before each item; the form's own by default.")
    ] = None
    rule: Annotated[bool, typer.Option("--rule", help="Say the rule in words.")] = False
    names: Annotated[
        Literal["original", "coded"],
        typer.Option(help="Whether to call what is composed by its original names or by codes: t1, t2, ..."),
    ] = "original"
    context: Annotated[
        Literal["same", "mixed"],
        typer.Option(
            help="What is shown first: the example's demonstrations (in_context=K), or other examples, as published."
        ),
    ] = "same"
    notice: Annotated[bool, typer.Option(help="Announce where the query differs from what is shown.")] = True
    image_size: Annotated[
        int, typer.Option(min=0, help="Number of pixels of an image's longer side; 0: as the task draws it.")
    ] = 0
    images_as: Annotated[
        Literal["separate", "strip"], typer.Option(help="Send every image by itself, or those of a row as one strip.")
    ] = "separate"
    lenient: Annotated[bool, typer.Option("--lenient", help="Read answers out of prose and code fences.")] = False


@dataclass(frozen=True)
class Asking(Putting):
    """How a language model is asked, as options of the command line."""

    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible endpoint; OpenAI's own by default.")] = None
    temperature: Annotated[
        float | None, typer.Option(min=0, help="The sampling temperature; the endpoint's own by default.")
    ] = None
    max_tokens: Annotated[int, typer.Option(min=1, help="Number of tokens of an answer at most.")] = 16_384
    limit_as: Annotated[
        Literal["max_tokens", "max_completion_tokens"], typer.Option(help="The name of the token limit in a request.")
    ] = "max_tokens"
    concurrency: Annotated[int, typer.Option(min=1, help="Number of requests at the same time.")] = 4
    timeout: Annotated[float, typer.Option(help="Number of seconds before a request is given up.")] = 600.0
    retries: Annotated[
        int, typer.Option(min=0, help="Number of further tries of a request that fails for a while.")
    ] = 5
    cache: Annotated[Path | None, typer.Option(help="A folder to keep answers in, so that none is paid for twice.")] = (
        None
    )
    max_cost: Annotated[float | None, typer.Option(min=0, help="Stop before spending more than this.")] = None
    price_in: Annotated[float, typer.Option(min=0, help="The price of a million tokens that are sent.")] = 0.0
    price_out: Annotated[float, typer.Option(min=0, help="The price of a million tokens that are answered.")] = 0.0


def ask(
    task: Task,
    split: str,
    model: str,
    asking: Asking,
    *,
    count: int | None = None,
    seed: int = 0,
    out: Path | None = None,
    json: bool = False,
) -> None:
    """Ask a language model, write its predictions, and print how many answers are usable and right.

    UNSEEN_API_KEY=... unseen predict cogitao/c1-1 test_ood --model openai:gpt-4.1-mini --context mixed --count 10
    """
    from unseen.cli.output import progress_bar
    from unseen.core.asking import Manner
    from unseen.predict.language import Budget, LanguageModel, predict_with_language_model
    from unseen.predict.language.endpoint import OPENAI
    from unseen.results.answers import score_answers

    named = picked(LanguageModel, asking, name=model.removeprefix(PREFIX), base_url=asking.base_url or OPENAI)
    manner = picked(Manner, asking)
    run = None if out else write_run(task, named, manner, seed=seed)
    path = run.predictions_file(split) if run else out
    assert path is not None, "there is a run where there is no file"
    with progress_bar() as progress:
        outcome = predict_with_language_model(
            task,
            split,
            path,
            model=named,
            manner=manner,
            count=count,
            seed=seed,
            budget=picked(Budget, asking),
            concurrency=asking.concurrency,
            cache=asking.cache,
            progress=progress,
        )
    scores = score_answers(task, split, outcome, manner, seed=seed)
    print_outcome(outcome, scores, title=f"{task.id} {split}", json=json)
    if run and not json:
        print(f"score it with: unseen score {run.folder}")


def write_run(task: Task, model: LanguageModel, manner: Manner, *, seed: int) -> Run:
    """Write down the run of a language model: it is told apart by what it is called and how it is asked."""
    from unseen.core.asking import checked_manner
    from unseen.runs import LANGUAGE, write_untrained

    checked_manner(task.benchmark, manner)
    options = {**manner.written, **({} if model.temperature is None else {"temperature": model.temperature})}
    return write_untrained(task, model.name, seed=seed, options=options, taker=LANGUAGE)


def picked(made: Callable[..., Made], asking: Putting, **given: Any) -> Made:
    """Return one of the records that asking is made of, from the options that have the names of its fields."""
    shared = {field.name for field in fields(made)} & {field.name for field in fields(asking)}  # type: ignore[arg-type]
    return made(**{name: getattr(asking, name) for name in shared} | given)


def print_outcome(outcome: Outcome, scores: AnswerScores, *, title: str, json: bool) -> None:
    """Counts and reasons, then the scores over all answers and over the usable ones."""
    from unseen.cli.output import print_json, print_table
    from unseen.metrics.statistics import spelled

    unusable, unanswered = dict(outcome.reasons.most_common()), dict(outcome.unanswered.most_common())
    answers = len(outcome.answers) - sum(unanswered.values())
    if json:
        summary = {"predictions": str(outcome.path), "answers": answers, "usable": outcome.usable}
        summary |= {"unusable": unusable, "unanswered": unanswered, "unasked": outcome.unasked, "spent": outcome.spent}
        intervals = {"interval": scores.intervals, "form": scores.form}
        print_json({**summary, "scores": {"all": _known(scores.all), "usable": _known(scores.usable)}, **intervals})
        return
    counts: list[tuple[str, object]] = [("answers", answers), ("usable", outcome.usable)]
    counts.append(("unusable", sum(unusable.values())))
    counts += [(f"  {reason}", times) for reason, times in unusable.items()]
    counts += [("unanswered", sum(unanswered.values()))] if unanswered else []
    counts += [(f"  {reason}", times) for reason, times in unanswered.items()]
    counts += [("not asked, for want of budget", outcome.unasked)] if outcome.unasked else []
    counts += [("spent", outcome.spent)] if outcome.spent else []
    print_table(("", ""), counts, title=f"{title}: {outcome.path}")
    rows = [
        (name, value, spelled(scores.intervals.get(name)), scores.usable.get(name, nan))
        for name, value in scores.all.items()
    ]
    print_table(("score", "all items", "95 %", "usable answers"), rows)


def _known(scores: dict[str, float]) -> dict[str, float | None]:
    """Scores for JSON, which has no nan."""
    return {name: None if isnan(value) else value for name, value in scores.items()}
