"""Questions: the records of the benchmark."""

from __future__ import annotations

import json
from dataclasses import dataclass

from unseen.benchmarks.covr.questions.program import Program
from unseen.benchmarks.covr.world.subgraph import Node

Answer = bool | int | str


@dataclass(frozen=True, slots=True)
class Question:
    """A question over a set of images, the program that answers it, and where it comes from."""

    text: str
    paraphrase: str
    program: Program
    scenes: tuple[str, ...]  # image ids, in the order they are shown
    answer: Answer
    template: str  # the published code name: "verify_attr", "count_ref", ...
    graphs: tuple[Node, ...]  # what its phrases describe, the source subgraph first
    source: str  # the image that the subgraph was taken from

    def to_json(self) -> str:
        """Return the question as text, in its published form."""
        from unseen.benchmarks.covr.published import published

        return json.dumps(published(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Question:
        """Return the question of a text that `to_json` gives."""
        from unseen.benchmarks.covr.published import from_published

        return from_published(json.loads(text))


def answer_text(answer: Answer) -> str:
    """Return an answer as a model gives it.

    >>> answer_text(True), answer_text(3), answer_text("red")
    ('true', '3', 'red')
    """
    return str(answer).lower()
