"""`unseen show`: draw examples on a contact sheet."""

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
        int | None, typer.Option(min=1, help="Number of examples; 12 by default, or one of each task of a benchmark.")
    ] = None,
    columns: Annotated[
        int, typer.Option(min=0, help="Number of pictures in a row; 0 means as many as fit a page.")
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "--out",
            help="The PNG file to write, or a GIF or MP4 file for videos; named after the task by default.",
        ),
    ] = None,
    seed: Seed = 0,
    spec: SpecFile = None,
    inline: Annotated[
        bool | None,
        typer.Option("--inline/--no-inline", help="Draw in the terminal as well; by default if it can show pictures."),
    ] = None,
) -> None:
    """Draw examples of a task on a contact sheet.

    The name of a benchmark stands for one example of each of its tasks. Videos can also be written as GIF or MP4.

    unseen show cogitao/custom test grid=20 objects=4

    unseen show video/vmds test_occlusion --out occlusion.gif
    """
    import numpy as np

    from unseen.cli.inline import inline_picture, protocol_of
    from unseen.core.files import write_whole
    from unseen.render.animation import ENCODERS
    from unseen.render.png import encode_png
    from unseen.report.gallery import animate, first_examples
    from unseen.report.gallery import show as draw
    from unseen.runs.names import file_name

    asked = read_asked(words, spec)
    split = asked.only_split("train")
    examples = first_examples(asked.name, split, count, seed=seed, **asked.options)
    several = len({example.task.id for example in examples}) > 1
    name = asked.name if several else examples[0].task.id
    path = output or Path(file_name(f"{name.replace('/', '-')}-{split}") + ".png")
    if path.suffix in ENCODERS:
        write_whole(path, ENCODERS[path.suffix](animate(examples, columns=columns)))
    else:
        png = encode_png(np.asarray(draw(examples, count=len(examples), columns=columns)))
        write_whole(path, png)
        protocol = protocol_of(os.environ)
        if inline or (inline is None and protocol and sys.stdout.isatty()):
            print(inline_picture(png, protocol or "kitty"))
    print(f"{len(examples)} examples of {name} {split}: {path}")
