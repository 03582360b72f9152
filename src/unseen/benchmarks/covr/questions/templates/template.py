"""What a template is: what it needs, how it makes drafts, and what a draft holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from unseen.benchmarks.covr.questions.program import Program
from unseen.benchmarks.covr.questions.related import Images, Source
from unseen.benchmarks.covr.world.subgraph import Node

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
