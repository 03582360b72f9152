"""Files and folders that options name are known by what is in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import unseen
from unseen.core.contents import digest
from unseen.core.errors import DataError
from unseen.data.generate import generate
from unseen.predict import write_predictions
from unseen.runs import open_run, write_untrained


@pytest.fixture
def textures(tmp_path: Path) -> Path:
    folder = tmp_path / "a+b%2B textures"  # signs that ids escape
    folder.mkdir()
    for name in ("one.png", "two.png"):
        Image.fromarray(np.random.default_rng(0).integers(0, 255, (80, 80, 3), np.uint8)).save(folder / name)
    return folder


def change(folder: Path) -> None:
    Image.fromarray(np.zeros((80, 80, 3), np.uint8)).save(folder / "one.png")


def test_a_folder_is_known_by_names_and_contents_of_its_files(textures: Path) -> None:
    first = digest(str(textures))
    assert digest(str(textures)) == first
    (textures / "two.png").rename(textures / "three.png")
    assert digest(str(textures)) != first
    (textures / "three.png").rename(textures / "two.png")
    assert digest(str(textures)) == first
    change(textures)
    assert digest(str(textures)) != first


def test_a_file_is_known_by_its_sha256_and_nothing_by_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert digest(str(tmp_path / "file")).startswith("ba7816bf")
    (tmp_path / "empty").mkdir()
    for nothing in ("none", "empty", "\0", "x" * 5000):
        assert digest(str(tmp_path / nothing)) == ""


def test_a_task_survives_its_written_form_whatever_a_path_is_called(textures: Path) -> None:
    task = unseen.task("video/texvmds", textures=str(textures))
    assert unseen.task(task.id).view.textures == str(textures)
    assert unseen.task(task.id).id == task.id
    assert list(task.contents()) == ["textures"]


CHANGED = r"textures is not what it was when .* was made: its digest was \w{12} and is \w{12}; put it back"


def test_what_was_made_from_other_contents_is_refused(textures: Path, tmp_path: Path) -> None:
    task = unseen.task("video/texvmds", textures=str(textures))
    data, file = tmp_path / "data", tmp_path / "answers.parquet"
    generate(task, data, splits=["test"], count=1, workers=1)
    run = write_untrained(task, "regions", seed=0, out=tmp_path / "runs")
    write_predictions(file, task, "test", [np.zeros((10, 64, 64), np.uint8)], indices=[0])
    assert len(unseen.load(str(data), "test")) == 1
    assert task.score("test", file)["mota"] <= 0
    change(textures)
    with pytest.raises(DataError, match=CHANGED):
        unseen.load(str(data), "test")
    with pytest.raises(DataError, match=CHANGED):
        generate(task, data, splits=["test"], count=1, workers=1)
    with pytest.raises(DataError, match=CHANGED):
        task.score("test", file)
    with pytest.raises(DataError, match=CHANGED):
        _ = open_run(run.folder).task
    for picture in textures.iterdir():
        picture.unlink()
    assert unseen.load(str(data), "test")[0].target["ids"].shape == (10, 64, 64)  # stored, it needs no textures
