"""What words tell: found where they do, and not where every text has both answers."""

from __future__ import annotations

import pytest

import unseen
from unseen.audit.run import audit
from unseen.audit.words import WORDS, Answered, Asked

THINGS = [f"thing{i}" for i in range(60)]
WORDS_BY_NAME = {solver.name: solver for solver in WORDS}


def values(name: str, asked: list[Asked]) -> float:
    """What a solver reaches on some questions."""
    tally = Answered(WORDS_BY_NAME[name])
    tally.asked = [one for one in asked if tally.solver.counts(one.answer)]
    return tally.values()["exact"]


def compared(word: str, answers: tuple[str, ...]) -> list[Asked]:
    """Comparisons of many things, each with all of some answers."""
    texts = [f"There are {word} {thing}s than cups." for thing in THINGS]
    return [Asked(text, answer, {"template": "compare"}) for text in texts for answer in answers]


PAIRED = [Asked(f"Is the {thing} red?", answer, {"template": "is"}) for thing in THINGS for answer in ("true", "false")]


def test_a_comparator_that_tells_the_answer_is_found_among_questions_that_do_not():
    asked = [*PAIRED, *compared("more", ("true",)), *compared("fewer", ("false",))]
    assert values("truth", asked) == 1.0
    assert 0.5 < values("words", asked) < 1.0


def test_words_tell_nothing_where_every_text_has_both_answers():
    asked = [*PAIRED, *compared("more", ("true", "false")), *compared("fewer", ("true", "false"))]
    assert values("truth", asked) == values("words", asked) == 0.5


def test_other_answers_are_no_matter_of_truth():
    named = [Asked(f"What is {thing}?", thing, {"template": "what"}) for thing in THINGS]
    assert values("truth", [*PAIRED, *named]) == 0.5
    assert values("words", named) == 0.0, "no text of one half has the answers of the other"


def test_a_rare_answer_is_not_taken_for_one_that_goes_with_every_word():
    rare = [Asked(f"Where is {thing}?", f"place{i}", {}) for i, thing in enumerate(THINGS)]
    common = [Asked(f"How is person{i}?", "well", {}) for i in range(len(THINGS))]
    assert values("words", [*rare, *common]) >= 0.5


@pytest.mark.parametrize("split", ["train", "test"])
def test_the_words_of_questions_do_not_tell_whether_they_are_true(split):
    small = unseen.task("covr/iid", size=16)  # pictures tell words nothing, and larger ones take most of the time
    found = {one.solver: one for one in audit(small, split, count=900).findings}
    assert found["truth"].bound == 0.6
    assert not found["truth"].too_high
    assert not found["words"].too_high
