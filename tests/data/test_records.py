from __future__ import annotations

import io
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Literal, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import SpecError
from unseen.data.dataset import load
from unseen.data.records import record_column, scene_column


class Point(NamedTuple):
    name: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Group:
    points: tuple[Point, ...]
    even: bool
    size: int | None


@dataclass(frozen=True)
class Scene:
    words: tuple[str, ...]
    groups: tuple[Group, ...]
    mixed: tuple[int, str, tuple[int, ...]]
    style: Literal["soft", "crisp"] = "soft"


@dataclass(frozen=True)
class Loose:
    anything: dict[str, int]


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=5)
INTEGER = st.integers(-(2**63), 2**63 - 1)
NUMBER = st.floats(allow_nan=False)
POINT = st.builds(Point, TEXT, st.tuples(NUMBER, NUMBER))
GROUP = st.builds(Group, st.lists(POINT, max_size=3).map(tuple), st.booleans(), st.none() | INTEGER)
SCENE = st.builds(
    Scene,
    st.lists(TEXT, max_size=3).map(tuple),
    st.lists(GROUP, max_size=3).map(tuple),
    st.tuples(INTEGER, TEXT, st.lists(INTEGER, max_size=2).map(tuple)),
    st.sampled_from(("soft", "crisp")),
)


@given(st.lists(SCENE, min_size=1, max_size=5))
def test_records_come_back_equal(scenes):
    column = record_column(Scene)
    file = io.BytesIO()
    pq.write_table(pa.table({"scene": column.encode(scenes)}), file)
    table = pq.read_table(file)
    assert table.schema.field("scene").type == column.arrow
    assert list(column.decode(table["scene"].chunk(0))) == scenes


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_the_records_of_every_benchmark_can_be_stored(name):
    column = scene_column(BENCHMARKS[name])
    records = [example.record for example in load(f"{name}/{BENCHMARKS[name].rows[0].name}", "val")[:5]]
    assert list(column.decode(column.encode(records))) == records


def test_a_field_that_cannot_be_stored_is_named():
    with pytest.raises(TypeError, match=r"dict\[str, int\] is neither a plain value, a tuple nor a record"):
        record_column(Loose)


def test_a_sampler_that_does_not_declare_its_records_is_told_how_to(add_benchmark):
    class Sampler:
        def draw(self, index, first=0):
            return index, 0, 0

    undeclared = add_benchmark("undeclared", sample=SimpleNamespace(Sampler=Sampler))
    with pytest.raises(
        SpecError, match=r"declare what draw returns in undeclared.sample: -> tuple\[Record, int, int\]"
    ):
        scene_column(undeclared)
