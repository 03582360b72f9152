"""Messages: one line, however long or odd what they quote."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.core.errors import QUOTED, DataError, SpecError, UnknownName, quoted, sentence


@given(st.text(max_size=1_000))
def test_whatever_is_quoted_a_message_is_one_printable_line(text):
    for told in (sentence(f"no task named {text!r}"), sentence(text), quoted(text)):
        assert told.isprintable()
        told.encode()  # can be written to any terminal


@given(st.text(max_size=1_000))
def test_a_quotation_is_cut(text):
    assert len(quoted(text)) <= QUOTED


@pytest.mark.parametrize("error", [SpecError, DataError, UnknownName])
@pytest.mark.parametrize("text", ["x" * 9_999, "x y " * 2_500, "it's " * 2_000])
def test_errors_quote_200_characters_at_most(error, text):
    told = str(error(f"no task named {text!r}. List them: unseen list"))
    found = re.fullmatch(r"no task named (?P<quoted>.*)\. List them: unseen list", told)
    assert found, told
    assert found["quoted"][0] == found["quoted"][-1]  # still between quotation marks
    assert len(found["quoted"]) <= QUOTED


def test_a_message_of_ordinary_length_stays_as_it_is():
    told = f"grid of cogitao/custom cannot be 'it''s  {'y' * 150}': see the model's list, isn't it"
    assert str(SpecError(told)) == told


def test_a_long_name_is_refused_in_a_short_sentence():
    with pytest.raises(UnknownName) as caught:
        unseen.task("cogitao/" + "x" * 9_999)
    assert len(str(caught.value)) < 300
