"""What an object store can do to data: failures, late listings, other writers, death in the middle; and copies."""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from unseen.cli import main
from unseen.core.errors import DataError, SpecError
from unseen.core.seals import without_seal
from unseen.data import claims, copies
from unseen.data.dataset import load
from unseen.data.export import export
from unseen.data.generate import generate
from unseen.data.places import INHERITED, Folder, Store, Unreachable
from unseen.data.verify import verify

ASKED = {"splits": ["train"], "count": 700, "workers": 1}
FIRST, SECOND, LAST = (f"train-0000{k}-of-00003.parquet" for k in range(3))
GENERATE = """
import sys
from dataclasses import replace
from unseen.core.catalogue import task
from unseen.core.task import KINDS
from unseen.data.generate import generate
KINDS["grid"] = replace(KINDS["grid"], shard_rows=300)
generate(task(sys.argv[1]), sys.argv[2], splits=["train"], count=700, workers=1)
"""


@pytest.fixture
def store(s3) -> Store:
    return Store(f"s3://{s3.bucket}/data")


@pytest.fixture
def filled(store, folder) -> Store:
    for name, content in held_by(Folder(folder)).items():
        store.write(name, content)
    return store


def held_by(place):
    return {name: place.read(name) for name in place.sizes() if name != ".lock"}


def exit_code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


# ---------------------------------------------------------------------------- failures


@pytest.mark.parametrize("what", ["refuse", "drop", "cut"])
def test_a_failure_that_passes_is_not_noticed(s3, filled, what):
    s3.fail(what, method="GET", path=f"{FIRST}|manifest.json", times=2)
    assert load(str(filled), "train")[0].index == 0
    assert s3.faults[0].happened == 2


def test_slow_bodies_are_waited_for(s3, filled):
    s3.fail("drip", method="GET")
    assert load(str(filled), "train")[0].index == 0


@pytest.mark.parametrize(
    ("what", "told"), [("refuse", "the store is overloaded; run again later"), ("cut", "the store cannot be reached")]
)
def test_a_failure_that_lasts_is_one_sentence_and_not_taken_for_damage(s3, filled, monkeypatch, what, told):
    monkeypatch.setenv("UNSEEN_CACHE_BYTES", "0")
    data = load(str(filled), "train")
    s3.fail(what, method="GET", path=FIRST)
    with pytest.raises(Unreachable, match=rf"could not read s3://.*/{FIRST}: {told}"):
        data[0]
    assert 2 <= len(s3.seen("GET", FIRST)) <= 40, "tried again, and not without end"
    s3.faults.clear()
    assert data[0].index == 0


@pytest.mark.parametrize("what", ["refuse", "drop"])
def test_a_failed_upload_leaves_what_is_finished_and_nothing_else(s3, small, store, folder, what):
    s3.fail(what, method="PUT|POST", path=SECOND)
    with pytest.raises(Unreachable, match=rf"could not write s3://.*/{SECOND}: the store"):
        generate(small, store, **ASKED)
    assert list(store.sizes()) == [FIRST]
    s3.faults.clear()
    generate(small, store, **ASKED)
    assert held_by(store) == held_by(Folder(folder))


def test_an_interrupt_waits_for_an_upload_that_has_begun(s3, store):
    """An exception inside an open upload would publish what has come so far."""
    content = bytes(range(256)) * 1000
    s3.fail("drip", method="PUT", path="large")
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    timer.start()

    def write() -> None:
        store.write("large", content)
        timer.join()

    with pytest.raises(KeyboardInterrupt):
        write()
    assert store.read("large") == content


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [(403, "AccessDenied", "the store denies access"), (404, "NoSuchBucket", "there is no such bucket; make it first")],
)
def test_a_refusal_is_one_sentence_that_says_what_to_do(s3, small, store, capfd, status, code, told):
    s3.fail("refuse", status=status, code=code)
    with pytest.raises(DataError, match=told) as refused:
        generate(small, store, **ASKED)
    told = str(refused.value) + "".join(capfd.readouterr())
    assert "never-to-be-told" not in told
    s3.faults.clear()
    assert store.sizes() == {}


def test_a_bucket_that_is_not_there_is_one_sentence(s3, small, capsys):
    assert exit_code("generate", small.id, "--out", "s3://nowhere/data") == 2
    assert "could not write s3://nowhere/data/" in capsys.readouterr().err
    assert exit_code("verify", "s3://nowhere/data") == 2
    assert "there is no bucket for s3://nowhere/data" in capsys.readouterr().err


