"""Settings of all tests: kernels are compiled, without deadlines for that, same examples every run, interrupts."""

from __future__ import annotations

import atexit
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import ceil, exp
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import ModuleType
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("unseen", deadline=None, derandomize=True)
settings.load_profile("unseen")
os.environ.setdefault("UNSEEN_KERNELS", "compiled")  # here, and in the programs that tests start
# what tests have run does not count as named by whoever runs them
os.environ["UNSEEN_STATE"] = mkdtemp(prefix="unseen-state-")
atexit.register(rmtree, os.environ["UNSEEN_STATE"], ignore_errors=True)
# a shell has its background jobs ignore interrupts, and programs that tests start would do so too
signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = ("tests/docs/test_readme.py", "tests/contract/test_kernels.py", "tests/docs/test_extend.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first, so that no process is alone with one of them at the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recorded outputs of the published generators, which lies outside the repository."""
    root = Path(__file__).resolve().parents[1]
    candidates = [beside / "shared" / "data" for beside in (root.parent, root.parent.parent)]
    for folder in candidates:
        if folder.is_dir():
            return folder
    pytest.skip(f"the recorded outputs are in neither of {', '.join(map(str, candidates))}")


def known(model: str) -> str:
    """The name of a tiny model, whose code counts as named by the user, so that runs and sweeps may name it, too."""
    from unseen.core.own_code import own_code

    name = f"{Path(__file__).parent / 'tiny.py'}:{model}"
    code = own_code(name)
    assert code
    code.remember()
    return name


@pytest.fixture(scope="session")
def tiny() -> str:
    """A tiny model to train, as one names a model of one's own."""
    return known("Tiny")


@pytest.fixture(scope="session")
def owner(tiny: str) -> str:
    """A tiny model that has an objective and answers of its own."""
    return known("Owner")


@pytest.fixture(scope="session")
def small_task() -> str:
    """A task of a hundred small grids."""
    return "cogitao/custom+grid=5-7+max_size=3+objects=1+samples=100+sequences=translate_up"


@pytest.fixture(scope="session")
def small_ood_task() -> str:
    """The same with two transformations, one of them held out."""
    return (
        "cogitao/custom+grid=5-7+held_out=translate_up:rot90+max_size=3+objects=1+samples=100"
        "+sequences=translate_up,rot90,translate_up:rot90"
    )


# ---------------------------------------------------------------------------- benchmarks that exist in a test only


AddBenchmark = Callable[..., Any]


@pytest.fixture
def add_benchmark(monkeypatch: pytest.MonkeyPatch) -> Iterator[AddBenchmark]:
    """Register a benchmark, of odd-one-out tasks if nothing is said, by its files; it is forgotten after the test."""
    from unseen.core import catalogue
    from unseen.core.task import Benchmark

    added: list[str] = []

    def add(name: str, kind: str = "odd", metrics: tuple[str, ...] = ("odd_accuracy",), **files: Any) -> Benchmark:
        package = ModuleType(name)
        package.__dict__.update(__path__=[])
        monkeypatch.setitem(sys.modules, name, package)
        for file, content in files.items():
            monkeypatch.setitem(sys.modules, f"{name}.{file}", content)
        made = Benchmark(name, f"{name}: made for a test", "", kind, 1, name, metrics)
        catalogue.BENCHMARKS.add(name, made)
        added.append(name)
        return made

    yield add
    for name in added:
        catalogue.BENCHMARKS.remove(name)
    catalogue._plain.cache_clear()


@pytest.fixture
def question_task(add_benchmark: AddBenchmark, monkeypatch: pytest.MonkeyPatch) -> str:
    """A task of questions about dogs and a wall, which one of two or three small images has."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    import dogs  # only here: it loads COVR, which most tests have no use for

    add_benchmark("asked", kind="question", metrics=("answer_accuracy",), **dogs.files())
    return "asked/dogs"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server of our own, in a folder of its own."""
    pytest.importorskip("psycopg", reason='no driver for PostgreSQL: pip install ".[postgres]"')
    found = [shutil.which("initdb"), *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")))]
    programs = next((Path(path).parent for path in found if path), None)
    if programs is None:
        pytest.skip("no PostgreSQL server is installed: there is no initdb")
    as_owner: list[str] = []
    folder = Path(tempfile.mkdtemp(prefix="unseen-postgres-"))  # short: the name of a socket has at most 107 letters
    if os.geteuid() == 0:  # the server refuses to run as root
        if "postgres" not in {user.pw_name for user in pwd.getpwall()}:
            pytest.skip("PostgreSQL does not run as root, and there is no user named postgres")
        as_owner = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")

    def run(program: str, *arguments: str) -> None:
        command = [*as_owner, str(programs / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    run("initdb", "--auth=trust", "--username=postgres", "--no-sync")
    run("pg_ctl", "-w", "-o", f"-k {folder} -h '' -F", "-l", str(folder / "log"), "start")
    try:
        yield f"host={folder} user=postgres dbname=postgres"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


# ---------------------------------------------------------------------------- run folders, as training leaves them

CONFIG = {
    "task": "cogitao/s2-translate",
    "content": 1,
    "data_seed": 0,
    "model": "resnet",
    "options": {},
    "seed": 0,
    "recipes": {"": {"batch_size": 64, "epochs": 10, "learning_rate": 0.001}},
    "versions": {"unseen": "0.1.0", "torch": "2.13.0"},
    "machine": {"device": "auto", "accelerator": "Some GPU"},
    "parameters": 1_203_211,
}
MakeRun = Callable[..., Path]


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Make a run that answered the first examples of some splits, of which it got the first `right[split]` right."""

    def make(*, right: dict[str, int] | None = None, answered: int = 10, steps: int = 160, **changes: Any) -> Path:
        import unseen
        from unseen.runs import folder_of

        config: dict[str, Any] = {**CONFIG, **changes}
        task = unseen.task(config["task"])
        config.setdefault("examples", task.split("train").size)
        named = (task.id, config["model"], config["seed"])
        folder = folder_of(*named, options=config["options"], out=tmp_path / "runs")
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "log.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for line in log_lines(steps, config["examples"]))
        )
        for split, count in ({"test": 9} if right is None else right).items():
            write_answers(folder / f"predictions-{split}.parquet", task, split, right=count, answered=answered)
        return folder

    return make


def write_answers(path: Path, task: Any, split: str, *, right: int, answered: int) -> None:
    """Predict the first examples of a split: the first of them right, the others nearly so."""
    import unseen
    from unseen.predict import write_predictions

    truth = [example.target["grid"] for example in unseen.load(task.id, split)[:answered]]
    values = [grid if i < right else nearly_right(grid) for i, grid in enumerate(truth)]
    write_predictions(path, task, split, values, model="resnet", indices=range(answered))


def nearly_right(grid: np.ndarray) -> np.ndarray:
    """A grid whose first object cells have another color, with a row of padding below."""
    wrong = grid.copy()
    rows, columns = np.nonzero(grid)
    wrong[rows[:3], columns[:3]] = grid[rows[0], columns[0]] % 9 + 1
    return np.vstack([wrong, np.full((1, grid.shape[1]), -1, grid.dtype)])


def log_lines(steps: int, size: int) -> list[dict[str, Any]]:
    """A log with a loss that falls and an accuracy that rises."""
    lines = []
    for step in range(0, steps + 1, steps // 10):
        done = step / steps
        val = {"loss": 2.1 * exp(-3 * done), "accuracy": 1 - exp(-5 * done)}
        epochs, further = divmod(step, ceil(size / 64))
        place = {"step": step, "seconds": step * 0.5, "epoch": 10 * done, "examples": epochs * size + further * 64}
        lines.append({**place, "splits": {"train": {"loss": 2 * exp(-4 * done)}, "val": val}})
    return lines


# ---------------------------------------------------------------------------- an object store


@pytest.fixture(scope="session")
def s3_server() -> Iterator[Any]:
    """An S3 server on this machine, behind a proxy that can be told to fail."""
    if not all(map(find_spec, ("moto", "flask", "flask_cors"))):
        pytest.skip('no S3 server to test against: pip install ".[dev]"')
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent)
        import s3_server
    with s3_server.running() as proxy:
        yield proxy


SECRET = "never-to-be-told"


@pytest.fixture
def s3(s3_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same with an empty bucket named after it, which the environment leads to; copies are kept for the test."""
    from pyarrow.fs import S3FileSystem

    from unseen.data import copies

    s3_server.clear()
    told = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_DEFAULT_REGION": "us-east-1"}
    told |= {"AWS_EC2_METADATA_DISABLED": "true", "AWS_ENDPOINT_URL": s3_server.url}
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(copies, "cache_root", lambda: tmp_path / "cache")
    s3_server.bucket = f"bucket-{uuid4().hex[:8]}"
    system = S3FileSystem(endpoint_override=s3_server.url, allow_bucket_creation=True)
    system.create_dir(s3_server.bucket)
    s3_server.system = system
    return s3_server
