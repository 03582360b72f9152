"""Combinations of SVIB: the published ones again, and the paper's procedure."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.svib import combinations, replay
from unseen.benchmarks.svib.replay import Kept, tuple_hash
from unseen.benchmarks.svib.splits import TASKS
from unseen.benchmarks.svib.worlds import WORLDS
from unseen.core.errors import SpecError, UnknownName

sets = st.lists(st.tuples(*[st.integers(0, 7)] * 3), max_size=200)


@given(sets, st.randoms(use_true_random=False))
def test_sets_keep_the_order_of_cpythons(items, rng):
    others = rng.sample(items, len(items) // rng.randint(1, 12))
    assert list(Kept(items)) == list(set(items))
    assert list(Kept(items).without([*set(others)])) == list(set(items) - set(others))


@given(st.tuples(*[st.integers(0, 100)] * 4))
def test_tuples_hash_as_in_cpython(items):
    assert tuple_hash(items) == hash(items) % 2**64


@pytest.mark.parametrize("world", ["clevr", "clevrtex"])
def test_published_solids_are_what_python_draws_from_its_sets(world):
    random.seed(0)
    sizes = [len(values) for values in WORLDS[world].vocabularies]
    others = set(product(*map(range, sizes))).difference(set(replay.core(sizes)))
    test = random.sample(tuple(others), int(0.2 * len(others)))
    pool = others.difference(set(test))
    for step in range(81):
        train = random.sample(tuple(pool), ceil(len(others) * (0.01 * step)))
        found = combinations(world, alpha=step / 100, splits="published")
        assert found == {"core": replay.core(sizes), "train": replay.core(sizes) + train, "test": test}


@pytest.mark.parametrize(
    ("world", "counts"),
    [("dsprites", (4, 12, 4, 16, 28, 40)), ("clevr", (6, 27, 6, 34, 62, 89)), ("clevrtex", (8, 36, 8, 45, 82, 119))],
)
def test_published_lists_have_the_published_lengths(world, counts):
    lists = [combinations(world, alpha, "published") for alpha in (0.0, 0.2, 0.4, 0.6)]
    assert (len(lists[0]["core"]), len(lists[0]["test"]), *(len(found["train"]) for found in lists)) == counts
    for found in lists:
        assert len({*found["train"], *found["test"]}) == len(found["train"]) + len(found["test"])


def test_the_core_of_published_sprites_is_that_of_seed_0():
    assert combinations("dsprites", 0.0, "published")["core"] == [(2, 0, 3), (3, 2, 0), (1, 1, 2), (0, 3, 1)]


def test_published_sprites_are_what_numpy_draws_from_pythons_sets():
    rng, sizes = np.random.RandomState(0), np.array([0.125, 0.225, 0.325, 0.425])
    axes = np.array(np.meshgrid(np.arange(4), np.arange(4), np.arange(4)))
    everything = {tuple(row) for row in axes.T.reshape(-1, 3).tolist()}
    chosen = [
        tuple(row) for row in np.hstack([rng.choice(np.arange(4), (4, 1), replace=False) for _ in range(3)]).tolist()
    ]
    found = [chosen[:]]
    for wanted in (0, 12, 24, 36):
        pool = list(everything - set(chosen))
        while len(chosen) < 4 + wanted:
            chosen.append(pool.pop(int(rng.choice(np.arange(len(pool))))))
        found.append(chosen[4 + wanted - 12 :] if wanted else [])
        for _ in range(20):  # episodes
            of = sizes[[chosen[k][2] for k in rng.choice(len(chosen), 2)]]
            rng.rand(2, 2)
            places = np.zeros((2, 2))
            while np.linalg.norm(places[0] - places[1]) < 0.4 * of.sum():
                places = 0.4 * of[:, None] + rng.rand(2, 2) * (1 - 0.8 * of[:, None])
            rng.rand(2)
    pool = sorted(everything - set(chosen))
    test = [pool.pop(int(rng.choice(np.arange(len(pool))))) for _ in range(12)]
    assert replay.replayed_sprites(episodes=20) == [found[0], *found[2:], test]


@pytest.mark.slow
def test_published_sprites_are_what_the_random_stream_gives():
    assert replay.replayed_sprites() == replay.kept_sprites()


@pytest.mark.parametrize("world", WORLDS)
def test_the_papers_lists_are_nested_disjoint_and_cover_all(world):
    alphas = (0.0, 0.2, 0.4, 0.6, 1.0)
    lists = [combinations(world, alpha) for alpha in alphas]
    sizes = [len(values) for values in WORLDS[world].vocabularies]
    assert lists[0]["train"] == lists[0]["core"] == replay.core(sizes)
    for smaller, larger in pairwise(lists):
        assert larger["train"][: len(smaller["train"])] == smaller["train"]
        assert larger["test"] == smaller["test"]
    assert sorted(lists[-1]["train"] + lists[-1]["test"]) == replay.every(sizes)
    assert len(lists[0]["test"]) == len(combinations(world, 0.0, "published")["test"])


def test_every_value_is_in_the_core():
    for world in WORLDS.values():
        core = combinations(world.name)["core"]
        assert all({one[k] for one in core} == set(range(len(values))) for k, values in enumerate(world.vocabularies))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("clever",), "Did you mean 'clevr'"),
        (("clevr", 1.4), "alpha must be within 0 and 1"),
        (("clevr", 0.9, "published"), "0.8"),
        (("dsprites", 0.3, "published"), "0, 0.2, 0.4 and 0.6"),
    ],
)
def test_lists_that_there_are_not_say_why(arguments, sentence):
    with pytest.raises((SpecError, UnknownName), match=sentence):
        combinations(*arguments)


def test_there_are_twelve_tasks_and_names_for_their_levels():
    named = {row.name for row in TASKS}
    assert {f"{world}-{rule}" for world in WORLDS for rule in ("sa", "sna", "ma", "mna")} <= named
    assert {f"{world}-omni" for world in WORLDS} <= named
    assert unseen.task("svib/clevr-sa", alpha="hard").id == "svib/clevr-sa+alpha=0.2"
    assert unseen.task("svib/clevr-sa+alpha=easy").id == "svib/clevr-sa+alpha=0.6"
    assert unseen.task("svib/clevr-sa+alpha=medium").id == "svib/clevr-sa"
    assert {split.size for split in unseen.task("svib/clevr-sa").splits.values()} == {64_000, 8_000}


def test_all_16_analysis_rules_have_a_task():
    for rule in ("cp", "shac", "shaash", "caasi", "mintra", "mmix2", "mmix1", "minter"):
        for name in (rule, rule.replace("m", "mn", 1) if rule.startswith("m") else f"n{rule}"):
            assert unseen.task(f"svib/analysis-{name}").splits["train"].spec.effects


def test_a_world_of_ones_own():
    task = unseen.task("svib/custom", rule="color:other.color:1", objects=3, colors="ff0000,0000ff", sizes="0.1,0.2")
    assert task.id == "svib/custom+colors=ff0000,0000ff+objects=3+rule=color:other.color:1+sizes=0.1,0.2"
    spec = task.split("train").spec
    assert [len(values) for values in spec.vocabularies] == [2, 4, 2]
    assert unseen.task(task.id).id == task.id


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"world": "clevrtex", "colors": "ff0000"}, "no color"),
        ({"colors": "red"}, "six hexadecimal digits"),
        ({"shapes": "cube"}, "no shape named 'cube'"),
        ({"sizes": "0.7"}, "at most 0.5"),
        ({"objects": 9}, "1 to 8 objects"),
        ({"splits": "published", "sizes": "0.1,0.2"}, "published vocabularies"),
        ({"rule": "material:self.shape"}, "have no material"),
        ({"samples": 0}, "counts training episodes"),
    ],
)
def test_a_choice_that_cannot_be_says_why(options, sentence):
    with pytest.raises((SpecError, UnknownName), match=sentence):
        unseen.task("svib/custom", **options)
