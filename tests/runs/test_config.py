"""Configurations: what is written is read, what is wrong is named, and two that differ say in what."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from unseen.core.errors import DataError
from unseen.core.recipe import Recipe
from unseen.core.seals import without_seal
from unseen.runs import Config
from unseen.runs.config import read_config, write_config

CONFIG = Config(
    task="cogitao/c1-1",
    content=1,
    examples=10,
    data_seed=0,
    model="mine.py:Mine",
    options={"width": 4},
    seed=0,
    recipes={"see": Recipe(), "think": Recipe(epochs=3)},
    init_from="runs/x:see",
    init_names={"encoder": "eye"},
    freeze=("eye",),
    model_digest="12ab",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_config(tmp_path / "config.json", CONFIG)
    return tmp_path / "config.json"


def test_what_is_written_is_read(file: Path) -> None:
    assert read_config(file) == CONFIG
    assert read_config(file).recipe.epochs == 3


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"seed": "0"}, "seed: input should be a valid integer"),
        ({"recipes": {"": {"epochs": "many"}}}, "recipes..epochs: input should be a valid integer"),
        ({"recipes": {"": {"epoch": 3}}}, "recipes..epoch: unexpected keyword argument"),
        ({"recipes": {"": {"epochs": -1}}}, "epochs cannot be negative, got -1"),
        ({"recipes": {"": {"batch_size": 0}}}, "batch_size must be at least 1, got 0"),
        ({"recipe": {}}, "recipe: unexpected keyword argument"),  # as former versions wrote it
        ({"freeze": "eye"}, "freeze: input should be a valid"),
    ],
)
def test_what_is_wrong_is_one_sentence(file: Path, changes: dict[str, object], where: str) -> None:
    file.write_text(json.dumps({**json.loads(without_seal(file.read_bytes(), file)), **changes}))
    with pytest.raises(DataError) as raised:
        read_config(file)
    assert where in str(raised.value)
    assert "\n" not in str(raised.value)
    assert str(raised.value).endswith("train again with --fresh")


def test_a_difference_is_told_in_words() -> None:
    assert CONFIG.difference(replace(CONFIG, seed=2)) == "seed is 0 there, and 2 was asked for"
    other = replace(CONFIG, recipes={"see": Recipe(), "think": Recipe(epochs=4)})
    assert CONFIG.difference(other) == "think.epochs is 3 there, and 4 was asked for"
    assert CONFIG.difference(replace(CONFIG, recipes={"": Recipe()})).startswith("stages is ['see', 'think'] there")
    edited = replace(CONFIG, model_digest="34cd")
    assert CONFIG.difference(edited) == "model_digest is '12ab' there, and '34cd' was asked for"
    assert replace(CONFIG, data="elsewhere", machine={"cores": 2}, commit="abc") == CONFIG
