from __future__ import annotations

import io
import json
import tarfile

import numpy as np
import pytest

from unseen.cli import main
from unseen.core.errors import DataError
from unseen.data.dataset import load
from unseen.data.lock import LOCK
from unseen.data.places import Folder, Store
from unseen.data.webdataset import encode, export_tars

# webdataset leaves it to the collector to close files
LEFT_OPEN = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
WITHOUT = 'webdataset is not installed: pip install ".[dev]"'


@pytest.fixture(params=["folder", "s3"])
def place(request, tmp_path):
    if request.param == "folder":
        return Folder(tmp_path / "tars")
    return Store(f"s3://{request.getfixturevalue('s3').bucket}/tars")


def held_by(place):
    return {name: place.read(name) for name in place.sizes() if name != LOCK}


def test_the_tars_of_drawn_and_of_stored_examples_are_the_same(small, finished, place):
    drawn = load(small.id, "train")
    export_tars(drawn, place, workers=1)
    tars = held_by(place)
    assert list(tars) == [f"train-0000{k}-of-00003.tar" for k in range(3)]
    stored = load(str(finished), "train")[300:600]
    assert encode(stored, {}) == encode(drawn[300:600], {})


def test_an_export_makes_only_what_is_missing(small, place, monkeypatch):
    data = load(small.id, "train")[:310]
    export_tars(data, place, workers=1)
    before = held_by(place)
    place.remove("train-00001-of-00002.tar")
    made = []
    monkeypatch.setattr(
        "unseen.data.webdataset.encode", lambda part, about: made.append(len(part)) or encode(part, about)
    )
    export_tars(data, place, workers=1)
    assert (held_by(place), made) == (before, [10])


def test_tars_that_are_damaged_or_of_something_else_are_refused(small, place):
    export_tars(load(small.id, "val")[:20], place, workers=1)
    before = held_by(place)
    for other in (load(small.id, "val", seed=1)[:20], load(small.id, "val")[1:21]):
        with pytest.raises(DataError, match=r"val-00000-of-00001.tar is damaged, or of another data set"):
            export_tars(other, place, workers=1)
    with pytest.raises(DataError, match=r"val-00000-of-00001.tar is of another export"):
        export_tars(load(small.id, "val")[:310], place, workers=1)
    assert held_by(place) == before
    (name,) = before
    place.write(name, before[name][:-1] + b"x")
    with pytest.raises(DataError, match="is damaged"):
        export_tars(load(small.id, "val")[:20], place, workers=1)


def test_a_tar_has_no_time_and_no_owner(small):
    with tarfile.open(fileobj=io.BytesIO(encode(load(small.id, "val")[:2], {}))) as tar:
        members = tar.getmembers()
    assert {(member.mtime, member.uid, member.uname, member.mode) for member in members} == {(0, 0, "", 0o644)}
    assert [member.name for member in members] == [
        "__unseen__",
        *(f"00000000{k}.{name}" for k in range(2) for name in FILES),
    ]


FILES = ("input_grid.npy", "input_code.npy", "target_grid.npy", "scene.json")


@LEFT_OPEN
def test_webdataset_reads_what_was_exported(small, tmp_path):
    webdataset = pytest.importorskip("webdataset", reason=WITHOUT)
    data = load(small.id, "train")[:310]
    urls = export_tars(data, tmp_path, workers=1)
    samples = list(webdataset.WebDataset(urls, shardshuffle=False, empty_check=False).decode())
    assert len(samples) == len(data)
    for sample, example in zip(samples, data, strict=True):
        assert int(sample["__key__"]) == example.index
        assert np.array_equal(sample["input_grid.npy"], example.inputs["grid"])
        assert sample["target_grid.npy"].dtype == example.target["grid"].dtype
        assert sample["scene.json"] == json.loads(json.dumps(example.scene))


@LEFT_OPEN
@pytest.mark.parametrize("name", ["cvr/shape", "svib/dsprites-sa", "video/vmds", "covr/iid"])
def test_every_kind_of_task_is_exported_and_read(name, tmp_path):
    webdataset = pytest.importorskip("webdataset", reason=WITHOUT)
    data = load(name, "test")[:2]
    with pytest.raises(SystemExit, match="0"):
        main(["export", name, "test", "--count", "2", "--format", "webdataset", "--out", str(tmp_path)])
    (tar,) = map(str, tmp_path.glob("*.tar"))
    for sample, example in zip(webdataset.WebDataset(tar, shardshuffle=False).decode("rgb8"), data, strict=True):
        for side, arrays in (("input", example.inputs), ("target", example.target)):
            for field, value in arrays.items():
                found = [one for key, one in sample.items() if key.startswith(f"{side}_{field}.")]
                expected = value if len(found) > 1 else [value]
                assert all(np.array_equal(*pair) for pair in zip(found, expected, strict=True)), field
