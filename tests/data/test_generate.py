from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from unseen.cli import main
from unseen.core.catalogue import task
from unseen.core.errors import DataError, SpecError, UnknownName, Unplaceable
from unseen.core.files import ASIDE
from unseen.data import shards
from unseen.data.dataset import Generated
from unseen.data.generate import generate
from unseen.data.lock import one_writer
from unseen.data.manifest import read_manifest
from unseen.data.places import Folder
from unseen.data.shards import FORMAT, Shard, examine, key_digest, read_footer

GENERATE = """
import sys
from dataclasses import replace
from unseen.core.catalogue import task
from unseen.core.task import KINDS
from unseen.data.generate import generate
if __name__ == "__main__":
    KINDS["grid"] = replace(KINDS["grid"], shard_rows=300)
    generate(task(sys.argv[1]), sys.argv[2], workers=2)
"""


def started(task_id: str, folder: Path) -> subprocess.Popen[bytes]:
    """A generator with two workers, in a session of its own."""
    return subprocess.Popen([sys.executable, "-c", GENERATE, task_id, str(folder)], start_new_session=True)


def alive(session: int) -> bool:
    """Whether any process of a session is."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of = path.read_text().rpartition(") ")[2].split()[:4]
        except OSError:
            continue  # ended since it was listed
        if int(of) == session and state != "Z":
            return True
    return False


def stamps(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}


def flip_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


# ---------------------------------------------------------------------------- what is written


def test_the_bytes_do_not_depend_on_the_number_of_workers(small, finished, tmp_path, contents):
    generate(small, tmp_path / "four", workers=4)
    assert contents(tmp_path / "four") == contents(finished)


def test_the_files_are_shards_manifest_card_and_lock(finished):
    shards = [
        f"{split}-{k:05}-of-{n:05}.parquet" for split, n in {"test": 4, "train": 3, "val": 4}.items() for k in range(n)
    ]
    assert sorted(path.name for path in finished.iterdir()) == [".lock", "README.md", "manifest.json", *shards]


def test_pyarrow_alone_reads_a_shard(small, finished):
    path = finished / "train-00001-of-00003.parquet"
    file = pq.ParquetFile(path)
    assert [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)] == [256, 44]
    assert not file.metadata.row_group(0).column(0).is_stats_set
    table = file.read()
    assert table.column_names == ["index", "key", "input_grid", "input_code", "target_grid", "scene"]
    assert [str(table.schema.field(name).type) for name in ("index", "key")] == ["int64", "uint64"]
    assert table.schema.field("input_grid").type == pa.list_(pa.list_(pa.int8()))
    row = table.slice(5, 1).to_pylist()[0]
    record, key = Generated(small, "train", 0).draw(305)
    assert (row["index"], row["key"], tuple(row["scene"]["sequence"])) == (305, key, record.sequence)
    assert np.array(row["input_grid"]).shape == (record.query.height, record.query.width)


def test_all_shards_of_a_folder_have_one_schema(finished):
    first, *others = (pq.read_schema(path) for path in finished.glob("*.parquet"))
    assert all(first.equals(schema) for schema in others)
    assert all(first.field(name).metadata == schema.field(name).metadata for schema in others for name in first.names)


def test_a_shard_says_what_it_is(small, finished):
    footer, entry = examine(Folder(finished), "train-00002-of-00003.parquet")
    assert (footer.task, footer.split, footer.seed) == (small.id, "train", 0)
    assert (footer.count, footer.start, footer.stop, entry.rows) == (900, 600, 900, 300)
    keys = [Generated(small, "train", 0).draw(index)[1] for index in range(600, 900)]
    assert footer.keys == entry.keys == key_digest(keys)
    assert set(footer.made_with) == {"unseen", "numpy", "numba", "pyarrow"}


def test_the_manifest_lists_every_shard_and_the_moved_indices(small, finished):
    manifest = read_manifest(finished)
    listed = [entry for split in manifest.splits.values() for entry in split.shards]
    assert sorted(entry.file for entry in listed) == sorted(path.name for path in finished.glob("*.parquet"))
    assert all(entry == examine(Folder(finished), entry.file)[1] for entry in listed)
    for name, split in manifest.splits.items():
        assert split.count == small.split(name).size
        assert split.moved == Generated(small, name, 0).moved
    assert any(split.moved for split in manifest.splits.values())


def test_a_prefix_of_a_split_has_the_same_examples(small, finished, folder):
    one, other = (
        pq.read_table(path / name)
        for path, name in ((finished, "train-00002-of-00003.parquet"), (folder, "train-00002-of-00003.parquet"))
    )
    assert len(other) == 100
    assert one.slice(0, 100).equals(other)


def test_small_splits_are_written_whole_when_a_larger_count_is_asked_for(small, tmp_path):
    generate(small, tmp_path, splits=["train", "val"], count=950, workers=1)
    assert {name: split.count for name, split in read_manifest(tmp_path).splits.items()} == {"train": 900, "val": 950}


def test_progress_counts_examples_up_to_all_of_them(small, tmp_path):
    told = []
    generate(small, tmp_path, splits=["train"], count=700, workers=1, progress=lambda *done: told.append(done))
    assert told == [(300, 700), (600, 700), (700, 700)]


# ---------------------------------------------------------------------------- asking for what cannot be


@pytest.mark.parametrize("count", [0, 1001])
def test_a_count_that_no_split_has_is_refused(small, tmp_path, count):
    with pytest.raises(SpecError, match=r"count must be within 1 and 1,000, the size of .* val, got"):
        generate(small, tmp_path / "x", count=count)
    assert not (tmp_path / "x").exists()


def test_unknown_splits_and_no_splits_are_refused(small, tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'train'"):
        generate(small, tmp_path, splits=["trian"])
    with pytest.raises(SpecError, match="name at least one split"):
        generate(small, tmp_path, splits=[])


def test_what_the_sampler_cannot_draw_is_its_own_error(tmp_path):
    contradictory = task("cogitao/custom", properties="symmetric", unwanted="symmetric")
    with pytest.raises(Unplaceable):
        generate(contradictory, tmp_path, workers=1)


# ---------------------------------------------------------------------------- starting again


def test_only_missing_shards_are_made(small, folder, contents):
    before, stamped = contents(folder), stamps(folder)
    (folder / "train-00001-of-00003.parquet").unlink()
    (folder / "manifest.json").unlink()
    generate(small, folder, splits=["train"], count=700, workers=1)
    assert contents(folder) == before
    changed = {name for name, stamp in stamps(folder).items() if stamp != stamped[name]}
    assert changed == {"train-00001-of-00003.parquet"}


def test_a_split_can_be_added_later(small, folder):
    stamped = stamps(folder)
    generate(small, folder, splits=["val"], count=300, workers=1)
    assert {name: split.count for name, split in read_manifest(folder).splits.items()} == {"train": 700, "val": 300}
    assert stamped.items() <= stamps(folder).items()


def test_an_unfinished_split_of_an_earlier_run_is_not_listed(small, folder):
    (folder / "train-00001-of-00003.parquet").unlink()
    generate(small, folder, splits=["val"], count=300, workers=1)
    assert list(read_manifest(folder).splits) == ["val"]


def test_leftovers_of_killed_writers_are_removed(small, folder):
    room, kept = folder / f".train-00000-of-00003.parquet{ASIDE}12345", folder.parent / "kept"
    for place in (room, kept):
        place.mkdir()
        (place / "whole").write_bytes(b"half")
    (folder / f".link{ASIDE}12345").symlink_to(kept)
    generate(small, folder, splits=["train"], count=700, workers=1)
    assert not list(folder.glob(f"*{ASIDE}*"))
    assert (kept / "whole").exists()


@pytest.mark.parametrize(
    ("written", "flipped"), [(b'"numpy": "', b'"nuopy": "'), (b"target_grid", b"targmt_grid")], ids=["value", "column"]
)
def test_a_flip_in_the_footer_is_found_without_a_manifest(small, folder, written, flipped):
    (folder / "manifest.json").unlink()
    shard = folder / "train-00001-of-00003.parquet"
    whole = shard.read_bytes()
    shard.write_bytes(whole.replace(written, flipped, 1))
    assert shard.read_bytes() != whole
    with pytest.raises(DataError, match="is damaged: it does not fit its seal"):
        generate(small, folder, splits=["train"], count=700, workers=1)


def test_a_planted_lock_is_not_followed(small, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / ".lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DataError, match="could not write"):
        generate(small, tmp_path / "data", splits=["train"], count=300, workers=1)
    assert not (tmp_path / "elsewhere").exists()


def killed_and_resumed(small, folder, wait: float) -> None:
    process = started(small.id, folder)
    end = time.monotonic() + 60
    while not list(folder.glob("*.parquet*")) and time.monotonic() < end:
        time.sleep(0.005)
    time.sleep(wait)
    process.kill()
    process.wait()
    end = time.monotonic() + 5
    while alive(process.pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert not alive(process.pid), "a worker outlived the process that started it"
    for path in folder.glob("*.parquet"):
        examine(Folder(folder), path.name)
    generate(small, folder, workers=1)


@pytest.mark.parametrize("round", [*range(3), *(pytest.param(k, marks=pytest.mark.slow) for k in range(3, 15))])
def test_a_run_that_was_killed_ends_with_the_same_bytes(small, finished, tmp_path, contents, round):
    killed_and_resumed(small, tmp_path / "killed", random.Random(round).uniform(0, 0.25))
    assert contents(tmp_path / "killed") == contents(finished)


# ---------------------------------------------------------------------------- damage


@pytest.mark.parametrize("damage", [flip_byte, lambda path: os.truncate(path, 1000)], ids=["flipped", "truncated"])
def test_a_damaged_shard_is_named_and_made_again_only_on_request(small, folder, contents, damage):
    before, stamped = contents(folder), stamps(folder)
    damage(folder / "train-00001-of-00003.parquet")
    with pytest.raises(DataError, match=r"train-00001-of-00003.parquet is damaged: .*--regenerate"):
        generate(small, folder, splits=["train"], count=700, workers=1)
    generate(small, folder, splits=["train"], count=700, workers=1, regenerate=True)
    assert contents(folder) == before
    changed = {name for name, stamp in stamps(folder).items() if stamp != stamped[name]}
    assert changed == {"train-00001-of-00003.parquet"}


def test_damage_in_a_split_that_is_not_asked_for_is_an_error(small, folder):
    flip_byte(folder / "train-00001-of-00003.parquet")
    with pytest.raises(DataError, match=r"train-00001-of-00003.parquet is damaged"):
        generate(small, folder, splits=["val"], count=300, workers=1, regenerate=True)


def test_damage_is_found_without_a_manifest_too(small, folder):
    (folder / "manifest.json").unlink()
    flip_byte(folder / "train-00002-of-00003.parquet")
    with pytest.raises(DataError, match=r"train-00002-of-00003.parquet is damaged"):
        generate(small, folder, splits=["train"], count=700, workers=1)


# ---------------------------------------------------------------------------- folders that hold something else


def refused(task_asked, folder, contents, match, **options):
    before = contents(folder)
    with pytest.raises(DataError, match=match):
        generate(task_asked, folder, splits=["train"], workers=1, **options)
    assert contents(folder) == before


def test_the_folder_of_another_task_is_refused(folder, contents):
    other = task("cogitao/custom", samples=10)
    refused(other, folder, contents, r"holds cogitao/custom\+depth=1.* not cogitao/custom\+samples=10")


def test_the_folder_of_another_seed_is_refused(small, folder, contents):
    refused(small, folder, contents, r"\(seed 0, .*\), not .*\(seed 1, ", seed=1, count=700)


def test_the_folder_of_another_version_is_refused(small, folder, contents):
    newer = replace(small, benchmark=replace(small.benchmark, version=99))
    refused(newer, folder, contents, "version 1, .* version 99", count=700)


def test_a_shard_of_another_format_is_refused_and_not_taken_for_damaged(small, folder, contents):
    path = folder / "train-00001-of-00003.parquet"
    table = pq.read_table(path)
    metadata = {b"unseen": json.dumps({"format": FORMAT + 1, "of a later": "version"})}
    pq.write_table(table.replace_schema_metadata(metadata), path)
    told = f"is of shard format {FORMAT + 1}, and .* format {FORMAT}"
    refused(small, folder, contents, told, count=700, regenerate=True)


def test_another_count_in_the_same_folder_is_refused(small, folder, contents):
    refused(small, folder, contents, "holds a train split of 700 examples, and 900 are asked for")
    refused(small, folder, contents, "holds a train split of 700 examples, and 650 are asked for", count=650)


def test_a_folder_with_other_files_is_refused(small, tmp_path, contents):
    pq.write_table(pa.table({"x": [1]}), tmp_path / "mine.parquet")
    refused(small, tmp_path, contents, "holds mine.parquet, which unseen did not write")
    (tmp_path / "mine.parquet").unlink()
    (tmp_path / "README.md").write_text("my notes")
    refused(small, tmp_path, contents, "has a README.md that unseen did not write")


@pytest.mark.parametrize("name", ["copy.parquet", "train-00000-of-00003.parquet"])
def test_a_renamed_shard_is_refused(small, folder, contents, name):
    (folder / "train-00001-of-00003.parquet").rename(folder / name)
    refused(small, folder, contents, f"{name} does not have the name it was written under", count=700)


def test_the_second_of_two_writers_is_refused(small, tmp_path):
    with one_writer(tmp_path), pytest.raises(DataError, match=f"another process is writing to {tmp_path}"):
        generate(small, tmp_path, workers=1)


# ---------------------------------------------------------------------------- folders that cannot be written to


def test_a_folder_that_cannot_be_made_is_one_sentence(small, tmp_path):
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/unseen")):
        with pytest.raises(DataError, match=f"could not write {place}: .*; choose a place that can be written to"):
            generate(small, place, workers=1)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_is_one_sentence_and_keeps_what_is_finished(small, tmp_path, workers):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk needs rights that this user has not")
    try:
        with pytest.raises(DataError, match=r"no space left to write .*parquet; free some and run again"):
            generate(small, disk / "small", workers=workers)
        shards = list((disk / "small").glob("*.parquet"))
        assert shards
        assert all(read_footer(Folder(path.parent), path.name) for path in shards)
        assert not list((disk / "small").glob(f".*{ASIDE}*"))
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_disk_that_fills_up_on_the_manifest_is_one_sentence(small, folder, monkeypatch, contents):
    before = contents(folder)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DataError, match=r"no space left to write .*manifest.json"):
        generate(small, folder, splits=["train"], count=700, workers=1)
    assert contents(folder) == before


# ---------------------------------------------------------------------------- the card


def test_the_card_tells_hugging_face_where_the_splits_are(finished):
    card = (finished / "README.md").read_text()
    assert card.startswith("---\nlicense: apache-2.0\n")
    for split in ("train", "val", "test"):
        assert f"  - split: {split}\n    path: {split}-*.parquet\n" in card
        assert len(list(finished.glob(f"{split}-*.parquet"))) == len(read_manifest(finished).splits[split].shards)


def test_the_lines_of_the_card_that_load_run(finished):
    blocks = (finished / "README.md").read_text().split("```python\n")[1:]
    for block in blocks:
        code = block.partition("```")[0]
        if "import datasets" not in code:  # tests/data/test_hugging_face.py runs it
            exec(code, {"folder": str(finished)})


def test_the_commands_on_the_card_make_the_same_files(small_task, tmp_path, monkeypatch):
    original = tmp_path / "original"
    for splits, count in ((["train"], 30), (["val", "test"], None)):
        generate(task(small_task), original, splits=splits, count=count, seed=3, workers=1)
    text = (original / "README.md").read_text().partition("can be made anywhere with\n\n")[2].partition("\n\n#")[0]
    commands = [line.split() for line in text.splitlines()]
    assert len(commands) == 2
    monkeypatch.chdir(tmp_path)
    for command in commands:
        with pytest.raises(SystemExit) as exit:
            main(command[1:])
        assert exit.value.code == 0
    again = tmp_path / "data" / small_task
    files = sorted(path.name for path in original.iterdir() if path.suffix)
    assert [(again / name).read_bytes() for name in files] == [(original / name).read_bytes() for name in files]


def test_a_list_that_is_empty_at_first_has_the_type_of_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = np.zeros((2, 2), np.int8)
    monkeypatch.setattr(shards, "arrays_of", lambda example: {"input_shown": [grid] * example.index})
    _, content = shards.encode_shard(Generated(task("cogitao/c1-1"), "val", 0), Shard("val", 0, 1, 0, 3), 3)
    shown = pq.read_table(pa.BufferReader(content))["input_shown"].to_pylist()
    assert shown == [[grid.tolist()] * count for count in range(3)]
