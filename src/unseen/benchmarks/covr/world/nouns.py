"""What the worlds of our own are made of: nouns with their sizes, places and attributes, and what people do.

A noun's roles say how it may be put to others, and `flat.py` reads nothing else:

    stands      on the ground by itself           rests       on a support
    support     has room on its top               shelter     has room beneath it        crawls   fits beneath one
    container   has room inside                   fits        into a container
    screen      hides what stands behind it       hides       behind one
    seat        to sit on                         mount       to ride
    cart        to push                           pet         to walk
    held        in a hand                         tool        in a hand, for an act only
    person      does all this, and wears          top, extra  what a person wears
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

PAINT = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black")
CLOTH = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "white")
COATS = ("black", "white", "brown", "gray")
PATTERNS = ("striped", "checkered", "dotted")
SIZES = ("large", "small")
PLACES = ("kitchen", "room", "park", "street", "farm")
EVERYWHERE = " ".join(PLACES)


class Noun(NamedTuple):
    """A kind of thing: width and height in the scene's pixels, where it is found, and what it may be like."""

    name: str
    width: int
    height: int
    places: str
    roles: str
    color: tuple[str, ...] = ()  # it has one of these, where there are any; and so for the other groups
    material: tuple[str, ...] = ()
    shape: tuple[str, ...] = ()
    size: tuple[str, ...] = ()
    pattern: tuple[str, ...] = ()  # it has one of these, or none: plain


