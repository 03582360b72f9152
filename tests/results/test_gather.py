"""Every record is found: one's own and those that ship with the library; what is left out is said, with the reason."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from unseen.core.catalogue import BENCHMARKS
from unseen.core.seals import without_seal
from unseen.core.task import Benchmark
from unseen.results.gather import SHIPPED, SHIPPED_FOLDER, gather
from unseen.results.record import read_record, record_files, write_record

COGITAO = BENCHMARKS["cogitao"]


@pytest.fixture
def results(make_run, tmp_path: Path) -> Path:
    """A folder with the record of one run."""
    write_record(make_run(), tmp_path / "results")
    return tmp_path / "results"


def change(path: Path, **changes: object) -> Path:
    """A copy of a record under another name, with some of its fields changed."""
    copy = path.with_name(f"copy-{path.name}")
    copy.write_text(json.dumps({**json.loads(without_seal(path.read_bytes(), path)), **changes}))
    return copy


def test_ones_own_records_and_those_that_ship_are_kept_apart(results: Path):
    found = gather(COGITAO, [results, SHIPPED])
    assert [record.task for record in found.own] == ["cogitao/s2-translate"]
    assert len(found.shipped) == len(record_files(SHIPPED_FOLDER / "cogitao")) > 0
    assert len(found.every) == 1 + len(found.shipped)
    assert found.left_out == ()


def test_a_folder_that_is_named_is_read_alone_and_the_others_are_said_to_be_left_out(results: Path):
    found = gather(COGITAO, [results])
    assert found.shipped == ()
    assert found.left_out == ("the records that come with unseen: add --records shipped",)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"benchmark_version": 99}, "it is of version 99 of cogitao's content, and this is version"),
        ({"task": "cogitao/gone"}, "no task named 'gone' in cogitao"),
        ({"scores": {"test_gone": {"count": 1, "seed": 0, "digest": "", "metrics": {}}}}, "has no split test_gone"),
        ({"seed": "many"}, "cannot be read at seed"),
        ({"task": "video/vmds"}, "1 record is of video: unseen results video"),
    ],
)
def test_what_cannot_be_shown_is_left_out_with_the_reason(results: Path, changes, sentence):
    change(record_files(results)[0], **changes)
    found = gather(COGITAO, [results, SHIPPED])
    assert len(found.own) == 1
    (said,) = found.left_out
    assert sentence in said


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=list(BENCHMARKS))
def test_every_record_that_ships_is_of_the_present_content(benchmark: Benchmark):
    assert gather(benchmark, [SHIPPED]).left_out == ()


@pytest.mark.parametrize("path", record_files(SHIPPED_FOLDER), ids=lambda path: path.stem)
def test_every_record_that_ships_lies_where_its_benchmark_finds_it(path: Path):
    record = read_record(path)
    assert record.task.partition("/")[0] in BENCHMARKS
    place = path.relative_to(SHIPPED_FOLDER)
    if record.init_from and place != record.place:
        place = Path(*place.parts[1:])  # behind the block of a sweep, whose other blocks learn the same from nothing
    assert place == record.place


@pytest.mark.slow
def test_a_wheel_holds_the_records(tmp_path: Path):
    root, copy = Path(__file__).parents[2], tmp_path / "copy"  # building leaves files behind
    shutil.copytree(root / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", tmp_path, copy]
    subprocess.run(list(map(str, command)), check=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("unseen/results/records/")]
    assert len(held) == len(record_files(SHIPPED_FOLDER))
