"""Kernels: a cache that cannot serve stale code, and none where nothing can be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from unseen.core.kernel import kernel, sources

SOURCE = Path(__file__).parents[2] / "src"


def run(code: str, tree: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "PYTHONPATH": str(tree), **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=given)


HASH = "from unseen.core.key import hash_bytes; print(hash_bytes(b'abc') % 1000)"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the sources that a test may change."""
    return Path(shutil.copytree(SOURCE, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")))


def test_a_changed_callee_in_any_file_is_compiled_again(tree, tmp_path):
    cache = {"UNSEEN_CACHE": str(tmp_path / "cache")}
    before = run(HASH, tree, **cache).stdout
    assert run(HASH, tree, **cache).stderr == ""  # from the cache, without a word
    key = tree / "unseen" / "core" / "key.py"
    key.write_text(key.read_text().replace("0x27D4EB2F165667C5", "0x27D4EB2F165667C7"))
    after = run(HASH, tree, **cache)
    assert after.stdout != before
    assert "compiling kernels for this machine, core.key first" in after.stderr
    assert len(list((tmp_path / "cache" / "kernels").iterdir())) == 2


def test_kernels_run_where_no_cache_can_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = run(HASH, SOURCE, UNSEEN_CACHE=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert done.returncode == 0
    assert done.stdout == run(HASH, SOURCE).stdout


def test_a_kernel_in_another_file_is_refused():
    with pytest.raises(TypeError, match=r"is not named kernels\.py: its changes would go unseen"):
        kernel(lambda x: x)


def test_every_kernel_file_is_part_of_the_digest():
    using = {path for path in (SOURCE / "unseen").rglob("*.py") if "\n@kernel\n" in path.read_text()}
    assert using == {path for path in sources() if "\n@kernel\n" in path.read_text()}
