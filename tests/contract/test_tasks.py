"""What holds for every task of every benchmark; a new one is tested the moment it exists."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import unseen
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import MissingExtra, SpecError, UnknownName
from unseen.core.options import parse_id
from unseen.core.splits import PARTS
from unseen.core.task import KINDS
from unseen.data.dataset import Generated

SAMPLED = {  # benchmarks that make many examples at once, so that one of each task costs seconds: some tasks of them
    "covr": ("iid", "has-quant-all-m250", "tpl-verifyattr-zero", "program-zero-1", "lexical-zero-1", "custom"),
}
VARIANTS = ("covr/iid+images=3d",)  # tasks that draw from another world by an option
DIGESTS = Path(__file__).with_name("digests.json")
FEW = 3
PLAIN = {"str": str, "int": int}  # what is no array


def is_long(name):
    """Whether a task is tested only among the slow tests."""
    benchmark, _, task = name.partition("+")[0].partition("/")
    return benchmark in SAMPLED and task not in SAMPLED[benchmark]


NAMES = [*unseen.tasks(), *VARIANTS]
TASKS = [pytest.param(name, marks=pytest.mark.slow) if is_long(name) else name for name in NAMES]


def examples(task, split, count=FEW, seed=0):
    """The first examples of a split; the pass that looks for repetitions is left out, it moves none of the first."""
    source = Generated(task, split, seed, moved={})
    return [source.example(index) for index in range(count)]


@contextmanager
def renderer_where_needed():
    """Images in 3-D need a driver; without one, what needs them is skipped and the reason told."""
    try:
        yield
    except MissingExtra as error:
        pytest.skip(str(error))


def portable(task):
    """A task whose arrays are the same on every machine: without images where a driver makes them."""
    try:
        return unseen.task(task.id, renderer="none")
    except (UnknownName, SpecError):  # it has no renderer, or needs none
        return task


@pytest.fixture(params=TASKS)
def task(request):
    return unseen.task(request.param)


def test_ids_are_lower_case_with_hyphens_and_name_the_task_again(task):
    assert task.id == task.id.lower()
    assert "_" not in task.name
    assert unseen.task(task.id).id == task.id
    for alias in task.row.aliases:
        assert unseen.task(f"{task.benchmark.name}/{alias}").id == task.id


def test_a_task_says_what_it_is(task):
    assert task.row.summary
    assert task.kind is KINDS[task.benchmark.kind]
    assert {"train", "val", "test"} <= task.splits.keys()
    assert set(task.splits) <= {*PARTS} or all(name.startswith("test_") for name in set(task.splits) - {*PARTS})
    assert all(split.size > 0 for split in task.splits.values())


def test_an_example_is_a_pure_function(task):
    for split in task.splits:
        source, again = Generated(task, split, 0, moved={}), Generated(task, split, 0, moved={})
        forwards = [source.draw(index) for index in range(FEW)]
        backwards = [again.draw(index) for index in reversed(range(FEW))]
        assert forwards == backwards[::-1]
        if split == "train" or task.benchmark.name not in SAMPLED:  # another seed is another batch, which takes long
            assert forwards != [Generated(task, split, 1, moved={}).draw(index) for index in range(FEW)]


def test_examples_travel_to_other_processes(task):
    dataset = unseen.load(task.id, "val")
    dataset.source._moved = {}
    copy = pickle.loads(pickle.dumps(dataset))
    assert copy[1].record == dataset[1].record


def test_every_label_is_proven(task):
    for split in task.splits:
        for example in examples(task, split):
            assert task.check(example.record, split) == []


@pytest.mark.parametrize("count", [1, pytest.param(40, marks=pytest.mark.slow)])
def test_a_share_of_every_whole_split_is_proven(task, count):
    """What `unseen verify` checks, at places all over a split; those that are made in batches have theirs above."""
    if count == 1 and getattr(task.benchmark.file("sample").Sampler, "together", 1) > 1:
        return
    for name, split in task.splits.items():
        source = Generated(task, name, 0, moved={})
        for index in random.Random(f"{task.id} {name}").sample(range(split.size), min(count, split.size)):
            record, key = source.draw(index)
            assert task.check(record, name) == [], index
            assert split.part.holds(key), index


def test_a_split_keeps_to_its_own_part(task):
    for name, split in task.splits.items():
        source = Generated(task, name, 0, moved={})
        assert all(split.part.holds(source.draw(index)[1]) for index in range(FEW))


def test_nothing_out_of_distribution_could_be_trained_on(task):
    contains = task.benchmark.file("splits").contains
    for name, split in task.splits.items():
        if not name.endswith("_ood"):
            continue
        assert not any(contains(split.spec, example.record) for example in examples(task, "train", 20))
        assert not any(contains(task.splits["train"].spec, example.record) for example in examples(task, name))
        assert all(contains(split.spec, example.record) for example in examples(task, name))


def test_arrays_are_what_the_kind_promises(task):
    example = examples(task, "test", 1)[0]
    with renderer_where_needed():
        sides = (task.kind.inputs, example.inputs), (task.kind.target, example.target)
    for declared, arrays in sides:
        assert list(arrays) == list(declared)
        for name, form in declared.items():
            if form in PLAIN:
                assert isinstance(arrays[name], PLAIN[form])
                continue
            dtype, _, shape = form.removeprefix("list of ").partition(" ")
            for array in arrays[name] if form.startswith("list of ") else [arrays[name]]:
                assert array.dtype == np.dtype(dtype)
                assert array.ndim == len([axis for axis in shape.strip("()").split(",") if axis])


def test_there_is_a_picture_for_people(task):
    with renderer_where_needed():
        picture = np.asarray(examples(task, "test", 1)[0].show())
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3


def test_the_scene_is_plain_python(task):
    scene = examples(task, "test", 1)[0].scene
    assert json.loads(json.dumps(scene)) == scene


# ---------------------------------------------------------------------------- what every version of the content pins


def digest_of_examples(task) -> str:
    """A digest of the first few examples of every split, arrays and all."""
    total = hashlib.sha256()
    for split in task.splits:
        source = Generated(task, split, 0, moved={})
        for index in range(FEW):
            record, key = source.draw(index)
            total.update(f"{split} {index} {key} {record!r}".encode())
            for arrays in source.example(index).arrays:
                total.update(b"".join(np.ascontiguousarray(value).tobytes() for value in arrays.values()))
    return total.hexdigest()[:16]


def digest_of_lists(task) -> str:
    """A digest of what every split is: its size, whether examples may repeat, and its compositions in their order."""
    total = hashlib.sha256()
    compositions = getattr(task.benchmark.file("splits"), "compositions", None)
    for split in task.splits.values():
        total.update(f"{split.name} {split.size} {split.unique}".encode())
        for composition in compositions(split.spec) if compositions else ():
            total.update(f"{composition!r}\n".encode())
    return total.hexdigest()[:16]


def digest_of_keys(task) -> str:
    """A digest of the content keys of further examples: of the next ones, the last one, and some of another seed.

    Where many examples are made at once, the last one and another seed are left out: they cost seconds.
    """
    total = hashlib.sha256()
    for name, split in task.splits.items():
        indices = {0: [*range(FEW, min(FURTHER, split.size))]}
        if task.benchmark.name not in SAMPLED:
            indices = {0: [*indices[0], split.size - 1], 1: range(FEW)}
        for seed, chosen in indices.items():
            source = Generated(task, name, seed, moved={})
            total.update(f"{name} {[source.draw(index)[1] for index in chosen]}".encode())
    return total.hexdigest()[:16]


PINNED = {"tasks": digest_of_examples, "lists": digest_of_lists, "keys": digest_of_keys}  # by name in digests.json
FURTHER = 40  # examples of a split whose keys are pinned


def digests_of(ids):
    """Everything that is pinned of some tasks."""
    tasks = {id: portable(unseen.task(id)) for id in ids}
    return {what: {id: digest(task) for id, task in tasks.items()} for what, digest in PINNED.items()}


def pinned(benchmark, found):
    """The digests that are pinned of some tasks.

    Changing what any (task, split, seed, index) gives raises the benchmark's version. Run with UNSEEN_PIN=1 to pin the
    digests of a new version; those of long tasks are pinned by the slow tests.
    """
    every = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    own = every.get(benchmark.name, {"version": benchmark.version})
    if os.environ.get("UNSEEN_PIN"):
        known = own if own["version"] == benchmark.version else {}
        kept = {what: {id: value for id, value in known.get(what, {}).items() if id in NAMES} for what in PINNED}
        own = {"version": benchmark.version} | {what: kept[what] | found[what] for what in PINNED}
        DIGESTS.write_text(json.dumps({**every, benchmark.name: own}, indent=1, sort_keys=True) + "\n")
    assert own["version"] == benchmark.version
    return {what: {id: own.get(what, {}).get(id) for id in found[what]} for what in PINNED}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_examples_are_those_of_the_pinned_version(name):
    own = [id for id in NAMES if id.startswith(f"{name}/")]
    found = digests_of(id for id in own if not is_long(id))
    assert found == pinned(BENCHMARKS[name], found)
    kept = json.loads(DIGESTS.read_text())[name]
    assert all(set(kept[what]) == set(own) for what in PINNED)


@pytest.mark.slow
@pytest.mark.parametrize("id", [id for id in NAMES if is_long(id)])
def test_examples_of_long_tasks_are_those_of_the_pinned_version(id):
    found = digests_of([id])
    assert found == pinned(BENCHMARKS[id.partition("/")[0]], found)


def test_options_are_written_sorted_and_without_defaults():
    task = unseen.task("cogitao/custom", objects=4, grid=(10, 15), depth=2, sequential=True)
    assert task.id == "cogitao/custom+grid=10-15+objects=4+sequential=true"
    name, options = parse_id(task.id)
    assert unseen.task(name, **options).id == task.id
