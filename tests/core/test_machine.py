"""Where a result was made is noted truthfully."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from unseen.core import machine
from unseen.core.machine import checkout_commit, commit_of, this_machine


def test_the_machine_has_a_name_and_cores():
    found = this_machine("Some GPU")
    assert found.processor
    assert found.cores >= 1
    assert found.accelerator == "Some GPU"


def test_a_system_without_cpuinfo_has_a_name_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(machine, "CPUINFO", tmp_path / "none")
    assert this_machine().processor


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with one committed file."""
    file = tmp_path / "library.py"
    file.write_text("one\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "-c", "user.name=me", "-c", "user.email=me@here", "commit", "-qm", "first")
    return file


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, text=True).stdout.strip()


def test_a_checkout_tells_its_commit_and_whether_files_are_changed(checkout: Path):
    commit = git(checkout.parent, "rev-parse", "HEAD")
    assert commit_of(checkout) == commit
    checkout.write_text("two\n")
    assert commit_of(checkout) == f"{commit}-dirty"


def test_a_file_that_is_only_kept_in_a_checkout_has_no_commit(checkout: Path):
    installed = checkout.with_name("installed.py")
    installed.write_text("")
    assert commit_of(installed) is None


def test_without_git_there_is_no_commit(checkout: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    assert commit_of(checkout) is None


def test_what_is_committed_while_a_process_runs_is_not_the_code_that_it_runs(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(machine, "HERE", checkout)
    checkout_commit.cache_clear()
    began = checkout_commit()
    checkout.write_text("two\n")
    assert checkout_commit() == began == git(checkout.parent, "rev-parse", "HEAD")
    checkout_commit.cache_clear()
