from __future__ import annotations

import hashlib
import json
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from unseen.core import unique
from unseen.core.catalogue import task
from unseen.core.errors import MissingExtra
from unseen.core.seals import without_seal
from unseen.core.splits import PARTS
from unseen.data.columns import decode_png
from unseen.data.dataset import Dataset, Generated, load
from unseen.data.generate import generate
from unseen.data.manifest import read_manifest
from unseen.data.shards import WRITER
from unseen.data.verify import Problem, verify
from unseen.data.webdataset import export_tars
from unseen.render.png import encode_png
from unseen.render.space import opengl

SHARD = "train-00001-of-00003.parquet"


def rewritten(folder, name, change):
    """Change a shard's table and make the manifest agree with the new file."""
    table = pq.read_table(folder / name)
    pq.write_table(change(table), folder / name, row_group_size=256, **WRITER)
    content = (folder / name).read_bytes()
    manifest = json.loads(without_seal((folder / "manifest.json").read_bytes(), folder))
    for entry in manifest["splits"]["train"]["shards"]:
        if entry["file"] == name:
            entry |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def with_value(name, row, value):
    """A change of one value in one column."""

    def change(table):
        place = table.column_names.index(name)
        values = table[name].to_pylist()
        values[row] = value(values[row])
        return table.set_column(place, table.schema.field(name), pa.array(values, table.schema.field(name).type))

    return change


def test_a_folder_as_it_was_written_is_right(folder):
    report = verify(folder, count=320, workers=1)
    assert (report.checked, report.right) == (320, True)


def test_a_drawn_data_set_is_right(small):
    told = []
    report = verify(load(small.id, "val")[:600], workers=2, progress=lambda *done: told.append(done))
    assert (report.checked, report.right) == (600, True)
    assert sorted(told)[-1] == (600, 600)


@pytest.mark.parametrize("damage", [lambda path: os.truncate(path, 1000), lambda path: path.unlink()])
def test_damaged_files_are_named_and_the_others_checked(folder, damage):
    damage(folder / SHARD)
    report = verify(load(str(folder), "train")[250:700:10], workers=1)
    assert report.damaged == [SHARD]
    assert report.checked == 15
    assert not report.right


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("index", lambda old: old + 1, "its index column says 303"),
        ("key", lambda old: old ^ 1, "its key is not the one that the generator gives"),
        (
            "input_grid",
            lambda old: [[cell ^ 1 for cell in row] for row in old],
            "its input_grid is not what its record renders to",
        ),
        ("target_grid", lambda old: old[:-1], "its target_grid is not what its record renders to"),
    ],
)
def test_a_value_that_was_tampered_with_is_found(folder, name, value, sentence):
    rewritten(folder, SHARD, with_value(name, 2, value))
    report = verify(load(str(folder), "train")[300:310], workers=1)
    assert report.problems == [Problem("train", 302, sentence)]


def test_a_record_that_was_tampered_with_is_found_and_its_own_check_reported(folder):
    rewritten(folder, SHARD, with_value("scene", 2, lambda old: {**old, "sequence": ["rot90", "rot90"]}))
    sentences = [problem.sentence for problem in verify(load(str(folder), "train")[300:310], workers=1).problems]
    assert "its record is not the one that the generator gives" in sentences
    assert "the sequence rot90 -> rot90 is not one of the split's" in sentences


def test_a_manifest_with_another_key_digest_is_found(folder):
    manifest = json.loads(without_seal((folder / "manifest.json").read_bytes(), folder))
    manifest["splits"]["train"]["shards"][2]["keys"] = "0" * 64
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert verify(load(str(folder), "train")[600:], workers=1).damaged == ["train-00002-of-00003.parquet"]


def test_a_manifest_with_another_table_of_moved_indices_is_found(folder):
    manifest = json.loads(without_seal((folder / "manifest.json").read_bytes(), folder))
    manifest["splits"]["train"]["moved"]["3"] = 77
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert verify(folder, count=5, workers=1).problems == [Problem("train", 3, "its draw is 0, not 77")]


