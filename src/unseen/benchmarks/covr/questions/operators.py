"""The operators of COVR's programs: name, types and meaning declared together.

An operator takes the values of earlier rows and then literals, and is given the table of all objects of all images.
Sets of objects are lists in the order of the table, whatever was asked before. What has no answer is an error:

NoAnswer                a program that asks for what is not there
|-- NonUnique           one object (or relation) was asked for, and there are several
|-- NonExistent         one was asked for, and there is none
|-- MultipleAttributes  an object has several values of the type that is asked for
|-- Neither             neither of two alternatives holds
`-- NothingInCommon     two objects share no value of any type
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from unseen.benchmarks.covr.english.lexicon import ASKED_GROUPS, GROUP_OF
from unseen.core.errors import UnseenError
from unseen.core.registry import Registry


class NoAnswer(UnseenError, ValueError):
    """A program that asks for what is not there."""


class NonUnique(NoAnswer):
    """One object or relation was asked for, and there are several."""


class NonExistent(NoAnswer):
    """One object or relation was asked for, and there is none."""


class MultipleAttributes(NoAnswer):
    """An object has several values of the type that is asked for."""


class Neither(NoAnswer):
    """Neither of two alternatives holds."""


class NothingInCommon(NoAnswer):
    """Two objects share no value of any type."""


class Link(NamedTuple):
    """A relation of an object; modifiers are no links of their own."""

    name: str
    target: str  # object id


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """An object of a table."""

    id: str
    image: str
    name: str
    attributes: tuple[str, ...]
    relations: tuple[Link, ...]
    targets: dict[str, tuple[str, ...]]  # relation or modifier name -> object ids


Table = dict[str, Item]  # object id -> object, of all images in turn
Items = list[Item]
Words = str | Sequence[str] | None  # one, any of several, or (None, or none given) whatever it is
Groups = dict[str, Items]  # image id -> objects


class Parameter(NamedTuple):
    """What an operator takes at one place."""

    kinds: frozenset[str]
    optional: bool  # may be left out, or null: anything will do


class Operator(NamedTuple):
    """An operator: its types and its meaning."""

    name: str
    description: str
    takes: tuple[Parameter, ...]
    gives: str  # a kind; "one" is one of what it takes
    meaning: Callable[..., Any]


OPERATORS: Registry[Operator] = Registry("operator", listing="unseen list covr --rules")
ONE = {"objects": "object", "relations": "relation"}


def operator(signature: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as an operator; a signature is `kinds, kinds? -> kind`, where `a|b` takes either.

    Its name is the function's; one that Python has taken ends in an underscore here.
    """

    def declare(meaning: Callable[..., Any]) -> Callable[..., Any]:
        takes, _, gives = signature.partition("->")
        parameters = (
            Parameter(frozenset(kinds.strip("?").split("|")), kinds.endswith("?"))
            for kinds in takes.replace(",", " ").split()
        )
        name = meaning.__name__.rstrip("_")
        OPERATORS.add(name, Operator(name, (meaning.__doc__ or "").strip(), tuple(parameters), gives.strip(), meaning))
        return meaning

    return declare


def any_of(words: Words) -> frozenset[str]:
    """Return the words that will do; none: whatever it is."""
    return frozenset((words,) if isinstance(words, str) else words or ())


def values(item: Item, type: str) -> list[str]:
    """Return the attributes of an object that are of a type, such as its colors."""
    return [attribute for attribute in item.attributes if GROUP_OF.get(attribute) == type]


# ---------------------------------------------------------------------------- objects


@operator("-> objects")
def scene(table: Table) -> Items:
    """All objects."""
    return list(table.values())


@operator("words? -> objects")
def find(table: Table, name: Words = None) -> Items:
    """The objects with a name."""
    if isinstance(name, str):
        return [item for item in table.values() if item.name == name]
    names = any_of(name)
    return [item for item in table.values() if not names or item.name in names]


@operator("objects, words -> objects")
def filter_(_: Table, items: Items, attribute: Words) -> Items:
    """Those of some objects that have an attribute."""
    wanted = any_of(attribute)
    return [item for item in items if not wanted.isdisjoint(item.attributes)]


