"""How long does the first example take on a machine that has compiled nothing, and the next time?

python perf/measure_cold_starts.py > docs/measured/speed/cold_starts.json
python perf/measure_cold_starts.py cvr video

Every command runs in a process of its own, whose start counts, and with an empty cache: three times, of which the least
counts, because other processes only ever add. When the process in the background has compiled what the last one called,
the command runs again. A further run, with another empty cache, compiles before it starts, as whatever makes many
examples does. Measure on an idle machine, where it takes four minutes: wall-clock time is what people wait.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from unseen.core.compiling import TURN, is_busy
from unseen.core.machine_code import ENDING

TRIES = 3
FIRST = "import unseen; unseen.load({!r}, {!r})[0].arrays"
COMMANDS = {
    "cogitao": ("first example of cogitao/c1-1", ("-c", FIRST.format("cogitao/c1-1", "train"))),
    "cvr": ("first example of cvr/shape-contact-2", ("-c", FIRST.format("cvr/shape-contact-2", "train"))),
    "svib": ("first example of svib/dsprites-mna", ("-c", FIRST.format("svib/dsprites-mna", "train"))),
    "video": ("first example of video/vmds", ("-c", FIRST.format("video/vmds", "train"))),
    "covr": ("first example of covr/iid", ("-c", FIRST.format("covr/iid", "train"))),
    # of the scenes that are drawn, one in seven is of the part of test sets, and has-quant-all is asked of few of these
    "covr-test": ("first example of covr/iid test", ("-c", FIRST.format("covr/iid", "test"))),
    "covr-ood": (
        "first example of covr/has-quant-all-m250 test_ood",
        ("-c", FIRST.format("covr/has-quant-all-m250", "test_ood")),
    ),
    # the slowest of all setups: questions with a three are rare, and ask for many images
    "covr-rare": (
        "first example of covr/has-num-3-m250 test_ood",
        ("-c", FIRST.format("covr/has-num-3-m250", "test_ood")),
    ),
    "cvr-all": ("unseen show cvr, one of each task", ("-m", "unseen", "show", "cvr", "--output", "sheet.png")),
}


@dataclass(frozen=True)
class Run:
    """What one process took."""

    wall: float  # seconds
    cpu: float


@dataclass(frozen=True)
class ColdStart:
    """What a command takes where nothing is compiled."""

    name: str
    first: Run  # plain, while kernels are compiled in the background
    compiled_after: float  # seconds from the start, until the background process has nothing left to do
    next: Run  # with the machine code that the first has left behind
    compiling_first: Run  # as before `generate` and the like


def measure(name: str, command: tuple[str, ...]) -> ColdStart:
    """Measure a command with an empty cache, with the cache that it leaves behind, and compiling first."""
    tries = [first_of_all(command) for _ in range(TRIES - 1)]
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as other:
        began = time.time()
        tries.append(timed(command, empty))
        after = last_compiled(Path(empty)) - began
        first = Run(min(one.wall for one in tries), min(one.cpu for one in tries))
        return ColdStart(name, first, after, timed(command, empty), timed(command, other, mode="compiled"))


def first_of_all(command: tuple[str, ...]) -> Run:
    """Measure a command with an empty cache, and end the process that it leaves in the background."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        taken = timed(command, empty)
        with suppress(ProcessLookupError):
            os.kill(int((kernels_in(Path(empty)) / TURN).read_text()), signal.SIGKILL)
        return taken


def timed(command: tuple[str, ...], cache: str, mode: str = "auto") -> Run:
    """Run Python, and measure that process without the one that it leaves in the background."""
    environment = {**os.environ, "UNSEEN_CACHE": cache, "UNSEEN_KERNELS": mode}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # Python's own bytecode is there once a package is installed
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, *command], env=environment, cwd=cache, stdout=sys.stderr)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[-1]} failed; its own words are above")
    return Run(time.perf_counter() - began, used.ru_utime + used.ru_stime)


def last_compiled(cache: Path) -> float:
    """Wait for the process in the background to end, and say when it wrote its last machine code."""
    folder = kernels_in(cache)
    while is_busy(folder):
        time.sleep(0.1)
    return max(path.stat().st_mtime for path in folder.glob(f"*{ENDING}"))


def kernels_in(cache: Path) -> Path:
    """Find the folder of machine code in a cache."""
    (folder,) = cache.glob("kernels/*")
    return folder


if __name__ == "__main__":
    chosen = [key for key in COMMANDS if not sys.argv[1:] or key in sys.argv[1:]]
    print(json.dumps([asdict(measure(*COMMANDS[key])) for key in chosen], indent=2))
