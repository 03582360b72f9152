"""`unseen show`: a contact sheet of examples."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from unseen.cli.asked import Seed, SpecFile, Words, read_asked


def show(
    words: Words = None,
    count: Annotated[
        int | None, typer.Option(min=1, help="How many examples: 12, or one of each task of a benchmark.")
    ] = None,
    columns: Annotated[int, typer.Option(min=0, help="Pictures in a row; 0: as many as fit a page.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "--out", help="The PNG file, or GIF or MP4 of what moves; named after the task by default."
        ),
    ] = None,
    seed: Seed = 0,
    spec: SpecFile = None,
    inline: Annotated[
        bool | None, typer.Option("--inline/--no-inline", help="Draw in the terminal; by default where it can.")
    ] = None,
) -> None:
    """Draw examples of a task, or of every task of a benchmark, on a contact sheet, a PNG file; or as a GIF or MP4.

    unseen show cogitao/custom test grid=20 objects=4

    unseen show video/vmds test_occlusion --out occlusion.gif
    """
    import numpy as np

    from unseen.cli.inline import inline_picture, protocol_of
    from unseen.render.animation import ENCODERS
    from unseen.render.png import encode_png
    from unseen.report.gallery import animate, first_examples
    from unseen.report.gallery import show as draw

    asked = read_asked(words, spec)
    split = asked.only_split("train")
    examples = first_examples(asked.name, split, count, seed=seed, **asked.options)
    several = len({example.task.id for example in examples}) > 1
    name = asked.name if several else examples[0].task.id
    path = output or Path(f"{name.replace('/', '-')}-{split}.png")
    if path.suffix in ENCODERS:
        write(path, ENCODERS[path.suffix](animate(examples, columns=columns)))
    else:
        png = encode_png(np.asarray(draw(examples, count=len(examples), columns=columns)))
        write(path, png)
        protocol = protocol_of(os.environ)
        if inline or (inline is None and protocol and sys.stdout.isatty()):
            print(inline_picture(png, protocol or "kitty"))
    print(f"{len(examples)} examples of {name} {split}: {path}")


def write(path: Path, content: bytes) -> None:
    """Write a file, or say in a sentence why not."""
    from unseen.core.errors import DataError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror}") from None
