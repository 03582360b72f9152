"""The engine ray on a real cluster of several nodes: what a lost node, odd versions and missing code cost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from unseen.core.errors import DataError, MissingExtra, SpecError
from unseen.engines import on_ray

ray = pytest.importorskip("ray", reason="the engine ray is not tested without its package")

TASK = "cogitao/c1-1"
COUNT = 16_384  # examples: four shards


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_worker_niceness", "0")  # Ray's own 15 is hardly any time on a busy machine
        found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        yield found
        found.shutdown()


def generate(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = ["generate", TASK, "train", "--count", str(COUNT), "--out", str(folder), "--workers", "2", *options]
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


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def test_a_node_that_is_killed_in_the_middle_costs_no_byte(cluster: Any, tmp_path: Path) -> None:
    local = generate(tmp_path / "local")
    assert not noise(local.communicate(timeout=600)[1])
    doomed = cluster.add_node(num_cpus=1)
    started = generate(tmp_path / "ray", "--engine", "ray", "--address", cluster.address)
    end = time.monotonic() + 300
    while not list((tmp_path / "ray").glob("*.parquet")) and time.monotonic() < end:
        time.sleep(0.02)
    assert started.poll() is None, "it ended before a node could be killed"
    cluster.remove_node(doomed, allow_graceful=False)
    said, errors = started.communicate(timeout=600)
    assert started.returncode == 0, errors
    assert f"{COUNT:,} examples" in said
    assert not noise(errors)  # as quiet as on this machine alone
    found = contents(tmp_path / "ray")
    assert found == contents(tmp_path / "local")
    assert len(found) == 6  # four shards, manifest and card


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
