"""Episodes of SVIB: what is drawn, that it can be seen, and that a verifier notices what is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unseen
from unseen.audit.run import audit, counted_shares
from unseen.benchmarks.svib import factors, kernels, solids, verify
from unseen.benchmarks.svib.render import masks, paint
from unseen.benchmarks.svib.sample import Sampler
from unseen.benchmarks.svib.spec import Spec
from unseen.benchmarks.svib.splits import combinations
from unseen.core.errors import Unplaceable
from unseen.core.splits import part_of
from unseen.metrics import METRICS
from unseen.results.scoring import score

SCENES = ("input", "target")
FLAT = ("dsprites-sa", "dsprites-sna", "dsprites-ma", "dsprites-mna", "analysis-ncp", "dsprites-omni")


@pytest.mark.parametrize("name", FLAT)
def test_every_episode_is_proven(name):
    dataset = unseen.load(f"svib/{name}")
    for example in dataset[:20]:
        assert dataset.task.check(example.record, "train") == []


@pytest.mark.parametrize("name", ["clevr-mna", "clevrtex-ma"])
def test_every_episode_of_solids_is_proven(name):
    dataset = unseen.load(f"svib/{name}", renderer="none")
    for example in dataset[:4]:
        assert dataset.task.check(example.record, "train") == []


def test_grains_are_the_same_everywhere():
    assert solids.GRAIN == kernels.GRAIN


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.4, 0.6])
def test_inputs_have_combinations_of_their_split_only(alpha):
    found = combinations("dsprites", alpha)
    for split, allowed in (("train", found["train"]), ("test", found["train"]), ("test_ood", found["test"])):
        examples = unseen.load("svib/dsprites-ma", split, alpha=alpha)[:100]
        looks = {one.look for example in examples for one in example.record.source}
        assert looks <= {*allowed}
        assert len(looks) > len(allowed) / 2


def held_out_objects(**options):
    """How many of 600 objects in inputs and in targets of training have a held-out combination."""
    counted = [counted_shares(example) for example in unseen.load("svib/dsprites-sa", **options)[:300]]
    return [sum(one[f"objects of the {name} whose combination is held out"][0] for one in counted) for name in SCENES]


def test_held_out_combinations_are_in_targets_unless_a_task_is_strict():
    inputs, targets = held_out_objects()
    assert inputs == 0
    assert targets > 0.05 * 600
    assert held_out_objects(strict=True) == [0, 0]


def test_the_audit_tells_what_copying_the_input_costs(monkeypatch):
    monkeypatch.setattr("unseen.audit.run.available", lambda names: [METRICS["mse"], METRICS["factor_accuracy"]])
    found = audit(unseen.task("svib/dsprites-sa"), "test_ood", count=10)
    values = {(one.solver, one.metric): one.value for one in found.findings}
    assert values["copy", "mse"] > 100
    assert values["copy", "factor_accuracy"] < 0.7
    assert values["records", "share"] >= 0
    assert found.clean


def test_a_world_that_cannot_be_placed_says_so():
    spec = Spec(objects=8, sizes=(0.45, 0.5), combinations="all")
    with pytest.raises(Unplaceable, match="8 objects in dsprites"):
        Sampler(spec, part_of("train"), 0).draw(0)


def test_more_objects_and_other_vocabularies_are_drawn_and_proven():
    dataset = unseen.load(
        "svib/custom",
        rule="shape:other.shape,color:self.color:1",
        objects=3,
        shapes="pentagon,hexagon,diamond",
        colors="ff0000,ffffff",
        sizes="0.15,0.2",
        alpha=0.5,
    )
    for example in dataset[:10]:
        assert dataset.task.check(example.record, "train") == []
        assert len(example.record.source) == 3
        assert {*np.unique(example.target["masks"])} == {0, 1, 2, 3}


# ---------------------------------------------------------------------------- what the verifier notices


@pytest.fixture(scope="module")
def episode():
    example = unseen.load("svib/dsprites-mna")[3]
    return example.record, example.task.split("train").spec


def changed(objects, **changes):
    """Some objects, the first of them with changes."""
    return (objects[0]._replace(**changes), *objects[1:])


def test_a_target_that_breaks_the_rule_is_noticed(episode):
    record, spec = episode
    look = record.target[0].look
    wrong = replace(record, target=changed(record.target, look=(look[0], (look[1] + 1) % 4, look[2])))
    assert any("the rule makes it" in problem for problem in verify.check(wrong, spec))
    moved = replace(record, target=changed(record.target, x=record.target[0].x + 500))
    assert any("the rule moves it to" in problem for problem in verify.check(moved, spec))


def test_a_held_out_combination_is_noticed(episode):
    record, spec = episode
    held_out = combinations("dsprites")["test"][0]
    wrong = replace(record, source=changed(record.source, look=held_out))
    assert any("is not one of the split's" in problem for problem in verify.check(wrong, spec))
    strict = replace(spec, strict=True)
    shown = replace(record, target=changed(record.target, look=held_out))
    assert any("which is held out" in problem for problem in verify.check(shown, strict))


def test_objects_that_meet_or_leave_are_noticed(episode):
    record, spec = episode
    met = changed(record.source, x=record.source[1].x, y=record.source[1].y)
    assert any("too near" in problem for problem in verify.check(replace(record, source=met, target=met), spec))
    gone = changed(record.source, x=0)
    assert any("out of bounds" in problem for problem in verify.check(replace(record, source=gone), spec))
    assert verify.check(replace(record, source=record.source[:1]), spec)


def test_an_image_of_something_else_is_noticed(episode):
    record, spec = episode
    look = record.source[0].look
    for factor, value in ((0, (look[0] + 1) % 4), (1, (look[1] + 1) % 4), (2, (look[2] + 1) % 4)):
        other = changed(record.source, look=tuple(value if k == factor else old for k, old in enumerate(look)))
        assert list(verify.check_read(paint(other, spec, 128), record.source, spec))
    aside = changed(record.source, x=record.source[0].x + 4000)
    assert list(verify.check_read(paint(aside, spec, 128), record.source, spec))


def test_a_sprite_that_the_frame_cuts_may_be_read_as_another():
    dataset = unseen.load("svib/dsprites-ma", alpha=0.6)
    record, spec = dataset[245].record, dataset.task.splits["train"].spec  # a corner cuts the largest square
    assert factors.read(paint(record.target, spec, 128), spec)[0].look != record.target[0].look
    assert verify.check(record, spec) == []
    for size in (1, 2):
        other = changed(record.target, look=(*record.target[0].look[:2], size))
        assert list(verify.check_read(paint(other, spec, 128), record.target, spec))


def test_masks_of_something_else_are_noticed(episode):
    record, spec = episode
    ids = masks(record.source, spec, 128)
    assert list(verify.check_masks(ids, record.source, spec)) == []
    assert list(verify.check_masks(np.roll(ids, 3, axis=0), record.source, spec))
    assert list(verify.check_masks(np.where(ids == 1, 2, ids), record.source, spec))


# ---------------------------------------------------------------------------- reading factors back


@pytest.mark.parametrize("name", FLAT)
def test_nearly_all_objects_are_read_back_from_targets(name):
    dataset = unseen.load(f"svib/{name}", "test")
    spec = dataset.task.split("test").spec
    found = [factors.read(example.target["image"], spec) for example in dataset[:25]]
    truth = [factors.truth(example.record, spec) for example in dataset[:25]]
    assert METRICS["factor_accuracy"](truth, found) > 0.98


def test_objects_are_read_from_noisy_images_of_any_size(episode):
    record, spec = episode
    for size in (64, 96, 256):
        image = paint(record.source, spec, size).astype(float)
        noise = 40 * np.sin(np.arange(image.size)).reshape(image.shape)
        found = factors.read(image * 0.8 + noise, spec)
        assert sorted(one.look for one in found) == sorted(one.look for one in record.source)


def test_scores_of_true_targets_are_perfect():
    task = unseen.task("svib/custom", samples=20, alpha=0.6)
    truth = [example.target["image"] for example in unseen.load(task.id, "train")]
    scores = score(task, "train", truth, metrics=["mse", "factor_accuracy"])
    assert scores["mse"] == 0
    assert scores["factor_accuracy"] > 0.95
