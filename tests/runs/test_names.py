"""Names of folders and files: they stay where they belong, and apart from each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.runs.names import file_name, folder_of, record_place

AWKWARD = ["x:/elsewhere/f", "..", "a/../../b", "", "/", "\0", "a\nb", ".hidden", "o" * 300, "é" * 200, "~"]


@pytest.mark.parametrize("name", AWKWARD)
def test_no_model_and_no_option_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    for folder in (
        folder_of("cogitao/c1-1", name, 0, out=root),
        folder_of("cogitao/c1-1", "m", 0, options={"x": name}, out=root),
        folder_of(f"covr/custom+corpus={name}", "m", 0, out=root),
        root / record_place(f"cogitao/{name}", name, 0),
    ):
        assert folder.resolve().is_relative_to(root.resolve())
        assert len(folder.relative_to(root).parts) in (3, 4)
        folder.mkdir(parents=True)  # the system takes the name
        (folder / f".{folder.name}.aside.1234567").touch()


@given(st.text(max_size=400), st.text(max_size=400))
def test_different_texts_have_different_names_which_are_names_of_one_file(one: str, other: str) -> None:
    assert (file_name(one) == file_name(other)) == (one == other)
    assert Path(file_name(one)).name == file_name(one)
    assert 0 < len(file_name(one).encode(errors="surrogatepass")) <= 200


def test_ordinary_names_are_left_as_they_are() -> None:
    for name in ("resnet", "custom+grid=5-7+sequences=rot90:pad_top,rot90", "Tiny+width=4", "test_ood"):
        assert file_name(name) == name
