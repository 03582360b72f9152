"""The 15 templates: what each needs, its wordings, its program, its images, and its counter-example if there is one.

A template is a function from a source (a subgraph of an image, and the images related to it) to drafts. A draft has the
words for the slots of its wording, the program that answers it, and one or two sets of images: over the second set, the
same question has another answer. Answers are never set here; they come from running the program, and a draft whose
program has no answer over its images is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from unseen.benchmarks.covr.english.inflection import is_countable, is_person
from unseen.benchmarks.covr.english.lexicon import GROUP_OF
from unseen.benchmarks.covr.english.wording import Outside, Phrase, after
from unseen.benchmarks.covr.questions.program import Program, Rows
from unseen.benchmarks.covr.questions.related import IMAGES, Families, Images, Related, Source
from unseen.benchmarks.covr.world.subgraph import UNASKED_RELATIONS, Edge, Node, is_dull, length
from unseen.core.random import Stream

MOST = 5  # the largest number that is asked for or counted


class Wording(NamedTuple):
    """One way to ask: in correct English, as published, and paraphrased."""

    english: str
    published: str
    paraphrase: str


class Draft(NamedTuple):
    """A question in the making: words for the slots of its wording, its program, and one or two sets of images."""

    wording: Wording
    words: dict[str, Any]
    program: Program
    images: tuple[Images, ...]
    graphs: tuple[Node, ...]


class Template(NamedTuple):
    """A template: its published and its paper's name, what it is, and how it makes drafts."""

    name: str
    paper: str
    description: str
    fits: Callable[[Source], bool]  # what can be told before images are looked up
    drafts: Callable[[Source], Iterator[Draft]]


TEMPLATES: dict[str, Template] = {}


def template(paper: str, fits: Callable[[Source], bool]) -> Callable[..., Callable[[Source], Iterator[Draft]]]:
    """Declare a function as a template; its name is the published one."""

    def declare(drafts: Callable[[Source], Iterator[Draft]]) -> Callable[[Source], Iterator[Draft]]:
        name = drafts.__name__
        TEMPLATES[name] = Template(name, paper, (drafts.__doc__ or "").strip(), fits, drafts)
        return drafts

    return declare


# ---------------------------------------------------------------------------- preconditions

UNCOUNTED = re.compile(  # nouns, by how they begin, of which a scene graph seldom has all
    "letter|fence|cable|topping|leave|leaf|broccoli|window|mountain|cloud|tree|leg|sauce|wire|stick|word|curtain|bush"
    "|hair|graffiti|floor|water"
)
# of many colors, or of any
UNCOLORED = re.compile("building|tree|sign|clock|bush|bus|flag|leaf|leaves|sauce|water|ocean")
# relations of which the object is never asked for: "what is the ring between it and?"
UNASKABLE = frozenset({"of", "between:_and"})
# relations with too many right answers
UNASKED_OBJECTS = frozenset({"wearing", "behind", "in front of", "near", "above"})


def related(source: Source) -> bool:
    """Ask about a subgraph that has a relation."""
    return bool(source.graph.edges)


def related_with_attribute(source: Source) -> bool:
    """Ask about a subgraph that has a relation and whose root has an attribute."""
    return bool(source.graph.edges and source.graph.attribute)


def with_asked_attribute(source: Source) -> bool:
    """Ask about a subgraph whose root has an attribute of a type that can be told of it, such as a color."""
    type = GROUP_OF.get(source.graph.attribute or "")
    return type is not None and not (type == "color" and UNCOLORED.match(source.graph.name or ""))


def related_with_asked_attribute(source: Source) -> bool:
    """Ask about a subgraph that has a relation and whose root has an attribute of a type that can be told of it."""
    return bool(source.graph.edges) and with_asked_attribute(source)


def several_with_asked_attribute(source: Source) -> bool:
    """Ask about a countable root that has an attribute of a type that can be told of it."""
    return is_countable(source.graph.name or "") and with_asked_attribute(source)


def quantified(source: Source) -> bool:
    """Ask about a countable root that has a relation or an attribute, which may be true of all, some or none."""
    return is_countable(source.graph.name or "") and bool(source.graph.edges or source.graph.attribute)


def counted(source: Source) -> bool:
    """Ask about a subgraph that has a relation and whose root can be counted."""
    return bool(source.graph.edges) and countable(source.graph)


def countable(graph: Node) -> bool:
    """Whether the objects of a subgraph can be counted."""
    return not UNCOUNTED.match(graph.name or "") and is_countable(graph.name or "")