def test_commands_take_urls_with_an_endpoint_and_tell_no_secret(s3, small, monkeypatch, capfd):
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    url = f"s3://{s3.bucket}/data?endpoint_override={s3.url}"
    assert exit_code("generate", small.id, "train", "--count", "310", "--workers", "1", "--out", url) == 0
    assert exit_code("verify", url, "--workers", "1", "--count", "20") == 0
    place = Store(url)
    told = "".join(capfd.readouterr()) + "".join(map(str, held_by(place).values()))
    assert f"{url}: 310 examples" in told
    assert "never-to-be-told" not in told


# ---------------------------------------------------------------------------- listings that are late


def test_a_listing_that_is_late_costs_work_and_no_data(s3, small, filled, folder):
    before = held_by(filled)
    for name in before:
        filled.remove(name)
    late = s3.fail("stale", method="GET", path="list-type=2")
    assert filled.sizes() == {}
    for name, content in before.items():
        filled.write(name, content)
    generate(small, filled, **ASKED)  # sees nothing of what is there
    assert late.happened > 2
    s3.faults.clear()
    assert held_by(filled) == before


def test_a_file_that_is_listed_and_gone_is_made_again(s3, small, filled):
    before = held_by(filled)
    late = s3.fail("stale", method="GET", path="list-type=2")
    assert filled.sizes()
    filled.remove(SECOND)
    generate(small, filled, **ASKED)
    assert late.happened
    s3.faults.clear()
    assert held_by(filled) == before


# ---------------------------------------------------------------------------- other writers, and their end


def test_a_writer_killed_in_the_middle_of_an_upload_leaves_no_part_of_it(s3, small, store, folder):
    held = s3.fail("hold", method="PUT|POST", path=SECOND, times=1)
    process = subprocess.Popen([sys.executable, "-c", GENERATE, small.id, str(store)])
    try:
        assert held.waiting.wait(120)
    finally:
        process.kill()
        process.wait()
    names = list(store.sizes())
    assert [name for name in names if name.endswith(".parquet")] == [FIRST]
    assert len([name for name in names if name.startswith(claims.PREFIX)]) == 1, "it had no time to give its claim back"
    generate(small, store, **ASKED)  # at once: the process is seen to be gone
    assert held_by(store) == held_by(Folder(folder))


def test_two_writers_at_once_end_in_the_same_bytes(small, store, folder, monkeypatch):
    monkeypatch.setattr(claims, "TRIES", 2)

    def write(_):
        try:
            generate(small, store, **ASKED)
        except DataError as error:
            return str(error)

    with ThreadPoolExecutor(2) as pool:
        told = [error for error in pool.map(write, range(2)) if error]
    assert all("another process is writing to" in error for error in told)
    if len(told) == 2:  # both gave way, both times
        generate(small, store, **ASKED)
    assert held_by(store) == held_by(Folder(folder))


def test_a_claim_of_another_machine_counts_until_it_is_old(small, store, monkeypatch):
    store.write(f"{claims.PREFIX}other", b'{"host": "afar", "process": 7, "machine": "another"}')
    monkeypatch.setattr(claims, "TRIES", 1)
    with pytest.raises(DataError, match=r"another process is writing to .* \(process 7 of afar\)"):
        generate(small, store, **ASKED)
    assert list(store.sizes()) == [f"{claims.PREFIX}other"]
    monkeypatch.setattr(claims, "LEASE", -1.0)
    with store.one_writer():
        assert f"{claims.PREFIX}other" not in store.sizes()


def test_a_claim_is_renewed_while_its_owner_writes(s3, store, monkeypatch):
    monkeypatch.setattr(claims, "LEASE", 0.2)
    with store.one_writer():
        (name,) = store.sizes()
        end = time.monotonic() + 20
        while len(s3.seen("PUT", name)) < 3 and time.monotonic() < end:
            time.sleep(0.01)
    assert len(s3.seen("PUT", name)) >= 3
    assert store.sizes() == {}


def test_shards_that_another_writer_put_there_meanwhile_are_found(small, store, folder, monkeypatch):
    """As if claims had not been seen: the other writes another data set."""
    other = "val-00000-of-00009.parquet"
    monkeypatch.setattr("unseen.data.generate._make_missing", lambda *_: store.write(other, b"x") or {})
    with pytest.raises(DataError, match=f"{other} was written by another process meanwhile"):
        generate(small, store, **ASKED)
    assert list(store.sizes()) == [other]


