"""Regions of photos from files: both forms, through batches, and everything that can be wrong with them."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

import unseen
from unseen.benchmarks.covr.readers.features import regions
from unseen.core.errors import DataError, SpecError, UnseenError


def array(count=3, numbers=4):
    corners = np.sort(np.random.default_rng(0).random((count, 2, 2)), axis=1).astype(np.float32)
    return np.arange(count * numbers, dtype=np.float32).reshape(count, numbers), corners.reshape(count, 4)


@pytest.fixture
def folder(tmp_path):
    features, boxes = array()
    np.savez(tmp_path / "1.npz", features=features, boxes=boxes)
    return tmp_path


def test_a_folder_gives_features_and_places_with_the_area(folder):
    found = regions((str(folder),), "1")
    features, boxes = array()
    assert (found.features == features).all()
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    assert np.allclose(found.places, np.column_stack([boxes, area]))


def test_the_published_form_gives_the_same(folder):
    h5py = pytest.importorskip("h5py")
    features, boxes = array()
    with h5py.File(folder / "all.h5", "w") as file:
        file["features"], file["boxes"] = np.stack([features * 0, features]), np.stack([boxes, boxes])
    (folder / "rows.json").write_text(json.dumps({"1": 1, "far": 9}))
    source = (str(folder / "all.h5"), str(folder / "rows.json"))
    assert (regions(source, "1").features == features).all()
    for missing in ("2", "far"):
        with pytest.raises(DataError, match="no regions of scene"):
            regions(source, missing)


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"features": array()[0]}, "no array 'boxes'"),
        ({"features": array()[0][0], "boxes": array()[1]}, "expected .regions, numbers."),
        ({"features": array()[0], "boxes": array()[1][:2]}, "expected .regions, numbers."),
        ({"features": array()[0] * np.nan, "boxes": array()[1]}, "no finite numbers"),
        ({"features": array()[0], "boxes": array()[1] * 500}, "no shares of the image's sides"),
        ({"features": array()[0].astype(float) * 1e200, "boxes": array()[1]}, "no finite numbers"),
        ({"features": np.array([["a"]]), "boxes": array()[1]}, "are no real numbers"),
        ({"features": array()[0], "boxes": array()[1] + 0j}, "are no real numbers"),
    ],
)
def test_misshapen_regions_are_refused_in_a_sentence(tmp_path, arrays, says):
    np.savez(tmp_path / "1.npz", **arrays)
    with pytest.raises(DataError, match=says):
        regions((str(tmp_path),), "1")


def test_a_damaged_file_a_stranger_id_and_a_missing_place_are_refused(folder):
    (folder / "2.npz").write_bytes(b"PK nonsense")
    (inner := folder / "inner").mkdir()
    with pytest.raises(DataError, match="no file of NumPy arrays"):
        regions((str(folder),), "2")
    with pytest.raises(DataError, match="no regions of scene"):
        regions((str(inner),), "../1")
    with pytest.raises(DataError, match="neither a folder"):
        regions((str(folder / "nowhere"),), "1")


def test_a_single_array_without_a_name_is_refused(folder):
    with (folder / "2.npz").open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(DataError, match="is no file of NumPy arrays that can be read safely"):
        regions((str(folder),), "2")


def test_an_hdf5_file_whose_arrays_are_none_is_refused(folder):
    h5py = pytest.importorskip("h5py")
    with h5py.File(folder / "odd.h5", "w") as file:
        file["features"], file["boxes"] = 3, np.zeros((1, 3, 4))
    (folder / "rows.json").write_text(json.dumps({"1": 0}))
    with pytest.raises(DataError, match="arrays of three axes"):
        regions((str(folder / "odd.h5"), str(folder / "rows.json")), "1")


def test_without_h5py_the_published_form_says_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    source = folder / "other.h5", folder / "rows.json"
    for file in source:
        file.write_text("{}")
    with pytest.raises(UnseenError, match=r"region features needs h5py.*\[hdf5\]"):
        regions(tuple(map(str, source)), "1")


def test_regions_are_of_photos():
    with pytest.raises(SpecError, match="corpus="):
        unseen.task("covr/iid", features="somewhere")


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """Scene graphs of generated scenes as if they were of photos, regions of each, and a vocabulary."""
    from unseen.benchmarks.covr.world import flat
    from unseen.benchmarks.covr.world.scene import to_gqa
    from unseen.core.random import path_key

    place = tmp_path_factory.mktemp("photos")
    graphs = {}
    for index in range(300):
        scene = flat.scene(flat.World(), path_key(0, "photos"), index)
        graphs[str(index)] = to_gqa(scene)
        np.savez(place / f"{index}.npz", **dict(zip(("features", "boxes"), array(), strict=True)))
    (place / "graphs.json").write_text(json.dumps(graphs))
    (place / "vocab.txt").write_text("\n".join(("[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz")))
    return place


def task_of(photos, **options):
    named = {"corpus": str(photos / "graphs.json"), "samples": 24, "features": str(photos), **options}
    return unseen.task("covr/custom", **named)


def test_batches_hold_regions_in_place_of_images_and_ids_their_digest(photos):
    pytest.importorskip("torch")
    task = task_of(photos)
    batch = next(iter(unseen.load(task.id, "train").torch(batch_size=4)))
    images = int(batch["input_counts"].sum())
    assert batch["input_features"].shape == (images, 3, 4)
    assert batch["input_places"].shape == (images, 3, 5)
    assert "input_images" not in batch
    assert task.contents()["features"]


def test_a_model_trains_on_regions_and_pieces_and_answers(photos, tmp_path):
    pytest.importorskip("torch")
    task = task_of(photos, vocabulary=str(photos / "vocab.txt"))
    small = {"width": 16, "layers": 1, "heads": 2, "pooled": 16}
    changes = {"max_steps": 2, "eval_examples": 4, "batch_size": 4}
    run = unseen.train(task, "visualbert", options=small, changes=changes, out=tmp_path)
    assert list(run.config.recipes) == [""]
    assert run.config.recipe.epochs == 8
    assert unseen.predict(run, count=3).exists()


def test_missing_regions_end_a_training_in_a_sentence(photos, tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "regions").mkdir()
    with pytest.raises(UnseenError, match="no regions of scene"):
        unseen.train(task_of(photos, features=str(tmp_path / "regions")), "visualbert", out=tmp_path)


def test_a_vocabulary_must_be_there_and_have_marks(photos, tmp_path):
    pytest.importorskip("torch")
    with pytest.raises(UnseenError, match="could not read the vocabulary"):
        unseen.train(task_of(photos, vocabulary=str(tmp_path / "none.txt")), "visualbert", out=tmp_path)
    (tmp_path / "bare.txt").write_text("dog\ncat")
    with pytest.raises(UnseenError, match=r"\[PAD\]"):
        unseen.train(task_of(photos, vocabulary=str(tmp_path / "bare.txt")), "visualbert", out=tmp_path)
