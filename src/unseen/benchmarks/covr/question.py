"""Questions: the records of the benchmark."""

from __future__ import annotations

from dataclasses import dataclass

from unseen.benchmarks.covr.graph import Node
from unseen.benchmarks.covr.program import Program

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