# ---------------------------------------------------------------------------- copies on this machine


def cached(tmp_path):
    return sorted((tmp_path / "cache" / "shards").glob("*"))


def test_a_shard_is_fetched_once_for_all_who_need_it(s3, filled, tmp_path):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: load(str(filled), "train")[0].arrays, range(4)))
    assert len(s3.seen("GET", FIRST)) == 1
    assert not s3.seen("GET", SECOND)
    copy, room = cached(tmp_path)
    assert copy.read_bytes() == filled.read(FIRST)
    assert room.name == copies.ROOM
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (copy.parent, copy)]
    assert [oct(mode) for mode in modes] == ["0o700", "0o600"]


def test_a_damaged_copy_is_thrown_away(s3, filled, tmp_path):
    load(str(filled), "train")[0]
    copy = cached(tmp_path)[0]
    whole = copy.read_bytes()
    for spoiled in (whole[:-1], whole[:500] + b"?" + whole[501:]):
        copy.write_bytes(spoiled)
        assert load(str(filled), "train")[0].index == 0
        assert copy.read_bytes() == whole
    assert len(s3.seen("GET", FIRST)) == 3


def test_no_name_in_a_manifest_leads_out_of_the_cache(filled, tmp_path):
    manifest = json.loads(without_seal(filled.read("manifest.json"), ""))
    manifest["splits"]["train"]["shards"][0]["sha256"] = "../../planted"
    filled.write("manifest.json", json.dumps(manifest).encode())
    with pytest.raises(DataError, match=r"manifest.json cannot be read; write it again"):
        load(str(filled), "train")
    assert not (tmp_path / "planted").exists()


def test_copies_stay_within_their_bound(filled, tmp_path, monkeypatch):
    sizes = filled.sizes()
    bound = sizes[FIRST] + sizes[SECOND] + sizes[LAST]
    monkeypatch.setenv("UNSEEN_CACHE_BYTES", str(bound))
    shards = tmp_path / "cache" / "shards"
    shards.mkdir(parents=True, mode=0o700)
    (shards / "older").write_bytes(bytes(bound - 1))
    os.utime(shards / "older", (1, 1))
    (shards / f"killed{copies.PART}").write_bytes(bytes(1000))  # by nobody who lives
    data = load(str(filled), "train")
    for index in (0, 300, 600):
        assert data[index].index == index
        assert sum(path.stat().st_size for path in cached(tmp_path)) <= bound
    assert {"older", f"killed{copies.PART}"}.isdisjoint(path.name for path in cached(tmp_path))


@pytest.mark.parametrize("why", ["open to others", "not a folder"])
def test_without_a_cache_of_ones_own_shards_are_read_by_range(filled, tmp_path, why):
    shards = tmp_path / "cache" / "shards"
    shards.parent.mkdir()
    if why == "not a folder":
        shards.write_text("")
    else:
        shards.mkdir(mode=0o777)
        shards.chmod(0o777)
    assert load(str(filled), "train")[0].index == 0
    assert cached(tmp_path) == []


def test_on_a_full_disk_shards_are_read_by_range(filled, tmp_path):
    data = load(str(filled), "train")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))  # no file of this process may be larger
    try:
        assert data[0].index == 0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in cached(tmp_path)] == [copies.ROOM]


READ = """
import sys
from unseen.data.dataset import load
print(load(sys.argv[1], "train")[0].index)
"""


def test_processes_wait_for_the_one_that_fetches(s3, filled, tmp_path):
    s3.fail("drip", method="GET", path=FIRST)
    command, told = [sys.executable, "-c", READ, str(filled)], os.environ | {"UNSEEN_CACHE": str(tmp_path / "cache")}
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, env=told) for _ in range(2)]
    assert [one.communicate(timeout=120)[0] for one in both] == [b"0\n", b"0\n"]
    assert len(s3.seen("GET", FIRST)) == 1


@pytest.mark.parametrize("room", ["0", str(2**30)], ids=["by range", "copied"])
def test_a_shard_that_is_replaced_while_it_is_read_is_right_or_an_error(s3, small, filled, monkeypatch, room):
    monkeypatch.setenv("UNSEEN_CACHE_BYTES", room)
    data, drawn = load(str(filled), "train"), load(small.id, "train")
    assert data[0].record == drawn[0].record
    filled.write(FIRST, filled.read(SECOND))
    for index in (1, 255, 256, 299):
        try:
            assert data[index].record == drawn[index].record
        except DataError as error:
            assert f"{FIRST} is damaged" in str(error)  # noqa: PT017  either is right


