"""What templates see: a subgraph of an image, and the images related to it, looked up as far as they are asked for.

Families of related images are named by what was changed (`subgraph.py` numbers the elements): `0_attr` the attribute of
the root, `2_name` the name of element 2, `1_relation` the relation 1; `2_name_neg_object_4` the name of element 2 and
the object at 4 too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from unseen.benchmarks.covr.questions.corpus import Corpus
from unseen.benchmarks.covr.questions.execute import run, table
from unseen.benchmarks.covr.questions.program import Program
from unseen.benchmarks.covr.store.interface import Matches
from unseen.benchmarks.covr.store.query import Query
from unseen.benchmarks.covr.world.subgraph import Node
from unseen.core.random import Stream

IMAGES = 5  # of a question, at most
PER_FAMILY = 10  # related images that are looked at


class Related(NamedTuple):
    """An image of a family; what was found there is looked up when it is asked for."""

    scene: str
    found: Matches
    place: int

    @property
    def graph(self) -> Node:
        """The subgraph that takes the place of the source's."""
        return self.found[self.place].graph


class Images(NamedTuple):
    """A set of images: those that the question is about, and those that only resemble them."""

    meant: tuple[str, ...]
    others: tuple[Related, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """The ids of all images of the set."""
        return (*self.meant, *(other.scene for other in self.others))


@dataclass(eq=False)
class Families:
    """Families of related images, in random order; each is looked up once, when first asked for."""

    source: Source
    queries: dict[str, Query]  # what is looked for, by family
    found: dict[str, list[Related]] = field(default_factory=dict)  # shared by all that are narrowed down from these

    def __getitem__(self, key: str) -> list[Related]:
        """Some images of a family in random order; none where there is no such family."""
        if key not in self.found:
            self.found[key] = self.source.look_up(self.queries[key]) if key in self.queries else []
        return self.found[key]

    def __iter__(self) -> Iterator[str]:
        """The families that have images."""
        return (key for key in self.queries if self[key])

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def only(self, form: str) -> Families:
        """Keep the families whose whole name is of a form."""
        return self._narrowed(lambda key: re.fullmatch(form, key) is not None)

    def without(self, form: str) -> Families:
        """Keep the families whose whole name is not of a form."""
        return self._narrowed(lambda key: re.fullmatch(form, key) is None)

    def _narrowed(self, keeps: Callable[[str], bool]) -> Families:
        return Families(self.source, {key: query for key, query in self.queries.items() if keeps(key)}, self.found)

    def in_turn(self) -> Iterator[Related]:
        """Yield one image of each family in turn."""
        for place in range(PER_FAMILY):
            yield from (self[key][place] for key in self.queries if place < len(self[key]))

    def all(self) -> list[Related]:
        """Return all images of all families."""
        return [one for key in self for one in self[key]]


@dataclass(eq=False)
class Source:
    """A subgraph of an image, with the images related to it."""

    corpus: Corpus
    scene: str
    graph: Node
    count: int  # how many objects of the image it describes
    rng: Stream

    @cached_property
    def positives(self) -> list[str]:
        """The images that contain the subgraph, its own first, some others in random order."""
        return self._positives(1)

    @cached_property
    def repeating(self) -> list[str]:
        """The images that contain the subgraph several times, its own first, some others in random order."""
        return self._positives(self.count)

    def _positives(self, count: int) -> list[str]:
        others = self.drawn(self.corpus.store.containing(self.graph, count).scenes, 2 * IMAGES)
        return [self.scene, *(id for id in others if id != self.scene)]

    @cached_property
    def families(self) -> Families:
        """The images one or two substitutions away from those that contain the subgraph."""
        return self._families(1)

    @cached_property
    def repeating_families(self) -> Families:
        """The images one or two substitutions away from those that contain the subgraph several times."""
        return self._families(self.count)

    def _families(self, count: int) -> Families:
        queries = self.corpus.store.queries(self.graph, count)
        return Families(self, {key: queries[key] for key in self.drawn(tuple(queries), len(queries))})

    def look_up(self, query: Query) -> list[Related]:
        """Return some images of a family in random order."""
        found = self.corpus.store.answer(self.graph, query)
        return [Related(found.scenes[place], found, place) for place in self.drawn(range(len(found)), PER_FAMILY)]

    def drawn(self, items: Sequence[Any], most: int) -> list[Any]:
        """Return some items in random order."""
        pool = list(items)
        for i in range(min(most, len(pool))):
            j = self.rng.between(i, len(pool) - 1)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:most]

    def run(self, program: Program, images: Iterable[str]) -> Any:
        """Return the value of a program over some images."""
        return run(program, table(self.corpus.tables[id] for id in images))

    def pick(
        self,
        families: Families,
        *,
        positives: tuple[int, int] = (1, IMAGES),
        negatives: int | None = None,
        first: str = "",
        among: list[str] | None = None,
    ) -> Images:
        """Draw a set of images: some with the subgraph, as many as `positives` allows, the rest from families in turn.

        Families of the form `first` come before the others. `negatives` asks for at least so many images from families,
        and `among` narrows the images with the subgraph.
        """
        available = self.positives if among is None else among
        others = self.others(families, first=first, own=available)
        if negatives is None:
            wanted = self.rng.between(min(len(available), positives[0]), min(len(available), positives[1]))
        else:
            wanted = IMAGES - self.rng.between(min(negatives, len(others)), min(len(others), IMAGES - 1))
        return Images(tuple(available[:wanted]), tuple(others[: IMAGES - min(wanted, len(available))]))

    def others(self, families: Families, *, first: str = "", own: Sequence[str] | None = None) -> list[Related]:
        """Take up to IMAGES images of some families in turn, each once and none with the subgraph."""
        own = self.positives if own is None else own
        taken: dict[str, Related] = {}
        for part in (families.only(first), families.without(first)) if first else (families,):
            for one in part.in_turn():
                if one.scene not in own and one.scene not in taken:
                    taken[one.scene] = one
                    if len(taken) == IMAGES:
                        return list(taken.values())
        return list(taken.values())
