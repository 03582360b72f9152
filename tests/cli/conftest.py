"""Commands run in this process, through the console script's own function."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from unseen.cli import main


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command."""

    def run_command(*words: object) -> Ran:
        with pytest.raises(SystemExit) as exit:
            main([str(word) for word in words])
        return Ran(exit.value.code, *capsys.readouterr())  # type: ignore[arg-type]

    return run_command
