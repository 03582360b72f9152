"""Is a question right? Its answer by plain sets over the scenes, its text by reading it, its images by measuring them.

Nothing here runs what made the question: programs are evaluated from their last row down, over sets of object ids and
of (subject, relation, object), where `execute.py` runs them from the top over lists; the text is read by a grammar; how
far an image is from a subgraph is counted by trying all of its objects, where the store looks it up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from typing import Any

from unseen.benchmarks.covr.english.exclusivity import ALLOWED, tabled
from unseen.benchmarks.covr.english.lexicon import GROUP_OF, GROUPS
from unseen.benchmarks.covr.questions.corpus import find_scene, share
from unseen.benchmarks.covr.questions.grammar import Vocabulary, readings, vocabulary
from unseen.benchmarks.covr.questions.program import Program, is_program, problems, written
from unseen.benchmarks.covr.questions.properties import holds, numbers
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.world.scene import Relation, Scene, Thing
from unseen.benchmarks.covr.world.subgraph import Edge, Node, length

MOST = 5  # images, and numbers
FAR = 2  # substitutions that a distractor is away, at most


def check(record: Question, spec: Spec) -> list[str]:
    """Return everything wrong with a question, as sentences."""
    scenes = [find_scene(spec, image) for image in record.scenes]
    return [
        *problems(record.program),
        *check_answer(record, scenes),
        *check_text(record, scenes, spec),
        *check_images(record, scenes, spec),
        *check_template(record),
        *check_split(record, scenes, spec),
    ]


# ---------------------------------------------------------------------------- the answer


class Unanswered(Exception):
    """A program that asks for the only one of none or several, or for one of two where neither is."""


class Facts:
    """The facts of some scenes as sets."""

    def __init__(self, scenes: Iterable[Scene]) -> None:
        placed = [(scene.id, thing) for scene in scenes for thing in scene.things.values()]
        self.things = {thing.id: thing for _, thing in placed}
        self.image = {thing.id: image for image, thing in placed}
        self.order = {thing.id: place for place, (_, thing) in enumerate(placed)}
        self.relations = {(thing.id, r.name, r.target) for _, thing in placed for r in thing.relations}
        self.related = self.relations | {
            (thing.id, m.name, m.target) for _, thing in placed for r in thing.relations for m in r.modifiers
        }

    def values(self, thing: str, type: str) -> frozenset[str]:
        """Return the attributes of a thing that are of a type."""
        return frozenset(a for a in self.things[thing].attributes if GROUP_OF.get(a) == type)


def value(program: Program, facts: Facts, at: int = -1) -> Any:
    """Return the value of a row, by default the last: objects and images as sets, groups as sets of pairs."""
    row = program[at]
    taken = [value(program, facts, dependency) for dependency in row.dependencies]
    given = [value(one, facts) if is_program(one) else one for one in row.arguments]
    return MEANINGS[row.operation](facts, *taken, *given)


def _one_of(words: Any) -> set[str]:
    return {words} if isinstance(words, str) else set(words or ())


def _only(things: set[Any]) -> Any:
    if len(things) != 1:
        raise Unanswered(f"one is asked for, and there are {len(things)}")
    return next(iter(things))


def _either(found: Iterable[str], one: str, other: str) -> str:
    if one in found or other in found:
        return one if one in found else other
    raise Unanswered(f"neither {one} nor {other} holds")


def _value(facts: Facts, thing: str, type: str) -> str | None:
    return _only(set(facts.values(thing, type))) if facts.values(thing, type) else None


def _links(facts: Facts, ones: set[str], others: set[str] | None, relation: Any) -> set[tuple[str, str, str]]:
    names = _one_of(relation)
    return {
        (s, r, o)
        for s, r, o in facts.related
        if s in ones and (others is None or o in others) and (not names or r in names)
    }


def _same(facts: Facts, things: set[str], type: str) -> bool:
    if not things:
        return True
    first = facts.values(min(things, key=facts.order.__getitem__), type)
    return all(first & facts.values(thing, type) for thing in things)


def _sized(groups: set[tuple[str, frozenset[str]]], fits: Callable[[int], bool]) -> set[tuple[str, frozenset[str]]]:
    return {(image, things) for image, things in groups if fits(len(things))}


MEANINGS: Mapping[str, Callable[..., Any]] = {
    "scene": lambda f: set(f.things),
    "find": lambda f, name=None: {i for i, t in f.things.items() if not _one_of(name) or t.name in _one_of(name)},
    "filter": lambda f, ones, a: {i for i in ones if _one_of(a) & set(f.things[i].attributes)},
    "with_relation": lambda f, ones, others, r=None: {s for s, _, _ in _links(f, ones, others, r)},
    "with_relation_object": lambda f, ones, others, r=None: {o for _, _, o in _links(f, ones, others, r)},
    "relation_between_nouns": lambda f, one, others: {
        (s, r, o) for s, r, o in f.relations if s == one and o in others and r != "with"
    },
    "unique": lambda f, things: _only(things),
    "assert_unique": lambda f, things: {_only(things)},
    "query_name": lambda f, one: one[1] if isinstance(one, tuple) else f.things[one].name,
    "query_attr": _value,
    "verify_attr": lambda f, one, a: a in f.things[one].attributes,
    "choose_attr": lambda f, one, a, b: _either(f.things[one].attributes, a, b),
    "choose_name": lambda f, one, a, b: _either([f.things[one].name], a, b),
    "choose_relation": lambda f, name, a, b: _either([name], a, b),
    "query_common_attribute": lambda f, one, other: next(
        type for type in GROUPS if f.values(one, type) & f.values(other, type)
    ),
    "count": lambda f, things: len(things),
    "exists": lambda f, things: bool(things),
    "unique_images": lambda f, things: {f.image[i] for i in things},
    "group_by_images": lambda f, things: {
        (image, frozenset(i for i in things if f.image[i] == image)) for image in {f.image[i] for i in things}
    },
    "keep_if_values_count_eq": lambda f, groups, k: _sized(groups, lambda n: n == k),
    "keep_if_values_count_geq": lambda f, groups, k: _sized(groups, lambda n: n >= k),
    "keep_if_values_count_leq": lambda f, groups, k: _sized(groups, lambda n: n <= k),
    "keys": lambda f, groups: {image for image, _ in groups},
    "eq": lambda f, a, b: a == b,
    "gt": lambda f, a, b: a > b,
    "lt": lambda f, a, b: a < b,
    "geq": lambda f, a, b: a >= b,
    "leq": lambda f, a, b: a <= b,
    "gt_half": lambda f, a, b: a > b / 2,
    "logic_and": lambda f, a, b: a and b,
    "logic_or": lambda f, a, b: a or b,
    "all": lambda f, things, true: things <= true,
    "some": lambda f, things, true: bool(things & true),
    "none": lambda f, things, true: not things & true,
    "all_same": _same,
}


def check_answer(record: Question, scenes: list[Scene]) -> Iterator[str]:
    """Check that the program gives the answer, and that everything it takes for unique, or for several, is."""
    facts = Facts(scenes)
    try:
        found = value(record.program, facts)
    except Unanswered as reason:
        yield f"the program has no answer: {reason}"
        return
    for row in record.program:
        if row.operation in ("all", "all_same") and len(value(record.program, facts, row.dependencies[0])) < 2:
            yield "it is about all of fewer than two objects"
    if found != record.answer or isinstance(found, bool) != isinstance(record.answer, bool):
        yield f"the answer is {found!r}, not {record.answer!r}"


# ---------------------------------------------------------------------------- the text


def check_text(record: Question, scenes: list[Scene], spec: Spec) -> Iterator[str]:
    """Check that the text can be read as the program, and that all ways to read it have the same answer.

    Published wording is not read: it was not made to be.
    """
    if spec.style == "published":
        return
    found = readings(record.text, words_of(record, scenes))
    if record.program not in found:
        yield f"the text does not say what the program does; it reads {[written(one) for one in found]}"
    facts = Facts(scenes)
    for program in found:
        try:
            other = value(program, facts)
        except Unanswered:
            other = None
        if other != record.answer:
            yield f"the text can be read as {written(program)}, and the answer is {other!r} then"


def words_of(record: Question, scenes: Iterable[Scene]) -> Vocabulary:
    """Return the words of some scenes, and of a question."""
    words: tuple[set[str], set[str], set[str]] = (set(), set(), set())
    for scene in scenes:
        for thing in scene.things.values():
            words[0].add(thing.name)
            words[1].update(thing.attributes)
            words[2].update(name for r in thing.relations for name in (r.name, *(m.name for m in r.modifiers)))
    last = record.program[-1]
    for kind, operation in enumerate(("choose_name", "choose_attr", "choose_relation")):
        if last.operation == operation:
            words[kind].update(last.arguments)
    for graph in record.graphs:
        _add_words(graph, words)
    return vocabulary(*words)


def _add_words(graph: Node, words: tuple[set[str], set[str], set[str]]) -> None:
    words[0].update([graph.name] if graph.name else [])
    words[1].update([graph.attribute] if graph.attribute else [])
    for edge in graph.edges:
        words[2].add(edge.relation)
        _add_words(edge.target, words)
        for name, node in edge.modifiers:
            words[2].add(name)
            _add_words(node, words)


# ---------------------------------------------------------------------------- the images


def check_images(record: Question, scenes: list[Scene], spec: Spec) -> Iterator[str]:
    """Check that every image has one of the described subgraphs or nearly, and none what could pass for the first."""
    if not 1 <= len(set(record.scenes)) == len(record.scenes) <= MOST:
        yield f"a question has 1 to {MOST} different images, not {', '.join(record.scenes)}"
    if spec.distractors == "easy":
        return
    for scene in scenes:
        nearest = min(distance(graph, scene) for graph in record.graphs)
        if nearest > FAR:
            yield f"image {scene.id} is {nearest} substitutions away from what the question is about, more than {FAR}"
        if distance(record.graphs[0], scene) and passes(record.graphs[0], scene):
            yield f"image {scene.id} has something that could pass for the subgraph of the question"


def distance(graph: Node, scene: Scene) -> float:
    """Tell how many elements have to be substituted until a scene has a subgraph."""

    def of_node(node: Node, thing: Thing) -> float:
        unlike = (node.name not in (None, thing.name)) + (node.attribute not in (None, *thing.attributes))
        return unlike + sum(min((of_edge(e, r) for r in thing.relations), default=inf) for e in node.edges)

    def of_edge(edge: Edge, relation: Relation) -> float:
        further = sum(
            min(((m.name != name) + of_node(node, scene.things[m.target]) for m in relation.modifiers), default=inf)
            for name, node in edge.modifiers
        )
        return (edge.relation != relation.name) + of_node(edge.target, scene.things[relation.target]) + further

    return min((of_node(graph, thing) for thing in scene.things.values()), default=inf)


def passes(graph: Node, scene: Scene) -> bool:
    """Tell whether a scene has a subgraph in words that do not exclude those of this one."""

    def node_passes(node: Node, thing: Thing) -> bool:
        return (
            (node.name is None or may_be("noun", node.name, thing.name))
            and (node.attribute is None or any(alike(node.attribute, other) for other in thing.attributes))
            and all(any(edge_passes(e, r) for r in thing.relations) for e in node.edges)
        )

    def edge_passes(edge: Edge, relation: Relation) -> bool:
        return (
            may_be("relation", edge.relation, relation.name)
            and node_passes(edge.target, scene.things[relation.target])
            and all(
                any(
                    may_be("relation", n, m.name) and node_passes(t, scene.things[m.target]) for m in relation.modifiers
                )
                for n, t in edge.modifiers
            )
        )

    return any(node_passes(graph, thing) for thing in scene.things.values())


def may_be(kind: str, word: str, other: str) -> bool:
    """Tell whether what one word is said of may be what another is said of."""
    return tabled(kind, word, other) <= ALLOWED


def alike(attribute: str, other: str) -> bool:
    """Tell whether two attributes say much the same; most that do not exclude each other speak of something else."""
    in_one_group = any(attribute in values and other in values for values in GROUPS.values())
    return attribute == other or (in_one_group and may_be("attribute", attribute, other))


# ---------------------------------------------------------------------------- template and split

PRECONDITIONS: Mapping[str, Callable[[Node, Question], bool]] = {
    **dict.fromkeys(("verify_attr", "choose_attr"), lambda g, q: bool(g.attribute and g.edges)),
    **dict.fromkeys(("query_attr", "specific_same_attr"), lambda g, q: g.attribute in GROUP_OF and bool(g.edges)),
    "quantifier_same_attr": lambda g, q: g.attribute in GROUP_OF,
    "quantifier": lambda g, q: bool(g.attribute or g.edges),
    **dict.fromkeys(("count_ref_group_by", "verify_count_ref_group_by"), lambda g, q: min(numbers(q)) >= 1),
    **dict.fromkeys(
        (
            "compare_count",
            "count_ref",
            "verify_count_ref",
            "multiple_ref",
            "choose_object",
            "query_object",
            "choose_rel",
        ),
        lambda g, q: length(g) >= 3,
    ),
}


def check_template(record: Question) -> Iterator[str]:
    """Check that the template is for such a subgraph, and that no number is too large."""
    if record.template not in PRECONDITIONS:
        yield f"there is no template {record.template!r}"
    elif not record.graphs or not PRECONDITIONS[record.template](record.graphs[0], record):
        yield f"the subgraph is not one for {record.template}"
    if any(not _is_told_well(graph) for graph in record.graphs):
        yield "a subgraph tells something twice, or of a relation to two objects only one"
    answers = [record.answer] if isinstance(record.answer, int) else []
    if any(not 0 <= number <= MOST for number in (*numbers(record), *answers)):
        yield f"a number is not between 0 and {MOST}"


def _is_told_well(graph: Node) -> bool:
    alone = any(edge.relation == "between" and not edge.modifiers for edge in graph.edges)
    return not alone and len(set(graph.edges)) == len(graph.edges) and all(_is_told_well(e.target) for e in graph.edges)


def check_split(record: Question, scenes: list[Scene], spec: Spec) -> Iterator[str]:
    """Check that the split keeps the question, unless it is one of its shots, and that the images are the split's."""
    if not spec.shots and not holds(spec.keep)(record):
        yield f"it is not one of {spec.keep!r}"
    for scene in scenes:
        if share(spec, scene) != spec.images:
            yield f"image {scene.id} is not one of {spec.images}"
