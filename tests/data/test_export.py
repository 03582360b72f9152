"""Exporting: where files go, that they are whole or absent, and what is said when it cannot be done."""

from __future__ import annotations

from dataclasses import replace

import pytest

import unseen
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.data.dataset import Dataset, Generated
from unseen.data.export import export, formats, read_published

SPLITS = ("train", "val", "test", "val_ood", "test_ood")


def test_every_split_has_the_published_place(tmp_path):
    splits = [unseen.load("cogitao/c2-3", split)[:3] for split in SPLITS]
    paths = export(splits, tmp_path, "json")
    assert [str(path.relative_to(tmp_path)) for path in paths] == [
        f"CompGen/exp_setting_2/experiment_3/{split}.json" for split in SPLITS
    ]
    assert all(len(read_published(path, "cogitao")) == 3 for path in paths)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("cogitao/g5-1", "EnvGen/exp_setting_5/experiment_1"),
        ("cogitao/s1-pad", "SampleEfficiency/exp_setting_1/experiment_10"),
        ("cogitao/custom", "custom"),
    ],
)
def test_every_task_has_a_place(tmp_path, name, place):
    (path,) = export(unseen.load(name, "val")[:1], tmp_path, "parquet")
    assert path == tmp_path / place / "val.parquet"


def test_a_failed_export_leaves_the_file_as_it_was(tmp_path):
    (path,) = export(unseen.load("cogitao/g1-1", "val")[:3], tmp_path, "hdf5")
    before = path.read_bytes()
    with pytest.raises(SpecError):
        export(unseen.load("cogitao/g1-1", "val", in_context=1)[:3], tmp_path, "hdf5")
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_an_unknown_format_is_answered_with_the_known_ones(tmp_path):
    with pytest.raises(UnknownName, match=r"no format named 'jsn' in cogitao\. Did you mean 'json'"):
        export(unseen.load("cogitao/g1-1", "val")[:3], tmp_path, "jsn")


def test_without_a_format_the_first_of_the_benchmark_is_taken(tmp_path):
    (path,) = export(unseen.load("cogitao/g1-1", "val")[:1], tmp_path)
    assert path.suffix == ".json"
    (path,) = export(unseen.load("cvr/shape", "val")[:1], tmp_path)
    assert path == tmp_path / "task_shape" / "val"


def test_a_joint_task_is_exported_rule_by_rule(tmp_path):
    data = unseen.load("cvr/elementary", "val")
    paths = export(data[:20], tmp_path)
    assert sorted(path.parent.name for path in paths) == sorted(
        f"task_{name}" for name in data.task.split("val").spec.rules
    )
    assert sorted(len([*path.iterdir()]) for path in paths) == [2] * 7 + [3] * 2
    alone = export(unseen.load("cvr/shape", "val")[:2], tmp_path / "alone")
    for number in range(2):
        name = f"{number:05}.png"
        assert (tmp_path / "task_shape" / "val" / name).read_bytes() == (alone[0] / name).read_bytes()


def test_parts_of_a_joint_task_begin_where_the_data_set_does(tmp_path):
    data = unseen.load("cvr/elementary", "val")
    paths = export(data[4:9], tmp_path)
    assert {path.parent.name for path in paths} == {f"task_{example.record.rule}" for example in data[4:9]}
    with pytest.raises(SpecError, match="exported in steps of 1, not of 2"):
        export(data[::2], tmp_path / "other")


def test_a_benchmark_without_published_formats_says_so(tmp_path):
    task = unseen.task("cogitao/g1-1")
    other = replace(task, benchmark=replace(task.benchmark, name="other", package="unseen.core"))
    with pytest.raises(SpecError, match="other has no published file format to export to"):
        export(Dataset(Generated(other, "val", 0)), tmp_path, "json")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"there is no file .*val\.json"):
        read_published(tmp_path / "val.json", "cogitao")


def test_a_file_of_unknown_ending_is_named(tmp_path):
    with pytest.raises(DataError, match=r"val\.csv is not a file of cogitao: those end in \.json, \.h5, \.parquet"):
        read_published(tmp_path / "val.csv", "cogitao")


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "EnvGen").write_text("in the way")
    with pytest.raises(DataError, match=r"could not write .*val\.json: (file exists|not a directory)"):
        export(unseen.load("cogitao/g1-1", "val")[:1], tmp_path, "json")


def test_formats_have_names_and_endings_of_their_own():
    known = formats(BENCHMARKS["cogitao"])
    assert all(name == row.name for name, row in known.items())
    assert len({row.suffix for row in known.values()}) == len(known)


def test_exporting_tells_how_far_it_is(tmp_path):
    told = []
    dataset = unseen.load("cogitao/s1-rotate", "test")[:3]
    export(dataset, tmp_path, "json", progress=lambda *how: told.append(how))
    assert told == [(1, 3, "test"), (2, 3, "test"), (3, 3, "test")]
