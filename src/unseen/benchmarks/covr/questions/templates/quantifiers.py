"""Questions whether there are both of two things, or whether all, some or none are like this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unseen.benchmarks.covr.english.inflection import is_countable
from unseen.benchmarks.covr.english.lexicon import GROUP_OF
from unseen.benchmarks.covr.english.wording import Outside, Phrase
from unseen.benchmarks.covr.questions.program import Rows
from unseen.benchmarks.covr.questions.related import IMAGES, Images, Source
from unseen.benchmarks.covr.questions.templates.leaves import leaves
from unseen.benchmarks.covr.questions.templates.preconditions import (
    asks_attribute,
    quantified,
    related,
    several_with_asked_attribute,
    tells_another,
)
from unseen.benchmarks.covr.questions.templates.template import Draft, Wording, template
from unseen.benchmarks.covr.world.subgraph import Node, length

CONJUNCTIONS = {True: {"both": "both", "and_": "and"}, False: {"both": "either", "and_": "or"}}


@template("VERIFYLOGIC", related)
def multiple_ref(source: Source) -> Iterator[Draft]:
    """Whether there are both of two things, or either."""
    matches = source.families.all()
    if not matches:
        return
    second = source.rng.choice(matches)
    if not tells_another(second.graph, source.graph):
        return
    described = Rows()
    described.refer(second.graph)
    close = {match.scene: match for match in matches}
    having = {item.image for item in source.run(described.program, close)}
    lacking = tuple(match for id, match in close.items() if id not in having and id not in source.positives)
    if not lacking or second.scene in source.positives:
        return
    both = source.rng.below(2) == 0
    rows = Rows()
    exist = [rows.add("exists", of=(rows.refer(graph),)) for graph in (source.graph, second.graph)]
    rows.add("logic_and" if both else "logic_or", of=(exist[0], exist[1]))
    one, other = (source.scene,), (second.scene,)
    true, false = ([one + other], [(), one]) if both else ([one + other, one, other], [()])
    meant = source.rng.choice(true), source.rng.choice(false)
    yield Draft(
        Wording(
            "{g:is} there {both} {g:a} {and_} {g2:a}?",
            "Is there {both} {g:a} {and_} {g2:a}?",
            "Can you see {both} {g:a short} {and_} {g2:a short}?",
        ),
        {"g": Phrase(source.graph), "g2": Phrase(second.graph), **CONJUNCTIONS[both]},
        rows.program,
        tuple(Images(images, lacking[: IMAGES - len(images)]) for images in meant),
        (source.graph, second.graph),
    )


QUANTIFIERS = {  # operator -> word; other words, and the condition's form after them; positives when true and false
    "all": ("All", "Every one of the", "predicate", (2, IMAGES), (1, IMAGES)),
    "some": ("Some", "At least one of the", "predicate", (1, IMAGES), (0, 0)),
    "none": ("No", "None of the", "are", (0, 0), (1, IMAGES)),
}


@template("VERIFYQUANT", quantified)
def quantifier(source: Source) -> Iterator[Draft]:
    """Whether all, some or no objects of a kind have a relation, or an attribute."""
    graph = source.graph
    conditions = [list(_relation_conditions(graph)), list(_attribute_conditions(source))]
    if not any(conditions):
        return
    scope, outside, condition, changes = source.rng.choice(source.rng.choice([one for one in conditions if one]))
    keeping = source.families.without(changes)
    if not keeping:
        return
    operator = _quantifier(source)
    quantity, paraphrased, form, true, false = QUANTIFIERS[operator]
    rows, inner = Rows(), Rows()
    inner.refer(condition)
    rows.add(operator, inner.program, of=(rows.refer(scope, outside),))
    # over the second set some object of the scope fails the condition: those images come first
    images = (
        source.pick(keeping if operator == "all" else source.families, positives=true),
        source.pick(source.families, positives=false, first=changes),
    )
    if any(len(one.all) < 2 for one in images):
        return
    published = "several" if condition.edges else "plural"
    yield Draft(
        Wording(
            f"{quantity} {{scope:plural}} {{condition:are}}",
            f"{quantity} {{scope:{published}}} {{condition:are}}",
            f"{paraphrased} {{scope:plural short}} {{condition:{form}}}",
        ),
        {"scope": Phrase(scope, outside), "condition": Phrase(condition)},
        rows.program,
        images,
        (graph,),
    )


def _quantifier(source: Source) -> str:
    """A quantifier: all, mostly, where there are two objects to be all of, since of most sources there are not."""
    if len(source.positives) > 1 and source.rng.below(3):
        return "all"
    return source.rng.choice(("some", "none"))


Condition = tuple[Node, Outside | None, Node, str]  # scope, its outside, condition, families that change the condition


def _relation_conditions(graph: Node) -> Iterator[Condition]:
    """Each leaf relation as the condition of what is left; of two relations, both together too."""
    for leaf in leaves(graph):
        if leaf.edge is not None and is_countable(leaf.subject.name or ""):
            changes = f"({leaf.at}_attr|{leaf.at}_name|{leaf.at - 1}_relation)"
            yield leaf.subject, leaf.outside, Node(None, None, (leaf.edge,)), changes
    if len(graph.edges) == 2 and length(graph) == 5:
        yield replace(graph, edges=()), None, Node(None, None, graph.edges), r"[1-4]_(attr|name|relation)"


def _attribute_conditions(source: Source) -> Iterator[Condition]:
    """The attribute of the root as the condition of the rest."""
    graph = source.graph
    if graph.attribute and source.families["0_attr"] and (not graph.edges or asks_attribute(source)):
        yield replace(graph, attribute=None), None, Node(None, graph.attribute), "0_attr"


@template("VERIFYQUANTATTR", several_with_asked_attribute)
def quantifier_same_attr(source: Source) -> Iterator[Draft]:
    """Whether all objects of a kind have the same color, material, pattern or shape."""
    graph = source.graph
    if not source.families["0_attr"] or not (asks_attribute(source) or not graph.edges):
        return
    bare, type = replace(graph, attribute=None), GROUP_OF[graph.attribute or ""]
    rows = Rows()
    rows.refer(bare)
    rows.then("all_same", type)
    images = (
        source.pick(source.families.without("0_attr"), positives=(2, IMAGES)),
        source.pick(source.families, first="0_attr", negatives=1),
    )
    if any(len(one.all) < 2 for one in images):
        return
    asked = "Do all {g:plural} have the same {type}?"
    yield Draft(
        Wording(asked, asked, "Is the {type} the same for all {g:plural short}?"),
        {"g": Phrase(bare), "type": type},
        rows.program,
        images,
        (graph,),
    )
