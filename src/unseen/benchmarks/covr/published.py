"""The files COVR was published in: a line of JSON per question.

<root>/iid/train.jsonl

Released files and the generator's own differ in a few names; both are read, and the released ones are written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from unseen.benchmarks.covr.questions.program import from_rows, nested, to_rows
from unseen.benchmarks.covr.questions.properties import NAMED
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.world.subgraph import Edge, Node, depth, length
from unseen.core.errors import DataError
from unseen.core.formats import Format, PublishedRow
from unseen.core.nesting import parsed
from unseen.core.task import Example, Task

TWICE = {  # templates with two published wordings, and the operator that the program of the first one has
    **dict.fromkeys(("compare_count", "count_ref", "verify_count_ref"), "unique_images"),
    "quantifier": "with_relation",
}
ORDER = (
    *("verify_attr", "choose_attr", "query_attr", "compare_count", "count_ref", "verify_count_ref"),
    *("count_ref_group_by", "verify_count_ref_group_by", "multiple_ref", "quantifier", "quantifier_same_attr"),
    *("choose_object", "query_object", "specific_same_attr", "choose_rel"),
)
PATTERNS = tuple((name, first) for name in ORDER for first in ((True, False) if name in TWICE else (True,)))


def pattern(question: Question) -> int:
    """Return the published number, from 0 to 18, of a question's template and wording."""
    name = question.template
    condition = [row for inner in list(nested(question.program))[1:] for row in inner]
    rows = condition if name == "quantifier" else question.program
    first = name not in TWICE or any(row.operation == TWICE[name] for row in rows)
    return PATTERNS.index((name, first))


def published(question: Question, qid: str = "", properties: Iterable[str] = ()) -> dict[str, Any]:
    """A question with every published field; where released files and the generator differ, as the released ones."""
    source = question.graphs[0]
    return {
        "qid": qid,
        "utterance": question.text,
        "paraphrased": question.paraphrase,
        "scenes": list(question.scenes),
        "answer": question.answer,
        "pattern_index": pattern(question),
        "pattern_name": question.template,
        "program": to_rows(question.program),
        "sub_graphs": [list(_elements(graph)) for graph in question.graphs],
        "graphs": [_nested(graph) for graph in question.graphs],  # ours: the elements do not say what hangs on what
        "ref_text": caption(source),
        "starting_scene_id": question.source,
        "sub_graph_info": {"length": length(source), "depth": depth(source), "attributes": _attributes(source)},
        "properties": list(properties),
    }


def from_published(record: Mapping[str, Any]) -> Question:
    """A question from its published form; what the generator's own files call `question` and `rephrase` is read too.

    Subgraphs are read from our own field, which published files lack.
    """
    try:
        text = record.get("utterance") or record["question"]
        return Question(
            text,
            record.get("paraphrased") or record.get("rephrase") or text,
            from_rows(record["program"]),
            tuple(map(str, record["scenes"])),
            record["answer"],
            record["pattern_name"],
            tuple(map(_graph, record.get("graphs", ()))),
            str(record.get("starting_scene_id", "")),
        )
    except KeyError as error:
        raise DataError(f"a question lacks {error.args[0]!r}; the published form has it") from None


def write_jsonl(path: Path, examples: Iterable[Example]) -> None:
    """Questions as published: one to a line, each with the names of the properties that it has."""
    with path.open("w", encoding="utf-8") as file:
        for number, example in enumerate(examples):
            properties = [name for name, holds in NAMED.items() if holds(example.record)]
            row = published(example.record, f"{example.split}_{number}", properties)
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_jsonl(path: Path) -> Iterator[PublishedRow]:
    """Yield the rows of a published file; `from_published` makes questions of them."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = parsed(json.loads, line)
                from_published(row)
            except (ValueError, DataError) as error:
                raise ValueError(f"line {number}: {error}") from error
            yield row


def place(task: Task) -> PurePosixPath:
    """Return the folder of a task: the published data set is one, and setups are told apart by `properties`."""
    return PurePosixPath(task.row.name)


def _attributes(graph: Node) -> int:
    targets = [target for edge in graph.edges for target in (edge.target, *(node for _, node in edge.modifiers))]
    return bool(graph.attribute) + sum(map(_attributes, targets))


def caption(graph: Node) -> str:
    """Return what a subgraph says, without articles and verbs at its root.

    >>> caption(Node("man", "tall", (Edge("wearing", Node("hat")),)))
    'tall man wearing hat'
    """
    words = [graph.attribute, graph.name]
    for i, edge in enumerate(graph.edges):
        words += ["and" if i else None, edge.relation, caption(edge.target)]
        words += [word for name, node in edge.modifiers for word in (name.rpartition(":_")[2], caption(node))]
    return " ".join(word for word in words if word)


def _elements(graph: Node) -> Iterator[list[list[Any]]]:
    """The published form of a subgraph: its elements in order."""
    yield [["noun", graph.name], *([["attribute", graph.attribute]] if graph.attribute else [])]
    for edge in graph.edges:
        yield [["relation", edge.relation]]
        yield from _elements(edge.target)
        for name, node in edge.modifiers:
            yield [["relation", name]]
            yield from _elements(node)


def _nested(graph: Node) -> list[Any]:
    edges = [
        [e.relation, _nested(e.target), [[name, _nested(node)] for name, node in e.modifiers]] for e in graph.edges
    ]
    return [graph.name, graph.attribute, edges]


def _graph(parts: list[Any]) -> Node:
    name, attribute, edges = parts
    return Node(
        name,
        attribute,
        tuple(Edge(r, _graph(t), tuple((m, _graph(node)) for m, node in further)) for r, t, further in edges),
    )


FORMATS = {"jsonl": Format("jsonl", ".jsonl", "a line of JSON per question, as released", write_jsonl, read_jsonl)}
