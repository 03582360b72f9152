"""A split put to a language model: examples -> prompts -> answers -> a predictions file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from unseen.core.errors import SpecError
from unseen.core.files import write_whole
from unseen.core.progress import Progress
from unseen.core.random import Stream, path_key
from unseen.core.task import Benchmark, Example, Task
from unseen.data.dataset import Dataset, Generated
from unseen.predict.language.budget import Budget, Purse
from unseen.predict.language.cache import ReplyCache
from unseen.predict.language.endpoint import LanguageModel
from unseen.predict.language.keys import masked
from unseen.predict.language.reply import Reply
from unseen.predict.language.threads import ask_all
from unseen.predict.predictions import write_predictions

CUT_OFF = "cut off by the limit on tokens"


@dataclass(frozen=True)
class Form:
    """How examples are put into words, and answers read.

    `context` is what is shown before a query. "same": the example's own demonstrations, of the query's sequence, as
    many as the task's `in_context` says. "mixed": `shots` other examples with their own sequences, as published; they
    come from the split that an out-of-distribution split is held against (test for test_ood), and queries are the
    split's deepest sequences only.
    """

    names: Literal["original", "coded"] = "original"
    context: Literal["same", "mixed"] = "same"
    shots: int = 5  # examples of a mixed context
    notice: bool = True  # say so where the query is drawn otherwise than the context
    lenient: bool = False  # read lists of lists out of prose and code fences; as published, such answers are unusable

    def __post_init__(self) -> None:
        if self.context == "mixed" and self.shots < 1:
            raise SpecError(f"shots counts the examples of a mixed context, so it cannot be {self.shots}")


@dataclass(frozen=True)
class Answer:
    """What a model answered to one example, and why it is unusable, if it is."""

    index: int
    reply: Reply
    unusable: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of asking: the predictions file, and what stands behind it."""

    path: Path
    answers: tuple[Answer, ...]
    unasked: int  # examples that the budget had no room for
    spent: float  # in this run; answers from the cache are free

    @property
    def usable(self) -> int:
        """How many answers hold a prediction."""
        return sum(answer.unusable is None for answer in self.answers)

    @property
    def reasons(self) -> Counter[str]:
        """Why answers are unusable, and how often."""
        return Counter(answer.unusable for answer in self.answers if answer.unusable is not None)


def predict_with_language_model(
    task: Task,
    split: str,
    path: Path,
    *,
    model: LanguageModel,
    form: Form | None = None,
    count: int | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    concurrency: int = 4,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Ask a model for the first `count` examples of a split, or all, and write predictions of those it answered.

    An unusable answer is in the file as a prediction that is wrong everywhere; an example that was not asked, because
    the budget had no room for it, is not in the file. Answers in full are in a JSON file beside it.
    """
    form, prompt, purse = form or Form(), prompt_file(task.benchmark), Purse(budget or Budget())
    if concurrency < 1 or (count is not None and count < 1):
        raise SpecError("concurrency counts requests and count counts examples; neither can be below 1")
    asked = list(islice(_asked(task, split, form, seed), count))
    replies = ask_all(
        (text for _, text in asked),
        model,
        cache=ReplyCache(model, cache),
        purse=purse,
        concurrency=concurrency,
        progress=progress,
    )
    read = [_read(example, replies[text], form, prompt) for example, text in asked if text in replies]
    answers = tuple(answer for answer, _ in read)
    indices = [answer.index for answer in answers]
    values = [prediction for _, prediction in read]
    write_predictions(path, task, split, values, seed=seed, model=f"openai:{model.name}", indices=indices)
    write_whole(answers_path(path), _in_full(model, form, answers))
    return Outcome(path, answers, len(asked) - len(answers), purse.spent)


def prompt_file(benchmark: Benchmark) -> ModuleType:
    """A benchmark's prompt.py."""
    found = benchmark.optional_file("prompt")
    if found is None:
        raise SpecError(f"{benchmark.name} has no prompts; language models can only be asked where it has")
    return found


def answers_path(path: Path) -> Path:
    """Where the answers behind a predictions file are."""
    return path.with_suffix(".answers.json")


def _asked(task: Task, split: str, form: Form, seed: int) -> Iterator[tuple[Example, str]]:
    """The examples that are asked, and their prompts."""
    prompt, dataset = prompt_file(task.benchmark), Dataset(Generated(task, split, seed))
    if form.context == "same":
        for example in dataset:
            yield example, prompt.write(example, (), names=form.names, notice=form.notice)
        return
    held_against = split.removesuffix("_ood")
    mixture = prompt.Mixture(Dataset(Generated(task, held_against, seed)))
    key = path_key(seed, task.name, split, "context")
    for example in filter(mixture.asks, dataset):
        context = mixture.context(example, form.shots, Stream(key, index=example.index))
        yield example, prompt.write(example, context, names=form.names, notice=form.notice)


def _read(example: Example, reply: Reply, form: Form, prompt: ModuleType) -> tuple[Answer, Any]:
    """The answer to an example, and the prediction that it is scored as."""
    found = prompt.parse(reply.text, example, lenient=form.lenient)
    if not isinstance(found, str):
        return Answer(example.index, reply), found
    return Answer(example.index, reply, CUT_OFF if reply.cut_off else found), prompt.UNUSABLE


def _in_full(model: LanguageModel, form: Form, answers: tuple[Answer, ...]) -> bytes:
    named = {**asdict(model), "base_url": masked(model.base_url)}
    whole = {"model": named, "form": asdict(form), "answers": [asdict(answer) for answer in answers]}
    return json.dumps(whole, indent=1).encode()
