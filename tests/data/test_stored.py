from __future__ import annotations

import json
import os
import pickle
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from unseen.core.catalogue import task
from unseen.core.errors import DataError, UnknownName
from unseen.core.seals import without_seal
from unseen.data import stored
from unseen.data.dataset import load
from unseen.data.generate import generate

PLAIN = {"grid": "8-10", "max_size": 3, "samples": 320, "transformations": "rot90,translate_up,mirror_horizontal"}
VARIANTS = {
    "sequential": {"sequential": True},
    "in context": {"in_context": 2},
    "without code": {"code": 0},
    "varying depth": {"depth": "1-3", "sequential": True},
    "three cells wide": {"grid": "3-4", "objects": 1, "max_size": 2, "sequential": True},
}


def assert_same(one, other):
    assert (one.task, one.split, one.index, one.record) == (other.task, other.split, other.index, other.record)
    for found, expected in zip(one.arrays, other.arrays, strict=True):
        assert list(found) == list(expected)
        for name, value in expected.items():
            assert_same_arrays(found[name], value)


def assert_same_arrays(found, expected):
    assert type(found) is type(expected)
    if isinstance(expected, str):
        assert found == expected
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same_arrays(one, other)
    else:
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)


@pytest.mark.parametrize("split", ["train", "val", "test"])
def test_loaded_examples_are_the_drawn_ones(small, finished, split):
    read, drawn = load(str(finished), split), load(small.id, split)
    assert len(read) == len(drawn)
    for one, other in zip(read, drawn, strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_every_variant_is_loaded_as_it_is_drawn(tmp_path, options):
    variant = task("cogitao/custom", **{**PLAIN, **options})
    generate(variant, tmp_path, splits=["train"], workers=1)
    for one, other in zip(load(str(tmp_path), "train"), load(variant.id, "train"), strict=True):
        assert_same(one, other)


def test_pictures_are_stored_so_that_hugging_face_shows_them(small, tmp_path, monkeypatch):
    pytest.importorskip("unseen.render.png")
    render = small.benchmark.file("render")
    plain = render.arrays

    def with_pictures(record, spec, view):
        inputs, target = plain(record, spec, view)
        grid = inputs["grid"].astype(np.uint8)[..., None] * np.array([1, 2, 3], np.uint8)
        return {**inputs, "image": grid, "text": " ".join(record.sequence)}, {
            **target,
            "frames": np.stack([grid, grid]),
        }

    monkeypatch.setattr(render, "arrays", with_pictures)
    generate(small, tmp_path, splits=["train"], count=310, workers=1)
    for one, other in zip(load(str(tmp_path), "train"), load(small.id, "train"), strict=False):
        assert_same(one, other)
    metadata = pq.read_schema(tmp_path / "train-00001-of-00002.parquet").metadata
    features = {"input_image": {"_type": "Image", "mode": "RGB"}, "target_frames": [{"_type": "Image", "mode": "RGB"}]}
    assert json.loads(metadata[b"huggingface"]) == {"info": {"features": features}}


def test_examples_can_be_had_in_any_order(small, finished):
    read, drawn = load(str(finished), "train"), load(small.id, "train")
    for index in random.Random(0).sample(range(900), 200):
        assert_same(read[index], drawn[index])
    assert read[-1].index == 899
    with pytest.raises(IndexError):
        read[900]


def test_slices_are_data_sets(finished):
    part = load(str(finished), "train")[100:800:7]
    assert [example.index for example in part] == list(range(100, 800, 7))
    assert part[3:][0].index == 121


def test_data_sets_can_be_sent_to_workers(small, finished):
    for data in (load(str(finished), "train")[10:20], load(small.id, "train")[10:20]):
        data[0].arrays  # noqa: B018  opens files and makes samplers, which stay behind
        sent = pickle.loads(pickle.dumps(data))
        assert_same(sent[5], data[5])


def test_threads_may_share_a_folder(small, finished, monkeypatch):
    monkeypatch.setattr(stored, "CACHED_BYTES", 1)  # so that almost every example is read anew
    monkeypatch.setattr(stored, "OPEN_FILES", 1)
    indices = random.Random(0).choices(range(900), k=400)
    read, drawn = load(str(finished), "train"), load(small.id, "train")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(read.__getitem__, indices, timeout=60))
    for index, one in zip(indices, found, strict=True):
        assert_same(one, drawn[index])
    assert read.source._cached == sum(group.bytes for group in read.source._groups.values())


def test_few_row_groups_are_kept_in_memory(finished, monkeypatch):
    monkeypatch.setattr(stored, "CACHED_BYTES", 100_000)
    data = load(str(finished), "train")
    sizes = [data[index].index and data.source._cached for index in range(0, 900, 10)]
    assert 0 < max(sizes) <= 100_000
    assert data.source._cached == sum(group.bytes for group in data.source._groups.values())


