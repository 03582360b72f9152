"""Everything that questions over the worlds of our own can say and be answered, without looking at any.

Words come from the nouns, attributes and relations of a world and from the patterns of the grammar. Scene graphs of a
user's own have words of their own, so that there training questions have to be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from unseen.benchmarks.covr.english.lexicon import ASKED_GROUPS
from unseen.benchmarks.covr.english.synonyms import SYNONYMS
from unseen.benchmarks.covr.english.wording import WORDINGS, after
from unseen.benchmarks.covr.questions import grammar
from unseen.benchmarks.covr.questions.related import IMAGES
from unseen.benchmarks.covr.questions.templates import MOST
from unseen.benchmarks.covr.world import flat, tabletop
from unseen.benchmarks.covr.world.nouns import ACTS, NOUNS

PHRASES = "a an the that is are and both with it him her them ,"  # words of descriptions
PUBLISHED = "less same number does contain ( )"  # words of published sentences that are in none of our own


@lru_cache(maxsize=4)
def language(world: str) -> dict[str, object]:
    """Answers, words and the words of objects' names, each in the order of the alphabet, and the most images."""
    names, attributes, relations = WORLDS[world]
    said = [*names, *attributes, *map(after, relations), *(name.partition(":_")[0] for name in relations)]
    said += [other for words in SYNONYMS.values() for word, other in words.items() if word in said]
    said += [wording.plural(name) for wording in WORDINGS.values() for name in said]
    answers = {"true", "false", *map(str, range(MOST + 1)), *names, *attributes}
    return {
        "answers": sorted(answers | {name for name in relations if ":_" not in name}),
        "words": sorted({*_split(" ".join(said)), *_sentence_words()}),
        "symbols": sorted(_split(" ".join((*names, *attributes)))),
        "images": IMAGES,
    }


def _split(text: str) -> set[str]:
    """The words of a text as models of questions read them; marks are words too."""
    return set(re.findall(r"\w+|[^\w\s]", text.lower()))


def _sentence_words() -> set[str]:
    """The words of sentences around their slots."""
    found = {word for pattern in grammar.patterns() for word in pattern.split()}
    literal = chain.from_iterable(_literals(word) for word in found)
    numbers = map(str, range(MOST + 1))
    return _split(" ".join((PHRASES, PUBLISHED, *literal, *grammar.LIMITS, *ASKED_GROUPS, *numbers, ".?:")))


def _literals(word: str) -> list[str]:
    """The words that a word of a pattern stands for; none where it is a slot."""
    _, mark, name = word.partition(":")
    return [] if mark and name else word.partition("=")[0].split("|")


def _flat() -> Iterator[tuple[str, ...]]:
    yield tuple(noun.name for noun in NOUNS)
    traits = {value for noun in NOUNS for values in noun[5:] for value in values}
    yield (*sorted(traits), *flat.POSES)
    put = {name for pair in flat.LINKS.values() for names in pair for name in names}
    yield (*sorted(put), *(act.name for act in ACTS), *(act.modifier for act in ACTS))


def _tabletop() -> Iterator[tuple[str, ...]]:
    yield tuple(tabletop.SHAPES)
    materials = {name for names in tabletop.COLORS.values() for name in names}
    yield (*tabletop.COLORS, *sorted(materials), *tabletop.SIZES)
    yield tabletop.RELATIONS


WORLDS = {"flat": tuple(_flat()), "3d": tuple(_tabletop())}  # names, attributes and relations
