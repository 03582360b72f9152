"""The named settings: their lists against the paper and the published code, their sizes, and that nothing leaks."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

import unseen
from unseen.benchmarks.cogitao import splits
from unseen.benchmarks.cogitao.render import tokens
from unseen.benchmarks.cogitao.rules import PUBLISHED, TRANSFORMATIONS, transformation
from unseen.benchmarks.cogitao.sample import plan
from unseen.core import catalogue
from unseen.core.errors import SpecError, UnknownName
from unseen.data.dataset import Generated

NAMED = [name for name in unseen.tasks("cogitao") if not name.startswith(("cogitao/custom", "cogitao/n"))]
GENERALIZATION = [name for name in NAMED if "/s" not in name]


def sequences(name, split, **options):
    return unseen.task(f"cogitao/{name}", **options).split(split).spec.sequences


def test_there_are_as_many_experiments_as_the_paper_has():
    counts = {}
    for name in NAMED:
        setting = name.removeprefix("cogitao/").partition("-")[0]
        counts[setting] = counts.get(setting, 0) + 1
    expected = dict.fromkeys(("c1", "c2", "c3", "c4", "g1", "g2", "g3", "g4", "g5"), 5)
    assert counts == expected | {"c5": 4, "c6": 4} | dict.fromkeys(("s1", "s2", "s3", "s4"), 10)


@pytest.mark.parametrize("settings", ["paper", "published"])
@pytest.mark.parametrize("name", NAMED)
def test_sizes_are_the_papers_and_out_of_distribution_sequences_are_never_trained_on(name, settings):
    task = unseen.task(name, settings=settings)
    sizes = {split.name: split.size for split in task.splits.values()}
    if "/s" in name:
        assert sizes == {"train": 10 ** (1 + int(name[9])), "val": 1000, "test": 1000}
        return
    assert sizes == {"train": 100_000, "val": 1000, "test": 1000, "val_ood": 1000, "test_ood": 1000}
    train, ood = task.split("train").spec, task.split("test_ood").spec
    assert task.split("val").spec == task.split("test").spec == train
    assert task.split("val_ood").spec == ood
    if "/c" in name:
        assert ood.sequences
        assert not set(train.sequences) & set(ood.sequences)
        assert len(train.sequences) == len(set(train.sequences))
        atoms = {atom for sequence in train.sequences for atom in sequence}
        assert {atom for sequence in ood.sequences for atom in sequence} <= atoms
    else:
        assert train != ood


def test_c1_trains_on_all_pairs_but_the_held_out_one():
    a, b, c = "translate_up", "rot90", "mirror_horizontal"
    assert set(sequences("c1-1", "train")) == {(a,), (b,), (c,), (a, a), (b, b), (c, c), (a, c), (c, a), (b, c), (c, b)}
    assert sequences("c1-1", "test_ood") == ((a, b),)
    held_out = {
        2: ("change_shape_color", "pad_right"),
        3: ("rot90", "crop_bottom_side"),
        4: ("double_right", "crop_contours"),
        5: ("pad_left", "extend_contours_same_color"),
    }
    for experiment, pair in held_out.items():
        assert sequences(f"c1-{experiment}", "test_ood") == (pair,)
        assert len(sequences(f"c1-{experiment}", "train")) == 3 + 8
        assert sequences(f"c2-{experiment}", "test_ood") == (pair,)
        assert len(sequences(f"c2-{experiment}", "train")) == 8


def test_c3_tests_all_triples_that_leave_something():
    assert [len(sequences(f"c3-{k}", "test_ood")) for k in range(1, 6)] == [27, 27, 27, 26, 27]
    assert [len(sequences(f"c3-{k}", "train")) for k in range(1, 6)] == [12] * 5


def test_c4_grows_its_pool():
    assert [len(sequences(f"c4-{k}", "train")) for k in range(1, 6)] == [10, 40, 88, 154, 238]
    held = ("double_right", "rot90")
    for k in range(1, 6):
        assert sequences(f"c4-{k}", "test_ood") == (held,)
        assert held[::-1] not in sequences(f"c4-{k}", "train")


def test_c5_and_c6_go_deeper():
    assert [len(sequences(f"c5-{k}", "train")) for k in range(1, 5)] == [56, 399, 2800, 19607]
    assert [len(sequences(f"c5-{k}", "test_ood")[0]) for k in range(1, 5)] == [3, 4, 5, 6]
    assert [len(sequences(f"c6-{k}", "test_ood")[0]) for k in range(1, 5)] == [3, 5, 7, 9]
    assert unseen.task("cogitao/c6-4").split("train").spec.code_length == 9


def test_published_lists_are_those_of_the_published_code():
    a, b, c = "pad_right", "fill_holes_different_color", "change_shape_color"
    train = {(a,), (b,), (c,), (a, a), (b, b), (c, c), (a, b), (b, c), (c, b), (c, a)}
    assert set(sequences("c1-2", "train", settings="published")) == train
    assert sequences("c1-2", "test_ood", settings="published") == ((a, c),)
    assert [len(sequences(f"c4-{k}", "train", settings="published")) for k in range(1, 6)] == [6, 21, 45, 78, 118]
    assert [len(sequences(f"c3-{k}", "test_ood", settings="published")) for k in range(1, 6)] == [16, 16, 16, 14, 16]
    assert unseen.task("cogitao/c1-1", settings="published").split("train").spec.grid == (15, 15)
    assert unseen.task("cogitao/c3-1", settings="published").split("train").spec.grid == (20, 20)


def test_environments_are_the_papers_where_they_can_be_placed():
    def spec(name, split):
        return unseen.task(f"cogitao/{name}").split(split).spec

    assert (spec("g1-1", "train").objects, spec("g1-1", "test_ood").objects) == ((1, 2), (3, 4))
    assert (spec("g2-1", "train").grid, spec("g2-1", "test_ood").grid) == ((10, 15), (16, 20))
    assert (spec("g3-1", "train").max_size, spec("g3-1", "test_ood").min_size) == (5, 6)
    assert (spec("g3-1", "train").grid, spec("g3-5", "test_ood").grid) == ((15, 15), (15, 20))
    assert spec("g4-1", "train").properties == ("fully_connected", "symmetric", "evenly_colored")
    hard = spec("g5-5", "test_ood")
    assert (hard.grid, hard.objects, hard.min_size, hard.max_size) == ((17, 20), (3, 3), 6, 8)


def test_codes_have_four_tokens_where_there_are_several_sequences():
    assert unseen.load("cogitao/c1-1", "test")[0].inputs["code"].shape == (4,)
    assert unseen.load("cogitao/g1-1", "test")[0].inputs["code"].shape == (0,)


def keys(task, split):
    source = Generated(task, split, 0)
    moved = source.moved
    found = [key for key, _ in source._sampler.keys(0, source.size)]
    for index in moved:
        found[index] = source.draw(index)[1]
    return found


def assert_disjoint(name):
    task = unseen.task(name)
    seen: set[int] = set()
    for split in task.splits:
        found = keys(task, split)
        assert len(set(found)) == len(found), f"{name} {split} repeats an example"
        assert not seen & set(found), f"{name}: an example of {split} is in another split"
        seen |= set(found)


@pytest.mark.parametrize("name", ["cogitao/s2-fill", "cogitao/s3-translate"])
def test_no_example_is_in_two_splits_or_twice_in_one(name):
    assert_disjoint(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
def test_no_example_of_any_setting_is_in_two_splits_or_twice_in_one(name):
    assert_disjoint(name)


def test_one_object_scenes_do_repeat_and_are_moved():
    task = unseen.task(
        "cogitao/custom", grid=5, objects=1, max_size=2, sequences="translate_up", unique=True, samples=2000
    )
    source = Generated(task, "train", 0)
    assert source.moved
    found = [source.draw(index)[1] for index in range(2000)]
    assert len(set(found)) == 2000


def test_custom_tasks_hold_out_what_they_are_told_to():
    task = unseen.task("cogitao/custom", transformations="rot90,pad_top", depth=2, held_out="rot90:pad_top")
    assert set(task.split("train").spec.sequences) == {("rot90", "rot90"), ("pad_top", "rot90"), ("pad_top", "pad_top")}
    assert task.split("test_ood").spec.sequences == (("rot90", "pad_top"),)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"grd": 20}, UnknownName, "no option named 'grd' in cogitao/custom. Did you mean 'grid'?"),
        ({"grid": (20, 10)}, SpecError, "grid must be within 1 to 64 with the smaller first, got 20 to 10"),
        ({"grid": 65}, SpecError, "grid must be within 1 to 64"),
        ({"grid": "wide"}, SpecError, "grid of cogitao/custom cannot be 'wide'"),
        ({"objects": 0}, SpecError, "objects must be within 1 to 32"),
        ({"transformations": "rot91"}, UnknownName, "Did you mean 'rot90'?"),
        ({"properties": "holow"}, UnknownName, "Did you mean 'hollow'?"),
        ({"held_out": "rot90", "sequences": "rot90"}, SpecError, "every sequence is held out"),
        ({"without": "rot90", "sequences": "pad_top"}, SpecError, "no sequence satisfies 'rot90'"),
        ({"without": "rot9 & pad_top", "sequences": "rot90"}, UnknownName, "Did you mean 'rot90'"),
        ({"samples": 0}, SpecError, "samples counts training examples"),
        ({"samples": 10**9 + 1}, SpecError, "train of cogitao/custom can have 1,000,000,000 examples at most, not"),
        ({"in_context": 65}, SpecError, "in_context must be within 0 to 64, got 65"),
        ({"code": 2**64}, SpecError, "code must be within 0 to 64, got"),
        ({"size": 4097}, SpecError, "from 1 to 4096, not 4097"),
        ({"padding": 5000}, SpecError, "padding must be within 0 to 4096, got 5000"),
        ({"without": "\udc80"}, SpecError, "holds what cannot be written to a file"),
        ({"rgb": True, "grid": (10, 15)}, SpecError, "rgb=true needs one grid size"),
        ({"rgb": True, "grid": 20, "size": 10}, SpecError, "fewer pixels than the grid's 20 cells"),
        ({"padding": 5}, SpecError, "smaller than the largest grid"),
        ({"background": "pink"}, SpecError, "background of cogitao/custom cannot be 'pink'"),
    ],
)
def test_bad_options_get_a_good_sentence(options, error, message):
    with pytest.raises(error) as raised:
        unseen.task("cogitao/custom", **options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@contextmanager
def another_transformation():
    """A transformation of somebody else's, for a while; nothing that was made ready before is remembered."""

    @transformation()
    def keep(cells):
        """Leave the object as it is."""
        return cells, (0, 0)

    plan.cache_clear()
    catalogue._plain.cache_clear()
    yield
    TRANSFORMATIONS.remove("keep")
    plan.cache_clear()
    catalogue._plain.cache_clear()