NOUNS = (
    Noun("man", 44, 124, EVERYWHERE, "person"),
    Noun("woman", 44, 118, EVERYWHERE, "person"),
    Noun("boy", 36, 92, EVERYWHERE, "person"),
    Noun("girl", 36, 90, EVERYWHERE, "person"),
    Noun("shirt", 0, 0, EVERYWHERE, "top", CLOTH, pattern=PATTERNS),  # sizes of what is worn: see WORN
    Noun("jacket", 0, 0, EVERYWHERE, "top", PAINT),
    Noun("dress", 0, 0, EVERYWHERE, "top", CLOTH, pattern=PATTERNS),
    Noun("hat", 0, 0, EVERYWHERE, "extra", PAINT),
    Noun("scarf", 0, 0, EVERYWHERE, "extra", CLOTH, pattern=("striped", "dotted")),
    Noun("backpack", 0, 0, EVERYWHERE, "extra", PAINT),
    # furniture
    Noun("table", 92, 60, "kitchen room farm", "stands support shelter", PAINT, ("wood", "metal")),
    Noun("cabinet", 56, 66, "kitchen room", "stands support screen", PAINT, ("wood", "metal")),
    Noun("stove", 56, 60, "kitchen", "stands support", ("white", "black", "gray", "red")),
    Noun("fridge", 50, 112, "kitchen", "stands screen", ("white", "black", "gray", "red")),
    Noun("chair", 42, 68, "kitchen room", "stands seat", PAINT, ("wood", "metal", "wicker")),
    Noun("sofa", 104, 58, "room", "stands seat screen", CLOTH, pattern=PATTERNS),
    Noun("bed", 112, 48, "room", "stands support", CLOTH, pattern=PATTERNS),
    Noun("bookcase", 58, 112, "room", "stands screen", PAINT, ("wood", "metal")),
    Noun("bench", 96, 54, "park street", "stands seat support shelter", PAINT, ("wood", "metal", "stone")),
    Noun("lamp", 34, 100, "room street", "stands hides", PAINT),
    Noun("clock", 30, 30, "kitchen room", "rests", PAINT, shape=("round", "square")),
    Noun("pillow", 36, 28, "room", "rests fits", CLOTH, shape=("round", "square"), pattern=PATTERNS),
    # what other things are put into
    Noun("box", 46, 40, "kitchen room street farm", "stands container", PAINT, ("wood", "cardboard"), size=SIZES),
    Noun("basket", 46, 32, "kitchen park farm", "stands rests container", PAINT, ("wicker", "plastic")),
    Noun("bucket", 36, 34, "street farm park", "stands container", PAINT, ("wood", "metal", "plastic")),
    Noun("bowl", 40, 20, "kitchen", "rests container", CLOTH, pattern=PATTERNS),
    Noun("pot", 38, 28, "kitchen", "rests container", PAINT, ("metal", "clay")),
    Noun("bag", 34, 36, "kitchen street room", "stands rests held container", PAINT, ("leather", "paper")),
    Noun("trash can", 38, 52, "kitchen street park", "stands container hides", PAINT, ("metal", "plastic")),
    # what is put on and into them
    Noun("cup", 24, 24, "kitchen room", "rests held", CLOTH, pattern=PATTERNS),
    Noun("vase", 24, 38, "kitchen room", "rests", CLOTH, ("glass", "porcelain"), pattern=PATTERNS),
    Noun("bottle", 16, 38, "kitchen room park", "rests fits held", PAINT, ("glass", "plastic")),
    Noun("apple", 22, 22, "kitchen park farm", "rests fits held", ("red", "green", "yellow")),
    Noun("pear", 20, 25, "kitchen park farm", "rests fits held", ("green", "yellow", "red")),
    Noun("banana", 28, 18, "kitchen", "rests fits held", ("yellow", "green")),
    Noun("bread", 38, 22, "kitchen", "rests fits", ("brown", "white")),
    Noun("cake", 40, 30, "kitchen", "rests", ("pink", "white", "brown", "yellow"), shape=("round", "square")),
    Noun("melon", 34, 28, "kitchen farm", "rests", ("green", "yellow", "orange")),
    Noun("pumpkin", 38, 32, "farm", "stands rests", ("orange", "white", "green"), size=SIZES),
    Noun("book", 26, 32, "room park", "rests fits held", PAINT),
    Noun("robot", 28, 36, "room", "stands rests fits held", PAINT, ("metal", "plastic")),
    Noun("ball", 30, 30, "room park street", "stands rests fits held", CLOTH, size=SIZES, pattern=PATTERNS),
    Noun("balloon", 28, 44, "park street room", "held", CLOTH, shape=("round", "square")),
    Noun("kite", 36, 42, "park", "held", CLOTH, pattern=PATTERNS),
    Noun("drum", 40, 34, "room park", "stands", CLOTH, pattern=PATTERNS),
    # animals
    Noun("cat", 46, 38, "kitchen room farm street", "stands rests hides crawls", (*COATS, "orange")),
    Noun("dog", 56, 40, "room park street farm", "stands hides crawls pet", COATS, size=SIZES),
    Noun("bird", 26, 22, "park street farm", "rests crawls", ("red", "blue", "yellow", "black")),
    Noun("duck", 36, 32, "park farm", "stands crawls", ("white", "brown", "yellow")),
    Noun("chicken", 34, 34, "farm", "stands rests crawls", ("white", "brown", "black", "red")),
    Noun("horse", 98, 84, "farm park", "stands mount", COATS),
    Noun("cow", 94, 70, "farm", "stands", COATS),
    Noun("sheep", 64, 48, "farm", "stands hides", COATS),
    # plants
    Noun("tree", 72, 128, "park street farm", "stands", ("green", "red", "yellow", "orange"), size=SIZES),
    Noun("bush", 74, 46, "park street farm", "stands screen", ("green", "red", "yellow"), shape=("round", "square")),
    Noun("plant", 36, 58, "kitchen room", "stands rests hides", ("green", "red", "yellow"), size=SIZES),
    Noun("flower", 22, 40, "park farm", "stands fits held", CLOTH, size=SIZES),
    # outdoors
    Noun("fence", 98, 44, "farm park", "stands screen support", PAINT, ("wood", "metal")),
    Noun("car", 112, 52, "street", "stands screen", PAINT),
    Noun("truck", 116, 68, "street farm", "stands screen", PAINT),
    Noun("bicycle", 86, 56, "park street", "stands mount", PAINT),
    Noun("motorcycle", 88, 54, "street", "stands mount", PAINT),
    Noun("tractor", 98, 72, "farm", "stands mount", PAINT),
    Noun("cart", 70, 50, "street farm", "stands cart container", PAINT, ("wood", "metal")),
    Noun("stroller", 54, 58, "park street", "stands cart", CLOTH, pattern=PATTERNS),
    Noun("sign", 40, 92, "street", "stands hides", PAINT, shape=("round", "square", "triangular", "octagonal")),
    Noun("hydrant", 28, 46, "street", "stands hides", ("red", "yellow", "blue", "green")),
    Noun("mailbox", 34, 62, "street", "stands hides", PAINT, ("wood", "metal")),
    # tools
    Noun("knife", 34, 13, EVERYWHERE, "tool", ("red", "black", "white", "blue")),  # of the handle
    Noun("saw", 40, 16, EVERYWHERE, "tool", ("red", "black", "white", "blue")),
    Noun("brush", 34, 14, EVERYWHERE, "tool", CLOTH),
    Noun("roller", 30, 24, EVERYWHERE, "tool", CLOTH),
    Noun("bat", 42, 12, EVERYWHERE, "tool", PAINT, ("wood", "metal")),
    Noun("racket", 42, 20, EVERYWHERE, "tool", PAINT),
    Noun("stick", 42, 10, EVERYWHERE, "tool", ("brown", "white", "black")),
    Noun("watering can", 36, 28, EVERYWHERE, "tool", PAINT, ("metal", "plastic")),
    Noun("hose", 42, 18, EVERYWHERE, "tool", ("green", "yellow", "blue", "red")),
    Noun("carrot", 34, 13, EVERYWHERE, "tool", ("orange", "purple", "yellow")),
)

