"""Examples as environments of other libraries: GRPO in TRL, and the data sets of reasoning-gym.

Neither library is imported. What they expect are plain functions, lists and dicts.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from PIL import Image

from unseen.core.asking import Manner, checked_manner
from unseen.core.catalogue import task as task_named
from unseen.core.task import Example, Task
from unseen.data.dataset import Dataset, Generated
from unseen.predict.item import item_of
from unseen.predict.language.message import Message, message
from unseen.predict.reward import reward

Completion = str | Sequence[dict[str, Any]]  # a text, or the messages of a chat that end with one


def grpo_rows(dataset: Sequence[Example], *, seed: int = 0, **manner: Any) -> Iterator[dict[str, Any]]:
    """Rows of a data set for TRL's GRPOTrainer: a prompt, its images where there are any, and the item's address.

    `datasets.Dataset.from_generator(lambda: grpo_rows(examples))` takes them. The reward finds the example by the
    columns `task`, `split`, `index` and `data_seed`.
    """
    source = getattr(dataset, "source", None)
    for example in dataset:
        item = item_of(example, Manner(**manner), seed=seed)
        written = message(item.parts, item.manner)
        address = {"task": example.task.id, "split": example.split, "index": example.index}
        images = {"images": [Image.open(io.BytesIO(png)) for png in written.pictures]} if written.pictures else {}
        yield {"prompt": _prompt(written), **images, **address, "data_seed": source.seed if source else 0}


def _prompt(written: Message) -> list[dict[str, Any]]:
    """One message of the user, with a mark in the place of every image."""
    if not written.pictures:
        return [{"role": "user", "content": written.text}]
    content = [{"type": "text", "text": part} if isinstance(part, str) else {"type": "image"} for part in written.parts]
    return [{"role": "user", "content": content}]


def grpo_reward(**manner: Any) -> Callable[..., list[float]]:
    """Return a reward function for TRL's GRPOTrainer, `reward_funcs=[grpo_reward()]`, on rows that `grpo_rows` made."""
    sources: dict[tuple[str, str, int], Dataset] = {}

    def unseen_reward(
        completions: Sequence[Completion],
        task: Sequence[str],
        split: Sequence[str],
        index: Sequence[int],
        data_seed: Sequence[int],
        **_: Any,
    ) -> list[float]:
        rewards = []
        for completion, name, part, number, seed in zip(completions, task, split, index, data_seed, strict=True):
            where = name, part, seed
            if where not in sources:
                sources[where] = Dataset(Generated(task_named(name), part, seed))
            rewards.append(float(reward(sources[where][number], said(completion), **manner)))
        return rewards

    return unseen_reward


def said(completion: Completion) -> str:
    """Return the text of a completion, which is a text or a chat.

    >>> said([{"role": "assistant", "content": "2"}])
    '2'
    """
    if isinstance(completion, str):
        return completion
    content = completion[-1]["content"] if completion else ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or ())


class ReasoningGym:
    """A split as a data set of reasoning-gym: entries of question, answer and metadata, and `score_answer`.

    Questions are text; of forms with images, `metadata["messages"]` holds all of it as a chat.

    >>> gym = ReasoningGym("cogitao/c1-1", "train", size=2)
    >>> entry = gym[1]
    >>> gym.score_answer(entry["answer"], entry), gym.score_answer("[[0]]", entry), gym.score_answer(None, entry)
    (1.0, 0.0, 0.0)
    """

    def __init__(
        self, task: str | Task, split: str = "train", *, size: int | None = None, seed: int = 0, **manner: Any
    ) -> None:
        self.task = task_named(task) if isinstance(task, str) else task
        self.manner = manner
        self.form, _ = checked_manner(self.task.benchmark, Manner(**manner))
        self.seed = seed
        self.examples = Dataset(Generated(self.task, split, seed))[:size]
        self.source = self.examples.source

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> dict[str, Any]:
        example = self.examples[index]
        item = item_of(example, Manner(**self.manner), seed=self.seed)
        written = message(item.parts, item.manner)
        place = {"task": self.task.id, "split": example.split, "seed": self.seed, "index": example.index}
        source = {"source_dataset": f"unseen/{self.task.name}", "source_index": index}
        # their experiments keep scores by it
        options = dict(option.split("=", 1) for option in self.task.id.split("+")[1:])
        metadata = {**source, **place, "difficulty": options}
        if written.pictures:
            metadata["messages"] = [{"role": "user", "content": written.content}]
        return {"question": written.text, "answer": self.form.say(self.form.truth(example)), "metadata": metadata}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return what an answer to an entry is worth, from 0 to 1; none is worth nothing."""
        if answer is None:
            return 0.0
        return float(reward(self.source.example(entry["metadata"]["index"]), answer, **self.manner))
