"""Questions about what objects have to do with each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from unseen.benchmarks.covr.english.inflection import is_person
from unseen.benchmarks.covr.english.lexicon import GROUP_OF
from unseen.benchmarks.covr.english.wording import Phrase, after
from unseen.benchmarks.covr.questions.program import Rows
from unseen.benchmarks.covr.questions.related import IMAGES, Families, Images, Related, Source
from unseen.benchmarks.covr.questions.templates.leaves import Leaf, element, leaves
from unseen.benchmarks.covr.questions.templates.preconditions import (
    UNASKABLE,
    UNASKED_OBJECTS,
    related_with_asked_attribute,
    tells_another,
    with_contrary_relation,
    with_plain_objects,
)
from unseen.benchmarks.covr.questions.templates.template import Draft, Wording, template
from unseen.benchmarks.covr.world.subgraph import UNASKED_RELATIONS, Node, is_dull


def _asked_leaf(source: Source, word: str, unasked: frozenset[str] = frozenset()) -> tuple[Leaf, Families] | None:
    """A leaf whose object (or relation) differs in images where something else differs too, and these images."""
    choices = []
    for leaf in leaves(source.graph):
        at = leaf.at if word == "object" else leaf.at - 1
        families = source.families.only(rf".*_neg_{word}_{at}")
        if leaf.relation not in unasked | UNASKABLE and not leaf.object.attribute and families:
            choices.append((leaf, families))
    return source.rng.choice(choices) if choices else None


def _related_rows(leaf: Leaf) -> Rows:
    """A program that gives the one object that the one subject has a relation to."""
    rows = Rows()
    rows.refer(leaf.subject, leaf.outside)
    subject = rows.then("assert_unique")
    rows.add("with_relation_object", leaf.relation, of=(subject, rows.add("scene")))
    rows.then("unique")
    return rows


def _related_words(leaf: Leaf, *answers: str | None) -> dict[str, Any]:
    """The words of a question for what a subject is related to, which may be one of some answers.

    The relation is written as it is said of the subject: of a modifier, "uncorking it with".
    """
    people = all(is_person(name or "") for name in answers)
    what, whom = ("Who", "whom") if people else ("What", "what")
    words = {"subject": Phrase(leaf.subject, leaf.outside), "what": what, "whom": whom}
    if leaf.edge is not None:
        return {**words, "relation": leaf.relation, "published_relation": leaf.relation}
    verb = leaf.relation.partition(":_")[0]
    done = next(edge for edge in leaf.subject.edges if edge.relation == verb)
    relation = f"{verb} {Phrase(done.target):it} {after(leaf.relation)}"
    return {**words, "relation": relation, "published_relation": f"{verb} {after(leaf.relation)}"}


@template("CHOOSEOBJECT", with_plain_objects)
def choose_object(source: Source) -> Iterator[Draft]:
    """Which of two things an object has a relation to."""
    found = _asked_leaf(source, "object")
    if found is None:
        return
    leaf, families = found
    images = source.pick(families, positives=(1, 1))
    names = (element(other.graph, leaf.at) for other in images.others)
    # what is too dull to be asked about is never the answer
    asked = {name for name in names if name and not is_dull(leaf.relation, Node(name))}
    decoys = sorted(asked - {leaf.object.name})
    if not decoys:
        return
    choice = source.drawn((leaf.object.name, source.rng.choice(decoys)), 2)
    rows = _related_rows(leaf)
    rows.then("choose_name", *choice)
    yield Draft(
        Wording(
            "{subject:is} {subject:the} {relation} {one:a} or {other:a}?",
            "{subject:the} {subject:is} {published_relation} {one:a} or {other:a}?",
            "{what} {subject:is} {subject:the short} {relation}: {one:a} or {other:a}?",
        ),
        {**_related_words(leaf, *choice), "one": Phrase(Node(choice[0])), "other": Phrase(Node(choice[1]))},
        rows.program,
        (images,),
        (source.graph,),
    )


@template("QUERYOBJECT", with_plain_objects)
def query_object(source: Source) -> Iterator[Draft]:
    """What an object has a relation to."""
    found = _asked_leaf(source, "object", UNASKED_OBJECTS)
    if found is None:
        return
    leaf, families = found
    rows = _related_rows(leaf)
    rows.then("query_name")
    yield Draft(
        Wording(
            "{what} {subject:is} {subject:the} {relation}?",
            "What {subject:is} {subject:the} {published_relation}?",
            "Can you tell {whom} {subject:the short} {subject:is} {relation}?",
        ),
        _related_words(leaf, leaf.object.name),
        rows.program,
        (source.pick(families, positives=(1, 1)),),
        (source.graph,),
    )


@template("VERIFYSAMEATTR", related_with_asked_attribute)
def specific_same_attr(source: Source) -> Iterator[Draft]:
    """Whether two objects have the same color, material, pattern or shape."""
    graph, type = source.graph, GROUP_OF[source.graph.attribute or ""]
    keeping = source.families.without("0_attr|.*_neg_attr_main_object")
    for families in (keeping, source.families.only(".*_neg_attr_main_object")):
        matches = families.all()
        if not matches:
            continue
        second = source.rng.choice(matches)
        if second.scene in source.positives:
            continue
        pair = source.drawn([replace(one, attribute=None) for one in (graph, second.graph)], 2)
        if not tells_another(*pair):
            continue
        rows = Rows()
        values = [rows.add("query_attr", type, of=(rows.add("unique", of=(rows.refer(one),)),)) for one in pair]
        rows.add("eq", of=(values[0], values[1]))
        meant = (source.scene, second.scene)
        yield Draft(
            Wording(
                "Do {g:the} and {g2:the} have the same {type}?",
                "Does {g:the} and {g2:the} have the same {type}?",
                "Are {g:the short} and {g2:the short} of the same {type}?",
            ),
            {"g": Phrase(pair[0]), "g2": Phrase(pair[1]), "type": type},
            rows.program,
            (Images(meant, _with_neither(source, pair, meant)),),
            (graph, second.graph),
        )


def _with_neither(source: Source, pair: list[Node], meant: tuple[str, ...]) -> tuple[Related, ...]:
    """Images that resemble the source's and have neither of two things."""
    close = {other.scene: other for other in source.others(source.families) if other.scene not in meant}
    having = set()
    for node in pair:
        rows = Rows()
        rows.refer(node)
        having |= {item.image for item in source.run(rows.program, close)}
    return tuple(other for id, other in close.items() if id not in having)[: IMAGES - len(meant)]


