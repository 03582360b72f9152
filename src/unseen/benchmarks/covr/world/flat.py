"""The flat world: scenes made of the nouns of `nouns.py`, complete by construction.

A scene is two strips of ground, one above the other. On each stand *groups* with clear gaps between them; a group is a
row of things side by side, each with what is on, in, under or behind it, or worn, held, ridden or sat on. Relations
come from how things are put (`LINKS`), so whatever the drawing shows, the graph says, and nothing else:

    on              rests on top of it               under           its support is; or it stands in the room beneath
    in              sticks out of a container        next to         stands beside it on the same base, almost touching
    behind          is partly hidden by it           in front of     partly hides it
    sitting on, riding   and is then on it too       holding         is in a hand; so is what an act is done with

Things of different groups stand in no relation: they are too far apart to be next to each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from unseen.benchmarks.covr.world.identity import hashed, is_mirrored, named
from unseen.benchmarks.covr.world.nouns import ACTS, BY_NAME, BY_ROLE, PLACES, TOPS, WORN, Act, Noun
from unseen.benchmarks.covr.world.scene import Modifier, Relation, Scene, Thing
from unseen.benchmarks.covr.world.stream import SceneStream
from unseen.core.errors import SpecError, unknown
from unseen.core.options import Names

SIDE = 360  # pixels of a scene, which is square
STRIPS = (176, 356)  # where the ground is, from the top; the upper one may be some pixels higher or lower
SHIFT = 12
BESIDE = 4  # between things side by side
APART = 26  # at least, between groups
SCALE = {"large": 1.2, "small": 0.75}
SITTING = 0.22  # of its height a person loses by sitting down
POSES = ("standing", "sitting")  # of people

# link -> relations of the thing that is put, and of the one that it is put to
LINKS = {
    "on": (("on",), ("under",)),
    "in": (("in",), ()),
    "under": (("under",), ()),
    "behind": (("behind",), ("in front of",)),
    "next to": (("next to",), ("next to",)),
    "seated": (("sitting on", "on"), ("under",)),
    "riding": (("riding", "on"), ("under",)),
    "worn": ((), ("wearing",)),
    "held": ((), ("holding",)),
    "pushed": ((), ("pushing",)),
    "walked": ((), ("walking",)),
}


@dataclass(frozen=True)
class World:
    """What scenes are drawn from."""

    places: Names = PLACES

    def __post_init__(self) -> None:
        for place in self.places:
            if place not in PLACES:
                raise unknown("place", place, PLACES)
        if not self.places:
            raise SpecError(f"a world has at least one of the places {', '.join(PLACES)}")


class _Put:
    """A thing while its scene is made: bottom middle and size in pixels, from the left of its group."""

    __slots__ = ("attributes", "bottom", "height", "middle", "name", "number", "relations", "width")

    def __init__(self, name: str, attributes: tuple[str, ...], width: float, height: float) -> None:
        self.name = name
        self.attributes = attributes
        self.width = width
        self.height = height
        self.middle = 0.0
        self.bottom = 0.0
        self.number = 0
        self.relations: list[tuple[str, _Put, tuple[tuple[str, _Put], ...]]] = []

    def at(self, middle: float, bottom: float) -> _Put:
        self.middle = middle
        self.bottom = bottom
        return self

    def link(self, how: str, other: _Put) -> None:
        """Note the relations between this thing and the one that it is put to."""
        own, others = LINKS[how]
        for name in own:
            self.relations.append((name, other, ()))
        for name in others:
            other.relations.append((name, self, ()))


class Column(NamedTuple):
    """A thing on the ground, and all that is put to it, in the order of drawing; measured from its middle."""

    base: _Put
    things: list[_Put]

    @property
    def left(self) -> float:
        """How far the column reaches to the left of its middle."""
        return max(put.width / 2 - put.middle for put in self.things)

    @property
    def right(self) -> float:
        """How far the column reaches to the right of its middle."""
        return max(put.width / 2 + put.middle for put in self.things)


class _Maker:
    """Draw the groups of one scene."""

    def __init__(self, place: str, rng: SceneStream) -> None:
        self.place = place
        self.rng = rng
        self.favorites: dict[str, Noun] = {}  # role -> the noun that last played it, and is likely to again

    # ------------------------------------------------------------------------ single things

    def noun(self, role: str) -> Noun | None:
        """Choose a noun for a role, every other time the one chosen before, so that there is much to count."""
        if role in self.favorites and self.rng.uniform() < 0.5:
            return self.favorites[role]
        nouns = BY_ROLE.get((self.place, role))
        if not nouns:
            return None
        self.favorites[role] = chosen = self.rng.choice(nouns)
        return chosen

    def put(self, noun: Noun, pose: str = "") -> _Put:
        """Make a thing of a kind, with random attributes."""
        rng = self.rng
        attributes = [rng.choice(values) for values in noun[5:9] if values]
        if noun.pattern and rng.uniform() < 0.5:
            attributes.append(rng.choice(noun.pattern))
        if pose:
            attributes.append(pose)
        scale = SCALE[next(value for value in attributes if value in SCALE)] if noun.size else 1.0
        return _Put(noun.name, tuple(attributes), noun.width * scale, noun.height * scale)

    # ------------------------------------------------------------------------ columns

    def alone(self) -> Column:
        """Place one thing alone."""
        put = self.put(self.noun("stands") or BY_NAME["ball"])
        return Column(put, [put])

    def loaded(self) -> Column:
        """Place one or two things on a support, one of them perhaps with something in it."""
        support = self.noun("support")
        if support is None:
            return self.alone()
        base = self.put(support)
        things = [base]
        top = -base.height
        pair = base.width > 80 and self.rng.uniform() < 0.5
        placed: list[_Put] = []
        for middle in (-base.width / 4, base.width / 4) if pair else (0.0,):
            item = self.put(self.noun("rests") or BY_NAME["ball"]).at(middle, top)
            item.link("on", base)
            things += [*self.content(item), item]
            placed.append(item)
        if pair:
            placed[0].link("next to", placed[1])
        return Column(base, things)

    def content(self, container: _Put) -> list[_Put]:
        """Put something into a thing that is a container, so that it sticks out by half."""
        if "container" not in BY_NAME[container.name].roles.split() or self.rng.uniform() < 0.3:
            return []
        noun = self.noun("fits")
        if noun is None or noun.width > container.width:
            return []
        inside = self.put(noun)
        inside.at(container.middle, container.bottom - container.height + inside.height / 2)
        inside.link("in", container)
        return [inside]

    def filled(self) -> Column:
        """Place a container on the ground, most often with something in it."""
        noun = self.noun("container")
        if noun is None or "stands" not in noun.roles:
            return self.alone()
        base = self.put(noun)
        return Column(base, [*self.content(base), base])

    def sheltering(self) -> Column:
        """Place something under a piece of furniture."""
        shelter, crawler = self.noun("shelter"), self.noun("crawls")
        if shelter is None or crawler is None:
            return self.alone()
        base = self.put(shelter)
        under = self.put(crawler)
        under.link("under", base)
        return Column(base, [under, base])

    def screening(self) -> Column:
        """Place something behind a wide thing; more than half of it shows, with the head where it has one."""
        screen, hidden = self.noun("screen"), self.noun("hides")
        if screen is None or hidden is None:
            return self.alone()
        base = self.put(screen)
        behind = self.put(hidden)
        behind.at(-base.width / 2 - behind.width / 8, -6)
        behind.link("behind", base)
        return Column(base, [behind, base])

    # ------------------------------------------------------------------------ people

    def person(self, *, pose: str = POSES[0], holds: bool = True) -> list[_Put]:
        """Dress a person, and perhaps give it something to hold."""
        noun = self.noun("person") or BY_NAME["man"]
        someone = self.put(noun, pose)
        top = self.rng.choice(TOPS.get(noun.name, ("shirt", "jacket", "dress")))
        worn = [self.wear(someone, BY_NAME[top])]
        if self.rng.uniform() < 0.5:
            worn.append(self.wear(someone, self.noun("extra") or BY_NAME["hat"]))
        if holds and self.rng.uniform() < 0.5:
            held = self.noun("held")
            if held is not None:
                worn.append(self.hold(someone, self.put(held)))
        return [someone, *worn]

    def wear(self, someone: _Put, noun: Noun) -> _Put:
        """Put a piece of clothing on a person."""
        left, top, right, bottom = WORN[noun.name]
        garment = self.put(noun)
        garment.width = max(26.0, (right - left) * someone.width / 100)
        garment.height = max(17.0, (bottom - top) * someone.height / 100)
        garment.at(((left + right) / 200 - 0.5) * someone.width, -someone.height * (1 - bottom / 100))
        garment.link("worn", someone)
        return garment

    def hold(self, someone: _Put, thing: _Put, *, side: int = 1) -> _Put:
        """Put a thing into a person's hand."""
        thing.at(side * (someone.width / 2 + thing.width / 2 - 6), -someone.height * 0.42 + thing.height / 2)
        thing.link("held", someone)
        return thing

    def standing(self) -> Column:
        """Place a person who stands."""
        things = self.person()
        return Column(things[0], things)

    def seated(self) -> Column:
        """Place a person on a seat."""
        return self.carried("seat", "seated", lift=0.2)

    def riding(self) -> Column:
        """Place a person on an animal or a vehicle."""
        return self.carried("mount", "riding", lift=0.42)

    def carried(self, role: str, how: str, *, lift: float) -> Column:
        """Seat a person on something, `lift` times its height above the ground."""
        noun = self.noun(role)
        if noun is None:
            return self.standing()
        base = self.put(noun)
        things = self.person(pose=POSES[1], holds=how == "seated")
        shorter = SITTING * things[0].height
        things[0].height -= shorter
        for put in things:
            put.bottom -= lift * base.height - (shorter if put is not things[0] else 0)
        things[0].link(how, base)
        return Column(base, [base, *things])

    # ------------------------------------------------------------------------ groups

    def group(self) -> list[Column]:
        """Place things side by side, the first perhaps a person who does something to the second."""
        kind = self.rng.uniform()
        if kind < 0.22:
            return self.act()
        if kind < 0.34:
            return self.leading()
        first = self.rng.choice(COLUMNS)(self)
        if kind < 0.6 and first.things[0].relations[:1] != [("behind", first.base, ())]:
            return [first, self.rng.choice(PLAIN)(self)]
        return [first]

    def leading(self) -> list[Column]:
        """Place a person who pushes a cart or walks a pet."""
        role, how = self.rng.choice((("cart", "pushed"), ("pet", "walked")))
        noun = self.noun(role)
        if noun is None:
            return [self.standing()]
        things = self.person(holds=False)
        other = self.put(noun)
        other.link(how, things[0])
        return [Column(things[0], things), Column(other, [*self.content(other), other])]

    def act(self) -> list[Column]:
        """Place a person who does something to a thing by means of another."""
        act = self.rng.choice(ACTS)
        nouns = [BY_NAME[name] for name in act.things if self.place in BY_NAME[name].places.split()]
        if act.phrase == "into":
            return self.putting(act, nouns)
        if not nouns:
            return [self.standing()]
        things = self.person(holds=False)
        target, tool = self.put(self.rng.choice(nouns)), self.put(BY_NAME[self.rng.choice(act.others)])
        self.do(act, things[0], target, tool)
        things.append(self.hold(things[0], tool))
        if "stands" in BY_NAME[target.name].roles.split():
            return [Column(things[0], things), Column(target, [target])]
        table = self.put(BY_NAME["table"])  # what does not stand on the ground is on a table
        target.at(-table.width / 4, -table.height).link("on", table)
        return [Column(things[0], things), Column(table, [table, target])]

    def putting(self, act: Act, nouns: list[Noun]) -> list[Column]:
        """Place a person who puts something into a container."""
        containers = [BY_NAME[name] for name in act.others if self.place in BY_NAME[name].places.split()]
        if not nouns or not containers:
            return [self.standing()]
        things = self.person(holds=False)
        target, container = self.put(self.rng.choice(nouns)), self.put(self.rng.choice(containers))
        self.do(act, things[0], target, container)
        things.append(self.hold(things[0], target))
        return [Column(things[0], things), Column(container, [container])]

    def do(self, act: Act, someone: _Put, target: _Put, other: _Put) -> None:
        """Note an act, before anything else that the person does."""
        someone.relations.insert(0, (act.name, target, ((act.modifier, other),)))