def test_few_files_are_kept_open(finished, monkeypatch):
    monkeypatch.setattr(stored, "OPEN_FILES", 1)
    data = load(str(finished), "train")
    for index in (0, 300, 600, 20, 0):
        assert data[index].index == index
        assert len(data.source._files) == 1


@pytest.mark.slow
def test_memory_stays_flat_over_many_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "CACHED_BYTES", 2**20)
    many = task("cogitao/custom", samples=20_000)
    data = load(str(generate(many, tmp_path, splits=["train"], workers=1)), "train")
    before = pa.total_allocated_bytes()
    highest = 0
    for example in data:
        example.arrays  # noqa: B018
        highest = max(highest, pa.total_allocated_bytes() - before)
    assert highest < 8 * 2**20


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda path: os.truncate(path, 1000), "it has 1,000 bytes, not"),
        (lambda path: path.write_bytes(bytes(path.stat().st_size)), "its SHA-256 is not the manifest's"),
        (lambda path: path.unlink(), "it cannot be opened"),
    ],
    ids=["truncated", "overwritten", "missing"],
)
def test_a_damaged_shard_is_an_error_when_it_is_needed(folder, damage, reason):
    damage(folder / "train-00001-of-00003.parquet")
    data = load(str(folder), "train")
    assert data[299].index == 299
    with pytest.raises(DataError, match=f"train-00001-of-00003.parquet is damaged: {reason}.* --regenerate` mends it"):
        data[300]
    assert data[600].index == 600


def test_a_folder_without_a_manifest_is_an_error_that_says_so(folder):
    (folder / "manifest.json").unlink()
    with pytest.raises(DataError, match=r"has no manifest.json: .*finish it with `unseen generate`"):
        load(str(folder), "train")
    (folder / "manifest.json").write_text("{")
    with pytest.raises(DataError, match=r"manifest.json cannot be read"):
        load(str(folder), "train")


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"version": 99}, "made by version 99 of cogitao, and this is version 1"),
        ({"format": 0}, "manifest.json is of shard format 0"),
    ],
)
def test_a_folder_of_another_version_is_an_error(folder, changed, match):
    manifest = json.loads(without_seal((folder / "manifest.json").read_bytes(), folder))
    (folder / "manifest.json").write_text(json.dumps({**manifest, **changed}))
    with pytest.raises(DataError, match=match):
        load(str(folder), "train")


def edit(folder, change):
    """Change what the manifest says."""
    manifest = json.loads(without_seal((folder / "manifest.json").read_bytes(), folder))
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda manifest: manifest.update(seed=5), "seed 5, and the shard train-00000-of-00003.parquet of 0"),
        (
            lambda manifest: manifest.update(task="cogitao/c1-1"),
            "task cogitao/c1-1, and the shard .* of cogitao/cus",
        ),
    ],
    ids=["seed", "task"],
)
def test_the_shards_are_believed_over_a_manifest_that_was_changed(folder, change, told):
    edit(folder, change)
    data = load(str(folder), "train")
    with pytest.raises(DataError, match=f"manifest.json was changed: it tells of {told}"):
        data[0]


def shorter(manifest):
    """List the last shard, and so the split, with 50 examples fewer."""
    manifest["splits"]["train"]["count"] -= 50
    manifest["splits"]["train"]["shards"][-1]["rows"] -= 50


def test_a_count_that_agrees_with_the_listing_but_not_with_the_shards_is_refused(folder):
    edit(folder, shorter)
    with pytest.raises(DataError, match="it tells of count 650, and the shard train-00000-of-00003"):
        load(str(folder), "train")[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda split: split.update(count=600),
        lambda split: split.update(count=10**15),
        lambda split: split.update(count="700"),
        lambda split: split.update(count=0, shards=[]),
        lambda split: split["shards"][0].update(rows=0),
        lambda split: split["shards"][0].update(rows=1),
        lambda split: split["shards"][1].update(file="../elsewhere.parquet"),
        lambda split: split["shards"].pop(1),
    ],
    ids=["fewer", "many", "text", "none", "no rows", "other rows", "elsewhere", "left out"],
)
def test_a_manifest_that_does_not_add_up_is_refused(folder, change):
    edit(folder, lambda manifest: change(manifest["splits"]["train"]))
    with pytest.raises(DataError, match=r"manifest.json cannot be read.*; write it again with `unseen generate`"):
        load(str(folder), "train")


def test_a_manifest_that_was_changed_is_written_again(small, folder):
    before = (folder / "manifest.json").read_bytes()
    edit(folder, lambda manifest: manifest.update(seed=5))
    generate(small, folder, splits=["train"], count=700, workers=1)
    assert (folder / "manifest.json").read_bytes() == before


def test_an_unknown_split_is_an_error_with_a_suggestion(folder):
    with pytest.raises(UnknownName, match=r"no split named 'tran' in .* Did you mean 'train'"):
        load(str(folder), "tran")