def test_an_index_costs_a_few_ranges_and_no_whole_shard(s3, filled, monkeypatch):
    monkeypatch.setenv("UNSEEN_CACHE_BYTES", "0")
    s3.requests.clear()
    data = load(str(filled), "train")
    for index in (299, 290, 257):
        assert data[index].arrays
    assert {path.path.rpartition("/")[2] for path in s3.seen("GET")} == {"manifest.json", FIRST}
    ranges = [one.range for one in s3.seen("GET", FIRST)]
    assert len(ranges) <= 3
    assert all(one.startswith("bytes=") for one in ranges)
    again = load(str(filled), "train")
    s3.requests.clear()
    again[5].arrays  # noqa: B018
    assert len(s3.seen("GET", FIRST)) == len(ranges)


@pytest.mark.parametrize("told", ["lots", "-1", "1e9"])
def test_a_bound_that_is_no_number_is_refused(filled, monkeypatch, told):
    monkeypatch.setenv("UNSEEN_CACHE_BYTES", told)
    with pytest.raises(SpecError, match="UNSEEN_CACHE_BYTES is a number of bytes"):
        load(str(filled), "train")


def test_a_forked_process_leaves_the_connections_of_its_parent_alone(filled, monkeypatch):
    monkeypatch.setenv("UNSEEN_CACHE_BYTES", "0")
    data = load(str(filled), "train")
    data[0].arrays  # noqa: B018
    files, system = data.source._files, data.source.place._opened[1]
    monkeypatch.setattr(os, "getpid", lambda: -1)  # as it is in another process
    assert data[300].index == 300
    assert data.source._files is not files
    assert data.source.place._opened[1] is not system
    assert any(one is files for one in INHERITED)


def test_workers_of_pytorch_read_from_a_store(filled, small, monkeypatch):
    pytest.importorskip("torch", reason='no PyTorch: pip install ".[train]"')
    monkeypatch.setenv("UNSEEN_CACHE_BYTES", "0")
    data = load(str(filled), "train")
    data[0].arrays  # noqa: B018  the store is open before workers are forked
    batches = list(data.torch(batch_size=100, num_workers=2))
    assert [int(index) for batch in batches for index in batch["index"]] == list(range(700))
    alone = next(iter(load(small.id, "train").torch(batch_size=100)))
    assert batches[0]["input_grid"].equal(alone["input_grid"])


def test_verify_reads_every_byte_of_what_is_read_by_range(s3, filled, monkeypatch):
    monkeypatch.setenv("UNSEEN_CACHE_BYTES", "0")
    content = filled.read(LAST)
    at = content.index(b"target_grid")  # in the footer, where no page has a checksum
    filled.write(LAST, content[:at] + b"targot_grid" + content[at + 11 :])
    assert verify(filled, workers=1).damaged == [LAST]


def test_datasets_streams_from_a_store_what_it_is_asked_for(s3, filled, tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets", reason='no datasets: pip install ".[hf]"')
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path))
    paths = [f"{s3.bucket}/data/{name}" for name in (FIRST, SECOND, LAST)]
    for path in paths:  # for everybody to read, since a plain URL has no credentials
        content = filled.read(path.rpartition("/")[2])
        with s3.system.open_output_stream(path, metadata={"ACL": "public-read"}) as stream:
            stream.write(content)
    urls = [f"{s3.url}/{path}" for path in paths]
    s3.requests.clear()
    rows = datasets.load_dataset("parquet", data_files={"train": urls}, split="train", streaming=True)
    assert next(iter(rows))["index"] == 0
    read = {one.path.rpartition("/")[2] for one in s3.seen("GET") if one.range}  # others are asked whether they exist
    assert read == {FIRST}


def test_published_files_are_exported_to_a_store(filled, tmp_path):
    data = load(str(filled), "train")[:5]
    (near,) = export(data, tmp_path / "here", "json")
    (far,) = export(data, filled, "json")
    assert far == str(filled) + str(near).removeprefix(str(tmp_path / "here"))
    assert filled.read(far.removeprefix(f"{filled}/")) == near.read_bytes()
