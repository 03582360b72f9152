"""Cold starts are measured from nothing, with what they leave behind, and compiling first."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

KEY = "from unseen.core.key import hash_bytes; hash_bytes(b'some')"


@pytest.fixture(scope="module")
def measure():
    path = Path(__file__).parents[2] / "perf" / "measure_cold_starts.py"
    spec = spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[path.stem]


def test_compiling_first_costs_more_than_running_plain_and_more_than_finding_machine_code(measure):
    found = measure.measure("a key", ("-c", KEY))
    assert found.compiling_first.cpu > found.first.cpu
    assert found.compiling_first.cpu > found.next.cpu
    assert found.compiled_after > 0


def test_a_command_that_fails_is_not_measured(measure, tmp_path):
    with pytest.raises(SystemExit, match="failed"):
        measure.timed(("-c", "import unseen; unseen.load('cogitao/none')"), str(tmp_path))
