"""`unseen show`."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import pytest
from PIL import Image

from unseen.cli.inline import CHUNK, inline_picture, protocol_of


def test_a_contact_sheet_is_written_and_named(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("show", "cogitao/custom", "test", "grid=9", "--count", "2")
    assert code == 0
    assert out.strip() == "2 examples of cogitao/custom+grid=9 test: cogitao-custom+grid=9-test.png"
    with Image.open(tmp_path / "cogitao-custom+grid=9-test.png") as sheet:
        assert sheet.width > 200


def test_a_benchmark_is_shown_by_an_example_of_each_of_its_tasks(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("show", "cvr", "test_ood", "size=16").out.strip() == "103 examples of cvr test_ood: cvr-test_ood.png"
    assert (tmp_path / "cvr-test_ood.png").exists()
    code, _, err = run("show", "cvr", "test_odd")
    assert code == 2
    assert "no split named 'test_odd' in cvr/shape" in err


def test_another_seed_shows_other_examples(run, tmp_path: Path) -> None:
    files = [tmp_path / "deeper" / f"{seed}.png" for seed in (0, 1)]
    for seed, file in enumerate(files):
        run("show", "cogitao/c1-1", "test", "--count", 1, "--seed", seed, "--output", file)
    assert files[0].read_bytes() != files[1].read_bytes()


def test_a_file_that_cannot_be_written_is_a_sentence(run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = run("show", "cogitao/c1-1", "test", "--count", 1, "--output", tmp_path / "file" / "x.png")
    assert code == 2
    assert "could not write" in err


def test_a_picture_takes_the_place_of_a_link_and_leaves_what_it_pointed_to(run, tmp_path: Path) -> None:
    kept, sheet = tmp_path / "kept.png", tmp_path / "sheet.png"
    kept.write_text("kept")
    sheet.symlink_to(kept)
    assert run("show", "cogitao/c1-1", "test", "--count", 1, "--output", sheet).code == 0
    assert kept.read_text() == "kept"
    assert not sheet.is_symlink()
    assert sorted(tmp_path.iterdir()) == [kept, sheet]


@pytest.mark.parametrize(
    ("environment", "protocol"),
    [
        ({"KITTY_WINDOW_ID": "1"}, "kitty"),
        ({"TERM_PROGRAM": "iTerm.app"}, "iterm"),
        ({"TERM_PROGRAM": "ghostty"}, "kitty"),
        ({"TERM_PROGRAM": "Apple_Terminal", "TERM": "xterm-256color"}, None),
        ({}, None),
    ],
)
def test_terminals_are_known_by_their_environment(environment: dict[str, str], protocol: str | None) -> None:
    assert protocol_of(environment) == protocol


def test_kitty_gets_the_file_in_pieces() -> None:
    png = bytes(range(256)) * 40
    pieces = inline_picture(png, "kitty").split("\033\\")[:-1]
    heads, bodies = zip(*(piece.split(";") for piece in pieces), strict=True)
    assert heads[0] == "\033_Ga=T,f=100,m=1"
    assert set(heads[1:-1]) == {"\033_Gm=1"}
    assert heads[-1] == "\033_Gm=0"
    assert all(len(body) <= CHUNK for body in bodies)
    assert b64decode("".join(bodies)) == png


def test_iterm_gets_the_file_at_once(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM_PROGRAM", "iTerm.app")
    monkeypatch.delenv("KITTY_WINDOW_ID", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    words = ("show", "cogitao/c1-1", "test", "--count", 1, "--output", tmp_path / "x.png")
    png = (tmp_path / "x.png").read_bytes() if run(*words).code == 0 else b""
    out = run(*words, "--inline").out
    start, end = out.index(":") + 1, out.index("\a")
    assert out.startswith("\033]1337;File=inline=1;")
    assert b64decode(out[start:end]) == png
    assert "\033" not in run(*words).out


def test_videos_are_shown_as_a_gif(run, tmp_path: Path) -> None:
    code, out, _ = run("show", "video/vmds", "test_occlusion", "--count", 2, "--out", tmp_path / "x.gif")
    assert code == 0
    assert out.startswith("2 examples of video/vmds test_occlusion")
    with Image.open(tmp_path / "x.gif") as gif:
        assert gif.n_frames == 10


def test_a_gif_of_what_does_not_move_is_a_sentence(run, tmp_path: Path) -> None:
    code, _, err = run("show", "cogitao/c1-1", "test", "--count", 1, "--out", tmp_path / "x.gif")
    assert code == 2
    assert "nothing moves in cogitao" in err
