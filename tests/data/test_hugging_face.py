"""Shards read by Hugging Face's `datasets`: every picture arrives as the RGB image that a model is shown."""

from __future__ import annotations

import re

import numpy as np
import pytest

from unseen.core.catalogue import task
from unseen.core.errors import MissingExtra
from unseen.core.task import KINDS
from unseen.data.columns import is_picture
from unseen.data.dataset import load
from unseen.data.generate import generate

datasets = pytest.importorskip("datasets", reason='without `pip install ".[hf]"` nothing reads shards as the Hub does')

COUNT = 3
PICTURED = {  # a task of every kind, with pictures, and further worlds whose pictures are of other colors
    "grid": ("cogitao/s1-rotate+rgb=true+size=30", "cogitao/s1-rotate+in_context=1+rgb=true+sequential=true+size=30"),
    "odd": ("cvr/inside", "cvr/inside+style=filled"),
    "image": ("svib/dsprites-sa", "svib/clevr-sa+size=32"),
    "video": ("video/spmot", "video/texvmds"),
    "question": ("covr/iid",),
}


def rows_of(folder, split, cache):
    """The rows of a split as `datasets` reads them, without a look at the network or at other data."""
    files = {split: f"{folder}/{split}-*.parquet"}
    return datasets.load_dataset("parquet", data_files=files, split=split, cache_dir=str(cache))


def pictures_in(value):
    """What is shown of a column's value: one picture, or lists of them."""
    return [picture for item in value for picture in pictures_in(item)] if isinstance(value, list) else [value]


def pictures_of(example):
    """The pictures of an example by the name of their column; cells and masks are none."""
    sides = {"input": example.inputs, "target": example.target}
    named = {f"{side}_{name}": value for side, arrays in sides.items() for name, value in arrays.items()}
    return {name: value for name, value in named.items() if is_picture(name) and np.asarray(value[0]).dtype == np.uint8}


def test_there_is_a_task_of_every_kind():
    assert PICTURED.keys() == KINDS.keys()


@pytest.mark.parametrize("name", [name for names in PICTURED.values() for name in names])
def test_every_picture_arrives_as_rgb(name, tmp_path):
    try:
        folder = generate(task(name), tmp_path / "data", splits=["test"], count=COUNT, workers=1)
    except MissingExtra as error:
        pytest.skip(str(error))
    rows = rows_of(folder, "test", tmp_path / "cache")
    for row, example in zip(rows, load(str(folder), "test"), strict=True):
        expected = pictures_of(example)
        assert expected
        for column, shown in expected.items():
            read = pictures_in(row[column])
            assert {picture.mode for picture in read} == {"RGB"}
            flat = [np.concatenate([np.ravel(picture) for picture in pictures]) for pictures in (read, shown)]
            assert np.array_equal(*flat)


def test_what_is_no_picture_arrives_as_numbers(tmp_path):
    folder = generate(task("svib/dsprites-sa"), tmp_path / "data", splits=["test"], count=COUNT, workers=1)
    for row, example in zip(rows_of(folder, "test", tmp_path / "cache"), load(str(folder), "test"), strict=True):
        assert np.array_equal(row["target_masks"], example.target["masks"])


def test_the_lines_of_the_card_that_load_with_datasets_run(finished, tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path))
    (code,) = re.findall(r"```python\n(import datasets\n.*?)```", (finished / "README.md").read_text(), re.DOTALL)
    names = {"folder": str(finished)}
    exec(code, names)
    assert names["rows"]["index"][:3] == [0, 1, 2]
