"""Paired test sets: the same grids, asked for in a trained and in a held-out way; and what they tell of a model."""

from __future__ import annotations

import numpy as np
import pytest

import unseen
from unseen.benchmarks.cogitao.analysis import findings
from unseen.benchmarks.cogitao.sample import Sampler
from unseen.benchmarks.cogitao.spec import PairedSpec
from unseen.core.analysis import Outcome
from unseen.core.errors import SpecError
from unseen.core.splits import PARTS
from unseen.predict import Predictions

TRAINED, HELD_OUT = "test_paired", "test_paired_ood"
COUNT = 12
CASES = {  # held-out sequences, and the trained one most like them
    "c1-2": {("change_shape_color", "pad_right"): ("pad_right", "change_shape_color")},
    "c1-3": {("rot90", "crop_bottom_side"): ("crop_bottom_side", "rot90")},
    "c1-1": {("translate_up", "rot90"): ("translate_up",)},
}


@pytest.mark.parametrize("name", CASES)
def test_both_sets_show_the_same_grids_and_each_has_the_others_target_beside_its_own(name):
    task = unseen.task(f"cogitao/{name}", paired=True)
    for trained, held_out in zip(
        unseen.load(task.id, TRAINED)[:COUNT], unseen.load(task.id, HELD_OUT)[:COUNT], strict=True
    ):
        assert CASES[name][tuple(held_out.scene["sequence"])] == tuple(trained.scene["sequence"])
        assert np.array_equal(trained.inputs["grid"], held_out.inputs["grid"])
        assert not np.array_equal(trained.inputs["code"], held_out.inputs["code"])
        assert np.array_equal(trained.target["grid"], held_out.target["paired_grid"])
        assert np.array_equal(trained.target["paired_grid"], held_out.target["grid"])
        assert task.check(trained.record, TRAINED) == task.check(held_out.record, HELD_OUT) == []


def test_what_is_asked_for_was_trained_in_one_set_and_held_out_in_the_other():
    task = unseen.task("cogitao/c3-2", paired=True)
    trained = set(task.splits["train"].spec.sequences)
    assert set(task.splits[TRAINED].spec.sequences) <= trained
    assert not set(task.splits[HELD_OUT].spec.sequences) & trained


def test_the_other_splits_stay_as_they_are():
    plain, paired = unseen.task("cogitao/c1-3"), unseen.task("cogitao/c1-3", paired=True)
    assert [paired.splits[name] for name in plain.splits] == list(plain.splits.values())
    assert unseen.load(plain.id, "test")[5].record == unseen.load(paired.id, "test")[5].record


@pytest.mark.parametrize("plain", [True, False])
def test_an_index_gives_the_same_scene_to_both_partners_and_belongs_to_the_part_with_both(plain):
    pairs = ((("rot90", "pad_top"),), (("pad_top", "rot90"),))
    for index in range(4):
        scenes = []
        for sequences, partners in (pairs, pairs[::-1]):
            spec = PairedSpec(sequences=sequences, partners=partners, grid=(9, 9), max_size=3)
            record, key, turn = Sampler(spec, PARTS["test"], 7, plain=plain).draw(index)
            assert PARTS["test"].holds(key)
            assert list(Sampler(spec, PARTS["test"], 7, plain=plain).keys(index, index + 1)) == [(key, turn)]
            scenes.append(record.query)
        assert scenes[0] == scenes[1]


def test_what_cannot_be_paired_is_refused_in_a_sentence():
    with pytest.raises(SpecError, match="paired test sets have no demonstrations"):
        unseen.task("cogitao/c1-3", paired=True, in_context=1)
    with pytest.raises(SpecError, match="no held-out sequence was trained in reverse or without its last step"):
        unseen.task("cogitao/custom", sequences="rot90,pad_top:pad_top", held_out="rot90", paired=True)
    with pytest.raises(SpecError, match="2 sequences cannot have 1 partners"):
        PairedSpec(sequences=(("rot90",), ("pad_top",)), partners=(("rot90",),))


def test_a_model_that_repeats_what_it_knows_is_stubborn_and_one_that_composes_is_not():
    task = unseen.task("cogitao/c1-3", paired=True)
    examples = unseen.load(task.id, HELD_OUT)[:COUNT]

    def scored(name):
        values = [example.target[name] for example in examples]
        return task.score(HELD_OUT, Predictions(task.id, HELD_OUT, 0, "", tuple(range(COUNT)), values, ""))

    repeats, composes = scored("paired_grid"), scored("grid")
    assert (repeats["stubbornness"], repeats["grid_accuracy"]) == (1, 0)
    assert (composes["stubbornness"], composes["grid_accuracy"]) == (0, 1)


def test_sets_without_pairs_know_no_stubbornness():
    copies = [example.inputs["grid"] for example in unseen.load("cogitao/s1-rotate", "test")]
    assert "stubbornness" not in unseen.score("cogitao/s1-rotate", "test", copies)
    with pytest.raises(SpecError, match="stubbornness needs paired_grid beside the target, which cogitao/s1-rotate"):
        unseen.score("cogitao/s1-rotate", "test", copies, metrics=["stubbornness"])


def test_the_finding_is_a_mean_over_seeds_and_needs_paired_sets():
    task = unseen.task("cogitao/c1-3", paired=True)

    def outcome(seed, held_out, stubborn):
        scores = {
            TRAINED: {"grid_accuracy": 90.0, "stubbornness": 0.0},
            HELD_OUT: {"grid_accuracy": held_out, "stubbornness": stubborn},
        }
        return Outcome(task, "grid-tf", seed, scores)

    (found,) = findings([outcome(0, 0.0, 80.0), outcome(1, 10.0, 90.0)])
    assert found.rows == (
        ("rot90, crop_bottom_side", "crop_bottom_side, rot90", "grid-tf", "2", "90.0", "5.0", "85.0", "85.0"),
    )
    assert list(findings([Outcome(task, "grid-tf", 0, {"test": {"grid_accuracy": 50.0}})])) == []
