"""Short phrases about images, and what each refers to there: what a transformer learns from before any question.

An image is known by the names of its objects, "red car; tall boy", and by how they stand to each other, "1 next to 0".
A phrase names an object, with an attribute or without, and perhaps one that it stands in a relation to: "a boy that is
next to a red car". Half of the phrases have a word exchanged for one of the same image, so that most of what they say
is there. It is said alone or within a sentence, or else nothing of what is learned from it would be known where the
same words are part of a question. Chance is PyTorch's, which training seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq, ge
from typing import NamedTuple

import torch

LINKED = 0.6  # chance that a phrase tells a relation of its object, where it has any
SEVERAL = 0.5  # that it speaks of an object whose noun others have, too, where there is one
DESCRIBED = 0.6  # that an object is told with an attribute, where it has any
CHANGED = 0.5  # that something in a phrase is exchanged
ROOT, RELATION = 0.4, 0.2  # that this is in the object itself, or is the relation, where there is one
ALONE = 0.2  # that it is no part of a sentence
SENTENCES = (  # around an object with its article, and around several
    *("is there {one}?", "there is {one}.", "how many images show {one}?", "how many {many} are there?"),
    *("{images} with {one}.", "there are {limit} {count} {many}."),
    *("how many images contain {each} {many}?", "{images} that {contain} {each} {many}.") * 3,  # numbers are hardest
)
LIMITS = ("exactly", "at least", "at most")
UP_TO = "1 to"
EACH: dict[str, Callable[[int, int], bool]] = {  # said of the objects of an image
    "exactly": eq,
    "at least": ge,
    UP_TO: lambda count, most: 1 <= count <= most,
}
MOST = 5  # of the numbers in sentences
COUNTED = 0.5  # chance that a sentence says the number of objects that there are, if any
PLURALS = {"man": "men", "woman": "women", "knife": "knives", "scarf": "scarves", "sheep": "sheep"}


class Asked(NamedTuple):
    """A sentence about an image."""

    text: str
    fits: set[int]  # the objects that it is about
    shows: bool  # whether the image shows any, or as many of them as the sentence says of an image


class Link(NamedTuple):
    """A relation of an object to another one, both by their place among the objects."""

    start: int
    name: str
    end: int


class Named(NamedTuple):
    """What an image shows: the words of every object, its noun last, and the relations between them."""

    things: list[list[str]]
    links: list[Link]


def read(names: str, relations: str) -> Named:
    """Read what is known of an image.

    >>> read("red car; tall boy", "1 next to 0")
    Named(things=[['red', 'car'], ['tall', 'boy']], links=[Link(start=1, name='next to', end=0)])
    """
    links = []
    for text in filter(None, relations.split("; ")):
        start, *name, end = text.split()
        links.append(Link(int(start), " ".join(name), int(end)))
    return Named([name.split() for name in names.split("; ") if name], links)


def asked_of(names: Sequence[str], relations: Sequence[str]) -> list[Asked]:
    """Return a phrase for every image, alone or within a sentence.

    >>> torch.manual_seed(0)  # doctest: +ELLIPSIS
    <...>
    >>> asked_of(["red car; tall boy", "cat"], ["1 next to 0", ""])
    [Asked(text='how many cars are there?', fits={0}, shows=True), Asked(text='a cat', fits={0}, shows=True)]
    """
    scenes = [read(*told) for told in zip(names, relations, strict=True)]
    every = sorted({link.name for scene in scenes for link in scene.links})
    return [_within_a_sentence(*_phrase(scene, every)) for scene in scenes]


def _within_a_sentence(root: list[str], further: str, fits: set[int]) -> Asked:
    """Say an object and what it stands in relation to."""
    one, many = " ".join(("a", *root)), " ".join((*root[:-1], plural(root[-1])))
    if further:
        one, many = f"{one} that is {further}", f"{many} that are {further}"
    sentence = "{one}" if _happens(ALONE) else _any(SENTENCES)
    limit, count = _any(LIMITS), _below(MOST + 1)
    images = f"there {'is' if count == 1 else 'are'} {limit} {count} image{'' if count == 1 else 's'}"
    number = len(fits) if fits and _happens(COUNTED) else 1 + _below(MOST - 1)
    each = _any([said for said in EACH if number > 1 or said != UP_TO])
    said = {"one": one, "many": many, "limit": limit, "count": count, "images": images, "each": f"{each} {number}"}
    text = sentence.format(**said, contain="contains" if count == 1 else "contain")
    return Asked(text, fits, bool(fits) and ("{each}" not in sentence or EACH[each](len(fits), number)))


def plural(noun: str) -> str:
    """Return the name for several things of a kind.

    >>> plural("dog"), plural("bench"), plural("woman")
    ('dogs', 'benches', 'women')
    """
    return PLURALS.get(noun) or noun + ("es" if noun.endswith(("s", "x", "sh", "ch")) else "s")


def _phrase(scene: Named, every: list[str]) -> tuple[list[str], str, set[int]]:
    """An object and what it stands in relation to, and what both fit; a relation may become any of these."""
    if not scene.things:
        return ["thing"], "", set()
    about = _object(scene)
    root = _part(scene.things[about])
    links = [link for link in scene.links if link.start == about]
    if not (links and _happens(LINKED)):
        root = _exchanged(root, scene) if _happens(CHANGED) else root
        return root, "", _fitting(scene, root)
    link = links[_below(len(links))]
    relation, other = link.name, _part(scene.things[link.end])
    if _happens(CHANGED):
        where = float(torch.rand(()))
        if where < ROOT:
            root = _exchanged(root, scene)
        elif where < ROOT + RELATION:
            relation = every[_below(len(every))]
        else:
            other = _exchanged(other, scene)
    ends = _fitting(scene, other)
    linked = {link.start for link in scene.links if link.name == relation and link.end in ends}
    return root, " ".join((relation, "a", *other)), _fitting(scene, root) & linked


def _object(scene: Named) -> int:
    """An object to speak of, perhaps one of several with the same noun: else most numbers would be 0 or 1."""
    nouns = [thing[-1] for thing in scene.things]
    several = [place for place, noun in enumerate(nouns) if nouns.count(noun) > 1]
    return several[_below(len(several))] if several and _happens(SEVERAL) else _below(len(nouns))


def _part(thing: list[str]) -> list[str]:
    """The noun of an object, and one of its attributes perhaps."""
    *attributes, name = thing
    return [attributes[_below(len(attributes))], name] if attributes and _happens(DESCRIBED) else [name]


def _exchanged(part: list[str], scene: Named) -> list[str]:
    """A part with its noun or its attribute from another object of the image."""
    *attributes, name = scene.things[_below(len(scene.things))]
    if len(part) > 1 and attributes and _happens(DESCRIBED):
        return [attributes[_below(len(attributes))], part[-1]]
    return [*part[:-1], name]


def _fitting(scene: Named, part: list[str]) -> set[int]:
    return {place for place, thing in enumerate(scene.things) if {*part} <= {*thing}}


def _any(of: Sequence[str]) -> str:
    return of[_below(len(of))]


def _happens(chance: float) -> bool:
    return float(torch.rand(())) < chance


def _below(count: int) -> int:
    return int(torch.randint(count, ()))
