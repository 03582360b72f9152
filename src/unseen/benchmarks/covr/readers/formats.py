"""Scene graphs of any of the published formats, told by what is in the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unseen.benchmarks.covr.readers import gqa, imsitu, visual_genome
from unseen.benchmarks.covr.readers.stream import entries
from unseen.benchmarks.covr.world.scene import Scene
from unseen.core.errors import DataError

# files that belong to others, by their published names, and are looked for beside them
ATTRIBUTES = "attributes.json"  # of Visual Genome, where there are any
SPACE, TEMPLATES = "imsitu_space.json", "generation_templates.tab"  # of imSitu


def format_of(path: Path) -> str:
    """Return the format of a file, by its first image: "gqa", "visual-genome" or "imsitu"."""
    _, _, first = next(entries(path), ("", "", None))
    if isinstance(first, dict):
        for name, key in (("imsitu", "verb"), ("visual-genome", "image_id"), ("gqa", "objects")):
            if key in first:
                return name
    raise DataError(
        f"{path} begins with no image of GQA (with objects), Visual Genome (with an image_id) or imSitu (with a verb)"
    )


def companions(path: Path) -> tuple[Path, ...]:
    """Return the files that a file cannot be read without."""
    beside = {
        "gqa": (),
        "visual-genome": tuple(filter(Path.is_file, [path.parent / ATTRIBUTES])),
        "imsitu": (path.parent / SPACE, path.parent / TEMPLATES),
    }
    return beside[format_of(path)]


def read(path: str | Path) -> Iterator[Scene]:
    """Return the scenes of a file, in its order."""
    path = Path(path)
    readers = {"gqa": gqa.read, "visual-genome": visual_genome.read, "imsitu": imsitu.read}
    return readers[format_of(path)](path, *companions(path))  # type: ignore[operator,no-any-return]
