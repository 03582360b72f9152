"""Settings of all tests: no deadlines (the first call of a kernel compiles), same examples every run, interrupts."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from unseen.benchmarks.covr.graph import Node
from unseen.benchmarks.covr.question import Question, answer_text

settings.register_profile("unseen", deadline=None, derandomize=True)
settings.load_profile("unseen")
# a shell has its background jobs ignore interrupts, and programs that tests start would do so too
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recorded outputs of the published generators, which lies outside the repository."""
    root = Path(__file__).resolve().parents[1]
    candidates = [beside / "shared" / "data" for beside in (root.parent, root.parent.parent)]
    for folder in candidates:
        if folder.is_dir():
            return folder
    pytest.skip(f"the recorded outputs are in neither of {', '.join(map(str, candidates))}")


@pytest.fixture(scope="session")
def tiny() -> str:
    """A tiny model to train, as one names a model of one's own."""
    return f"{Path(__file__).parent / 'tiny.py'}:Tiny"


@pytest.fixture(scope="session")
def owner(tiny: str) -> str:
    """A tiny model that has an objective and answers of its own."""
    return tiny.replace(":Tiny", ":Owner")


@pytest.fixture(scope="session")
def small_task() -> str:
    """A task of a hundred small grids."""
    return "cogitao/custom+grid=5-7+max_size=3+objects=1+samples=100+sequences=translate_up"


@pytest.fixture(scope="session")
def small_ood_task() -> str:
    """The same with two transformations, one of them held out."""
    return (
        "cogitao/custom+grid=5-7+held_out=translate_up:rot90+max_size=3+objects=1+samples=100"
        "+sequences=translate_up,rot90,translate_up:rot90"
    )


# ---------------------------------------------------------------------------- benchmarks that exist in a test only


@dataclass(frozen=True)
class NoOptions:
    """Options of a task or of a look that has none."""


AddBenchmark = Callable[..., Any]


@pytest.fixture
def add_benchmark(monkeypatch: pytest.MonkeyPatch) -> Iterator[AddBenchmark]:
    """Register a benchmark, of odd-one-out tasks if nothing is said, by its files; it is forgotten after the test."""
    from unseen.core import catalogue
    from unseen.core.task import Benchmark

    added: list[str] = []

    def add(name: str, kind: str = "odd", metrics: tuple[str, ...] = ("odd_accuracy",), **files: Any) -> Benchmark:
        package = ModuleType(name)
        package.__dict__.update(__path__=[], NoOptions=NoOptions)
        monkeypatch.setitem(sys.modules, name, package)
        for file, content in files.items():
            monkeypatch.setitem(sys.modules, f"{name}.{file}", content)
        made = Benchmark(name, f"{name}: made for a test", "", kind, 1, name, f"{name}:NoOptions", metrics)
        catalogue.BENCHMARKS.add(name, made)
        added.append(name)
        return made

    yield add
    for name in added:
        catalogue.BENCHMARKS.remove(name)
    catalogue._plain.cache_clear()


DOGS = 4  # an image has fewer
COLORS = ("red", "blue", "white")
ASKED = (  # template, text and program of questions over images that are named "<dogs>-<color>"
    ("count_ref", "How many dogs?", 'find("dog"); count(#0)'),
    ("multiple_ref", "Is there a dog?", 'find("dog"); exists(#0)'),
    ("choose_attr", "Is the wall red or blue?", 'find("wall"); unique(#0); choose_attr(#1, "red", "blue")'),
    ("query_attr", "What is the color of the wall?", 'find("wall"); unique(#0); query_attr(#1, "color")'),
)


def drawn_scene(image: str) -> dict[str, Any]:
    """The scene graph of an image of dogs before a wall, or without one."""
    dogs, color = image.split("-")
    objects: dict[str, Any] = {f"{image}-{number}": {"name": "dog"} for number in range(int(dogs))}
    if color:
        objects[f"{image}-wall"] = {"name": "wall", "attributes": [color]}
    return {"objects": objects}


