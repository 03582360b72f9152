"""A disk that is full, at any of the files that a command writes: one sentence, and nothing half written."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("torch")


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file of this process may grow beyond so many bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    "size", [200, 2_500, *(pytest.param(n, marks=pytest.mark.slow) for n in (0, 1_000, 4_000, 9_000))]
)
def test_a_full_disk_is_a_sentence_wherever_it_strikes(
    size: int, run: Callable, tiny: str, small_task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    train = ["train", small_task, "--model", tiny, "--steps", "2", "--device", "cpu", "--workers", "0"]
    commands = [
        train,
        ["predict", f"runs/{small_task}/Tiny/seed-0", "test", "--count", "3", "--device", "cpu"],
        ["score", f"runs/{small_task}/Tiny/seed-0"],
        ["results", "cogitao", "--html", "report"],
        ["generate", small_task, "--count", "20", "--out", "data", "--workers", "1"],
        ["export", small_task, "test", "--count", "3"],
        ["show", small_task, "test", "--count", "1", "--output", "sheet.png"],
    ]
    for words in commands:
        with files_of_at_most(size):
            done = run(*words)
        assert done.code in (0, 2), done.err
        assert done.code == 0 or done.err.splitlines()[-1].startswith("error: ")
        if words is train and done.code:  # so that the others have something to read
            assert run(*train).code == 0
    assert not list(tmp_path.rglob("*.aside.*"))
    assert run("verify", "data").code == 0 if (tmp_path / "data" / "manifest.json").exists() else True
