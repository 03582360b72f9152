"""What a rule declares is what its audit may find, and what reviewers once found is not there any more."""

from __future__ import annotations

from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

import unseen
from unseen.audit.run import examples
from unseen.audit.solvers import solvers_of
from unseen.audit.statistics import STATISTICS as PIXELS
from unseen.benchmarks.cvr.audit import BOUND, STATISTICS, measure, tells
from unseen.benchmarks.cvr.rules import RULES
from unseen.benchmarks.cvr.scene import Object, Record

NAMES = list(STATISTICS)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_declared_statistic_exists_and_has_a_reason(rule):
    found = tells(SimpleNamespace(rules=(rule.name,)))
    assert found == rule.tells
    assert found.keys() <= {*PIXELS, *STATISTICS, "learned"}
    assert all(found.values())


def test_the_bound_is_between_chance_and_certainty():
    assert 0.25 < BOUND <= 0.5


def test_no_statistic_of_objects_has_the_name_of_one_of_pixels():
    assert not STATISTICS.keys() & PIXELS.keys()
    names = [solver.name for solver in solvers_of(unseen.task("cvr/shape"), "train")]
    assert len(names) == len(set(names))
    assert {*PIXELS, *STATISTICS, "learned", "position"} == {*names}


# Statistics of objects, by hand


def objects(*rows):
    """Objects of (shape, size, x, y, hue)."""
    return tuple(Object(shape, size, x, y, 0.0, False, hue, 0.8, 0.8) for shape, size, x, y, hue in rows)


def measured(image, rule="shape"):
    record = Record(rule, False, "plain", 0, (image,) * 4)
    numbers = measure(record)
    assert numbers.shape == (4, len(NAMES))
    assert (numbers == numbers[0]).all()
    return dict(zip(NAMES, numbers[0].tolist(), strict=True))


def test_sets_of_shape_size_and_hue_are_counted():
    image = objects(
        (7, 0.2, 0.2, 0.2, 0.98), (7, 0.1, 0.2, 0.8, 0.01), (7, 0.1, 0.8, 0.2, 0.02), (9, 0.2, 0.8, 0.8, 0.5)
    )
    found = measured(image)
    assert (found["shape sets"], found["smallest shape set"], found["largest shape set"]) == (2, 1, 3)
    assert found["shape set of 1 or 4"] == 1
    assert (found["size sets"], found["smallest size set"], found["largest size set"]) == (2, 2, 2)
    assert found["size set of 1 or 4"] == 0
    assert (found["hue sets"], found["largest hue set"]) == (2, 3)  # 0.98 and 0.02 are neighbors on the circle
    assert (found["objects"], found["object parity"]) == (4, 0)
    assert (found["object x"], found["object y"]) == pytest.approx((0.5, 0.5))
    assert found["closest"] == pytest.approx(0.6)
    assert found["distance spread"] == pytest.approx(0)
    assert found["size ratio"] == pytest.approx(np.log(2))


def test_one_object_alone_is_measured_too():
    found = measured(objects((7, 0.2, 0.3, 0.4, 0.1)))
    assert (found["objects"], found["object parity"], found["closest"], found["size ratio"]) == (1, 1, 0, 0)


def test_clumps_are_those_that_touch():
    example = unseen.load("cvr/contact-count-2")[0]
    kinds = measure(example.record)[:, NAMES.index("clump sets")]
    pieces = [one.answer(example) for one in solvers_of(example.task, "train") if one.name == "components"]
    assert len(set(kinds)) == 2  # the number of clumps is the rule
    assert np.argmax(pieces[0]) == example.record.odd


# What was a shortcut once: the rule, the statistic, and about what it reached

ONCE = [
    ("size-count-2", "area ratio", 0.98),
    ("size-count-2", "size ratio", 0.98),
    ("inside-sym-mir", "piece x", 0.89),
    ("inside-sym-mir", "object x", 1.0),
    ("color-inside-2", "hues", 0.56),
    ("pos-pos-1", "axes", 1.0),
    ("pos-pos-1", "whole aspect", 0.96),
    ("pos-rot-1", "axes", 0.67),
    ("pos-count-4", "parity", 0.65),
    ("pos-size-2", "gap spread", 0.56),
    ("pos-pos-4", "axes", 0.52),
    ("shape-inside-1", "shape sets", 1.0),
    ("rot-inside-2", "shape sets", 1.0),
]


def reached(task, split, names, count):
    """How often each of some statistics finds the odd image."""
    solvers = [one for one in solvers_of(task, split) if one.name in names]
    right = dict.fromkeys(names, 0)
    for example in islice(examples(task, split, 11), count):
        for one in solvers:
            right[one.name] += int(np.argmax(one.answer(example)) == example.record.odd)
    return {name: found / count for name, found in right.items()}


@pytest.mark.parametrize(("name", "statistic", "once"), ONCE, ids=[f"{rule} {name}" for rule, name, _ in ONCE])
def test_what_was_a_shortcut_once_is_none(name, statistic, once):
    task = unseen.task(f"cvr/{name}")
    for split in ("train", "test_ood"):
        found = reached(task, split, [statistic], 120)[statistic]
        assert found < min(BOUND + 0.09, once - 0.05)  # two standard errors of 120 problems


@pytest.mark.parametrize("name", ["shape-count-1", "color-count-1", "contact-count-1", "size-count-1"])
@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_a_group_of_one_or_of_four_is_as_much_at_home_in_regular_images(name, split):
    task = unseen.task(f"cvr/{name}")
    column = NAMES.index(
        {"shape": "shape", "color": "hue", "contact": "clump", "size": "size"}[name.split("-")[0]] + " set of 1 or 4"
    )
    odd, regular = [], []
    for example in islice(examples(task, split, 3), 60 if "contact" in name else 150):
        flags = measure(example.record)[:, column]
        odd.append(flags[example.record.odd])
        regular.append(np.delete(flags, example.record.odd).mean())
    assert abs(np.mean(odd) - np.mean(regular)) < 0.2  # it was 1 against 0
    assert np.mean(regular) > 0.3


SMALL_ONCE = ("pos-pos-2", "pos-count-3", "pos-count-4", "pos-size-2", "pos-rot-2", "size-color-2")


@pytest.mark.parametrize("name", SMALL_ONCE)
@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_no_object_is_smaller_than_six_pixels(name, split):
    data = unseen.load(f"cvr/{name}", split, seed=5)
    sizes = [one.size * 128 for example in data[:40] for image in example.record.images for one in image]
    assert min(sizes) > 6
