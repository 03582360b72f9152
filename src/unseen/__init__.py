"""Does a vision model understand compositions it has never seen? Five benchmarks, one library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unseen import benchmarks
from unseen.core.catalogue import task, tasks
from unseen.data.dataset import load

if TYPE_CHECKING:
    from pathlib import Path

    from PIL.Image import Image

    from unseen.core.task import Benchmark, Example, Row, Task
    from unseen.metrics import Metric
    from unseen.predict.reward import Reward
    from unseen.report.summary import Results
    from unseen.runs import Run

__version__ = "0.1.0"
__all__ = [
    "ask",
    "benchmarks",
    "load",
    "predict",
    "register",
    "results",
    "reward",
    "score",
    "show",
    "task",
    "tasks",
    "train",
]


def show(what: Any, split: str = "train", **how: Any) -> Image:
    """Draw a task's first examples, those of a data set, or one example: `unseen.report.gallery.show`.

    >>> show("cogitao/c1-1", count=3).mode
    'RGB'
    """
    from unseen.report.gallery import show

    return show(what, split, **how)


def score(what: str | Task, split: str, predictions: Any, **how: Any) -> Any:
    """Score predictions (a file, or one per example in order): `{metric: value}` with a row per example.

    `metrics=["cell_accuracy"]` names others than the task's; all there is to say: `unseen.results.scoring.score`.
    """
    from unseen.results.scoring import score

    return score(what, split, predictions, **how)


def train(task: str | Task, model: str, **how: Any) -> Run:
    """Train a model on a task, or continue where the same training was interrupted: `unseen.train.training.train`.

    `model` is a name that `unseen list --models` shows, or a class of your own, "my_file.py:MyModule".
    """
    from unseen.train.training import train

    return train(task, model, **how)


def predict(run: str | Path | Run, split: str = "test", **how: Any) -> Path:
    """Answer a split with the best weights of a run; returns the predictions file: `unseen.predict.trained.predict`."""
    from unseen.predict.trained import predict

    return predict(run, split, **how)


def ask(example: Example, **how: Any) -> list[dict[str, Any]]:
    """Write the messages that ask a language model for an example's answer, with images: `unseen.predict.reward.ask`.

    `form="choose"`, `shots=5`, `rule=True`, `image_size=256` and the like say how.
    """
    from unseen.predict.reward import ask

    return ask(example, **how)


def reward(example: Example, text: str, **how: Any) -> Reward:
    """Judge a text as an answer to an example: its worth from 0 to 1, with the reason: `unseen.predict.reward.reward`.

    >>> episode = load("cogitao/c1-1", "test")[0]
    >>> reward(episode, str(episode.target["grid"].tolist())), reward(episode, "no idea").reason
    (Reward(1, 'right'), 'unusable: the answer is not a list of lists of colors')
    """
    from unseen.predict.reward import reward

    return reward(example, text, **how)


def results(benchmark: str = "cogitao", **how: Any) -> Results:
    """Set every record of a benchmark next to its published tables: `unseen.report.summary.results`.

    `records=["results", "shipped"]` are the folders to read, `tables=["2"]` chooses some of the published tables.

    >>> results("cogitao", records=["shipped"])
    <cogitao: 15 runs in 1 of 7 tables>
    """
    from unseen.report.summary import results

    return results(benchmark, **how)


def register(thing: Benchmark | Row | Metric, *, benchmark: str | None = None) -> None:
    """Make a benchmark, a metric, or a task row of a benchmark known under its name, in every command."""
    from unseen.core import catalogue
    from unseen.core.errors import SpecError
    from unseen.core.task import Benchmark, Row

    if isinstance(thing, Row):
        if benchmark is None:
            raise SpecError(f"say whose task {thing.name!r} is: register(row, benchmark='cogitao')")
        catalogue.register_task(benchmark, thing)
        return
    if benchmark is not None:
        raise SpecError(f"only a task row belongs to a benchmark, and {thing!r} is none; leave benchmark= out")
    if isinstance(thing, Benchmark):
        catalogue.BENCHMARKS.add(thing.name, thing)
        return
    from unseen.metrics import METRICS, Metric

    if not isinstance(thing, Metric):
        raise SpecError(f"a Benchmark, a task Row or a Metric can be registered, not a {type(thing).__name__}")
    METRICS.add(thing.name, thing)