@template("CHOOSEREL", with_contrary_relation)
def choose_rel(source: Source) -> Iterator[Draft]:
    """Which of two relations an object has to another."""
    found = _asked_leaf(source, "relation")
    if found is None or found[0].edge is None or found[0].edge.modifiers:
        return
    leaf, families = found
    at = leaf.at - 1
    decoys = sorted({element(match.graph, at) or "" for match in families.all()})
    swapped = {
        element(match.graph, at) or "": match.scene
        for match in source.families[f"{at}_relation"]  # what the relation can be taken for, and is not
    }
    # what is told with a modifier is never the answer
    decoys = [name for name in decoys if name not in UNASKED_RELATIONS | source.corpus.modified | {"", leaf.relation}]
    decoys = [name for name in decoys if name in swapped]
    if not decoys:
        return
    decoy = source.rng.choice(decoys)
    choice = source.drawn((leaf.relation, decoy), 2)
    rows = Rows()
    rows.refer(leaf.subject, leaf.outside)
    subject = rows.then("unique")
    rows.add("relation_between_nouns", of=(subject, rows.refer(leaf.object)))
    rows.then("unique")
    rows.then("query_name")
    rows.then("choose_relation", *choice)
    others = source.others(families)
    meant = (source.scene, swapped[decoy])
    yield Draft(
        Wording(
            "{subject:is} {subject:the} {one} {object:a} or {other} {object:it}?",
            "Is {subject:the} {one} {object:a} or {other} {object:it}?",
            "Can you tell whether {subject:the short} {subject:is} {one} {object:a} or {other} {object:it}?",
        ),
        {
            "subject": Phrase(leaf.subject, leaf.outside),
            "object": Phrase(leaf.object),
            "one": choice[0],
            "other": choice[1],
        },
        rows.program,
        tuple(Images((id,), tuple(other for other in others if other.scene != id)[: IMAGES - 1]) for id in meant),
        (source.graph,),
    )
