"""The published folders: written in their words, and read back to the same records."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

import unseen
from unseen.benchmarks.svib.published import record_of
from unseen.core.errors import DataError
from unseen.data.export import export, read_published


@pytest.fixture
def sprites(tmp_path):
    dataset = unseen.load("svib/dsprites-ma", alpha=0.2)[:3]
    (path,) = export(dataset, tmp_path, "folders-bgr")
    return dataset, path


def test_folders_are_where_the_published_ones_are(sprites, tmp_path):
    _, path = sprites
    assert str(path.relative_to(tmp_path)) == "dsprites-MMix2/train/alpha-0.2"
    assert sorted(item.name for item in path.iterdir()) == ["00000000", "00000001", "00000002"]
    files = {item.name for item in (path / "00000000").iterdir()}
    assert files == {f"{which}{end}" for which in ("source", "target") for end in (".png", "_mask.png", ".json")}
    (held_out,) = export(unseen.load("svib/dsprites-ma", "test_ood")[:1], tmp_path, "folders")
    assert str(held_out.relative_to(tmp_path)) == "dsprites-MMix2/test"


def test_scenes_have_the_published_keys(sprites):
    dataset, path = sprites
    scene = json.loads((path / "00000001" / "source.json").read_text())
    assert list(scene) == ["image_filename", "objects"]
    one, record = scene["objects"][1], dataset[1].record.source[1]
    assert list(one) == ["shape", "size", "rotation", "2d_coords", "color", "depth"]
    assert one["size"] == (0.125, 0.225, 0.325, 0.425)[record.look[2]]
    assert (scene["image_filename"], one["rotation"], one["depth"]) == ("00000001", 0.0, 1)


def test_red_and_blue_are_swapped_where_asked_for(sprites):
    dataset, path = sprites
    row = read_published(path, "svib")[0]
    assert (row["source_image"][..., ::-1] == dataset[0].inputs["image"]).all()
    mask, ids = row["target_mask"], dataset[0].target["masks"]
    assert {tuple(color) for color in mask[ids == 1]} == {(255, 0, 0)}
    assert {tuple(color) for color in mask[ids == 2]} == {(0, 0, 255)}


@pytest.mark.parametrize("name", ["dsprites-mna", "analysis-ncp", "clevr-sa", "clevrtex-mna"])
def test_records_come_back_from_files(name, tmp_path):
    options = {} if "clevr" not in name else {"renderer": "none"}
    dataset = unseen.load(f"svib/{name}", "test", **options)[:3]
    (path,) = export(dataset, tmp_path, "folders")
    spec = dataset.task.split("test").spec
    rows = read_published(path, "svib")
    assert [record_of(row, spec) for row in rows] == [example.record for example in dataset]


def test_scenes_of_solids_have_the_published_words(tmp_path):
    dataset = unseen.load("svib/clevrtex-sa", renderer="none")[:1]
    (path,) = export(dataset, tmp_path, "folders")
    scene = read_published(path, "svib")[0]["source"]
    assert list(scene) == [
        *("image_filename", "objects", "ground_material"),
        *("Camera", "Lamp_Key", "Lamp_Back", "Lamp_Fill"),
    ]
    one = scene["objects"][0]
    assert list(one) == ["shape", "size", "material", "3d_coords", "rotation", "pixel_coords"]
    assert one["material"].startswith("data/materials/Poliigon")
    assert one["3d_coords"][2] == one["size"]
    ids = dataset[0].target["masks"]
    column, row, depth = one["pixel_coords"]
    assert 0 <= column < 128
    assert 0 <= row < 128
    assert depth > 5
    assert ids.shape == (128, 128)
    mask = Image.open(path / scene["image_filename"] / "source_mask.png")
    assert mask.mode == "RGBA"
    colors = {tuple(color[:3]) for color in np.asarray(mask).reshape(-1, 4).tolist()}
    assert colors == {(0, 0, 0), (255, 0, 0), (0, 255, 0)}


def test_episodes_in_which_nothing_happens_have_one_image(tmp_path):
    (path,) = export(unseen.load("svib/dsprites-omni")[:2], tmp_path, "folders")
    assert {item.name for item in (path / "00000000").iterdir()} == {"source.png", "source_mask.png", "source.json"}
    assert [*read_published(path, "svib")[0]] == ["name", "source", "source_image", "source_mask"]


def test_a_folder_without_episodes_says_so(tmp_path):
    with pytest.raises(DataError, match="no folder of an episode"):
        read_published(tmp_path, "svib")
