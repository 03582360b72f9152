"""Questions: the records of the benchmark."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from unseen.benchmarks.covr.graph import Edge, Node
from unseen.benchmarks.covr.program import Program, from_rows, to_rows

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

    @property
    def written_answer(self) -> str:
        """The answer as text: true, false, a number or a word."""
        return str(self.answer).lower() if isinstance(self.answer, bool) else str(self.answer)

    def to_json(self) -> str:
        """All of it as a line of JSON."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        graphs = [_plain_node(graph) for graph in self.graphs]
        return json.dumps({**fields, "program": to_rows(self.program), "graphs": graphs}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Question:
        """The question that `to_json` wrote."""
        fields = json.loads(text)
        graphs = tuple(map(_node, fields["graphs"]))
        program, scenes = from_rows(fields["program"]), tuple(fields["scenes"])
        return cls(**{**fields, "program": program, "scenes": scenes, "graphs": graphs})


def _plain_node(node: Node) -> list[Any]:
    edges = [
        [edge.relation, _plain_node(edge.target), [[name, _plain_node(target)] for name, target in edge.modifiers]]
        for edge in node.edges
    ]
    return [node.name, node.attribute, edges]


def _node(plain: list[Any]) -> Node:
    name, attribute, edges = plain
    return Node(
        name,
        attribute,
        tuple(
            Edge(relation, _node(target), tuple((modifier, _node(object)) for modifier, object in modifiers))
            for relation, target, modifiers in edges
        ),
    )