def repeated(source: Source) -> bool:
    """Ask about a root that can be counted and occurs several times in the image."""
    return 2 <= source.count <= 4 and countable(source.graph)


def with_plain_objects(source: Source) -> bool:
    """Ask about a subgraph whose relations lead to objects without attributes; others have no decoys."""
    targets = [edge.target for edge in source.graph.edges]
    targets += [edge.target for target in targets for edge in target.edges]
    return bool(targets) and not any(target.attribute for target in targets)


def with_contrary_relation(source: Source) -> bool:
    """Ask about a subgraph that ends in a relation which things of the same names have another instead of."""
    return any(
        leaf.edge is not None
        and not leaf.edge.modifiers
        and source.corpus.contraries(leaf.subject.name, leaf.relation, leaf.object.name)
        for leaf in leaves(source.graph)
    )


# ---------------------------------------------------------------------------- elements


class Leaf(NamedTuple):
    """A relation (or modifier) at the end of a subgraph, the object it leads to, and the subgraph without it."""

    at: int  # the number of the object; the relation's is one less
    relation: str
    object: Node
    subject: Node
    outside: Outside | None  # where the subject is in the middle of a chain
    edge: Edge | None  # the whole edge, where it is a relation and no modifier


def leaves(graph: Node) -> Iterator[Leaf]:
    """The ends of a subgraph; of an object in the middle of a chain, only one that has no other relation."""
    at = 1
    for edge in graph.edges:
        rest = replace(graph, edges=tuple(other for other in graph.edges if other is not edge))
        target = edge.target
        if not target.edges:
            yield Leaf(at + 1, edge.relation, target, rest, None, edge)
        elif len(target.edges) == 1 and len(graph.edges) == 1 and not target.edges[0].modifiers and not edge.modifiers:
            inner = target.edges[0]
            outside = Outside(replace(graph, edges=()), edge.relation)
            yield Leaf(at + 3, inner.relation, inner.target, replace(target, edges=()), outside, inner)
        at += 1 + length(target)
        for i, (name, node) in enumerate(edge.modifiers):
            kept = edge._replace(modifiers=edge.modifiers[:i] + edge.modifiers[i + 1 :])
            subject = replace(graph, edges=tuple(kept if other is edge else other for other in graph.edges))
            yield Leaf(at + 1, name, node, subject, None, None)
            at += 2


def elements(graph: Node) -> Iterator[str | None]:
    """The names of all elements in the order of their numbers."""
    yield graph.name
    for edge in graph.edges:
        yield edge.relation
        yield from elements(edge.target)
        for name, node in edge.modifiers:
            yield name
            yield from elements(node)


def element(graph: Node, at: int) -> str | None:
    """The name of one element; nothing where there is none."""
    return next(islice(elements(graph), at, None), None)


# ---------------------------------------------------------------------------- attributes of one object


def _asks_attribute(source: Source) -> bool:
    """Whether there are images where the root has another attribute, and such where something else differs too."""
    return bool(source.families["0_attr"] and source.families.only(".*_neg_attr_main_object"))


def _with_one(source: Source, meant: str | None = None) -> Images:
    """One image that the question is about, the source unless another is given, and images that resemble it."""
    one = meant or source.scene
    others = [other for other in source.others(source.families.without("0_attr")) if other.scene != one]
    return Images((one,), tuple(others[: IMAGES - 1]))


@template("VERIFYATTR", related_with_attribute)
def verify_attr(source: Source) -> Iterator[Draft]:
    """Whether an object has an attribute."""
    if not _asks_attribute(source):
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
    if not _asks_attribute(source):
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
    if not _asks_attribute(source):
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


# ---------------------------------------------------------------------------- counts

COMPARISONS = {  # operator -> published words, and right ones
    "gt": ("more", "than", "more", "than"),
    "lt": ("less", "than", "fewer", "than"),
    "eq": ("the same number of", "as", "as many", "as"),
}
LIMITS = {"eq": "exactly", "leq": "at most", "geq": "at least"}
PUBLISHED_LIMITS = {**LIMITS, "eq": ""}  # published statements leave "exactly" out
EACH = {**LIMITS, "leq": "1 to"}  # of images with at most so many, those without any are never counted