def test_examples_that_repeat_another_are_found(small):
    unmoved = Generated(small, "val", 0, moved={})
    repeats = verify(Dataset(unmoved), workers=1).problems
    assert [problem.index for problem in repeats] == sorted(Generated(small, "val", 0).moved)
    assert all(problem.sentence.startswith("it repeats example ") for problem in repeats)


def test_examples_of_another_split_are_found(small, monkeypatch):
    data = load(small.id, "train")[:40]
    data.source.example(0)  # its sampler keeps to the part of before
    monkeypatch.setitem(PARTS, "train", PARTS["test"])
    sentences = {problem.sentence for problem in verify(data, workers=1).problems}
    assert sentences == {"its content key belongs to another split"}


def test_repetitions_are_sought_once_and_on_the_engine(small, tmp_path, monkeypatch):
    """Else every worker would go over the keys of the whole split by itself."""
    called = []

    def run(function, jobs, workers=None):
        called.append(getattr(function, "func", function).__name__)
        yield from map(function, jobs)

    monkeypatch.setattr(unique, "cached_table", lambda path, make: make())
    verify(load(small.id, "val")[:20], engine=run)
    export_tars(load(small.id, "val")[:20], tmp_path / "tars", engine=run)
    generate(small, tmp_path / "data", splits=["val"], count=20, engine=run)
    assert called == ["sorted_keys", "check", "sorted_keys", "make", "look_at", "sorted_keys", "make"]


def test_more_keys_than_a_run_holds_are_compared(small, monkeypatch):
    monkeypatch.setattr("unseen.data.verify.RUN", 100)
    repeats = verify(Dataset(Generated(small, "val", 0, moved={}))[::-1], workers=1).problems
    assert [problem.index for problem in repeats] == sorted(Generated(small, "val", 0).moved)


# ---------------------------------------------------------------------------- pictures of another graphics driver


@pytest.fixture
def solids(tmp_path):
    """A folder with three examples whose pictures a graphics driver has drawn."""
    try:
        return generate(task("svib/clevr-sa+size=32"), tmp_path / "solids", splits=["train"], count=3, workers=1)
    except MissingExtra as error:
        pytest.skip(str(error))


@pytest.fixture
def _another_driver(solids, monkeypatch):
    monkeypatch.setattr(opengl, "name", lambda: "another driver")


def repainted(change):
    return lambda old: {**old, "bytes": encode_png(change(decode_png(old["bytes"])))}


def problems_with(folder, name, value):
    rewritten(folder, "train-00000-of-00001.parquet", with_value(name, 1, value))
    return verify(folder, workers=1).problems


def test_the_renderer_is_noted_where_there_is_one(solids, folder):
    assert [made["renderer"] for made in read_manifest(solids).made_with] == [opengl.name()]
    assert all("renderer" not in made for made in read_manifest(folder).made_with)


def test_pictures_of_the_same_driver_are_compared_to_the_last_bit(solids):
    found = problems_with(solids, "input_image", repainted(lambda image: image ^ 1))
    assert found == [Problem("train", 1, "its input_image is not what its record renders to")]


@pytest.mark.usefixtures("_another_driver")
def test_pictures_of_another_driver_may_differ_a_little(solids):
    assert problems_with(solids, "target_image", repainted(lambda image: image ^ 1)) == []


@pytest.mark.usefixtures("_another_driver")
def test_pictures_of_another_driver_are_of_the_same_scene(solids):
    found = problems_with(solids, "target_image", repainted(lambda image: image[::-1].copy()))
    assert found == [Problem("train", 1, "its target_image is not what its record renders to")]


@pytest.mark.usefixtures("_another_driver")
def test_masks_are_those_of_the_projection_whatever_the_driver(solids):
    found = problems_with(solids, "target_masks", lambda old: [[*old[0][:-1], 1], *old[1:]])
    assert found == [Problem("train", 1, "its target_masks is not what its record renders to")]
