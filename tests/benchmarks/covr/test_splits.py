"""The setups of the paper, and the splits they are made of."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.covr import paper
from unseen.benchmarks.covr.questions.program import parse
from unseen.benchmarks.covr.questions.properties import holds
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.splits import (
    TASKS,
    Custom,
    FewShot,
    ZeroShot,
    atoms,
    compounds,
    contains,
    custom_splits,
)
from unseen.core.errors import SpecError

ROWS = {row.name: row for row in TASKS}
SETUPS = [row for row in TASKS if row.options in (FewShot, ZeroShot)]


def question(program, answer=True, template="quantifier", scenes=("1",)):
    return Question("?", "?", parse(program), scenes, answer, template, (), "1")


def published_name(row):
    """The name of a setup in the paper's tables, which have random splits once."""
    return row.name.rpartition("-")[0] if row.name.startswith(("program", "lexical")) else row.name


def test_the_paper_has_21_setups_of_which_two_are_drawn_with_three_seeds():
    assert {row.setup for row in paper.HELD_OUT} == {published_name(row) for row in SETUPS}
    assert len({row.setup for row in paper.HELD_OUT}) == 21
    assert len(SETUPS) == 19 + 2 * 3


@pytest.mark.parametrize("row", SETUPS, ids=lambda row: row.name)
def test_val_and_test_have_nothing_of_the_property_and_the_others_nothing_else(row):
    splits = {split.name: split.spec for split in row.splits(row.options())}
    assert [*splits] == ["train", "val", "test", "val_ood", "test_ood"]
    held_out = splits["test_ood"].keep
    assert splits["val_ood"].keep == held_out
    assert {splits[name].keep for name in ("train", "val", "test")} == {f"not ({held_out})"}
    assert splits["train"].shots == (250 if row.name.endswith("-m250") else 0)
    assert all(splits[name].shots == 0 for name in splits if name != "train")
    assert [spec.images for spec in splits.values()] == ["train", "val", "test", "val", "test"]


@pytest.mark.parametrize("row", SETUPS, ids=lambda row: row.name)
def test_sizes_are_what_the_filter_of_the_paper_leaves(row):
    sizes = {split.name: split.size for split in row.splits(row.options())}
    shots = row.options().shots
    filtered = paper.TRAIN + shots - sizes["train"]
    assert filtered == paper.FILTERED[published_name(row)]
    assert sizes["val"] + sizes["val_ood"] == paper.DEV
    assert sizes["test"] + sizes["test_ood"] == paper.TEST


@pytest.mark.parametrize("row", SETUPS, ids=lambda row: row.name)
def test_yardsticks_change_what_is_trained_on_and_nothing_else(row):
    train, *others = row.splits(row.options())
    for training in ("iid", "iid-size"):
        yardstick, *same = row.splits(row.options(training=training))
        assert same == others
        assert (yardstick.spec.keep, yardstick.spec.shots) == ("", 0)
        assert yardstick.size == (train.size if training == "iid-size" else paper.TRAIN)


def test_m_is_how_many_questions_with_the_property_are_trained_on():
    few = ROWS["has-quant-all-m250"]
    sizes = {m: few.splits(FewShot(m=m))[0].size for m in (0, 250, 2500)}
    assert sizes[2500] - sizes[0] == 2500
    with pytest.raises(SpecError, match="m counts questions"):
        FewShot(m=-1)


def test_distractors_are_easy_in_training_only():
    splits = {split.name: split.spec.distractors for split in ROWS["iid"].splits(ROWS["iid"].options("easy"))}
    assert splits == {"train": "easy", "val": "hard", "test": "hard"}


def test_ones_own_property_is_an_expression():
    splits = {split.name: split for split in custom_splits(Custom(without="has-quant-all & has-compscope", samples=9))}
    assert splits["train"].spec.keep == "not (has-quant-all & has-compscope)"
    assert splits["train"].size == 9
    assert splits["test_ood"].spec.keep == "has-quant-all & has-compscope"
    assert len(custom_splits(Custom())) == 3
    with pytest.raises(LookupError, match="Did you mean 'has-quant-all'"):
        custom_splits(Custom(without="has-quant-alll"))


def test_a_spec_contains_what_has_its_property_over_its_images(questions):
    counting = next(one for one in questions if one.template == "count_ref")
    assert contains(Spec(), counting)
    assert contains(Spec(keep="has-count"), counting)
    assert not contains(Spec(keep="not (has-count)"), counting)
    assert contains(Spec(keep="not (has-count)", shots=5, among=9), counting)
    assert not contains(Spec("test"), counting)


@given(st.integers(1, 60), st.data())
def test_shots_are_spread_evenly_and_every_question_of_both_sorts_is_taken_once(among, data):
    shots = data.draw(st.integers(0, among))
    places = [Spec(keep="has-count", shots=shots, among=among).place(index) for index in range(among)]
    assert [order for shot, order in places if shot] == list(range(shots))
    assert [order for shot, order in places if not shot] == list(range(among - shots))
    for size in range(among):
        assert abs(sum(shot for shot, _ in places[:size]) - size * shots / among) <= 1


def test_shots_need_something_that_is_held_out():
    for wrong in ({"shots": 3, "among": 9}, {"keep": "has-count", "shots": 9, "among": 3}):
        with pytest.raises(SpecError, match="shots counts questions that keep leaves out"):
            Spec(**wrong)


def test_atoms_are_operators_and_words_and_compounds_their_combinations():
    asked = question('find("dog"); filter(#0, "red"); all(#1, [scene(); filter(#0, "tall")])')
    assert sorted(atoms(asked)) == ["all", "dog", "filter", "filter", "find", "red", "scene", "tall"]
    assert Counter(compounds(asked)) == Counter(
        [
            ("filter", "find"),
            ("all", "filter"),  # of its scope
            ("all", "filter"),  # of its condition
            ("all", "filter", "find"),
            ("all", "filter", "scene"),
            ("filter", "scene"),
            ("dog", "red"),
            ("dog", "tall"),
            ("red", "tall"),
        ]
    )


def test_a_held_out_composition_of_operators_is_a_compound_that_training_lacks():
    held_out = question('find("dog"); filter(#0, "red"); count(#1)', 2)
    seen = [question('find("dog"); count(#0)', 2), question('find("dog"); filter(#0, "red"); exists(#1)')]
    assert holds("has-count & has-attr")(held_out)
    assert not any(holds("has-count & has-attr")(one) for one in seen)
    assert set(atoms(held_out)) <= {atom for one in seen for atom in atoms(one)}
    assert ("count", "filter") not in {compound for one in seen for compound in compounds(one)}