@template("COMPARECOUNT", counted)
def compare_count(source: Source) -> Iterator[Draft]:
    """Whether there are more of these than of those, fewer, or as many."""
    images = source.pick(source.families, negatives=1)
    if not images.others:
        return
    second = source.rng.choice(images.others).graph
    if not _tells_another(second, source.graph) or not countable(second):
        return
    by_images = source.rng.below(2) == 0
    operator = source.rng.choice(tuple(COMPARISONS))
    one, other = source.drawn((source.graph, second), 2)
    rows = Rows()
    rows.add(operator, of=(rows.counted(one, by_images), rows.counted(other, by_images)))
    opposite = _otherwise(source, rows.program, images)
    if opposite is None:
        return
    more, than, right_more, right_than = COMPARISONS[operator]
    if by_images:
        wording = Wording(
            "There are {right_more} images with {g:a} {right_than} images with {g2:a}",
            "There are {more} images with {g:a} {than} images with {g2:bare}",
            "{right_more} images show {g:a short} {right_than} {g2:a short}",
        )
    else:
        wording = Wording(
            "There are {right_more} {g:plural} {right_than} {g2:plural}",
            "There are {more} {g:several} {than} {g2:several}",
            "You can see {right_more} {g:plural short} {right_than} {g2:plural short}",
        )
    compared = {"more": more, "than": than, "right_more": right_more, "right_than": right_than}
    words = {"g": Phrase(one), "g2": Phrase(other), **compared}
    yield Draft(wording, words, rows.program, (images, opposite), (source.graph, second))


def _tells_another(second: Node, graph: Node) -> bool:
    """Whether a subgraph tells something else than another, and nothing twice."""
    nodes = (second, *(edge.target for edge in second.edges))
    return second != graph and all(len(set(node.edges)) == len(node.edges) for node in nodes)


def _otherwise(source: Source, program: Program, images: Images, tries: int = 10) -> Images | None:
    """A set of images over which a program has another value, so that its words alone do not tell the answer."""
    value = source.run(program, images.all)
    for _ in range(tries):
        other = source.pick(source.families, positives=(0, IMAGES))
        if other.all and source.run(program, other.all) != value:
            return other
    return None


def _two_counts(
    source: Source, program: Program, *, repeating: bool = False, most: int = IMAGES, tries: int = 5
) -> tuple[Images, Images, int, int] | None:
    """Two sets of images over which a program counts differently, and the counts."""
    families, among = source.families, source.positives
    if repeating:
        families, among = source.repeating_families, source.repeating
    first = source.pick(families, positives=(1, most), among=among)
    count = source.run(program, first.all)
    for _ in range(tries):
        second = source.pick(families, positives=(0, IMAGES), among=among)
        other = source.run(program, second.all)
        if other != count and max(count, other) <= MOST and second.all:
            return first, second, count, other
    return None


def _enough_others(source: Source) -> bool:
    return len(source.others(source.families)) >= 2


@template("COUNT", counted)
def count_ref(source: Source) -> Iterator[Draft]:
    """How many objects, or images with them, there are."""
    if not _enough_others(source):
        return
    by_images = source.rng.below(2) == 0
    rows = Rows()
    rows.counted(source.graph, by_images)
    found = _two_counts(source, rows.program)
    if found is None:
        return
    if by_images:
        wording = Wording(
            "How many images show {g:a}?",
            "How many images with {g:plural}?",
            "In how many images can you see {g:a short}?",
        )
    else:
        wording = Wording("How many {g:asked}?", "How many {g:asked}?", "How many {g:plural short} can you find?")
    yield Draft(wording, {"g": Phrase(source.graph)}, rows.program, found[:2], (source.graph,))


@template("VERIFYCOUNT", counted)
def verify_count_ref(source: Source) -> Iterator[Draft]:
    """Whether there are so many objects, or images with them; at least; at most."""
    if not _enough_others(source):
        return
    by_images = source.rng.below(2) == 0
    rows = Rows()
    rows.counted(source.graph, by_images)
    found = _two_counts(source, rows.program)
    if found is None:
        return
    operator, n = _limit(source.rng, *found[2:])
    rows.then(operator, n)
    words = {"g": Phrase(source.graph), **_numbered(operator, n)}
    if by_images:
        wording = Wording(
            "There {is_are} {limit} {n} {image_s} with {g:a}",
            "There {is_are} {published_limit} {n} {image_s} with {g:a}",
            "{limit} {n} {image_s} {show_s} {g:a short}",
        )
    elif n == 1:
        wording = Wording(
            "There is {limit} 1 {g:bare}",
            "There is {published_limit} 1 {g:bare}",
            "You can see {limit} 1 {g:bare short}",
        )
    else:
        wording = Wording(
            "There are {limit} {n} {g:plural}",
            "There are {published_limit} {n} {g:several}",
            "You can see {limit} {n} {g:plural short}",
        )
    yield Draft(wording, words, rows.program, found[:2], (source.graph,))


