"""Questions through shards and batches: lists of images, texts, and records that have no fixed shape."""

from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq
import torch
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.covr.published import ORDER
from unseen.benchmarks.covr.questions.program import Row
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.world.subgraph import Edge, Node
from unseen.data.generate import generate
from unseen.data.records import record_column

WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=4)
NODES = st.recursive(
    st.builds(Node, st.none() | WORDS, st.none() | WORDS),
    lambda nodes: st.builds(
        Node,
        WORDS,
        st.none() | WORDS,
        st.lists(
            st.builds(Edge, WORDS, nodes, st.lists(st.tuples(WORDS, nodes), max_size=2).map(tuple)), max_size=2
        ).map(tuple),
    ),
    max_leaves=4,
)
ARGUMENTS = st.none() | st.booleans() | st.integers(0, 9) | WORDS | st.lists(WORDS, max_size=2).map(tuple)
ROWS = st.builds(
    Row, st.sampled_from(["find", "filter"]), st.lists(ARGUMENTS, max_size=2).map(tuple), st.just(()) | st.just((0,))
)
NESTED = st.builds(lambda inner: Row("all", (tuple(inner),), (0,)), st.lists(ROWS, min_size=1, max_size=3))
QUESTIONS = st.builds(
    Question,
    text=st.just("Is it?"),
    paraphrase=WORDS.filter(bool),
    program=st.lists(ROWS | NESTED, max_size=3).map(tuple),
    scenes=st.lists(WORDS, max_size=3).map(tuple),
    answer=st.booleans() | st.integers(0, 5) | WORDS,
    template=st.sampled_from(ORDER),
    graphs=st.lists(NODES, min_size=1, max_size=2).map(tuple),
    source=WORDS,
)


@given(st.lists(QUESTIONS, min_size=1, max_size=3))
def test_questions_come_back_equal_with_answers_of_their_type(questions):
    column = record_column(Question)
    found = list(column.decode(column.encode(questions)))
    assert found == questions
    assert [type(one.answer) for one in found] == [type(one.answer) for one in questions]


def test_a_stored_question_is_the_one_that_was_drawn(question_task, tmp_path):
    folder = generate(unseen.task(question_task), tmp_path / "asked", workers=1)
    for split in ("train", "test"):
        drawn, stored = unseen.load(question_task, split), unseen.load(str(folder), split)
        assert len(stored) == len(drawn)
        for one, other in zip(drawn, stored, strict=True):
            assert one.record == other.record
            assert one.inputs["text"] == other.inputs["text"]
            assert one.target == other.target
            assert all(map(np.array_equal, one.inputs["images"], other.inputs["images"]))
            assert len(one.inputs["images"]) == len(other.inputs["images"])


def test_images_of_a_question_are_a_list_that_hugging_face_reads(question_task, tmp_path):
    folder = generate(unseen.task(question_task), tmp_path / "asked", splits=["test"], workers=1)
    schema = pq.read_schema(next(folder.glob("test-*.parquet")))
    assert str(schema.field("input_images").type).startswith("list<")
    assert b'"input_images": [{"_type": "Image", "mode": "RGB"}]' in schema.metadata[b"huggingface"]


def test_the_images_of_a_batch_of_questions_stand_one_after_the_other(question_task):
    dataset = unseen.load(question_task, "test")
    batch = next(iter(dataset.torch(batch_size=40)))
    counts = [len(example.inputs["images"]) for example in dataset]
    assert len(set(counts)) > 1
    assert batch["input_counts"].tolist() == counts
    assert batch["input_images"].shape == (sum(counts), 4, 4, 3)
    assert batch["input_images"].dtype == torch.uint8
    for images, example in zip(batch["input_images"].split(counts), dataset, strict=True):
        assert np.array_equal(images, example.inputs["images"])
    assert batch["input_text"][1] == dataset[1].inputs["text"]
    assert batch["target_answer"] == [example.target["answer"] for example in dataset]
