"""The files CVR was published in: a folder per rule and split, and in it a PNG strip per problem.

<root>/task_shape_contact_2/test_gen/00000.png

A strip is four images of 128 pixels, each in a black frame of 4, side by side; the odd one is the last. Nothing else is
stored: the label is the place, and the rule the name of the folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cvr.scene import PANELS
from unseen.core.errors import SpecError
from unseen.core.formats import Format, PublishedRow
from unseen.core.task import Example, Task
from unseen.render.picture import read_picture

SIDE, FRAME = 128, 4  # pixels
FRAMED = SIDE + 2 * FRAME
ODD = PANELS - 1  # place of the odd image
SPLITS = {"test_ood": "test_gen"}
PREFIX = "task_"

Images = npt.NDArray[np.uint8]


def place(task: Task) -> PurePosixPath:
    """Return the folder of a rule's task in the published data set."""
    return PurePosixPath(PREFIX + task.row.name.replace("-", "_"))


def strip_of(images: Images, odd: int) -> Images:
    """Return four images (4, 128, 128, 3) as a strip (136, 544, 3): framed, side by side, the odd one moved to the end.

    >>> strip_of(np.full((4, 128, 128, 3), 255, np.uint8), odd=1).shape
    (136, 544, 3)
    """
    if images.shape != (PANELS, SIDE, SIDE, 3):
        raise SpecError(f"published strips have four images of {SIDE} x {SIDE} pixels, not {images.shape}")
    ordered = [*np.delete(images, odd, axis=0), images[odd]]
    around = ((FRAME, FRAME), (FRAME, FRAME), (0, 0))
    return np.concatenate([np.pad(image, around) for image in ordered], axis=1)


def images_of(strip: Images) -> Images:
    """Return the four images (4, 128, 128, 3) of a strip; ValueError where it is none."""
    if strip.shape != (FRAMED, PANELS * FRAMED, 3):
        height, width = strip.shape[:2]
        raise ValueError(f"it is {width} x {height} pixels, and a strip is {PANELS * FRAMED} x {FRAMED}")
    framed = strip.reshape(FRAMED, PANELS, FRAMED, 3).swapaxes(0, 1)
    images = framed[:, FRAME:-FRAME, FRAME:-FRAME]
    if framed.any(axis=3).sum() != images.any(axis=3).sum():
        raise ValueError(f"its images have no black frame of {FRAME} pixels")
    return images.copy()


def write_strips(path: Path, examples: Sequence[Example]) -> None:
    """Write a folder of strips, numbered from 0 in the order of the examples."""
    from PIL import Image

    path.mkdir()
    rule = None
    for number, example in enumerate(examples):
        rule = rule or example.record.rule
        if example.record.rule != rule:
            raise SpecError(
                f"a published folder holds one rule, not {rule} and {example.record.rule}; export each alone"
            )
        strip = strip_of(example.inputs["images"], example.target["odd"])
        # RGB and no palette, because readers of the published files do not convert
        Image.fromarray(strip).save(path / f"{number:05}.png", compress_level=1)


def read_strips(path: Path) -> Iterator[PublishedRow]:
    """Read a folder of strips in order: `images`, `odd`, and the `rule` that the folder above is named after."""
    files = sorted(file for file in path.iterdir() if file.suffix == ".png")
    rule = path.absolute().parent.name.removeprefix(PREFIX)
    for number in range(max(1, len(files))):
        file = path / f"{number:05}.png"
        if file not in files[number : number + 1]:
            raise ValueError(f"it has no {file.name}")
        try:
            images = images_of(read_picture(file))
        except (ValueError, OSError) as error:
            raise ValueError(f"{file.name}: {error}") from error
        yield {"images": images, "odd": ODD, "rule": rule}


FORMATS = {
    row.name: row
    for row in (Format("strips", "", "a folder of PNG strips, the odd image last", write_strips, read_strips),)
}
