"""The files of the video benchmark: HDF5 of frames, JSON of masks that its evaluation reads, and COCO's form of these.

HDF5: an array (video, time, channel, row, column) by the name of the split; the further test sets of VMDS in a group.
Rows have `split` and `frames` (t, h, w, 3).

JSON: a list of videos, each a list of frames with `masks` and `ids`, of which the last `num_bg` are the background.
Masks are run lengths "start length start length ...", rows first and counted from 1; ids are unique in the file. Rows
have `frames`.

COCO: one object with `videos`, `categories` and `annotations`, an object's masks frame by frame (null where there is
none) as lengths of background and mask in turn, columns first. Rows have `video` and `annotations`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from unseen.benchmarks.video.rules import SHAPES, SOLIDS
from unseen.core.errors import SpecError, missing_extra
from unseen.core.formats import Format, PublishedRow, json_elements
from unseen.core.nesting import parsed
from unseen.core.run_lengths import Mask, encode_coco, published_frame
from unseen.core.splits import PARTS
from unseen.core.task import Example, Task

GROUP = "testsets"  # of the HDF5 file; the name is ours, loaders of the published file take any


def place(task: Task) -> PurePosixPath:
    """Return the folder of a task; the published data set has one file for each."""
    return PurePosixPath(task.row.name)


# ---------------------------------------------------------------------------- HDF5: frames


def write_hdf5(path: Path, examples: Sequence[Example]) -> None:
    """Write the frames of a split."""
    if not len(examples):
        raise SpecError("an HDF5 file has frames of one length and size, so it needs at least one video")
    split = examples[0].split
    t, h, w, channels = examples[0].inputs["frames"].shape
    shape = (t, channels, h, w)
    with _h5py().File(path, "w") as file:
        name = split if split in PARTS else f"{GROUP}/{split}"
        made = file.create_dataset(name, (len(examples), *shape), np.uint8, chunks=(1, *shape), compression="lzf")
        for number, example in enumerate(examples):
            made[number] = example.inputs["frames"].transpose(0, 3, 1, 2)


def read_hdf5(path: Path) -> Iterator[PublishedRow]:
    """Read videos one by one, of all sets that a file has."""
    h5py = _h5py()
    with h5py.File(path, "r") as file:
        found: dict[str, Any] = {}
        file.visititems(lambda name, item: found.update({name: item}) if isinstance(item, h5py.Dataset) else None)
        for name, videos in found.items():
            if videos.ndim != 5 or videos.shape[2] != 3 or videos.dtype != np.uint8:
                raise ValueError(f"{name} is {videos.dtype} {videos.shape}, not uint8 (video, time, 3, row, column)")
            for video in videos:
                yield {"split": name.rpartition("/")[2], "frames": video.transpose(0, 2, 3, 1)}


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise missing_extra("the published HDF5 format", "hdf5", "h5py") from None
    return h5py


# ---------------------------------------------------------------------------- JSON: masks for the evaluation


def write_json(path: Path, examples: Sequence[Example]) -> None:
    """Write the true masks, a line per video."""
    first = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, example in enumerate(examples):
            frames = [published_frame(frame, first, truth=True) for frame in example.target["ids"]]
            file.write(",\n" if number else "\n")
            file.write(json.dumps(frames, separators=(",", ":")))
            first += 1 + int(example.target["ids"].max())
        file.write("\n]\n")


def read_json(path: Path) -> Iterator[PublishedRow]:
    """Read videos one by one; masks stay as they are, which is what the evaluation takes."""
    with path.open(encoding="utf-8") as file:
        for video in json_elements(file):
            if not isinstance(video, list) or not all({"masks", "ids"} <= frame.keys() for frame in video):
                raise ValueError("a video is not a list of frames with masks and ids")
            yield {"frames": video}


# ---------------------------------------------------------------------------- COCO: objects and their masks

CATEGORIES = {name: number for number, name in enumerate((*SHAPES, *SOLIDS), 1)}


def write_coco(path: Path, examples: Sequence[Example]) -> None:
    """Write objects as annotations of videos; annotations first, so that none has to be kept."""
    videos: list[dict[str, int]] = []
    categories = [{"id": number, "name": name} for name, number in CATEGORIES.items()]
    number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write('{"annotations":[')
        for example in examples:
            length, height, width = example.target["ids"].shape
            videos.append({"id": 1 + len(videos), "length": length, "height": height, "width": width})
            for found in _annotations(example):
                file.write(",\n" if number else "\n")
                number += 1
                file.write(json.dumps({"id": number, "video_id": len(videos), **found}, separators=(",", ":")))
        file.write(f'\n],\n"videos":{json.dumps(videos)},\n"categories":{json.dumps(categories)}}}\n')


def _annotations(example: Example) -> Iterator[dict[str, Any]]:
    for number, shape in enumerate(example.record.shapes, 1):
        masks = [mask if mask.any() else None for mask in example.target["ids"] == number]
        yield {
            "category_id": CATEGORIES[shape],
            "iscrowd": 0,
            "segmentations": [encode_coco(mask) if mask is not None else None for mask in masks],
            "areas": [int(mask.sum()) if mask is not None else None for mask in masks],
            "bboxes": [_box(mask) if mask is not None else None for mask in masks],
        }


def _box(mask: Mask) -> list[int]:
    """Left, top, width and height."""
    rows, columns = np.nonzero(mask)
    return [int(columns.min()), int(rows.min()), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1]


def read_coco(path: Path) -> Iterator[PublishedRow]:
    """Read videos with their annotations; the form is one object, so all of it is in memory."""
    content = parsed(json.loads, path.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or not {"videos", "annotations"} <= content.keys():
        raise ValueError("it has no videos and annotations")
    of: dict[int, list[Any]] = {video["id"]: [] for video in content["videos"]}
    for one in content["annotations"]:
        of[one["video_id"]].append(one)
    yield from ({"video": video, "annotations": of[video["id"]]} for video in content["videos"])


FORMATS = {
    row.name: row
    for row in (
        Format("hdf5", ".hdf5", "the published data set: frames", write_hdf5, read_hdf5),
        Format("json", ".json", "the published evaluation's: masks and ids", write_json, read_json),
        Format("coco", ".coco.json", "masks and ids as COCO and YouTube-VIS have them", write_coco, read_coco),
    )
}
