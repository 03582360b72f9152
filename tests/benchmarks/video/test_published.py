"""The files of the video benchmark: what is written is read, and broken files are named."""

from __future__ import annotations

import json
import sys

import h5py
import numpy as np
import pytest

import unseen
from unseen.benchmarks.video.published import FORMATS
from unseen.core.errors import DataError, MissingExtra, SpecError
from unseen.data.export import export, read_published

SETS = [
    ("video/vmds", "test_occlusion"),
    ("video/vmds", "test"),
    ("video/spmot", "val"),
    ("video/texvmds+size=32", "train"),
]


def exported(tmp_path, format, name, split, count=6):
    (path,) = export(unseen.load(name, split)[:count], tmp_path, format)
    return path


def decoded(mask, side):
    """A mask from the published run lengths."""
    flat = np.zeros(side * side, bool)
    numbers = [int(word) for word in mask.split()]
    for start, length in zip(numbers[::2], numbers[1::2], strict=True):
        flat[start - 1 : start - 1 + length] = True
    return flat.reshape(side, side)


@pytest.mark.parametrize(("name", "split"), SETS)
def test_frames_are_written_as_published_and_read(tmp_path, name, split):
    path = exported(tmp_path, "hdf5", name, split)
    assert path.relative_to(tmp_path).parts[0] == unseen.task(name).row.name
    with h5py.File(path) as file:
        place = split if split in ("train", "val", "test") else f"testsets/{split}"
        assert file[place].dtype == np.uint8
        assert file[place].shape[2] == 3
    rows = read_published(path, "video")
    for row, example in zip(rows, unseen.load(name, split)[:6], strict=True):
        assert row["split"] == split
        assert (row["frames"] == example.inputs["frames"]).all()


@pytest.mark.parametrize(("name", "split"), SETS)
def test_masks_are_written_as_the_evaluation_reads_them(tmp_path, name, split):
    rows = read_published(exported(tmp_path, "json", name, split), "video")
    owners: dict[int, tuple[int, int]] = {}
    for number, (row, example) in enumerate(zip(rows, unseen.load(name, split)[:6], strict=True)):
        side = example.target["ids"].shape[1]
        for frame, ids in zip(row["frames"], example.target["ids"], strict=True):
            assert frame["num_bg"] == 1
            assert (decoded(frame["masks"][-1], side) == (ids == 0)).all()
            assert len(frame["masks"]) == len(np.unique(ids[ids > 0])) + 1
            for id, mask in zip(frame["ids"][:-1], frame["masks"][:-1], strict=True):
                (value,) = np.unique(ids[decoded(mask, side)]).tolist()
                assert (decoded(mask, side) == (ids == value)).all()
                assert owners.setdefault(id, (number, value)) == (number, value)  # of one object in the whole file


@pytest.mark.parametrize(("name", "split"), SETS)
def test_coco_masks_are_those_of_the_ids(tmp_path, name, split):
    rows = read_published(exported(tmp_path, "coco", name, split), "video")
    for row, example in zip(rows, unseen.load(name, split)[:6], strict=True):
        ids = example.target["ids"]
        assert (row["video"]["length"], row["video"]["height"], row["video"]["width"]) == ids.shape
        assert len(row["annotations"]) == len(example.record.objects)
        for number, one in enumerate(row["annotations"], 1):
            for t, lengths in enumerate(one["segmentations"]):
                mask = ids[t] == number
                assert (lengths is None) == (not mask.any())
                if lengths is None:
                    assert one["bboxes"][t] is one["areas"][t] is None
                    continue
                counts = np.array(lengths["counts"])
                flat = np.repeat(np.arange(len(counts)) % 2 == 1, counts)
                assert (flat.reshape(mask.shape, order="F") == mask).all()
                left, top, width, height = one["bboxes"][t]
                assert mask[top : top + height, left : left + width].sum() == one["areas"][t] == mask.sum()


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_examples_give_the_same_bytes(tmp_path, format):
    first = exported(tmp_path / "a", format, "video/vmds", "val").read_bytes()
    assert exported(tmp_path / "b", format, "video/vmds", "val").read_bytes() == first


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("x.json", "{}", "it is not a JSON list"),
        ("x.json", '[[{"ids": []}]]', "not a list of frames with masks and ids"),
        ("x.coco.json", "[]", "it has no videos and annotations"),
        ("x.hdf5", "nothing", "x.hdf5 is not a hdf5 file of video"),
        ("x.txt", "", "those end in"),
    ],
)
def test_a_broken_file_is_named(tmp_path, file, content, words):
    (tmp_path / file).write_text(content)
    with pytest.raises(DataError, match=words):
        read_published(tmp_path / file, "video")


def test_frames_in_another_order_are_refused(tmp_path):
    with h5py.File(tmp_path / "x.hdf5", "w") as file:
        file["train"] = np.zeros((2, 10, 8, 8, 3), np.uint8)
    with pytest.raises(DataError, match="not uint8 \\(video, time, 3, row, column\\)"):
        read_published(tmp_path / "x.hdf5", "video")


def test_an_empty_hdf5_file_cannot_be(tmp_path):
    with pytest.raises(SpecError, match="at least one video"):
        exported(tmp_path, "hdf5", "video/vmds", "val", count=0)


def test_hdf5_without_h5py_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(MissingExtra, match="needs h5py"):
        exported(tmp_path, "hdf5", "video/vmds", "val")


def test_masks_of_no_videos_are_an_empty_list(tmp_path):
    assert json.loads(exported(tmp_path, "json", "video/vmds", "val", count=0).read_text()) == []
    assert json.loads(exported(tmp_path, "coco", "video/vmds", "val", count=0).read_text())["annotations"] == []