def first_examples(name):
    task = unseen.task(name)
    examples = [unseen.load(name, split)[i] for split in task.splits for i in range(20)]
    codes = [example.inputs["code"].tolist() for example in examples]
    return [example.record for example in examples], codes, [tokens(split.spec) for split in task.splits.values()]


@pytest.mark.parametrize("name", ["cogitao/custom", "cogitao/custom+depth=1-2+without=rot90", "cogitao/c4-5"])
def test_a_new_transformation_changes_nothing_that_is_drawn_without_it(name):
    before = first_examples(name)
    with another_transformation():
        assert first_examples(name) == before


def test_a_new_transformation_joins_by_its_name_beside_all_that_were_published():
    with another_transformation():
        spec = unseen.task("cogitao/custom", transformations="all,keep", depth=1).split("train").spec
        assert spec.pool == (*PUBLISHED, "keep")
        assert tokens(spec) == 1 + 28 + 1
        drawn = unseen.load("cogitao/custom", "val", transformations="all,keep", depth=1)
        assert ("keep",) in {drawn[i].record.sequence for i in range(29)}


def test_the_published_transformations_are_the_pool_by_default():
    assert unseen.task("cogitao/custom").split("train").spec.pool == PUBLISHED
    assert len(splits.compositions(unseen.task("cogitao/custom").split("train").spec)) == 28**2


def test_an_expression_over_transformations_holds_sequences_out():
    options = {"transformations": "rot90,pad_top,mirror_horizontal", "depth": 2}
    task = unseen.task("cogitao/custom", without="rot90 & pad_top", held_out="rot90:rot90", **options)
    held_out = {("rot90", "rot90"), ("rot90", "pad_top"), ("pad_top", "rot90")}
    assert set(task.split("test_ood").spec.sequences) == held_out
    assert not held_out & set(task.split("train").spec.sequences)
    assert len(task.split("train").spec.sequences) == 9 - 3
