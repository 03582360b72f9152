"""A split put to a language model: examples -> items -> messages -> answers -> a predictions file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from unseen.core.asking import Manner, checked_manner
from unseen.core.errors import EndpointError, SpecError
from unseen.core.files import write_whole
from unseen.core.progress import Progress
from unseen.core.task import Example, Task
from unseen.predict.item import Item, items
from unseen.predict.language.budget import Budget, Purse
from unseen.predict.language.cache import ReplyCache
from unseen.predict.language.endpoint import LanguageModel, Unanswered
from unseen.predict.language.keys import masked
from unseen.predict.language.message import Message, message
from unseen.predict.language.reply import Reply
from unseen.predict.language.threads import Asked, ask_all
from unseen.predict.predictions import write_predictions

WITHHELD = "the answer was withheld by a content filter"


@dataclass(frozen=True)
class Answer:
    """What a model answered to one example, and why it is unusable, if it is."""

    index: int
    reply: Reply | None  # none where it refused, or never came
    unusable: str | None = None
    refused: bool = False  # by the endpoint, for good: the item counts as wrong


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
        return Counter(answer.unusable for answer in self.answers if answer.reply and answer.unusable)

    @property
    def unanswered(self) -> Counter[str]:
        """Why items have no answer at all, and how often."""
        return Counter(answer.unusable for answer in self.answers if not answer.reply and answer.unusable)


def predict_with_language_model(
    task: Task,
    split: str,
    path: Path,
    *,
    model: LanguageModel,
    manner: Manner | None = None,
    count: int | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    concurrency: int = 4,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Ask a model for the first `count` examples of a split, or all, and write predictions of those it answered.

    An unusable answer is in the file as a prediction that is wrong everywhere, and so is an item that the endpoint
    refuses for good. An item whose answer never comes, and one that the budget had no room for, is not in the file.
    Answers in full are in a JSON file beside it. Both are written, too, when asking has to end early.
    """
    form, manner = checked_manner(task.benchmark, manner or Manner())
    purse = Purse(budget or Budget())
    if concurrency < 1 or (count is not None and count < 1):
        raise SpecError("concurrency counts requests and count counts examples; neither can be below 1")
    put: list[Item] = []
    asked = ask_all(
        _messages(islice(items(task, split, manner, seed=seed), count), put),
        model,
        cache=ReplyCache(model, cache),
        purse=purse,
        concurrency=concurrency,
        total=min(count or task.split(split).size, task.split(split).size),
        progress=progress,
    )
    answers, values = _read(put, asked)
    indices = [answer.index for answer, value in zip(answers, values, strict=True) if value is not NOTHING]
    kept = [value for value in values if value is not NOTHING]
    if kept or asked.failure is None:
        name = f"openai:{model.name}"
        write_predictions(path, task, split, kept, seed=seed, model=name, indices=indices, form=form)
        write_whole(answers_path(path), _in_full(model, form.name, manner, answers))
    if isinstance(asked.failure, EndpointError):
        raise EndpointError(f"{asked.failure}; answers so far are kept: run again to go on") from asked.failure
    if asked.failure is not None:
        raise asked.failure
    return Outcome(path, tuple(answers), len(put) - len(answers), purse.spent)


NOTHING = object()  # in the place of a prediction that does not exist


def _messages(found: Iterator[Item], put: list[Item]) -> Iterator[Message]:
    """The message of every item; the items are noted, without their pixels."""
    for item in found:
        light = Example(item.example.task, item.example.split, item.example.index, item.example.record)
        put.append(Item(light, item.form, item.manner))
        yield message(item.parts, item.manner)


def _read(put: list[Item], asked: Asked) -> tuple[list[Answer], list[object]]:
    """The answers to items, and the predictions that they are scored as."""
    answers: list[Answer] = []
    values: list[object] = []
    for place, item in enumerate(put):
        reply, failure = asked.replies.get(place), asked.unanswered.get(place)
        if reply is not None:
            value, unusable = item.read(reply.text, cut_off=reply.cut_off)
            unusable = WITHHELD if unusable and reply.withheld else unusable
            answers.append(Answer(item.example.index, reply, unusable))
            values.append(value)
        elif failure is not None:
            answers.append(Answer(item.example.index, None, _why(failure), failure.refused))
            values.append(item.form.unusable if failure.refused else NOTHING)
    return answers, values


def _why(failure: Unanswered) -> str:
    return f"refused: {failure.why}" if failure.refused else failure.why


def answers_path(path: Path) -> Path:
    """Tell where the answers behind a predictions file are."""
    return path.with_suffix(".answers.json")


def _in_full(model: LanguageModel, form: str, manner: Manner, answers: list[Answer]) -> bytes:
    named = {**asdict(model), "base_url": masked(model.base_url)}
    asked = {**asdict(manner), "form": form}
    whole = {"model": named, "manner": asked, "answers": [asdict(answer) for answer in answers]}
    return json.dumps(whole, indent=1).encode()
