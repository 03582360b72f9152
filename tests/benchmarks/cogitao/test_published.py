"""The published files: what is written is read, genuine files are read, and broken ones are named."""

from __future__ import annotations

import json
import sys

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import unseen
from unseen.benchmarks.cogitao import published
from unseen.benchmarks.cogitao.published import FORMATS, config, task_key
from unseen.benchmarks.cogitao.spec import Spec
from unseen.core import formats
from unseen.core.errors import DataError, MissingExtra, SpecError
from unseen.data.export import export, read_published

TASKS = [
    "cogitao/c3-1",
    "cogitao/g2-1",
    "cogitao/custom+depth=1-3+grid=9-12+max_size=3+transformations=rot90,translate_up",
]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(published, "BATCH", 4)


def exported(tmp_path, format, name="cogitao/g2-1", count=10, **options):
    (path,) = export(unseen.load(name, "val", **options)[:count], tmp_path, format)
    return path


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", TASKS)
def test_what_is_written_is_read(tmp_path, name, format):
    rows = read_published(exported(tmp_path, format, name), "cogitao")
    examples = unseen.load(name, "val")[:10]
    for row, example in zip(rows, examples, strict=True):
        assert np.array_equal(row["input"], example.inputs["grid"])
        assert np.array_equal(row["output"], example.target["grid"])
        assert row["input"].dtype == row["output"].dtype == np.int8
        assert row["transformation_suite"] == list(example.record.sequence)


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_examples_give_the_same_bytes(tmp_path, format):
    first = exported(tmp_path / "a", format).read_bytes()
    assert exported(tmp_path / "b", format).read_bytes() == first


@pytest.mark.parametrize("format", ["json", "parquet"])
def test_demonstrations_are_written_where_there_are_some(tmp_path, format):
    rows = read_published(exported(tmp_path, format, "cogitao/c1-1", in_context=2), "cogitao")
    examples = unseen.load("cogitao/c1-1", "val", in_context=2)[:10]
    for row, example in zip(rows, examples, strict=True):
        assert np.array_equal(row["demo_input"], example.inputs["demonstration_inputs"][0])
        assert np.array_equal(row["demo_output"], example.inputs["demonstration_targets"][0])
    assert "demo_input" not in read_published(exported(tmp_path, format), "cogitao")[0]


def test_demonstrations_are_not_lost_silently_in_hdf5(tmp_path):
    with pytest.raises(SpecError, match="holds no demonstrations; export to json or parquet"):
        exported(tmp_path, "hdf5", in_context=1)


def test_the_json_is_that_of_the_paper(tmp_path):
    rows = json.loads(exported(tmp_path, "json").read_text())
    assert [*rows[0]] == ["input", "output", "transformation_suite", "task_key"]
    assert isinstance(rows[0]["input"][0][0], int)


def test_a_task_key_is_nine_characters_of_the_content():
    ds = unseen.load("cogitao/c1-1", "val")
    keys = [task_key(example) for example in ds[:50]]
    assert keys == [task_key(example) for example in ds[:50]]
    assert len(set(keys)) == 50
    assert all(len(key) == 9 and set(key) <= set("0123456789abcdefghijklmnopqrstuvwxyz") for key in keys)


def test_the_hdf5_is_that_of_the_newer_version(tmp_path):
    task = unseen.task("cogitao/g2-1")
    example = unseen.load("cogitao/g2-1", "val", sequential=True)[3]
    with h5py.File(exported(tmp_path, "hdf5")) as file:
        assert file.attrs["version"] == 2
        assert json.loads(file.attrs["config"]) == config(task.split("val").spec)
        shapes = {name: (file[name].shape, file[name].dtype, file[name].compression) for name in file}
        assert shapes.pop("transformation_suites")[0] == (10,)
        assert shapes == {
            "inputs": ((10, 15, 15), np.int8, "lzf"),
            "outputs": ((10, 15, 15), np.int8, "lzf"),
            "full_grid_sequence": ((10, 2, 15, 15), np.int8, "lzf"),
            "grid_sizes": ((10, 2), np.int32, "lzf"),
            "n_shapes": ((10, 1), np.int32, "lzf"),
            "seq_len": ((10,), np.int32, "lzf"),
        }
        height, width = file["grid_sizes"][3]
        inside = np.zeros((15, 15), bool)
        inside[:height, :width] = True
        assert ((file["inputs"][3] >= 0) == inside).all()
        frames = file["full_grid_sequence"][3, : file["seq_len"][3], :height, :width]
        assert np.array_equal(frames, example.target["frames"])
        assert file["inputs"].chunks == (4, 15, 15)