@operator("objects, objects?, words? -> objects")
def with_relation(_: Table, items: Items, others: Items | None = None, relation: Words = None) -> Items:
    """Those of some objects that have a relation to one of some others."""
    among = None if others is None else {other.id for other in others}
    return [item for item in items if _reached(item, among, relation)]


@operator("objects, objects?, words? -> objects")
def with_relation_object(table: Table, items: Items, others: Items | None = None, relation: Words = None) -> Items:
    """Those of some others that one of some objects has a relation to."""
    among = None if others is None else {other.id for other in others}
    reached = {id for item in items for id in _reached(item, among, relation)}
    return [item for item in (table.values() if others is None else others) if item.id in reached]


def _reached(item: Item, among: set[str] | None, relation: Words) -> Iterable[str]:
    """The ids, among some, that an object has a relation to."""
    if isinstance(relation, str):
        reached: Iterable[str] = item.targets.get(relation, ())
    else:
        names = any_of(relation)
        reached = [id for name, ids in item.targets.items() if not names or name in names for id in ids]
    return reached if among is None else [id for id in reached if id in among]


@operator("object, objects -> relations")
def relation_between_nouns(_: Table, item: Item, others: Items) -> list[Link]:
    """The relations of an object to some others; `with` says too little to be one."""
    among = {other.id for other in others}
    return [link for link in item.relations if link.target in among and link.name != "with"]


@operator("objects|relations -> one")
def unique(_: Table, items: list[Any]) -> Any:
    """The only one there is."""
    if len(items) > 1:
        raise NonUnique(f"one was asked for, and there are {len(items)}: {_listed(items)}")
    if not items:
        raise NonExistent("one was asked for, and there is none")
    return items[0]


@operator("objects -> objects")
def assert_unique(table: Table, items: Items) -> Items:
    """The same objects, if it is only one."""
    return [unique(table, items)]


def _listed(items: list[Item | Link]) -> str:
    return ", ".join(f"{item.name} {item.id if isinstance(item, Item) else item.target}" for item in items[:5])


# ---------------------------------------------------------------------------- names and attributes


@operator("object|relation -> word")
def query_name(_: Table, one: Item | Link) -> str:
    """The name of an object or relation."""
    return one.name


@operator("object, word -> word")
def query_attr(_: Table, item: Item, type: str) -> str | None:
    """The value of an object's attribute of a type; null where it has none."""
    found = values(item, type)
    if len(found) > 1:
        raise MultipleAttributes(f"{item.name} {item.id} has more than one {type}: {', '.join(found)}")
    return found[0] if found else None


@operator("object, word -> truth")
def verify_attr(_: Table, item: Item, attribute: str) -> bool:
    """Whether an object has an attribute."""
    return attribute in item.attributes


@operator("object, word, word -> word")
def choose_attr(_: Table, item: Item, one: str, other: str) -> str:
    """Which of two attributes an object has; the first where it has both."""
    return _either(item.attributes, one, other, f"{item.name} {item.id} is")


@operator("object, word, word -> word")
def choose_name(_: Table, item: Item, one: str, other: str) -> str:
    """Which of two names an object has."""
    return _either((item.name,), one, other, f"{item.name} {item.id} is")


@operator("word, word, word -> word")
def choose_relation(_: Table, name: str, one: str, other: str) -> str:
    """Which of two relations a relation is."""
    return _either((name,), one, other, f"the relation {name!r} is")


def _either(found: tuple[str, ...], one: str, other: str, what: str) -> str:
    if one in found:
        return one
    if other in found:
        return other
    raise Neither(f"{what} neither {one!r} nor {other!r}")


@operator("object, object -> word")
def query_common_attribute(_: Table, one: Item, other: Item) -> str:
    """The first type of attribute of which two objects share a value."""
    for type in ASKED_GROUPS:
        if set(values(one, type)) & set(values(other, type)):
            return type
    raise NothingInCommon(f"{one.name} {one.id} and {other.name} {other.id} share no attribute")


