"""What a model must know of a task, read off the task: from what its benchmark declares, or else from examples."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from unseen.core.errors import SpecError
from unseen.core.files import cache_root, read_sealed, write_sealed
from unseen.core.key import hash_bytes
from unseen.core.padding import grid_side
from unseen.core.task import Example, Task
from unseen.data.dataset import SEED, Generated
from unseen.models import Grids, Images, Interface, Odd, Questions, Videos
from unseen.models.layers import words

FORMAT = 2  # of what is remembered of such a pass
SCANNED = 50_000  # training questions that answers and words are taken from
LOOKED_AT = 64  # training examples, where a benchmark does not declare what is asked


def interface_of(task: Task, seed: int = SEED) -> Interface:
    """Return the shape of a task for models; the seed is that of the training examples.

    >>> import unseen
    >>> interface_of(unseen.task("cogitao/c1-1"))
    Grids(side=20, code_length=4, tokens=29, demonstrations=0)
    >>> interface_of(unseen.task("cvr/inside"))
    Odd(side=128, rules=())
    """
    return READERS[task.kind.name](task, seed)


def _grids(task: Task, seed: int) -> Grids:
    inputs = next(_examples(task, seed)).inputs
    return Grids(
        side=grid_side(task),
        code_length=len(inputs["code"]),
        tokens=max(_declared(task, "tokens"), default=0),
        demonstrations=len(inputs.get("demonstration_inputs", ())),
    )


def _odd(task: Task, seed: int) -> Odd:
    rules = tuple(dict.fromkeys(rule for rules in _declared(task, "rules") for rule in rules))
    return Odd(_side(task, seed, "images"), rules if len(rules) > 1 else ())


def _images(task: Task, seed: int) -> Images:
    factors: dict[str, int] = next(_declared(task, "factors"), {})
    ranges: dict[str, tuple[float, float]] = next(_declared(task, "ranges"), {})
    told = tuple((name, *bounds) for name, bounds in ranges.items())
    scene: dict[str, int] = next(_declared(task, "scene_factors"), {})
    return Images(_side(task, seed, "image"), tuple(factors.items()), told, tuple(scene.items()))


def _videos(task: Task, seed: int) -> Videos:
    slots = max(_declared(task, "slots"), default=0)
    if not slots:
        slots = max(int(example.target["ids"].max()) for example in _examples(task, seed, LOOKED_AT))
    frames, side, *_ = _shape(task, seed, "frames")
    return Videos(side, frames, slots)


def _questions(task: Task, seed: int) -> Questions:
    """What is said and answered is declared, or takes a pass over training questions, which is made once and kept."""
    split, render = task.split("train"), task.benchmark.file("render")
    language: Callable[..., dict[str, Any] | None] = getattr(render, "language", lambda spec, view: None)
    found = language(split.spec, task.view) or _scanned(task, seed)
    inputs = next(_examples(task, seed)).inputs
    features = inputs["features"][0].shape[1] if "features" in inputs else 0
    pieces: Callable[..., tuple[str, ...]] = getattr(render, "word_pieces", lambda view: ())
    return Questions(
        answers=tuple(found["answers"]),
        words=tuple(found["words"]),
        images=found["images"],
        side=0 if features else _side(task, seed, "images"),
        symbols=tuple(found["symbols"]),
        features=features,
        pieces=pieces(task.view),
    )


def _scanned(task: Task, seed: int) -> dict[str, Any]:
    split = task.split("train")
    what = f"{FORMAT} {task.benchmark.version} {task.id} {split.size} {split.spec!r} {seed} {SCANNED} {task.contents()}"
    file = cache_root() / "questions" / f"{hash_bytes(what.encode()):016x}.json"
    return _remembered(file, lambda: _scan(task, seed))


def _remembered(file: Path, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What a file of the cache holds, or what is made; a cache that cannot be used costs only time."""
    kept = read_sealed(file)
    if kept is not None:
        return json.loads(kept)  # type: ignore[no-any-return]
    made = make()
    write_sealed(file, json.dumps(made).encode())
    return made


def _scan(task: Task, seed: int) -> dict[str, Any]:
    """The answers and words of training questions in the order of the alphabet, and the most images that one has."""
    answers, spoken, images = set(), set(), 0
    named: set[str] = set()
    for text, answer, count, names in _asked(task, seed):
        answers.add(answer)
        spoken.update(words(text))
        named.update(word for name in names for word in words(name))
        images = max(images, count)
    return {"answers": sorted(answers), "words": sorted(spoken), "symbols": sorted(named), "images": images}


def _asked(task: Task, seed: int) -> Iterator[tuple[str, str, int, list[str]]]:
    """Text, answer, number of images and names of objects, if told, of training questions.

    Their images are not drawn if that can be helped.
    """
    render, spec = task.benchmark.file("render"), task.split("train").spec
    asked: Callable[..., tuple[str, str, int]] | None = getattr(render, "asked", None)
    for example in _examples(task, seed, SCANNED):
        if asked:
            told = render.symbols(example.record, spec)["names"] if getattr(task.view, "symbols", False) else []
            yield *asked(example.record, spec, task.view), told
        else:
            shown = example.inputs
            yield shown["text"], example.target["answer"], len(shown["images"]), shown.get("names", [])


def _declared(task: Task, name: str) -> Iterator[Any]:
    """What the benchmark's `render` says of each split's spec under a name, the training split first; else nothing."""
    declared = getattr(task.benchmark.file("render"), name, None)
    return (declared(split.spec) for split in task.splits.values()) if declared else iter(())


def _side(task: Task, seed: int, name: str) -> int:
    """The side of a task's images in pixels."""
    *_, side, _ = _shape(task, seed, name)
    return side


def _shape(task: Task, seed: int, name: str) -> tuple[int, ...]:
    """The shape of what is shown, or of its first part: declared, so that nothing needs drawing, or else looked at."""
    if found := _shapes(task).get(name):
        return found
    inputs = next(_examples(task, seed)).inputs
    if name not in inputs:
        raise SpecError(f"{task.id} gives no {name}, and models see; leave out the option that leaves them out")
    shown = inputs[name]
    return tuple(shown[0].shape if isinstance(shown, Sequence) else shown.shape)


def _shapes(task: Task) -> dict[str, tuple[int, ...]]:
    declared = getattr(task.benchmark.file("render"), "shapes", None)
    return declared(task.split("train").spec, task.view) if declared else {}


def _examples(task: Task, seed: int, count: int = 1) -> Iterator[Example]:
    """The first training examples, without the pass that moves repeated ones: they are only looked at."""
    source = Generated(task, "train", seed, moved={})
    return map(source.example, range(min(count, source.size)))


READERS: dict[str, Callable[[Task, int], Interface]] = {
    "grid": _grids,
    "odd": _odd,
    "image": _images,
    "video": _videos,
    "question": _questions,
}