BY_NAME = {noun.name: noun for noun in NOUNS}

# where on a person something worn is: left, top, right, bottom in hundredths of the standing person's box
WORN = {
    "shirt": (10, 24, 90, 56),
    "jacket": (4, 24, 96, 60),
    "dress": (0, 24, 100, 78),
    "hat": (12, -7, 88, 10),
    "scarf": (14, 19, 86, 40),
    "backpack": (-24, 26, 20, 52),
}
TOPS = {"man": ("shirt", "jacket"), "boy": ("shirt", "jacket")}  # the others wear any of them


class Act(NamedTuple):
    """What a person does to a thing by means of another."""

    name: str
    phrase: str
    things: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def modifier(self) -> str:
        """The name of the modifier: `cutting:_with`."""
        return f"{self.name}:_{self.phrase}"


ACTS = (
    Act("cutting", "with", ("bread", "cake", "melon"), ("knife", "saw")),
    Act("painting", "with", ("chair", "box", "fence", "mailbox", "cabinet", "table"), ("brush", "roller")),
    Act("hitting", "with", ("ball", "drum", "pumpkin"), ("bat", "racket", "stick")),
    Act("watering", "with", ("flower", "plant", "bush", "tree"), ("watering can", "hose")),
    Act("feeding", "with", ("horse", "cow", "sheep", "dog", "duck", "chicken"), ("carrot", "apple", "pear")),
    Act("putting", "into", ("apple", "pear", "ball", "book", "bottle"), ("basket", "box", "bag", "bucket")),
)


def _by_role() -> dict[tuple[str, str], tuple[Noun, ...]]:
    found: dict[tuple[str, str], list[Noun]] = defaultdict(list)
    for noun in NOUNS:
        for place in noun.places.split():
            for role in noun.roles.split():
                found[place, role].append(noun)
    return {key: tuple(nouns) for key, nouns in found.items()}


BY_ROLE = _by_role()  # (place, role) -> nouns
