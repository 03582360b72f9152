"""Pictures that are shown one after the other: GIF files, and MP4 files where ffmpeg is at hand."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Sequence

from PIL import Image as Pillow

from unseen.core.errors import DataError, SpecError
from unseen.render.palette import Image

PER_SECOND = 5  # pictures


def encode_gif(pictures: Sequence[Image]) -> bytes:
    """Encode pictures of one size as a GIF file that repeats.

    >>> import numpy as np
    >>> encode_gif([np.zeros((4, 4, 3), np.uint8)] * 2)[:6]
    b'GIF89a'
    """
    first, *others = map(Pillow.fromarray, pictures)
    file = io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=1000 // PER_SECOND, loop=0)
    return file.getvalue()


def encode_mp4(pictures: Sequence[Image]) -> bytes:
    """Encode pictures of one size as an MP4 file."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise SpecError("an MP4 file needs the program ffmpeg, which is not installed here; write a .gif instead")
    height, width, _ = pictures[0].shape
    given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(PER_SECOND), "-i", "-"]
    # players want even sides and half the color; fragments, because a pipe cannot be gone back in
    wanted = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "frag_keyframe+empty_moov"]
    command = [program, "-loglevel", "error", *given, *wanted, "-f", "mp4", "-"]
    done = subprocess.run(command, input=b"".join(picture.tobytes() for picture in pictures), capture_output=True)
    if done.returncode:
        raise DataError(f"ffmpeg could not make the MP4 file: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


ENCODERS: dict[str, Callable[[Sequence[Image]], bytes]] = {".gif": encode_gif, ".mp4": encode_mp4}
