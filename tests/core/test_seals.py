"""Seals find every change of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.core.errors import DataError
from unseen.core.seals import (
    BLANK,
    MARK,
    has_seal,
    is_file_sealed,
    is_sealed,
    seal,
    seal_file,
    sealed_json,
    without_seal,
)


@given(st.binary(max_size=60), st.binary(max_size=60), st.data())
def test_every_flip_of_a_sealed_content_is_found(before: bytes, after: bytes, data: st.DataObject) -> None:
    sealed = bytearray(seal(before + BLANK.encode() + after))
    assert is_sealed(sealed)
    sealed[data.draw(st.integers(0, len(sealed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert not is_sealed(sealed)


def test_a_file_is_sealed_as_its_content_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content := b"before" + BLANK.encode() + b"after")
    assert has_seal(path)
    assert not is_file_sealed(path)
    seal_file(path)
    assert path.read_bytes() == seal(content)
    assert is_file_sealed(path)


def test_an_empty_file_has_no_seal(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert not has_seal(tmp_path / "empty")
    assert not is_file_sealed(tmp_path / "empty")


def test_a_content_may_quote_a_seal() -> None:
    assert is_sealed(seal(seal(BLANK.encode()) + MARK + b"nonsense" + BLANK.encode()))


@pytest.mark.parametrize("content", [b"", b"no place", 2 * BLANK.encode()])
def test_a_file_has_one_place_for_its_seal(content: bytes) -> None:
    with pytest.raises(ValueError, match="one place for its seal"):
        seal(content)


@pytest.mark.parametrize("indent", [None, 2])
def test_json_without_its_seal_is_what_was_sealed(indent: int | None) -> None:
    value = {"a": [1, {"seal": "none"}], "b": "seal"}
    assert json.loads(without_seal(sealed_json(value, indent=indent), "it")) == value
    assert json.loads(without_seal(json.dumps(value).encode(), "it")) == value
    assert json.loads(without_seal(sealed_json({}, indent=indent), "it")) == {}
    with pytest.raises(DataError, match="it was damaged or changed after it was written: it does not fit its seal"):
        without_seal(sealed_json(value, indent=indent).replace(b"none", b"some"), "it")
