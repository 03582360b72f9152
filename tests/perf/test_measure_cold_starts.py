"""Cold starts are measured from nothing, with what they leave behind, and compiling first."""

from __future__ import annotations

import pytest

KEY = "from unseen.core.key import hash_bytes; hash_bytes(b'some')"


def test_compiling_first_costs_more_than_running_plain_and_more_than_finding_machine_code(script):
    found = script.measure("a key", ("-c", KEY))
    assert found.compiling_first.cpu > found.first.cpu
    assert found.compiling_first.cpu > found.next.cpu
    assert found.compiled_after > 0


def test_a_command_that_fails_is_not_measured(script, tmp_path):
    with pytest.raises(SystemExit, match="failed"):
        script.timed(("-c", "import unseen; unseen.load('cogitao/none')"), str(tmp_path))
