"""Sampling: the compiled sampler against the readable one, placement rules, and the sequences that can be drawn."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product

import numpy as np
import pytest

import unseen
from unseen.benchmarks.cogitao import kernels, verify
from unseen.benchmarks.cogitao.objects import Library, default_library, register_library
from unseen.benchmarks.cogitao.rules import PUBLISHED, steps
from unseen.benchmarks.cogitao.sample import Sampler, collides, content_key, covered, occupy
from unseen.benchmarks.cogitao.spec import Spec
from unseen.core.errors import TooFewExamples, Unplaceable
from unseen.core.random import path_key
from unseen.core.splits import PARTS, Part

EVERYTHING = Part(0, 8)

SPECS = {
    "headline": Spec(objects=(4, 4)),
    "small and crowded": Spec(grid=(10, 14), objects=(1, 3), max_size=4, depth=(1, 2)),
    "listed": Spec(
        sequences=(("rot90", "pad_top"), ("translate_up",), ("fill_holes_same_color", "empty_inside_pixels"))
    ),
    "large objects": Spec(grid=(17, 20), objects=(3, 3), min_size=6, max_size=8, sequences=(("crop_top_side",),)),
    "in context": Spec(grid=(12, 12), in_context=2, transformations=("rot90", "pad_left")),
    "any object": Spec(
        grid=(24, 30),
        properties=(),
        unwanted=("evenly_colored",),
        max_size=9,
        depth=(3, 3),
        transformations=("rot90", "crop_contours", "extend_contours_different_color", "double_left", "translate_up"),
    ),
    "widest": Spec(grid=(64, 64), objects=(3, 5), max_size=12),
    "blind": Spec(
        grid=(8, 13), placement="blind", transformations=("double_up", "pad_shape", "translate_left"), depth=(1, 2)
    ),
}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
@pytest.mark.parametrize("part", ["train", "test"])
def test_the_compiled_sampler_draws_what_the_readable_one_draws(spec, part):
    key = path_key(3, "oracle", part)
    compiled, plain = Sampler(spec, PARTS[part], key), Sampler(spec, PARTS[part], key, plain=True)
    for index in range(2 if part == "test" else 8):
        assert compiled.draw(index) == plain.draw(index)


def test_keys_are_those_of_the_records():
    spec = SPECS["small and crowded"]
    sampler = Sampler(spec, PARTS["val"], path_key(0, "keys"))
    for index, (key, draw) in enumerate(sampler.keys(0, 30)):
        record, found, turn = sampler.draw(index)
        assert (key, draw) == (found, turn)
        assert key == content_key(record.sequence, record.query, default_library())
        assert PARTS["val"].holds(key)


def test_the_content_key_knows_neither_order_nor_identity_of_objects():
    library = Library.from_arrays([[[1, 1]], [[2]], [[1, 1], [0, 0], [2, 0]]])
    record, _, _ = Sampler(SPECS["listed"], EVERYTHING, 0).draw(0)
    pair = record.query
    swapped = type(pair)(pair.height, pair.width, pair.objects[::-1])
    shipped = default_library()
    assert content_key(record.sequence, pair, shipped) == content_key(record.sequence, swapped, shipped)
    assert content_key(("rot90",), pair, shipped) != content_key(("pad_top",), pair, shipped)
    apart = type(pair)(5, 5, ((0, 0, 0), (1, 2, 0)))
    together = type(pair)(5, 5, ((2, 0, 0),))
    assert content_key(("rot90",), apart, library) == content_key(("rot90",), together, library)


def test_every_sequence_is_as_frequent_as_any_other():
    spec = Spec(transformations=("translate_up", "quadruple_shape", "pad_shape"), depth=(2, 2))
    sampler = Sampler(spec, PARTS["train"], path_key(0, "balance"))
    counts = Counter(sampler.draw(index)[0].sequence for index in range(90))
    assert set(counts.values()) == {10}


def test_depths_take_turns_in_a_range_of_depths():
    sampler = Sampler(Spec(depth=(1, 3)), PARTS["train"], path_key(0, "depths"))
    assert Counter(len(sampler.draw(index)[0].sequence) for index in range(90)) == {1: 30, 2: 30, 3: 30}


@pytest.mark.parametrize("first", PUBLISHED)
def test_every_ordered_pair_can_be_generated_and_is_right(first):
    sequences = tuple(product((first,), PUBLISHED))
    spec = Spec(sequences=sequences, max_size=6)
    sampler = Sampler(spec, PARTS["train"], path_key(0, "pairs"))
    drawn = [sampler.draw(index)[0] for index in range(len(sequences))]
    assert {record.sequence for record in drawn} == set(sequences)
    for record in drawn:
        assert verify.check(record, spec) == []


def test_a_place_is_uniform_among_the_valid_ones():
    register_library("one pixel", lambda: Library.from_arrays([[[5]]]))
    spec = Spec(
        grid=(4, 4), objects=(1, 1), max_size=1, library="one pixel", sequences=(("translate_up",),), properties=()
    )
    sampler = Sampler(spec, EVERYTHING, path_key(0, "uniform"))
    counts = Counter(
        (r.query.objects[0].row, r.query.objects[0].column) for r in (sampler.draw(i)[0] for i in range(6000))
    )
    assert set(counts) == {(row, column) for row in (1, 2, 3) for column in range(4)}
    chi_square = sum((count - 500) ** 2 / 500 for count in counts.values())
    assert chi_square < 31.3  # 0.999 quantile for 11 degrees of freedom


def test_look_ahead_does_not_select_small_objects():
    """pad_shape -> quadruple_shape makes a 5x5 object 14x14: rejecting whole scenes would leave only small ones."""
    spec = Spec(sequences=(("pad_shape", "quadruple_shape"),), objects=(1, 1))
    library = default_library()
    eligible = library.query(wanted=["fully_connected"], max_size=5)
    sampler = Sampler(spec, PARTS["train"], path_key(0, "sizes"))
    drawn = [sampler.draw(index)[0].query.objects[0].object for index in range(3000)]
    sizes = library.heights * library.widths
    assert abs(sizes[drawn].mean() - sizes[eligible].mean()) < 0.5


def test_blind_placement_selects_an_object_as_often_as_its_starts_turn_out_well():
    """Of the 16 - h rows where an object of h rows may start on 15, 16 - 2 h leave room for its double above."""
    spec = Spec(sequences=(("double_up",),), objects=(1, 1), grid=(15, 15), placement="blind")
    heights = default_library().heights
    eligible = heights[default_library().query(wanted=["fully_connected"], max_size=5)]
    sampler = Sampler(spec, PARTS["train"], path_key(0, "blind"))
    drawn = [heights[sampler.draw(index)[0].query.objects[0].object] for index in range(3000)]
    expected = np.average(eligible, weights=(16 - 2 * eligible) / (16 - eligible))
    assert np.mean(drawn) == pytest.approx(expected, abs=0.1)  # four standard errors
    assert expected < eligible.mean() - 0.2


def test_published_places_are_ours_but_for_the_insides_of_objects(shared_data):
    published = json.loads((shared_data / "conformance" / "cogitao.json").read_text())
    for case in published["placement"]:
        if case["object"] not in published["objects"]:
            continue
        world = np.array(case["world"], np.uint8)
        cells = np.array(published["objects"][case["object"]], np.uint8)
        taken = [set()]
        for row, column in np.argwhere(world):
            occupy([[(0, 0)]], (int(row), int(column)), taken)
        rows, columns = world.shape[0] - cells.shape[0] + 1, world.shape[1] - cells.shape[1] + 1
        footprint = covered([(cells, (0, 0))])
        places = [[r, c] for r in range(rows) for c in range(columns) if not collides(footprint, (r, c), taken)]
        assert places == case["valid_positions"]


def test_published_scenes_are_accepted_and_rejected_alike(shared_data):
    published = json.loads((shared_data / "conformance" / "cogitao.json").read_text())
    for case in published["scenes"]:
        grid = np.array(case["input"], np.uint8)
        frames = []
        for item in case["objects"]:
            if item["object"] not in published["objects"]:
                break
            frames.append(steps(case["transforms"], np.array(published["objects"][item["object"]]), tuple(item["pos"])))
        else:
            ok = True
            pair = type("Size", (), {"height": grid.shape[0], "width": grid.shape[1]})
            for k in range(len(case["transforms"]) + 1):
                cells = [verify.cells_of(*steps_of_one[k]) for steps_of_one in frames]
                ok = ok and not list(verify.check_frame(k, cells, pair))
            assert ok == ("output" in case["every_step"]), case["transforms"]


def test_demonstrations_share_the_sequence_and_repeat_nothing():
    spec = Spec(grid=(6, 6), objects=(1, 1), max_size=2, in_context=4, sequences=(("translate_up",),))
    sampler = Sampler(spec, PARTS["train"], path_key(0, "demonstrations"))
    for index in range(200):
        record, _, _ = sampler.draw(index)
        pairs = (record.query, *record.demonstrations)
        keys = {content_key(record.sequence, pair, default_library()) for pair in pairs}
        assert len(keys) == 5
        assert all(PARTS["train"].holds(key) for key in keys)


def test_the_query_is_the_same_with_and_without_demonstrations():
    plain = unseen.load("cogitao/c1-1", "test")
    shown = unseen.load("cogitao/c1-1", "test", in_context=2)
    assert [ex.record.query for ex in plain[:20]] == [ex.record.query for ex in shown[:20]]


@pytest.mark.parametrize("plain", [False, True])
def test_what_cannot_be_placed_is_an_error_that_names_the_configuration(plain, monkeypatch):
    for bound in ("ROUNDS", "ATTEMPTS", "CANDIDATES"):  # of the readable sampler; the compiled one keeps its own
        monkeypatch.setattr(kernels, bound, 20)
    crowded = Spec(grid=(6, 6), objects=(9, 9), min_size=3, max_size=3, sequences=(("rot90",),))
    with pytest.raises(Unplaceable, match=r"9-9 objects of 3 to 3 cells a side.*6x6 grids.*sequence rot90"):
        Sampler(crowded, EVERYTHING, 0, plain=plain).draw(0)
    with pytest.raises(Unplaceable, match="no object that the sequence is for"):
        Sampler(Spec(grid=(3, 3), sequences=(("double_up",) * 5,)), EVERYTHING, 0, plain=plain).draw(0)


def test_objects_that_nobody_has_are_an_error():
    with pytest.raises(Unplaceable, match="no object of the library"):
        Sampler(Spec(properties=("hollow", "not_hollow")), EVERYTHING, 0)


def test_too_few_examples_for_a_part_is_an_error():
    register_library("one dot", lambda: Library.from_arrays([[[5]]]))
    spec = Spec(grid=(1, 1), objects=(1, 1), library="one dot", sequences=(("change_shape_color",),), properties=())
    holders = [part for part in (Part(k, k + 1) for k in range(8)) if _draws(spec, part)]
    assert len(holders) == 1


def _draws(spec, part):
    try:
        return Sampler(spec, part, 0).draw(0)
    except TooFewExamples:
        return None
