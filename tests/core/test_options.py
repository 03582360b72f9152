"""Options: one written form, read from keywords, words and files alike."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.core.errors import SpecError, UnknownName
from unseen.core.options import Names, Range, Sequences, parse_id, read_options, written


@dataclass(frozen=True)
class Some:
    number: int = 3
    share: float = 0.5
    on: bool = False
    name: str = "x"
    sizes: Range = (1, 2)
    names: Names = ()
    sequences: Sequences = ()


words = st.text("abcxyz_", min_size=1, max_size=5)
somes = st.builds(
    Some,
    number=st.integers(-5, 5),
    share=st.floats(0, 1),
    on=st.booleans(),
    name=words,
    sizes=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    names=st.lists(words, max_size=3).map(tuple),
    sequences=st.lists(st.lists(words, min_size=1, max_size=3).map(tuple), max_size=3).map(tuple),
)


@given(somes)
def test_what_is_written_is_read_again(some):
    _, options = parse_id("a/b" + written(some))
    assert read_options([Some], options, of="a/b") == [some]


def test_defaults_are_left_out_and_names_sorted():
    assert written(Some()) == ""
    assert written(Some(sizes=(4, 4), number=7)) == "+number=7+sizes=4"


@pytest.mark.parametrize(
    ("given_as", "sizes"), [(4, (4, 4)), ("4", (4, 4)), ("2-5", (2, 5)), ((2, 5), (2, 5)), ([2, 5], (2, 5))]
)
def test_a_range_has_several_forms(given_as, sizes):
    assert read_options([Some], {"sizes": given_as}, of="x")[0].sizes == sizes


@pytest.mark.parametrize("form", ["a:b,c", [["a", "b"], ["c"]], ["a:b", "c"], (("a", "b"), ("c",))])
def test_sequences_have_several_forms(form):
    assert read_options([Some], {"sequences": form}, of="x")[0].sequences == (("a", "b"), ("c",))


def test_a_mistyped_option_is_an_error_with_the_nearest_name():
    with pytest.raises(UnknownName, match=r"no option named 'nubmer' in a/b. Did you mean 'number'\?"):
        read_options([Some], {"nubmer": 3}, of="a/b")


def test_a_value_of_another_type_is_one_sentence():
    with pytest.raises(SpecError, match="number of a/b cannot be 'three': input should be a valid integer"):
        read_options([Some], {"number": "three"}, of="a/b")


def test_an_option_without_a_value_says_how_to_write_it():
    with pytest.raises(SpecError, match=r"option 'grid' in 'a/b.grid' has no value; write it as grid=value"):
        parse_id("a/b+grid")


@pytest.mark.parametrize("word", ["name", "split", "seed", "count"])
def test_a_word_with_another_meaning_is_no_option(word):
    with pytest.raises(SpecError, match=rf"^{word} is no option of cogitao/c1-1: "):
        unseen.task("cogitao/c1-1", **{word: 3})
    with pytest.raises(SpecError, match=rf"^{word} is no option of cogitao/c1-1: "):
        unseen.load(f"cogitao/c1-1+{word}=3")


def test_an_option_of_that_name_is_one_where_a_task_has_it():
    assert read_options([Some], {"name": "y"}, of="mine/task")[0].name == "y"
