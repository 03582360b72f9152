"""Nouns in English: which are plural, how the others become so, and what article they take."""

from __future__ import annotations

import re
from functools import lru_cache

IRREGULAR = {
    **{"man": "men", "woman": "women", "person": "people", "child": "children", "grandchild": "grandchildren"},
    **{"foot": "feet", "tooth": "teeth", "goose": "geese", "mouse": "mice", "ox": "oxen", "die": "dice"},
    **{"knife": "knives", "leaf": "leaves", "shelf": "shelves", "loaf": "loaves", "half": "halves", "wolf": "wolves"},
    **{"calf": "calves", "thief": "thieves", "scarf": "scarves", "wife": "wives", "life": "lives", "hoof": "hooves"},
    **{"potato": "potatoes", "tomato": "tomatoes", "mango": "mangoes", "hero": "heroes", "cactus": "cacti"},
}
SAME = {"sheep", "fish", "deer", "moose", "aircraft", "bison", "swordfish", "goldfish", "species", "series"}
# what is written as a plural has no singular of its own here: GQA names `pants` and `tree`, `trees` alike
SINGULAR = {"bus", "gas", "lens", "canvas", "octopus", "walrus", "hippopotamus", "citrus", "asparagus", "iris", "atlas"}
SINGULAR |= {"cactus", "tennis", "christmas", "hummus", "couscous", "campus", "virus", "genius", "surplus", "minibus"}
SINGULAR |= {"lotus", "eucalyptus", "cosmos", "chess", "news", "mathematics"}
MASS = {
    *(
        "water",
        "sand",
        "snow",
        "grass",
        "rice",
        "bread",
        "butter",
        "milk",
        "cheese",
        "ice",
        "mud",
        "dirt",
        "meat",
        "hair",
    ),
    *("luggage", "furniture", "broccoli", "food", "smoke", "steam", "traffic", "clothing", "silverware", "equipment"),
    *(
        "jewelry",
        "money",
        "garlic",
        "lettuce",
        "soil",
        "gravel",
        "cereal",
        "ham",
        "beef",
        "bacon",
        "pasta",
        "corn",
        "oil",
    ),
    *("spinach", "cotton", "fog", "foam", "hay", "ketchup", "mustard", "salt", "pepper", "sugar", "flour", "honey"),
    *(
        "popcorn",
        "garbage",
        "trash",
        "graffiti",
        "foliage",
        "shade",
        "sunlight",
        "wood",
        "metal",
        "concrete",
        "asphalt",
    ),
    *("champagne", "wine", "beer", "tea", "coffee", "juice", "soup", "chocolate", "paint", "dough", "rain", "blood"),
}
PRONOUNS = {
    **dict.fromkeys(("man", "boy", "guy", "gentleman", "father", "fireman", "policeman"), "him"),
    **dict.fromkeys(("woman", "girl", "lady", "mother", "bride", "ballerina"), "her"),
}
PEOPLE = frozenset({*PRONOUNS, "person", "child", "kid", "baby", "player", "skier", "surfer", "rider"})
# vowels that are spoken like consonants, and the other way round
SPOKEN_AS_CONSONANT = re.compile(r"(uni(?!n|m)|us[aeiu]|uten|euro|ewe|one\b|once|ukulele|ufo)")
SPOKEN_AS_VOWEL = re.compile(r"(hour|honest|heir|honor|x-ray|[fhlmnrsx]\b)")


def is_person(noun: str) -> bool:
    """Tell whether a noun names a person, after whom a question asks with `who`.

    >>> is_person("young man"), is_person("snowman")
    (True, False)
    """
    return noun.rpartition(" ")[2] in PEOPLE


def _head(noun: str) -> tuple[str, str, str]:
    """The word of a compound that takes the ending, and what stands before and after it.

    >>> _head("fire hydrant"), _head("glass of wine")
    (('fire ', 'hydrant', ''), ('', 'glass', ' of wine'))
    """
    first, of, rest = noun.partition(" of ")
    before, space, word = first.rpartition(" ")
    return before + space, word, of + rest


@lru_cache(maxsize=1 << 14)
def is_plural(noun: str) -> bool:
    """Tell whether a name is that of several things.

    >>> [noun for noun in ("dress", "trees", "bus", "people", "firemen", "pants", "sheep") if is_plural(noun)]
    ['trees', 'people', 'firemen', 'pants']
    """
    word = _head(noun)[1]
    if word in SINGULAR or word in SAME or word.endswith(("ss", "us")):
        return False
    return word.endswith("s") or word in IRREGULAR.values() or (word.endswith(("men", "women")) and word != "specimen")


def is_countable(noun: str) -> bool:
    """Tell whether there can be two of what a noun names."""
    before, word, after = _head(noun)
    return (word if after or not before else noun) not in MASS and word not in MASS


@lru_cache(maxsize=1 << 14)
def plural(noun: str) -> str:
    """Return a name for several; what names several already, or cannot be counted, stays.

    >>> plural("fire hydrant"), plural("snowman"), plural("bus"), plural("cherry"), plural("glass of wine")
    ('fire hydrants', 'snowmen', 'buses', 'cherries', 'glasses of wine')
    """
    before, word, after = _head(noun)
    if is_plural(noun) or word in SAME or not is_countable(noun):
        return noun
    return before + _ended(word) + after


def _ended(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith("man") and word not in ("human", "german", "roman", "talisman"):
        return word[:-2] + "en"
    if re.search(r"(s|x|z|ch|sh)$", word):
        return word + "es"
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + "s"


@lru_cache(maxsize=1 << 14)
def article(words: str) -> str:
    """`a` or `an`, by the word that follows it.

    >>> [f"{article(words)} {words}" for words in ("orange hat", "green apple", "hourglass", "uniform", "umbrella")]
    ['an orange hat', 'a green apple', 'an hourglass', 'a uniform', 'an umbrella']
    """
    spoken = words.lower()
    if SPOKEN_AS_VOWEL.match(spoken):
        return "an"
    return "an" if spoken[:1] in set("aeiou") and not SPOKEN_AS_CONSONANT.match(spoken) else "a"


# ---------------------------------------------------------------------------- as published


def is_plural_as_published(noun: str) -> bool:
    """Return what the published inflection takes for a plural: `bus` too."""
    return is_plural(noun) or (noun.endswith("s") and not noun.endswith("ss"))


def plural_as_published(noun: str) -> str:
    """Give the published plural: of what is plural already it is the singular, or what is left without its last letter.

    >>> plural_as_published("glasses"), plural_as_published("leaves"), plural_as_published("pants")
    ('glass', 'leave', 'pant')
    """
    if noun == "people" or not is_plural_as_published(noun):
        return plural(noun)
    singulars = {plural: singular for singular, plural in IRREGULAR.items() if not plural.endswith("ves")}
    before, word, after = _head(noun)
    if word.endswith("sses"):
        return before + word[:-2] + after
    return before + singulars.get(word, word.removesuffix("s")) + after
