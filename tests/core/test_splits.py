"""Sets of compositions, and the parts of the example space."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.core.errors import SpecError, UnknownName
from unseen.core.random import Stream, path_key
from unseen.core.splits import PARTS, Joined, Listed, Sequences, having, part_of, where

atoms = st.sampled_from([("a",), ("a", "b"), ("a", "b", "c")])
sets = st.one_of(
    st.builds(Sequences, atoms, st.integers(1, 3)),
    st.builds(Listed, st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=6)),
)


@given(one=sets, other=sets)
def test_sets_combine_as_sets_do(one, other):
    assert set(one | other) == set(one) | set(other)
    assert set(one & other) == set(one) & set(other)
    assert set(one - other) == set(one) - set(other)


@given(one=sets, other=sets, probe=st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(tuple))
def test_a_set_contains_exactly_what_it_lists(one, other, probe):
    for combined in (one, one | other, one & other, one - other):
        assert combined.contains(probe) == (probe in list(combined))
        assert len(combined) == len(list(combined)) == len(set(combined))


def test_a_sample_is_uniform():
    rng = Stream(path_key(0, "sample"))
    held_out = Sequences(("a", "b"), 2) - Listed([("a", "b")])
    counts = Counter(held_out.sample(rng) for _ in range(3000))
    assert set(counts) == {("a", "a"), ("b", "a"), ("b", "b")}
    assert min(counts.values()) > 900


def test_deep_sets_are_never_listed():
    deep = Joined((Sequences(tuple("abcdefg"), 9), Sequences(tuple("abcdefg"), 10)))
    assert len(deep) == 7**9 + 7**10
    assert deep[len(deep) - 1] == ("g",) * 10
    with pytest.raises(IndexError):
        deep[len(deep)]


def test_parts_of_one_distribution_cover_the_space_and_share_nothing():
    for names in (("train", "val", "test"), ("val_ood", "test_ood")):
        for top in range(8):
            assert sum(PARTS[name].holds(top << 61) for name in names) == 1
            assert sum(PARTS[name].holds((top << 61) | (2**61 - 1)) for name in names) == 1


def test_a_split_with_another_name_is_refused():
    with pytest.raises(SpecError, match="a split is named train, val, test"):
        part_of("validation")


# ---------------------------------------------------------------------------- expressions

LETTERS = having("abc", frozenset)
SIGNS = {"&": "and", "|": "or", "-": "and not"}


@st.composite
def expressions(draw, depth=3):
    """An expression with every pair in parentheses, and the same in Python."""
    if depth == 0 or draw(st.booleans()):
        letter = draw(st.sampled_from("abc"))
        return letter, f"('{letter}' in item)"
    one, in_python = draw(expressions(depth=depth - 1))
    if draw(st.booleans()):
        return f"not {one}", f"(not {in_python})"
    other, other_in_python = draw(expressions(depth=depth - 1))
    sign = draw(st.sampled_from([*SIGNS]))
    return f"({one} {sign} {other})", f"({in_python} {SIGNS[sign]} {other_in_python})"


@given(written=expressions(), item=st.sets(st.sampled_from("abc")))
def test_an_expression_means_what_its_signs_say(written, item):
    text, in_python = written
    assert where(text, LETTERS)(item) == eval(in_python, {"item": item})


@pytest.mark.parametrize(
    ("loose", "strict"),
    [("a | b & c", "a | (b & c)"), ("a - b | c", "(a - b) | c"), ("not a & b", "(not a) & b"), ("a-b", "(a-b)")],
)
def test_not_binds_tighter_than_both_and_both_tighter_than_either(loose, strict):
    table = {**LETTERS, "a-b": lambda item: "a" in item and "b" not in item}
    for item in ("", "a", "b", "c", "ab", "ac", "bc", "abc"):
        assert where(loose, table)(item) == where(strict, table)(item)


def test_a_hyphen_within_a_name_is_part_of_it():
    table = {"has-quant": lambda item: item > 1, "all": lambda item: item > 2}
    assert where("has-quant - all", table)(2)
    with pytest.raises(UnknownName, match=r"no property named 'has-quant-all'. Did you mean 'has-quant'"):
        where("has-quant-all", table)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has its end where a property was expected"),
        ("a &", "has its end where a property was expected"),
        ("a b", "has 'b' where &, [|] or - was expected"),
        ("(a | b", "has its end where a closing parenthesis was expected"),
        ("a & | b", "has '|' where a property was expected"),
        ("a ^ b", "has '^' where &, [|] or - was expected"),
    ],
)
def test_a_broken_expression_is_explained_in_one_sentence(text, said):
    with pytest.raises(SpecError, match=said.replace("'|'", "'[|]'").replace("^", r"\^")):
        where(text, LETTERS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(" * 9_999, "is too long"),
        ("not " * 9_999 + "a", "is too long"),
        ("a & " * 9_999 + "a", "is too long"),
        ("(" * 498, "nested too deeply"),
    ],
)
def test_an_expression_without_end_is_refused_in_a_sentence(text, reason):
    with pytest.raises(SpecError, match=reason) as caught:
        where(text, LETTERS)
    assert len(str(caught.value)) < 400


def test_an_expression_of_the_greatest_length_is_answered():
    assert where(" | ".join(["a"] * 249), LETTERS)("a")
