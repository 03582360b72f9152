"""The same is promised of a folder and of an object store; what only a store can do to data is in test_stores.py."""

from __future__ import annotations

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.fs import FileSelector

from unseen.core.errors import DataError, SpecError
from unseen.data import stored
from unseen.data.claims import PREFIX
from unseen.data.dataset import load
from unseen.data.generate import generate
from unseen.data.lock import LOCK
from unseen.data.manifest import read_manifest
from unseen.data.places import Folder, Place, Store, is_place, place_of
from unseen.data.verify import verify

SHARD = "train-00001-of-00003.parquet"
ASKED = {"splits": ["train"], "count": 700, "workers": 1}


@pytest.fixture(params=["folder", "s3", "s3 by ranges"])
def place(request, tmp_path, monkeypatch) -> Place:
    """An empty place."""
    if request.param == "folder":
        return Folder(tmp_path / "data")
    s3 = request.getfixturevalue("s3")
    if request.param == "s3 by ranges":
        monkeypatch.setenv("UNSEEN_CACHE_BYTES", "0")
    return Store(f"s3://{s3.bucket}/some data/c1+1")


@pytest.fixture
def filled(place, folder) -> Place:
    """The place with 700 examples in three shards."""
    for path in folder.iterdir():
        if path.name != LOCK:
            place.write(path.name, path.read_bytes())
    return place


def held_by(place: Place) -> dict[str, bytes]:
    return {name: place.read(name) for name in place.sizes() if name != LOCK}


def change(place: Place, name: str, how) -> None:
    place.write(name, how(place.read(name)))


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def test_what_is_written_is_there_until_it_is_removed(place):
    assert place.sizes() == {}
    place.write("a.txt", b"one")
    place.write("a.txt", b"other")
    assert (place.sizes(), place.read("a.txt")) == ({"a.txt": 5}, b"other")
    with place.open("a.txt") as file:
        file.seek(2)
        assert (file.read(2), file.size()) == (b"he", 5)
    place.remove("a.txt")
    place.remove("a.txt")
    assert place.sizes() == {}
    for read in (place.read, place.open):
        with pytest.raises(FileNotFoundError):
            read("a.txt")


def test_the_bytes_do_not_depend_on_the_place(small, place, folder):
    generate(small, place, **ASKED)
    assert held_by(place) == held_by(Folder(folder))


def test_only_missing_shards_are_made(small, filled, monkeypatch):
    before = held_by(filled)
    for name in (SHARD, "manifest.json"):
        filled.remove(name)
    written = []
    write = type(filled).write
    monkeypatch.setattr(
        type(filled), "write", lambda place, name, *rest: written.append(name) or write(place, name, *rest)
    )
    generate(small, filled, **ASKED)
    assert held_by(filled) == before
    assert [name for name in written if not name.startswith(PREFIX)] == [SHARD, "manifest.json", "README.md"]


def test_loaded_examples_are_the_drawn_ones_in_any_order_and_thread(small, filled, monkeypatch):
    monkeypatch.setattr(stored, "CACHED_BYTES", 1)  # so that almost every example is read anew
    monkeypatch.setattr(stored, "OPEN_FILES", 2)
    read, drawn = load(str(filled), "train"), load(small.id, "train")
    indices = random.Random(0).choices(range(700), k=60)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(read.__getitem__, indices, timeout=60))
    found.append(pickle.loads(pickle.dumps(read))[699])
    for index, one in zip([*indices, 699], found, strict=True):
        assert (one.index, one.record) == (index, drawn[index].record)
        assert np.array_equal(one.inputs["grid"], drawn[index].inputs["grid"])


def test_what_is_right_is_found_right(filled):
    report = verify(filled, count=300, workers=1)
    assert (report.checked, report.right) == (300, True)


@pytest.mark.parametrize("damage", [flipped, lambda content: content[:1000], None], ids=["flipped", "cut off", "gone"])
def test_damage_is_found_and_mended(small, filled, damage):
    before = held_by(filled)
    if damage:
        change(filled, SHARD, damage)
    else:
        filled.remove(SHARD)
    assert verify(str(filled), workers=1).damaged == [SHARD]
    data = load(str(filled), "train")
    assert data[0].index == 0
    if damage is not flipped:  # by ranges, only who asks for the damaged page finds it
        with pytest.raises(DataError, match=rf"{SHARD} is damaged: .* --regenerate` mends it"):
            data[300]
    if damage:
        with pytest.raises(DataError, match=rf"{SHARD} is damaged"):
            generate(small, filled, **ASKED)
    generate(small, filled, **ASKED, regenerate=True)
    assert held_by(filled) == before


def test_no_page_that_was_damaged_is_given_out(small, filled):
    """Whole or by range, an example is right or an error."""
    change(filled, SHARD, flipped)
    data, drawn = load(str(filled), "train")[300:600], load(small.id, "train")[300:600]
    right = 0

    def compare() -> None:
        nonlocal right
        for one, other in zip(data, drawn, strict=True):
            assert one.record == other.record
            assert np.array_equal(one.inputs["grid"], other.inputs["grid"])
            right += 1

    with pytest.raises(DataError, match=rf"{SHARD} is damaged"):
        compare()
    assert right in (0, 256)  # up to the row group that was hit


def test_a_place_of_something_else_is_left_as_it_was(small, place):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"x": [1]}), sink)
    for name, content, told in (
        ("mine.parquet", sink.getvalue().to_pybytes(), "holds mine.parquet, which unseen did not write"),
        ("README.md", b"my notes", "has a README.md that unseen did not write"),
    ):
        place.write(name, content)
        with pytest.raises(DataError, match=told):
            generate(small, place, **ASKED, regenerate=True)
        assert held_by(place) == {name: content}
        place.remove(name)


