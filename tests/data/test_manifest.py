"""A split of many shards is listed in parts: read as they are needed, and believed no more than the manifest is."""

from __future__ import annotations

import hashlib
import json
import pickle

import pytest

from unseen.core.errors import DataError
from unseen.core.seals import without_seal
from unseen.data import listing
from unseen.data.dataset import load
from unseen.data.generate import generate
from unseen.data.manifest import NAME, listing_of, read_manifest
from unseen.data.places import Folder, Store
from unseen.data.verify import verify

ASKED = {"splits": ["val"], "count": 700, "workers": 1}
PARTS = [f"manifest-val-0000{number}-of-00002.json" for number in range(2)]


@pytest.fixture
def plain(small, tmp_path):
    """The same data in a folder whose manifest is one file."""
    return generate(small, tmp_path / "plain", **ASKED)


@pytest.fixture(params=["folder", "store"])
def parted(request, small, tmp_path, plain, monkeypatch):
    """A place whose three shards are listed in two parts."""
    monkeypatch.setattr(listing, "PART", 2)
    if request.param == "folder":
        return Folder(generate(small, tmp_path / "parted", **ASKED))
    store = Store(f"s3://{request.getfixturevalue('s3').bucket}/parted")
    generate(small, store, **ASKED)
    return store


def held_by(place):
    return {name: place.read(name) for name in place.sizes() if name != ".lock"}


def edited(place, name, change):
    """Change what a file says, as one does by hand: without its seal."""
    told = json.loads(without_seal(place.read(name), name))
    change(told)
    place.write(name, json.dumps(told).encode())


def test_parts_list_what_one_manifest_does(plain, parted):
    whole, told = read_manifest(plain), read_manifest(parted)
    assert [name for name in parted.sizes() if "manifest-" in name] == PARTS
    assert told.splits["val"].bytes == whole.splits["val"].bytes
    one, other = listing_of(Folder(plain), whole, "val"), listing_of(parted, told, "val")
    assert [*one] == [*other]
    assert (one.moved, one.digest) == (other.moved, other.digest)
    assert one.moved, "or nothing would tell"
    same = [name for name in parted.sizes() if name.endswith((".parquet", ".md"))]
    assert [held_by(parted)[name] for name in same] == [held_by(Folder(plain))[name] for name in same]


def test_who_needs_a_shard_reads_its_part_alone(small, parted, monkeypatch):
    read = []
    reading = type(parted).read
    monkeypatch.setattr(type(parted), "read", lambda place, name: read.append(name) or reading(place, name))
    data, drawn = load(str(parted), "val"), load(small.id, "val")
    for index in (650, 610, 699):
        assert data[index].record == drawn[index].record
    assert read == [NAME, PARTS[1]]
    assert pickle.loads(pickle.dumps(data))[0].record == drawn[0].record
    assert read[2:] == [NAME, PARTS[0]]


def test_a_split_in_parts_is_verified_and_resumed(small, parted):
    before = held_by(parted)
    report = verify(parted, workers=1)
    assert (report.checked, report.right) == (700, True)
    for name in ("val-00001-of-00003.parquet", NAME, PARTS[1]):
        parted.remove(name)
    generate(small, parted, **ASKED)
    assert held_by(parted) == before


def spoil_name(part):
    part["shards"][1]["file"] = "../elsewhere.parquet"


def spoil_digest(part):
    part["shards"][0]["sha256"] = "0" * 64


@pytest.mark.parametrize(
    "change",
    [
        lambda place: place.remove(PARTS[1]),
        lambda place: place.write(PARTS[1], place.read(PARTS[0])),
        lambda place: place.write(PARTS[1], place.read(PARTS[1])[:-100]),
        lambda place: edited(place, PARTS[1], spoil_digest),
        lambda place: edited(place, NAME, lambda told: told["splits"]["val"]["parts"].reverse()),
    ],
    ids=["gone", "another", "cut off", "edited", "swapped"],
)
def test_a_part_that_the_manifest_does_not_tell_of_is_refused_and_written_again(small, parted, change):
    before = held_by(parted)
    change(parted)
    data = load(str(parted), "val")
    with pytest.raises(DataError, match=rf"{PARTS[1]} is gone, or is not the one that manifest.json tells of; write"):
        data[650]
    generate(small, parted, **ASKED)
    assert held_by(parted) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda split: split.update(count=600),
        lambda split: split.update(count=10**15),
        lambda split: split.update(rows=0),
        lambda split: split.update(rows=1),
        lambda split: split["parts"].pop(),
        lambda split: split.update(parts=[]),
        lambda split: split.update(shards=[]),
    ],
    ids=["fewer", "many", "no rows", "other rows", "left out", "none", "both"],
)
def test_parts_that_do_not_add_up_are_refused(small, tmp_path, monkeypatch, change):
    monkeypatch.setattr(listing, "PART", 2)
    place = Folder(generate(small, tmp_path, **ASKED))
    edited(place, NAME, lambda told: change(told["splits"]["val"]))
    with pytest.raises(DataError, match=r"manifest.json cannot be read.*; write it again with `unseen generate`"):
        load(str(place), "val")


@pytest.mark.parametrize("change", [lambda part: part["shards"].pop(), spoil_name], ids=["left out", "another name"])
def test_a_part_that_was_made_to_fit_the_manifest_is_still_checked(small, tmp_path, monkeypatch, change):
    monkeypatch.setattr(listing, "PART", 2)
    place = Folder(generate(small, tmp_path, **ASKED))
    edited(place, PARTS[0], change)
    digest = hashlib.sha256(place.read(PARTS[0])).hexdigest()
    edited(place, NAME, lambda told: told["splits"]["val"]["parts"].__setitem__(0, digest))
    with pytest.raises(DataError, match=f"{PARTS[0]} is gone, or is not the one"):
        load(str(place), "val")[300]
