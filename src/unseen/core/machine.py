"""Where a result was made: the machine, and the commit of this library."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__)
CPUINFO = Path("/proc/cpuinfo")  # Linux; elsewhere Python knows the name


@dataclass(frozen=True)
class Machine:
    """The machine that a run was made on."""

    processor: str  # model name of the CPU
    cores: int  # that the process could use
    platform: str  # operating system and architecture
    accelerator: str | None = None  # name of the GPU; none where the CPU did the work


def this_machine(accelerator: str | None = None) -> Machine:
    """Describe the machine that this process runs on.

    >>> this_machine().cores >= 1
    True
    """
    return Machine(_processor(), cores(), f"{platform.system()} {platform.machine()}", accelerator)


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    if CPUINFO.exists():
        for line in CPUINFO.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


@cache
def checkout_commit() -> str | None:
    """Return the commit of this library's own checkout.

    It is looked up once per process, because a commit that is made meanwhile is not the code that this process runs.
    """
    return commit_of(HERE)


def commit_of(file: Path) -> str | None:
    """The commit of the checkout that a file of this library belongs to, "-dirty" behind it where files are changed.

    None where the library is installed: a repository that merely holds the installed files says nothing about them.
    """
    git = ("git", "-C", str(file.parent))
    try:
        subprocess.run([*git, "ls-files", "--error-unmatch", file.name], check=True, capture_output=True)
        described = [*git, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
        return subprocess.run(described, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no git, or no checkout
        return None
