"""The scripts of `perf/` are no package; each test file loads the one that it is named after."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "perf"


@pytest.fixture(scope="module")
def script(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The script of a test file, as a module that processes can find by its name."""
    name = request.path.stem.removeprefix("test_")
    spec = spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec
    assert spec.loader
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]