def test_frames_beyond_a_short_sequence_are_padding(tmp_path):
    rows = read_published(exported(tmp_path, "hdf5", "cogitao/c1-1"), "cogitao")
    assert {len(row["full_grid_sequence"]) for row in rows} == {2, 3}
    with h5py.File(tmp_path / "CompGen/exp_setting_1/experiment_1/val.h5") as file:
        short = file["seq_len"][:] == 2
        assert (file["full_grid_sequence"][:][short, 2] == -1).all()


def test_a_config_too_long_for_an_attribute_of_its_own_is_kept_whole(tmp_path):
    with h5py.File(exported(tmp_path, "hdf5", "cogitao/c5-3", count=2)) as file:
        assert len(json.loads(file.attrs["config"])["allowed_combinations"]) == 7 + 49 + 343 + 2401


def test_a_spec_is_written_in_the_published_words():
    words = config(Spec(transformations=("rot90", "pad_top"), depth=(1, 3), min_size=6, max_size=8, grid=(16, 20)))
    assert words["allowed_transformations"] == ["rot90", "pad_top"]
    assert (words["min_transformation_depth"], words["max_transformation_depth"]) == (1, 3)
    assert words["shape_compulsory_conditionals"] == [
        "is_shape_fully_connected",
        "is_shape_less_than_9_rows",
        "is_shape_less_than_9_cols",
        "is_shape_more_than_5_rows",
        "is_shape_more_than_5_cols",
    ]
    assert "allowed_combinations" not in words


def test_genuine_json_is_read_however_it_is_spaced(tmp_path):
    path = tmp_path / "train.json"
    row = {"input": [[0, 1]], "output": [[1, 0]], "transformation_suite": ["rot90"], "task_key": "a1b2c3d4e"}
    path.write_text(json.dumps([row, row], indent=4))
    rows = read_published(path, "cogitao")
    assert [one["task_key"] for one in rows] == ["a1b2c3d4e"] * 2
    assert rows[1]["output"].tolist() == [[1, 0]]


def test_json_longer_than_what_is_read_at_a_time_is_read_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "READ", 100)
    assert len(read_published(exported(tmp_path, "json"), "cogitao")) == 10


def test_genuine_parquet_with_three_columns_is_read(tmp_path):
    path = tmp_path / "test.parquet"
    table = {"input": [[[0, 1]]], "output": [[[1, 0]]], "transformation_suite": [["rot90", "pad_top"]]}
    pq.write_table(pa.table(table), path)
    (row,) = read_published(path, "cogitao")
    assert row["input"].tolist() == [[0, 1]]
    assert row["transformation_suite"] == ["rot90", "pad_top"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is not a JSON list"),
        ('{"input": []}', "it is not a JSON list"),
        ('[{"input": [[1]], "outp', "the list is broken or ends early"),
        ('[{"input": [[1]]}]', "a row has no input, output and transformation_suite"),
        ("[1, 2]", "a row has no input, output and transformation_suite"),
        ('[{"input": [1], "output": [[1]], "transformation_suite": []}]', "a grid is not a list of rows"),
        ('[{"input": [[1], [1, 2]], "output": [[1]], "transformation_suite": []}]', "inhomogeneous"),
    ],
)
def test_broken_json_is_named_with_the_reason(tmp_path, text, reason):
    path = tmp_path / "val.json"
    path.write_text(text)
    with pytest.raises(DataError, match=rf"val\.json is not a json file of cogitao, or a damaged one: .*{reason}"):
        read_published(path, "cogitao")


@pytest.mark.parametrize("format", ["hdf5", "parquet"])
@pytest.mark.parametrize("damage", [lambda content: content[:-50], lambda content: b"x" * 500], ids=["cut", "other"])
def test_a_damaged_file_is_named(tmp_path, format, damage):
    path = exported(tmp_path, format)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DataError, match=rf"{path.name} is not a {format} file of cogitao, or a damaged one"):
        read_published(path, "cogitao")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda file: file.attrs.modify("version", 1), "its version is 1, not 2"),
        (lambda file: file.pop("seq_len"), "it has no seq_len"),
        (lambda file: (file.pop("inputs"), file.create_dataset("inputs", (1, 3, 8, 8), "f4")), "it holds images"),
    ],
)
def test_an_hdf5_file_of_another_form_is_named_with_the_reason(tmp_path, change, reason):
    path = exported(tmp_path, "hdf5")
    with h5py.File(path, "a") as file:
        change(file)
    with pytest.raises(DataError, match=rf"val\.h5 is not a hdf5 file of cogitao, or a damaged one: {reason}"):
        read_published(path, "cogitao")


def test_an_empty_data_set_can_be_json_and_parquet(tmp_path):
    for format in ("json", "parquet"):
        assert read_published(exported(tmp_path, format, count=0), "cogitao") == []
    with pytest.raises(SpecError, match="needs at least one"):
        exported(tmp_path, "hdf5", count=0)


def test_without_h5py_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(MissingExtra, match=r'pip install "\.\[hdf5\]"'):
        exported(tmp_path, "hdf5")
