"""Questions about an attribute of one object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unseen.benchmarks.covr.english.lexicon import GROUP_OF
from unseen.benchmarks.covr.english.wording import Phrase
from unseen.benchmarks.covr.questions.program import Rows
from unseen.benchmarks.covr.questions.related import IMAGES, Images, Source
from unseen.benchmarks.covr.questions.templates.preconditions import (
    asks_attribute,
    related_with_asked_attribute,
    related_with_attribute,
)
from unseen.benchmarks.covr.questions.templates.template import Draft, Wording, template


def _with_one(source: Source, meant: str | None = None) -> Images:
    """One image that the question is about, the source unless another is given, and images that resemble it."""
    one = meant or source.scene
    others = [other for other in source.others(source.families.without("0_attr")) if other.scene != one]
    return Images((one,), tuple(others[: IMAGES - 1]))


@template("VERIFYATTR", related_with_attribute)
def verify_attr(source: Source) -> Iterator[Draft]:
    """Whether an object has an attribute."""
    if not asks_attribute(source):
        return
    bare = replace(source.graph, attribute=None)
    rows = Rows()
    rows.refer(bare)
    rows.then("unique")
    rows.then("verify_attr", source.graph.attribute)
    other = source.rng.choice(source.families["0_attr"])
    yield Draft(
        Wording(
            "{g:is} {g:the} {attribute}?",
            "Is {g:the} {attribute}?",
            "Would you say that {g:the short} {g:is} {attribute}?",
        ),
        {"g": Phrase(bare), "attribute": source.graph.attribute},
        rows.program,
        (_with_one(source), _with_one(source, other.scene)),
        (source.graph,),
    )


@template("CHOOSEATTR", related_with_attribute)
def choose_attr(source: Source) -> Iterator[Draft]:
    """Which of two attributes an object has."""
    if not asks_attribute(source):
        return
    others = [match for match in source.families["0_attr"] if match.graph.attribute]
    if not others:
        return
    other = source.rng.choice(others)
    bare = replace(source.graph, attribute=None)
    choice = source.drawn((source.graph.attribute, other.graph.attribute), 2)
    rows = Rows()
    rows.refer(bare)
    rows.then("unique")
    rows.then("choose_attr", *choice)
    yield Draft(
        Wording(
            "{g:is} {g:the} {one} or {other}?",
            "Is {g:the} {one} or {other}?",
            "What would you call {g:the short}, {one} or {other}?",
        ),
        {"g": Phrase(bare), "one": choice[0], "other": choice[1]},
        rows.program,
        (_with_one(source), _with_one(source, other.scene)),
        (source.graph,),
    )


ASKED = {  # type of attribute -> paraphrase of the question for it
    "color": "What color {g:is} {g:the short}?",
    "material": "What {g:is} {g:the short} made of?",
    "pattern": "What pattern do you see on {g:the short}?",
    "shape": "What shape {g:is} {g:the short}?",
    "brand": "What brand {g:is} {g:the short}?",
}


@template("QUERYATTR", related_with_asked_attribute)
def query_attr(source: Source) -> Iterator[Draft]:
    """What color, material, pattern or shape an object has."""
    if not asks_attribute(source):
        return
    bare, type = replace(source.graph, attribute=None), GROUP_OF[source.graph.attribute or ""]
    rows = Rows()
    rows.refer(bare)
    rows.then("unique")
    rows.then("query_attr", type)
    asked = "What is the {type} of {g:the}?"
    yield Draft(
        Wording(asked, asked, ASKED[type]),
        {"g": Phrase(bare), "type": type},
        rows.program,
        (_with_one(source),),
        (source.graph,),
    )
