"""GIF and MP4 files."""

from __future__ import annotations

import io
import shutil

import numpy as np
import pytest
from PIL import Image

from unseen.core.errors import SpecError
from unseen.render.animation import ENCODERS, encode_gif, encode_mp4


def test_a_gif_shows_its_pictures_in_turn_and_again():
    pictures = [np.full((6, 9, 3), value, np.uint8) for value in (0, 128, 255)]
    with Image.open(io.BytesIO(encode_gif(pictures))) as gif:
        assert (gif.n_frames, gif.size, gif.info["loop"]) == (3, (9, 6), 0)
        for number, picture in enumerate(pictures):
            gif.seek(number)
            assert (np.asarray(gif.convert("RGB")) == picture).all()


def test_an_mp4_without_ffmpeg_is_a_sentence(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(SpecError, match="needs the program ffmpeg"):
        encode_mp4([np.zeros((4, 4, 3), np.uint8)])


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_an_mp4_is_written_where_ffmpeg_is():
    assert b"ftyp" in encode_mp4([np.zeros((5, 7, 3), np.uint8)] * 3)[:16]


def test_encoders_go_by_suffix():
    assert list(ENCODERS) == [".gif", ".mp4"]
