"""Kernels: plain until there is machine code, and a cache that serves neither stale, damaged nor a stranger's code."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numba
import numpy as np
import pytest

from unseen.core import compiling, machine_code
from unseen.core import kernel as kernels
from unseen.core.errors import SpecError
from unseen.core.files import only_ours
from unseen.core.kernel import Kernel, kernel

SCALING = """
from unseen.core.kernel import kernel
from factor import FACTOR

@kernel
def scaled(x):
    return x * FACTOR

@kernel
def twice_scaled(x):
    return scaled(scaled(x))
"""
ASK = "from scaling import twice_scaled; print(twice_scaled(7))"
COMPILING = "unseen: compiling kernels for this machine, scaling first (once)\n"
BACKGROUND = (
    "unseen: kernels are being compiled for this machine in the background (once); until then they run slowly\n"
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with kernels of which one reads a constant from another file."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "scaling.py").write_text(SCALING)
    (folder / "factor.py").write_text("FACTOR = 3\n")
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def start(checkout: Path, cache: Path, mode: str = "compiled", code: str = ASK) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(checkout), *filter(None, sys.path)])
    given = {**os.environ, "PYTHONPATH": path, "UNSEEN_CACHE": str(cache), "UNSEEN_KERNELS": mode}
    given |= {"TMPDIR": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=given)


def run(*args: Path, **kwargs: str) -> tuple[str, str]:
    return start(*args, **kwargs).communicate(timeout=300)


def stored(cache: Path, name: str = "*") -> list[Path]:
    return sorted(cache.glob(f"kernels/*/{name}.kernel"))


# ---------------------------------------------------------------------------- the cache


def test_machine_code_is_found_again_in_another_checkout(checkout, cache):
    assert run(checkout, cache) == ("63\n", COMPILING)
    elsewhere = shutil.copytree(checkout, checkout.with_name("elsewhere"))
    (elsewhere / "scaling.py").write_text("# other lines, later\n\n" + SCALING)
    assert run(elsewhere, cache) == ("63\n", "")


def test_a_constant_or_callee_that_changes_in_any_file_is_compiled_again(checkout, cache):
    run(checkout, cache)
    (checkout / "factor.py").write_text("FACTOR = 2\n")
    assert run(checkout, cache) == ("28\n", COMPILING)
    (checkout / "scaling.py").write_text(SCALING.replace("x * FACTOR", "x + FACTOR"))
    assert run(checkout, cache) == ("11\n", COMPILING)


@pytest.mark.parametrize("damage", [lambda good: good[:1000], lambda good: b"", lambda good: good[:-9] + bytes(9)])
def test_damaged_machine_code_is_thrown_away_and_made_again(checkout, cache, damage):
    run(checkout, cache)
    good = {path: path.read_bytes() for path in stored(cache)}
    for path, content in good.items():
        path.write_bytes(damage(content))
    assert run(checkout, cache) == ("63\n", COMPILING)
    assert run(checkout, cache) == ("63\n", "")


def test_machine_code_that_does_not_fit_is_made_again(checkout, cache):
    run(checkout, cache)
    for path in stored(cache):
        machine_code.write_sealed(path, b"whole, and no machine code")
    assert run(checkout, cache)[0] == "63\n"
    assert run(checkout, cache) == ("63\n", "")


def test_kernels_run_where_the_disk_is_full(checkout, cache):
    full = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    full += "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));"
    assert run(checkout, cache, code=full + ASK) == ("63\n", COMPILING)
    assert stored(cache) == []
    assert not list(cache.glob("kernels/*/.*"))


def test_kernels_run_where_no_cache_can_be_written(checkout, tmp_path):
    (tmp_path / "file").write_text("in the way")
    (checkout / f"unseen-{os.getuid()}").write_text("in the way too")
    assert run(checkout, tmp_path / "file") == ("63\n", COMPILING)


@pytest.mark.parametrize(("mode", "used"), [(0o700, True), (0o755, False), (0o777, False)])
def test_a_temporary_folder_is_used_only_where_nobody_else_sees_it(checkout, tmp_path, mode, used):
    (tmp_path / "file").write_text("in the way")
    temporary = checkout / f"unseen-{os.getuid()}"
    temporary.mkdir()
    temporary.chmod(mode)
    assert run(checkout, tmp_path / "file") == ("63\n", COMPILING)
    assert bool(stored(temporary)) is used


def test_a_folder_that_others_can_write_to_or_own_is_not_trusted(tmp_path, monkeypatch):
    assert only_ours(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path)
    assert not only_ours(tmp_path / "link")
    tmp_path.chmod(0o770)
    assert not only_ours(tmp_path)
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: os.stat(tmp_path).st_uid + 1)
    assert not only_ours(tmp_path)


def test_processes_that_need_the_same_wait_for_the_one_that_compiles_it(checkout, cache):
    both = [start(checkout, cache) for _ in range(2)]
    answers = sorted(one.communicate(timeout=300) for one in both)
    assert answers[0] == ("63\n", "")
    assert answers[1] == ("63\n", COMPILING)


def test_a_kernel_may_read_only_what_the_cache_can_tell_apart():
    table = {1: 2}

    @kernel
    def looked_up(x):
        return table[x]

    with pytest.raises(TypeError, match=r"looked_up reads a dict, of which the cache cannot tell when it changes"):
        machine_code.digest(looked_up)


def test_workers_leave_the_message_to_the_process_that_started_them(checkout, cache):
    workers = (
        "import multiprocessing\nfrom scaling import twice_scaled\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(twice_scaled, [1, 2]))"
    )
    assert run(checkout, cache, code=workers) == ("[9, 18]\n", "")


# ---------------------------------------------------------------------------- plain, then compiled


def test_the_first_call_is_plain_and_the_process_in_the_background_compiles(checkout, cache):
    assert run(checkout, cache, mode="auto") == ("63\n", BACKGROUND)
    until = time.monotonic() + 300
    while not stored(cache, "twice_scaled-*") and time.monotonic() < until:
        time.sleep(0.2)
    assert run(checkout, cache, mode="auto") == ("63\n", "")
    assert not list(cache.glob("kernels/*/*.asked"))


def test_a_process_goes_over_to_machine_code_when_it_arrives(checkout, cache):
    waiting = "import time\nfrom scaling import twice_scaled\nanswers = {twice_scaled(7)}\n"
    waiting += "assert not twice_scaled.overloads\nuntil = time.monotonic() + 300\n"
    waiting += "while not twice_scaled.overloads and time.monotonic() < until: answers.add(twice_scaled(7))\n"
    waiting += "print(answers, len(twice_scaled.overloads))"
    assert run(checkout, cache, mode="auto", code=waiting) == ("{63} 1\n", BACKGROUND)


def test_nobody_starts_a_second_process_while_the_first_is_still_loading(monkeypatch, tmp_path):
    monkeypatch.setattr(compiling, "PROGRAM", "import time; time.sleep(300)")
    assert not compiling.is_busy(tmp_path)
    compiling._start(tmp_path)
    started = int((tmp_path / compiling.TURN).read_text())
    try:
        compiling._start(tmp_path)
        assert int((tmp_path / compiling.TURN).read_text()) == started
        assert compiling.is_busy(tmp_path)
    finally:
        os.kill(started, signal.SIGKILL)
        os.waitpid(started, 0)
    assert not compiling.is_busy(tmp_path)


def test_plain_kernels_never_compile(checkout, cache):
    assert run(checkout, cache, mode="plain") == ("63\n", "")
    assert stored(cache) == []


@pytest.mark.parametrize(
    "before", ["kernels.expect(1000)", "kernels.PACE.plain_seconds = 21"], ids=["many are coming", "out of patience"]
)
def test_kernels_are_compiled_first_where_that_pays(checkout, cache, before):
    code = f"import unseen.core.kernel as kernels; {before}; {ASK}"
    assert run(checkout, cache, mode="auto", code=code) == ("63\n", COMPILING)


def test_a_few_examples_are_not_worth_compiling_for(monkeypatch):
    monkeypatch.setattr(kernels, "PACE", kernels._Pace())
    monkeypatch.setattr(kernels.PACE, "mode", "auto")
    kernels.expect(12)
    assert not kernels.PACE.waits()
    kernels.expect(100_000)
    kernels.expect(1)
    assert kernels.PACE.waits()
    kernels.hurry(True)
    assert not kernels.PACE.waits()
    kernels.hurry(False)
    assert kernels.PACE.waits()


def test_a_mode_that_does_not_exist_is_refused(monkeypatch):
    monkeypatch.setenv("UNSEEN_KERNELS", "fast")
    with pytest.raises(SpecError, match="UNSEEN_KERNELS must be one of auto, compiled, plain, got 'fast'"):
        kernels._Pace()


@kernel
def wrapping(x):
    """Arithmetic in which machine code neither raises nor warns."""
    return np.uint64(x) * np.uint64(x) + np.uint64(1), np.float64(x) / np.float64(0)


@kernel
def factorial(n):
    """A kernel that calls itself."""
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@kernel
def binomial(n, k):
    """A kernel that calls one that calls itself."""
    return factorial(n) // (factorial(k) * factorial(n - k))


@kernel
def moved(x, by=3):
    """A kernel with a default."""
    return x + by


def halved_at_once(values):
    """What NumPy does without a loop."""
    values[:] = np.rint(values / 2)


@partial(kernel, plain=halved_at_once)
def halved(values):
    """A kernel that has a plain form of its own."""
    for i in range(len(values)):
        values[i] = np.rint(values[i] / 2)


@pytest.mark.filterwarnings("error")
def test_plain_kernels_count_as_machine_code_does():
    assert wrapping._run_plain(2**63 + 5) == wrapping(2**63 + 5) == ((2**63 + 5) ** 2 % 2**64 + 1, np.inf)
    assert type(wrapping._run_plain(3)[0]) is int


def uncompiled(one: Kernel) -> Kernel:
    again = Kernel(one.py_func, targetoptions=one.targetoptions)
    again.as_python = one.as_python
    return again


def test_a_kernel_may_call_itself_and_have_defaults(monkeypatch):
    assert (binomial(5, 2), factorial(5), moved(1), moved(1, 5)) == (10, 120, 4, 6)
    monkeypatch.setattr(kernels.PACE, "mode", "plain")
    assert (uncompiled(binomial)(5, 2), uncompiled(moved)(1), uncompiled(moved)(1, 5)) == (10, 4, 6)


def test_functions_that_numba_compiles_itself_may_call_kernels():
    @numba.njit
    def tripled_binomial(n, k):
        return 3 * binomial(n, k)

    assert tripled_binomial(5, 2) == 30


def test_a_plain_form_runs_until_its_kernel_is_compiled(monkeypatch):
    compiled, plain = np.array([1.0, 3.0, 4.0]), np.array([1.0, 3.0, 4.0])
    halved(compiled)
    monkeypatch.setattr(kernels.PACE, "mode", "plain")
    assert uncompiled(halved).plain().__code__ is halved_at_once.__code__
    uncompiled(halved)(plain)
    np.testing.assert_array_equal(compiled, plain)
