"""The engine ray on a real cluster of several nodes: what a lost node, odd versions and missing code cost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from unseen.core.errors import DataError, MissingExtra, SpecError
from unseen.data.places import Folder, Place, place_of
from unseen.engines import on_ray

ray = pytest.importorskip("ray", reason="the engine ray is not tested without its package")

TASK = "cogitao/c1-1"
COUNT = 16_384  # examples: four shards


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """A node of one core and one GPU, as far as Ray can tell; it may write to the store of the tests."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")  # Ray's own 15 is hardly any time on a busy machine
        patch.setenv("RAY_raylet_start_wait_time_s", "300")
        for name, value in {
            "ACCESS_KEY_ID": "someone",
            "SECRET_ACCESS_KEY": "x",
            "DEFAULT_REGION": "us-east-1",
        }.items():
            patch.setenv(f"AWS_{name}", value)
        about = {"num_cpus": 1, "num_gpus": 1, "include_dashboard": False}
        found = Cluster(initialize_head=True, head_node_args=about)
        yield found
        found.shutdown()


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What this machine alone writes."""
    folder = tmp_path_factory.mktemp("local") / "data"
    assert not noise(generate(folder).communicate(timeout=600)[1])
    return contents(Folder(folder))


def generate(out: Path | str, *options: str) -> subprocess.Popen[str]:
    command = ["generate", TASK, "train", "--count", str(COUNT), "--out", str(out), "--workers", "2", *options]
    return subprocess.Popen(
        [sys.executable, "-m", "unseen", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def noise(errors: str) -> list[str]:
    """What was printed besides the progress of long work."""
    return [line for line in errors.splitlines() if not line.startswith(("examples: ", "unseen: "))]


def contents(place: Place) -> dict[str, bytes]:
    return {name: place.read(name) for name in place.sizes() if not name.startswith(".")}


@pytest.mark.parametrize("where", ["folder", "store"])
def test_a_node_that_is_killed_in_the_middle_costs_no_byte(
    cluster: Any, local: dict[str, bytes], tmp_path: Path, request: pytest.FixtureRequest, where: str
) -> None:
    out = str(tmp_path / "ray")
    if where == "store":
        s3 = request.getfixturevalue("s3")
        out = f"s3://{s3.bucket}/ray?endpoint_override={s3.url}"
    doomed = cluster.add_node(num_cpus=1)
    started = generate(out, "--engine", "ray", "--address", cluster.address)
    end = time.monotonic() + 300
    while not any(name.endswith(".parquet") for name in place_of(out).sizes()) and time.monotonic() < end:
        time.sleep(0.02)
    assert started.poll() is None, "it ended before a node could be killed"
    cluster.remove_node(doomed, allow_graceful=False)
    said, errors = started.communicate(timeout=600)
    assert started.returncode == 0, errors
    assert f"{COUNT:,} examples" in said
    assert not noise(errors)  # as quiet as on this machine alone
    assert contents(place_of(out)) == local
    assert len(local) == 6  # four shards, manifest and card


WORKING = """
import sys
from unseen.engines import engine
list(engine("ray", address=sys.argv[1])(eval, sys.argv[2:], 1))
"""


def test_an_interrupt_leaves_no_job_in_a_cluster(cluster: Any, tmp_path: Path) -> None:
    began = tmp_path / "began"
    job = f"(open({str(began)!r}, 'w').close(), __import__('time').sleep(600))"
    started = subprocess.Popen(
        [sys.executable, "-c", WORKING, cluster.address, job, job], stderr=subprocess.DEVNULL, start_new_session=True
    )
    end = time.monotonic() + 120
    while not began.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert began.exists()
    os.killpg(started.pid, signal.SIGINT)
    assert started.wait(60)
    done = subprocess.run([sys.executable, "-c", WORKING, cluster.address, "1"], timeout=120)
    assert done.returncode == 0, "the only core was not free"


MEETING = """
import os, time
def meet(job):
    number, patience = job
    open(f"here-{number}", "w").close()
    end = time.monotonic() + patience
    while not (met := os.path.exists(f"here-{1 - number}")) and time.monotonic() < end:
        time.sleep(0.02)
    return os.environ.get("CUDA_VISIBLE_DEVICES"), met
"""
SHARED = """
import json, sys
from meeting import meet
from unseen.engines import engine
address, share, patience = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
print(json.dumps(list(engine("ray", address=address, cpus=0.5, gpus=share)(meet, [(0, patience), (1, patience)], 2))))
"""


@pytest.mark.parametrize(("share", "patience", "met"), [("0.5", "60", [True, True]), ("1", "1", [False, True])])
def test_jobs_share_a_gpu_or_take_turns(
    cluster: Any, tmp_path: Path, share: str, patience: str, met: list[bool]
) -> None:
    (tmp_path / "meeting.py").write_text(MEETING)
    command = [sys.executable, "-c", SHARED, cluster.address, share, patience]
    told = json.loads(subprocess.check_output(command, timeout=120, cwd=tmp_path))
    assert [gpu for gpu, _ in told] == ["0", "0"]
    assert sorted(both for _, both in told) == met


def test_what_no_node_has_is_refused_instead_of_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = [{"Alive": True, "Resources": {"CPU": 4.0, "GPU": 1.0}}, {"Alive": False, "Resources": {"CPU": 64.0}}]
    monkeypatch.setattr(ray, "nodes", lambda: nodes)
    monkeypatch.setattr(ray, "is_initialized", lambda: True)
    assert on_ray._slots(ray, 1, 0) == 4
    assert on_ray._slots(ray, 1, 0.5) == 2
    with pytest.raises(SpecError, match="no node of the Ray cluster has 1 cores and 8 GPUs"):
        list(on_ray.run(abs, [1], gpus=8))


def test_a_node_of_other_versions_refuses_the_work() -> None:
    versions = on_ray._versions() | {"pyarrow": "3.0"}
    with pytest.raises(DataError, match=r"has pyarrow \S+ and not 3.0, so it might write other bytes"):
        on_ray._settled(on_ray.Shared(abs, os.getcwd(), versions))(1)


def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    started = generate(tmp_path / "none", "--engine", "ray", "--address", "127.0.0.1:1")
    said, errors = started.communicate(timeout=120)
    assert (started.returncode, said) == (2, "")
    assert len(errors.splitlines()) == 1
    assert "no Ray cluster answers at 127.0.0.1:1" in errors


def test_who_lacks_ray_is_told_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match="the engine ray needs ray"):
        list(on_ray.run(abs, [1]))
