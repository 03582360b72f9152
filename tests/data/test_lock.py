"""A lock is its process's alone."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from unseen.core.errors import DataError
from unseen.data.lock import one_writer


def test_a_forked_process_does_not_hold_the_lock_of_its_parent(tmp_path: Path) -> None:
    begun, tell = os.pipe()
    with one_writer(tmp_path):
        child = os.fork()
        if not child:
            os.write(tell, b".")
            time.sleep(60)
            os._exit(0)
        os.read(begun, 1)
        with pytest.raises(DataError, match="another process is writing"), one_writer(tmp_path):
            pass
    try:
        with one_writer(tmp_path):  # though the child lives on
            assert os.waitpid(child, os.WNOHANG) == (0, 0)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(begun)
        os.close(tell)