def test_another_data_set_is_refused(small, filled):
    before = held_by(filled)
    with pytest.raises(DataError, match=r"holds .* \(seed 0, .*, not .* \(seed 3"):
        generate(small, filled, **ASKED, seed=3)
    assert held_by(filled) == before


def test_the_second_of_two_writers_is_refused_and_the_first_goes_on(small, place, monkeypatch):
    with place.one_writer():
        monkeypatch.setattr("unseen.data.claims.TRIES", 1)
        with pytest.raises(DataError, match="another process is writing to"):
            generate(small, place, **ASKED)
    generate(small, place, **ASKED)
    assert not [name for name in place.sizes() if name.startswith(PREFIX)]


def test_a_place_without_a_manifest_is_an_error_that_says_so(filled):
    filled.remove("manifest.json")
    with pytest.raises(DataError, match=r"has no manifest.json: .*finish it with `unseen generate`"):
        load(str(filled), "train")


@pytest.mark.parametrize("name", ["plain", "with space", "a+b=c&d", "100%25", "grün", "#1", "quote'd"])
def test_a_store_keeps_names_letter_by_letter(s3, name):
    place, longer = Store(f"s3://{s3.bucket}/{name}"), Store(f"s3://{s3.bucket}/{name}-2")
    longer.write("a", b"of the other")
    assert place.sizes() == {}, "the other's name begins with this one's"
    place.write("a", b"own")
    assert (place.sizes(), place.read("a"), longer.read("a")) == ({"a": 3}, b"own", b"of the other")
    found = {info.path for info in s3.system.get_file_info(FileSelector(s3.bucket, recursive=True))}
    assert f"{s3.bucket}/{name}/a" in found, "another tool finds it elsewhere"


def test_a_bucket_itself_is_a_place(s3, small, folder):
    place = Store(f"s3://{s3.bucket}")
    generate(small, place, **ASKED)
    assert held_by(place) == held_by(Folder(folder))


# ---------------------------------------------------------------------------- what users write


@pytest.mark.parametrize(
    ("written", "where"),
    [
        ("data/c1-1/", "data/c1-1"),
        ("data:1/x", "data:1/x"),
        ("C:\\data", "C:\\data"),
        ("cogitao/custom+grid=20", "cogitao/custom+grid=20"),
        ("file:///tmp/a%20b", "/tmp/a b"),
        ("file://localhost/tmp/x", "/tmp/x"),
    ],
)
def test_paths_are_folders(written, where):
    place = place_of(written)
    assert isinstance(place, Folder)
    assert place.path == Path(where)


@pytest.mark.parametrize(
    ("written", "shown", "asked"),
    [
        ("s3://bucket", "s3://bucket", "bucket"),
        ("s3://bucket/", "s3://bucket", "bucket"),
        ("S3://bucket/a b+c%20d/", "s3://bucket/a b+c%20d", "bucket/a b+c%20d"),
        ("s3://bucket/ü#1=x:y?region=eu-west-1", "s3://bucket/ü#1=x:y?region=eu-west-1", "bucket/ü#1=x:y"),
        ("gs://bucket/some/data", "gs://bucket/some/data", "bucket/some/data"),
        ("gs://anonymous@bucket/data", "gs://anonymous@bucket/data", "bucket/data"),
        ("abfs://container@account.dfs.core.windows.net/x", None, "container/x"),
    ],
)
def test_urls_are_taken_letter_by_letter(written, shown, asked, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")  # nobody is asked anything
    place = place_of(written)
    assert isinstance(place, Store)
    assert str(place) == (shown or written)
    assert place._system()[1] == asked
    assert str(pickle.loads(pickle.dumps(place))) == str(place)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("s3://", "names no bucket"),
        ("s3:///data", "names no bucket"),
        ("s3://bucket//data", "has an empty part"),
        ("s3://bucket/../other", "dots alone"),
        ("s3://bucket/a\nb", "cannot be printed"),
        ("s3:/bucket/data", "lacks a slash"),
        (Path("s3://bucket/data"), "lacks a slash"),
        ("file://data/x", "names no folder of this machine"),
        ("s3://bucket/x?endpoint=localhost", "no setting named 'endpoint' .* Did you mean 'endpoint_override'"),
    ],
)
def test_what_is_no_url_is_refused(written, told):
    with pytest.raises((SpecError, LookupError), match=told):
        place_of(written)


@pytest.mark.parametrize(
    "written",
    [
        "s3://someone:hidden@bucket/x",
        "s3://hidden@bucket/x",
        "abfs://:hidden@account.dfs.core.windows.net/x",
        "s3://bucket/x?secret_key=hidden",
        "s3://bucket/x?endpoint_override=http://someone:hidden@host",
    ],
)
def test_a_url_with_credentials_is_refused_without_repeating_them(written):
    with pytest.raises((SpecError, LookupError)) as refused:
        place_of(written)
    assert "hidden" not in str(refused.value)


def test_an_unknown_kind_of_store_is_one_sentence():
    with pytest.raises(DataError, match=r"could not open zz://x/y: .*zz"):
        read_manifest("zz://x/y")


def test_what_could_be_left_half_written_is_not_written():
    with pytest.raises(DataError, match="can be read but not written to"):
        place_of("mock://host/data").write("a", b"b")


def test_a_folder_that_is_named_like_a_task_goes_first(small, folder, tmp_path, monkeypatch):
    (tmp_path / "cogitao").mkdir()
    folder.rename(tmp_path / "cogitao" / "c1-1")
    monkeypatch.chdir(tmp_path)
    assert load("cogitao/c1-1").task.id == small.id
    assert is_place("cogitao/c1-1")
    assert not is_place("cogitao/c1-2")
