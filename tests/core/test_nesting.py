"""Files that are nested deeper than a parser can follow are refused like any other broken file."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from unseen.benchmarks.covr.published import read_jsonl
from unseen.benchmarks.covr.questions.program import BadProgram, parse
from unseen.benchmarks.covr.readers import stream
from unseen.benchmarks.video.published import read_coco
from unseen.cli.score import read_videos
from unseen.core.errors import DataError
from unseen.core.formats import json_elements
from unseen.sweeps.plan import read_sweep

DEEP = "[" * 100_000


@pytest.mark.parametrize("read", [read_jsonl, read_coco, read_videos, stream.entries, stream.whole])
def test_a_json_file_is(tmp_path: Path, read) -> None:
    path = tmp_path / "deep.json"
    path.write_text(DEEP)
    with pytest.raises((ValueError, DataError), match="nested too deeply"):
        list(read(path))


def test_a_list_of_which_an_element_is() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        list(json_elements(io.StringIO(DEEP)))


def test_a_sweep_is(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(f"a = {DEEP}")
    with pytest.raises(DataError, match="nested too deeply"):
        read_sweep(str(path))


def test_a_program_is() -> None:
    with pytest.raises(BadProgram, match="nested too deeply"):
        parse("find([" * 10_000)