@pytest.fixture
def question_task(add_benchmark: AddBenchmark) -> str:
    """A task of questions about dogs and a wall, which one of two or three small images has."""
    from types import SimpleNamespace

    from unseen.benchmarks.covr import execute
    from unseen.benchmarks.covr.program import parse, to_rows
    from unseen.core.random import Stream
    from unseen.core.task import Row, Split

    class Sampler:
        def __init__(self, spec: Any, part: Any, key: int) -> None:
            self.key = key

        def draw(self, index: int, first: int = 0) -> tuple[Question, int, int]:
            rng = Stream(self.key, index=index)
            template, text, written = ASKED[index % len(ASKED)]
            color = COLORS[rng.below(2 if template == "choose_attr" else 3)]
            images = tuple(f"{rng.below(DOGS)}-{color if at == 0 else ''}" for at in range(2 + rng.below(2)))
            program = parse(written)
            answer = execute(program, {image: drawn_scene(image) for image in images})
            question = Question(text, text, program, images, answer, template, (Node("dog"),), images[0])
            return question, rng.below(2**31), first

    def arrays(record: Question, spec: Any, view: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        images = [np.full((4, 4, 3), 50 * int(image[0]), np.uint8) for image in record.scenes]
        return {"images": images, "text": record.text}, {"answer": answer_text(record.answer)}

    def scene(record: Question, spec: Any) -> dict[str, Any]:
        scenes = {image: drawn_scene(image) for image in record.scenes}
        return {"program": to_rows(record.program), "scenes": scenes}

    def splits(options: Any) -> tuple[Split, ...]:
        return tuple(Split(name, size, NoOptions()) for name, size in (("train", 200), ("val", 40), ("test", 40)))

    add_benchmark(
        "asked",
        kind="question",
        metrics=("answer_accuracy",),
        splits=SimpleNamespace(
            TASKS=(Row("dogs", "questions about dogs", splits, NoOptions),),
            groups=lambda record: {"template": record.template},
        ),
        sample=SimpleNamespace(Sampler=Sampler),
        render=SimpleNamespace(arrays=arrays, scene=scene),
        execute=SimpleNamespace(execute=execute),
    )
    return "asked/dogs"


# ---------------------------------------------------------------------------- run folders, as training leaves them

CONFIG = {
    "task": "cogitao/s2-translate",
    "content": 1,
    "model": "resnet",
    "options": {},
    "seed": 0,
    "recipe": {"batch_size": 64, "epochs": 10, "learning_rate": 0.001},
    "versions": {"unseen": "0.1.0", "torch": "2.13.0"},
    "machine": {"device": "auto", "accelerator": "Some GPU"},
    "parameters": 1_203_211,
}
MakeRun = Callable[..., Path]


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Make a run that answered the first examples of some splits, of which it got the first `right[split]` right."""

    def make(*, right: dict[str, int] | None = None, answered: int = 10, steps: int = 160, **changes: Any) -> Path:
        import unseen
        from unseen.results.run import model_name

        config: dict[str, Any] = {**CONFIG, **changes}
        task = unseen.task(config["task"])
        config.setdefault("examples", task.split("train").size)
        model = model_name(config["model"], config["options"])
        folder = tmp_path / "runs" / task.id / model / f"seed-{config['seed']}"
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in log_lines(steps)))
        for split, count in ({"test": 9} if right is None else right).items():
            write_answers(folder / f"predictions-{split}.parquet", task, split, right=count, answered=answered)
        return folder

    return make


def write_answers(path: Path, task: Any, split: str, *, right: int, answered: int) -> None:
    """Predict the first examples of a split: the first of them right, the others nearly so."""
    import unseen
    from unseen.predict import write_predictions

    truth = [example.target["grid"] for example in unseen.load(task.id, split)[:answered]]
    values = [grid if i < right else nearly_right(grid) for i, grid in enumerate(truth)]
    write_predictions(path, task, split, values, model="resnet", indices=range(answered))


def nearly_right(grid: np.ndarray) -> np.ndarray:
    """A grid whose first object cells have another color, with a row of padding below."""
    wrong = grid.copy()
    rows, columns = np.nonzero(grid)
    wrong[rows[:3], columns[:3]] = grid[rows[0], columns[0]] % 9 + 1
    return np.vstack([wrong, np.full((1, grid.shape[1]), -1, grid.dtype)])


def log_lines(steps: int) -> list[dict[str, Any]]:
    """A log with a loss that falls and an accuracy that rises."""
    lines = []
    for step in range(0, steps + 1, steps // 10):
        done = step / steps
        val = {"loss": 2.1 * exp(-3 * done), "accuracy": 1 - exp(-5 * done)}
        place = {"step": step, "epoch": 10 * done, "seconds": step * 0.5, "learning_rate": 0.001}
        lines.append({**place, "train": {"loss": 2 * exp(-4 * done)}, "val": val, "time": {"data": 0.1}})
    return lines
