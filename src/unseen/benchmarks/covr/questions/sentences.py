"""The sentences of questions: what each means, how templates say it, and how it can be said otherwise.

A pattern is words and slots. `more|fewer` is one of some words, `more|fewer=how` keeps which, `the:g` is a slot of a
kind, and `is@g` is the form of a word that agrees with what is in a slot. Patterns are read by `grammar.py` and written
by `paraphrase.py`. The first of a sentence is that of the templates; the second is the paraphrase that questions carry.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from unseen.benchmarks.covr.english.wording import Outside
from unseen.benchmarks.covr.questions.program import Program, Rows
from unseen.benchmarks.covr.world.subgraph import Node

# words of a pattern that stand for others, which is what their slot keeps
MEANT = {"made": "material", "every": "all", "least": "some", "none": "no", "whom": "who"}
# forms of words that agree with what is in a slot: of one, of several; `it` and `what` have more of them
AGREEING = {
    **{"is": ("is", "are"), "does": ("does", "do"), "image": ("image", "images"), "shows": ("shows", "show")},
    **{"it": ("it", "him", "her", "them"), "what": ("what", "who")},
}


class Sentence(NamedTuple):
    """Ways to say the same: the pattern of the templates and others with the same slots, and the program they mean."""

    pattern: str
    meaning: Callable[..., Program]
    others: tuple[str, ...]


class Described(NamedTuple):
    """What a phrase describes."""

    node: Node
    outside: Outside | None = None

    def rows(self) -> Rows:
        """Return the program that finds what the phrase describes."""
        rows = Rows()
        rows.refer(*self)
        return rows


# ---------------------------------------------------------------------------- meanings


def _one(g: Described, operation: str, *arguments: Any) -> Program:
    """Ask an operator about the only object that a phrase describes."""
    rows = g.rows()
    rows.then("unique")
    rows.then(operation, *arguments)
    return rows.program


def _compared(how: str, g: Described, g2: Described, *, images: bool) -> Program:
    rows = Rows()
    counts = rows.counted(g.node, images), rows.counted(g2.node, images)
    rows.add({"more": "gt", "fewer": "lt", "many": "eq"}[how], of=counts)
    return rows.program


def _counted(g: Described, *, images: bool, limit: str = "", n: int = 0) -> Program:
    rows = Rows()
    rows.counted(g.node, images)
    if limit:
        rows.then(limit, n)
    return rows.program


def _grouped(g: Described, each: str, k: int, *, limit: str = "", n: int = 0) -> Program:
    rows = g.rows()
    rows.then("group_by_images")
    rows.then(f"keep_if_values_count_{each}", k)
    rows.then("keys")
    rows.then("count")
    if limit:
        rows.then(limit, n)
    return rows.program


def _joined(g: Described, g2: Described, operation: str) -> Program:
    rows = Rows()
    exist = [rows.add("exists", of=(rows.refer(*one),)) for one in (g, g2)]
    rows.add(operation, of=(exist[0], exist[1]))
    return rows.program


def _quantified(how: str, scope: Described, condition: Node) -> Program:
    rows, inner = scope.rows(), Rows()
    inner.refer(condition)
    rows.then({"all": "all", "some": "some", "no": "none"}[how], inner.program)
    return rows.program


def _all_same(g: Described, type: str) -> Program:
    rows = g.rows()
    rows.then("all_same", type)
    return rows.program


def _same(g: Described, g2: Described, type: str) -> Program:
    rows = Rows()
    values = [rows.add("query_attr", type, of=(rows.add("unique", of=(rows.refer(*one),)),)) for one in (g, g2)]
    rows.add("eq", of=(values[0], values[1]))
    return rows.program


def _reached(g: Described, relation: str, operation: str, *names: str) -> Program:
    rows = g.rows()
    subject = rows.then("assert_unique")
    rows.add("with_relation_object", relation, of=(subject, rows.add("scene")))
    rows.then("unique")
    rows.then(operation, *names)
    return rows.program


def _between(g: Described, one: str, o: Node, other: str) -> Program:
    rows = g.rows()
    subject = rows.then("unique")
    rows.add("relation_between_nouns", of=(subject, rows.refer(o)))
    rows.then("unique")
    rows.then("query_name")
    rows.then("choose_relation", one, other)
    return rows.program


# ---------------------------------------------------------------------------- sentences


SENTENCES = (
    Sentence(
        "is|are the:g attribute:a ?",
        lambda g, a: _one(g, "verify_attr", a),
        (
            "would you say that the-short:g is@g attribute:a ?",
            "is it true that the-short:g is@g attribute:a ?",
        ),
    ),
    Sentence(
        "is|are the:g attribute:a or attribute:b ?",
        lambda g, a, b: _one(g, "choose_attr", a, b),
        (
            "what would you call the-short:g , attribute:a or attribute:b ?",
            "which word describes the-short:g , attribute:a or attribute:b ?",
        ),
    ),
    Sentence(
        "what is the type:t of the:g ?",
        lambda g, t: _one(g, "query_attr", t),
        (
            "what color|shape|brand=t is@g the-short:g ?",
            "what is@g the-short:g made=t of ?",
            "what pattern=t do you see on the-short:g ?",
            "which type:t does@g the-short:g have ?",
        ),
    ),
    Sentence(
        "there are more|fewer=how images with a:g than images with a:g2",
        lambda **slots: _compared(**slots, images=True),
        (
            "more|fewer=how images show a-short:g than a-short:g2",
            "more|fewer=how of the images have a-short:g than a-short:g2",
        ),
    ),
    Sentence(
        "there are as many=how images with a:g as images with a:g2",
        lambda **slots: _compared(**slots, images=True),
        (
            "as many=how images show a-short:g as a-short:g2",
            "as many=how of the images have a-short:g as a-short:g2",
        ),
    ),
    Sentence(
        "there are more|fewer=how plural:g than plural:g2",
        lambda **slots: _compared(**slots, images=False),
        (
            "you can see more|fewer=how plural-short:g than plural-short:g2",
            "the images show more|fewer=how plural-short:g than plural-short:g2",
        ),
    ),
    Sentence(
        "there are as many=how plural:g as plural:g2",
        lambda **slots: _compared(**slots, images=False),
        (
            "you can see as many=how plural-short:g as plural-short:g2",
            "the images show as many=how plural-short:g as plural-short:g2",
        ),
    ),
    Sentence(
        "how many images show a:g ?",
        lambda g: _counted(g, images=True),
        (
            "in how many images can you see a-short:g ?",
            "what is the number of images with a-short:g ?",
        ),
    ),
    Sentence(
        "how many asked:g ?",
        lambda g: _counted(g, images=False),
        (
            "how many plural-short:g can you find ?",
            "what is the number of plural-short:g ?",
        ),
    ),
    Sentence(
        "there is|are limit:limit number:n image|images with a:g",
        lambda **slots: _counted(**slots, images=True),
        (
            "limit:limit number:n image@n shows@n a-short:g",
            "you can see a-short:g in limit:limit number:n image@n",
        ),
    ),
    Sentence(
        "there is|are limit:limit number:n several:g",
        lambda **slots: _counted(**slots, images=False),
        (
            "you can see limit:limit number:n several-short:g",
            "the images show limit:limit number:n several-short:g",
        ),
    ),
    Sentence(
        "how many images contain each:each number:k several:g ?",
        lambda **slots: _grouped(**slots),
        (
            "in how many images can you see each:each number:k several-short:g ?",
            "how many of the images have each:each number:k several-short:g ?",
        ),
    ),
    Sentence(
        "there is|are limit:limit number:n image|images that contain|contains each:each number:k several:g",
        lambda **slots: _grouped(**slots),
        (
            "limit:limit number:n image@n shows@n each:each number:k several-short:g",
            "you can see each:each number:k several-short:g in limit:limit number:n image@n",
        ),
    ),
    Sentence(
        "is|are there both a:g and a:g2 ?",
        lambda **slots: _joined(**slots, operation="logic_and"),
        (
            "can you see both a-short:g and a-short:g2 ?",
            "do the images show both a-short:g and a-short:g2 ?",
        ),
    ),
    Sentence(
        "is|are there either a:g or a:g2 ?",
        lambda **slots: _joined(**slots, operation="logic_or"),
        (
            "can you see either a-short:g or a-short:g2 ?",
            "do the images show either a-short:g or a-short:g2 ?",
        ),
    ),
    Sentence(
        "all|some|no=how plural:scope condition:condition",
        lambda **slots: _quantified(**slots),
        (
            "every=how one of the plural-short:scope predicate:condition",
            "at least=how one of the plural-short:scope predicate:condition",
            "none=how of the plural-short:scope condition:condition",
            "of the plural-short:scope , all|some|none=how condition:condition",
        ),
    ),
    Sentence(
        "do all plural:g have the same type:type ?",
        lambda **slots: _all_same(**slots),
        (
            "is the type:type the same for all plural-short:g ?",
            "are all plural-short:g of the same type:type ?",
        ),
    ),
    Sentence(
        "is|are the:g relation:r name:a or name:b ?",
        lambda g, r, a, b: _reached(g, r, "choose_name", a, b),
        (
            "what@a+b is@g the-short:g relation:r : name:a or name:b ?",
            "is it name:a or name:b that the-short:g is@g relation:r ?",
        ),
    ),
    Sentence(
        "what|who=what is|are the:g relation:r ?",
        lambda g, r, what: _reached(g, r, "query_name"),
        (
            "can you tell what|whom=what the-short:g is@g relation:r ?",
            "tell me what|whom=what the-short:g is@g relation:r",
        ),
    ),
    Sentence(
        "do the:g and the:g2 have the same type:type ?",
        lambda **slots: _same(**slots),
        (
            "are the-short:g and the-short:g2 of the same type:type ?",
            "is the type:type the same for the-short:g and the-short:g2 ?",
        ),
    ),
    Sentence(
        "is|are the:g relation:one object:o or relation:other it|him|her|them ?",
        lambda **slots: _between(**slots),
        (
            "can you tell whether the-short:g is@g relation:one object:o or relation:other it@o ?",
            "which is right : the-short:g is@g relation:one object:o , or relation:other it@o ?",
        ),
    ),
)