# ---------------------------------------------------------------------------- numbers and images


@operator("objects|images|groups|relations -> number")
def count(_: Table, things: Sequence[Any] | Groups) -> int:
    """How many there are."""
    return len(things)


@operator("objects|images|groups|relations -> truth")
def exists(_: Table, things: Sequence[Any] | Groups) -> bool:
    """Whether there are any."""
    return len(things) > 0


@operator("objects -> images")
def unique_images(_: Table, items: Items) -> list[str]:
    """The images that some objects are in, each once."""
    return list(dict.fromkeys(item.image for item in items))


@operator("objects -> groups")
def group_by_images(_: Table, items: Items) -> Groups:
    """Objects by the image they are in; an image without any of them is not there."""
    groups: Groups = {}
    for item in items:
        groups.setdefault(item.image, []).append(item)
    return groups


@operator("groups, number -> groups")
def keep_if_values_count_eq(_: Table, groups: Groups, size: int) -> Groups:
    """The groups of a size."""
    return {image: items for image, items in groups.items() if len(items) == size}


@operator("groups, number -> groups")
def keep_if_values_count_geq(_: Table, groups: Groups, size: int) -> Groups:
    """The groups of at least a size."""
    return {image: items for image, items in groups.items() if len(items) >= size}


@operator("groups, number -> groups")
def keep_if_values_count_leq(_: Table, groups: Groups, size: int) -> Groups:
    """The groups of at most a size; an image without any object has no group, so it is not among them."""
    return {image: items for image, items in groups.items() if len(items) <= size}


@operator("groups -> images")
def keys(_: Table, groups: Groups) -> list[str]:
    """The images of groups."""
    return list(groups)


@operator("number|word|truth, number|word|truth -> truth")
def eq(_: Table, one: Any, other: Any) -> bool:
    """Whether two values are the same; two that are missing are."""
    return bool(one == other)


@operator("number, number -> truth")
def gt(_: Table, one: int, other: int) -> bool:
    """Whether a number is greater than another."""
    return one > other


@operator("number, number -> truth")
def lt(_: Table, one: int, other: int) -> bool:
    """Whether a number is less than another."""
    return one < other


@operator("number, number -> truth")
def geq(_: Table, one: int, other: int) -> bool:
    """Whether a number is at least another."""
    return one >= other


@operator("number, number -> truth")
def leq(_: Table, one: int, other: int) -> bool:
    """Whether a number is at most another."""
    return one <= other


@operator("number, number -> truth")
def gt_half(_: Table, one: int, other: int) -> bool:
    """Whether a number is greater than half of another."""
    return 2 * one > other


# ---------------------------------------------------------------------------- truth


@operator("truth, truth -> truth")
def logic_and(_: Table, one: bool, other: bool) -> bool:
    """Whether both hold."""
    return one and other


@operator("truth, truth -> truth")
def logic_or(_: Table, one: bool, other: bool) -> bool:
    """Whether one of two holds, or both."""
    return one or other


@operator("objects, condition -> truth")
def all_(_: Table, items: Items, condition: Items) -> bool:
    """Whether all of some objects are in the result of a nested program; true of no objects."""
    return _ids(items) <= _ids(condition)


@operator("objects, condition -> truth")
def some(_: Table, items: Items, condition: Items) -> bool:
    """Whether some object is in the result of a nested program."""
    return not _ids(items).isdisjoint(_ids(condition))


@operator("objects, condition -> truth")
def none(_: Table, items: Items, condition: Items) -> bool:
    """Whether no object is in the result of a nested program; true of no objects."""
    return _ids(items).isdisjoint(_ids(condition))


def _ids(items: Items) -> set[str]:
    return {item.id for item in items}


@operator("objects, word -> truth")
def all_same(_: Table, items: Items, type: str) -> bool:
    """Whether every object shares a value of a type with the first one; true of no objects."""
    if not items:
        return True
    first = set(values(items[0], type))
    return bool(first) and all(not first.isdisjoint(values(item, type)) for item in items)