PLAIN = (_Maker.alone, _Maker.loaded, _Maker.filled, _Maker.standing, _Maker.sheltering)
COLUMNS = (*PLAIN, _Maker.loaded, _Maker.screening, _Maker.screening, _Maker.seated, _Maker.riding)


def scene(world: World, key: int, index: int, draw: int = 0, rng: SceneStream | None = None) -> Scene:
    """Return one scene: a pure function of the world and the stream's key, index and draw; its id names the stream."""
    rng = rng or SceneStream(key, index=index, draw=draw)
    place = rng.choice(world.places)
    maker = _Maker(place, rng)
    scene_id = named(key, index, draw)
    things = [put for ground in grounds(scene_id) for put in _strip(maker, ground)]
    return _finished(scene_id, place, things)


def grounds(scene_id: str) -> tuple[int, int]:
    """Tell where the two strips of ground of a scene are, from the top."""
    return STRIPS[0] + hashed(scene_id, seed=1) % (2 * SHIFT + 1) - SHIFT, STRIPS[1]


def _strip(maker: _Maker, ground: int) -> list[_Put]:
    """Place two to four groups on one strip, fewer where there is no room."""
    groups: list[tuple[list[_Put], float]] = []
    room = float(SIDE - APART)
    wanted = maker.rng.between(2, 4)
    while len(groups) < wanted:
        things, width = _row(maker.group())
        if width + APART > room:
            break
        groups.append((things, width))
        room -= width + APART
    left = 0.0
    placed = []
    for i, (things, width) in enumerate(groups):
        spare = maker.rng.uniform() * room / (len(groups) - i)
        left += APART + spare
        room -= spare
        for put in things:
            put.middle += left
            put.bottom += ground
        placed += things
        left += width
    return placed


def _row(columns: list[Column]) -> tuple[list[_Put], float]:
    """Columns side by side, each next to the one before; from left 0 to the width that is returned."""
    edge = 0.0
    for i, column in enumerate(columns):
        middle = edge + column.left
        edge = middle + column.right + BESIDE
        for put in column.things:
            put.middle += middle
        if i:
            columns[i - 1].base.link("next to", column.base)
    return [put for column in columns for put in column.things], edge - BESIDE


def _finished(scene_id: str, place: str, things: list[_Put]) -> Scene:
    for number, put in enumerate(things):
        put.number = number
    ids = [f"{scene_id}/{number}" for number in range(len(things))]
    done = {}
    mirrored = is_mirrored(scene_id)
    for put, own in zip(things, ids, strict=True):
        relations = tuple(
            Relation(name, ids[other.number], tuple(Modifier(what, ids[by.number]) for what, by in modifiers))
            for name, other, modifiers in put.relations
        )
        width, height = round(put.width), round(put.height)
        left = round(put.middle - put.width / 2)
        box = (SIDE - left - width if mirrored else left, round(put.bottom) - height, width, height)
        done[own] = Thing(own, put.name, put.attributes, relations, box)
    return Scene(scene_id, done, SIDE, SIDE, place)