def _limit(rng: Stream, one: int, other: int) -> tuple[str, int]:
    """An operator and a number that one count satisfies and the other does not."""
    low, high = min(one, other), max(one, other)
    operator = rng.choice(["eq", *(["leq"] if low > 0 else []), *(["geq"] if high < MOST else [])])
    numbers = {"eq": (one, one), "leq": (low, high - 1), "geq": (low + 1, high)}
    return operator, rng.between(*numbers[operator])


def _numbered(operator: str, n: int) -> dict[str, Any]:
    return {
        "n": n,
        "limit": LIMITS[operator],
        "published_limit": PUBLISHED_LIMITS[operator],
        "is_are": "is" if n == 1 else "are",
        "image_s": "image" if n == 1 else "images",
        "contain_s": "contains" if n == 1 else "contain",
        "show_s": "shows" if n == 1 else "show",
    }


def _grouped(source: Source, operator: str, k: int) -> Rows:
    """A program that counts the images with so many objects each."""
    rows = Rows()
    rows.refer(source.graph)
    rows.then("group_by_images")
    rows.then(f"keep_if_values_count_{operator}", k)
    rows.then("keys")
    rows.then("count")
    return rows


@template("COUNTGROUPBY", repeated)
def count_ref_group_by(source: Source) -> Iterator[Draft]:
    """How many images have so many objects each; at least; at most."""
    k = {
        "eq": source.count,
        "geq": source.rng.between(1, source.count),
        "leq": source.rng.between(source.count, MOST),
    }
    for operator in source.drawn(tuple(k), 3):
        rows = _grouped(source, operator, k[operator])
        found = _two_counts(source, rows.program, repeating=True, most=3)
        if found is None:
            continue
        form = "bare" if k[operator] == 1 else "plural"
        yield Draft(
            Wording(
                f"How many images contain {{each}} {{k}} {{g:{form}}}?",
                "How many images contain {limit} {k} {g:several}?",
                f"In how many images can you see {{each}} {{k}} {{g:{form} short}}?",
            ),
            {"g": Phrase(source.graph), "k": k[operator], "each": EACH[operator], "limit": LIMITS[operator]},
            rows.program,
            found[:2],
            (source.graph,),
        )
        return


@template("VERIFYCOUNTGROUPBY", repeated)
def verify_count_ref_group_by(source: Source) -> Iterator[Draft]:
    """Whether there are so many images with exactly so many objects each; at least; at most."""
    rows = _grouped(source, "eq", source.count)
    found = _two_counts(source, rows.program, repeating=True, most=3, tries=15)
    if found is None:
        return
    operator, n = _limit(source.rng, *found[2:])
    rows.then(operator, n)
    yield Draft(
        Wording(
            "There {is_are} {limit} {n} {image_s} that {contain_s} exactly {k} {g:plural}",
            "There {is_are} {published_limit} {n} {image_s} that contain exactly {k} {g:several}",
            "{limit} {n} {image_s} {show_s} exactly {k} {g:plural short}",
        ),
        {"g": Phrase(source.graph), "k": source.count, **_numbered(operator, n)},
        rows.program,
        found[:2],
        (source.graph,),
    )


# ---------------------------------------------------------------------------- logic and quantifiers


CONJUNCTIONS = {True: {"both": "both", "and_": "and"}, False: {"both": "either", "and_": "or"}}


@template("VERIFYLOGIC", related)
def multiple_ref(source: Source) -> Iterator[Draft]:
    """Whether there are both of two things, or either."""
    matches = source.families.all()
    if not matches:
        return
    second = source.rng.choice(matches)
    if not _tells_another(second.graph, source.graph):
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
    if graph.attribute and source.families["0_attr"] and (not graph.edges or _asks_attribute(source)):
        yield replace(graph, attribute=None), None, Node(None, graph.attribute), "0_attr"


@template("VERIFYQUANTATTR", several_with_asked_attribute)
def quantifier_same_attr(source: Source) -> Iterator[Draft]:
    """Whether all objects of a kind have the same color, material, pattern or shape."""
    graph = source.graph
    if not source.families["0_attr"] or not (_asks_attribute(source) or not graph.edges):
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


# ---------------------------------------------------------------------------- objects and relations


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
        if not _tells_another(*pair):
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
