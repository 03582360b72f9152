"""The files SVIB was published in: a folder per episode with both images, their masks, and their scenes as JSON.

<root>/dsprites-MMix2/train/alpha-0.4/00000000/{source,target}{.png,_mask.png,.json}

Episodes in which nothing happens have the source alone. The published images of dSprites have red and blue swapped, for
their writer took RGB for BGR; the format `folders-bgr` does the same, and `folders` does not. A file `info.json` that
dSprites has among its episodes is left out, for the published loaders take it for one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.svib import solids
from unseen.benchmarks.svib.sample import Placed, Record
from unseen.benchmarks.svib.solids import GRAIN
from unseen.benchmarks.svib.spec import Spec
from unseen.core.formats import Format, PublishedRow
from unseen.core.nesting import parsed
from unseen.core.task import Example, Task
from unseen.render.picture import read_picture

Image = npt.NDArray[np.uint8]
SPLITS = {"train": "train/alpha-{alpha}", "test_ood": "test", "test": "test_in_distribution"}
DIGITS = {"dsprites": 8, "clevr": 18, "clevrtex": 18}  # of an episode's name
RULES = {  # names of the benchmark's rules in the published folders; S-NA of dSprites goes by another rule's
    "dsprites": {"sa": "ShAASh", "sna": "NShAC", "ma": "MMix2", "mna": "MNMix2"},
    "clevr": {"sa": "swap-shape", "sna": "NShAASh", "ma": "M-Mix2", "mna": "M-N-Mix2"},
    "clevrtex": {"sa": "ShAASh", "sna": "NShAASh", "ma": "ShAM+MAASi", "mna": "NShAM+NMAASi"},
}
SHAPES = {  # ours -> published
    "clevr": {"cube": "SmoothCube_v2", "sphere": "Sphere", "cylinder": "SmoothCylinder", "monkey": "Suzanne"},
    "clevrtex": {
        **{"cone": "Cone", "cube": "Cube", "cylinder": "Cylinder", "monkey": "Suzanne"},
        **{"icosahedron": "Icosahedron", "teapot": "NewellTeapot", "sphere": "Sphere", "torus": "Torus"},
    },
}
MATERIALS = {
    "clevr": {"rubber": "Rubber", "metal": "MyMetal"},
    "clevrtex": {
        ours: f"data/materials/Poliigon{name}.blend"
        for ours, name in {
            "brick": "BricksFlemishRed001",
            "painted_brick": "BricksPaintedWhite001",
            "chain_mail": "ChainmailCopperRoundedThin001",
            "denim": "FabricDenim003",
            "fleece": "FabricFleece001",
            "spotted_metal": "MetalSpottyDiscoloration001",
            "terracotta_tiles": "RoofTilesTerracotta004",
            "wood": "WoodFlooring061",
        }.items()
    },
}
MASKS = {  # colors of the ground and of the first objects; further objects are gray, each in its own tone
    "dsprites": ((0, 0, 0), (255, 0, 0), (0, 0, 255)),
    "clevr": ((64, 64, 64), (0, 0, 0), (255, 0, 0)),
    "clevrtex": ((0, 0, 0), (255, 0, 0), (0, 255, 0)),
}
LAMPS = ("Camera", "Lamp_Key", "Lamp_Back", "Lamp_Fill")  # in the order of a record's jitter
STOOD = (solids.CAMERA, *solids.PLACES)
REACHES = (solids.SHAKE_CAMERA, *(solids.SHAKE_LIGHT,) * 3)


def place(task: Task) -> PurePosixPath:
    """Return the folder of a task in the published data set."""
    world, _, rule = task.row.name.partition("-")
    return PurePosixPath(f"{world}-{RULES.get(world, {}).get(rule, rule)}" if rule else world)


# ---------------------------------------------------------------------------- writing


def write_folders(path: Path, examples: Sequence[Example], *, swapped: bool) -> None:
    """Write a folder of episodes, numbered from 0 in the order of the examples."""
    path.mkdir(parents=True)
    for number, example in enumerate(examples):
        spec: Spec = example.task.split(example.split).spec
        folder = path / f"{number:0{DIGITS[spec.world]}}"
        folder.mkdir()
        _write_scene(folder, "source", example, swapped=swapped)
        if spec.effects:
            _write_scene(folder, "target", example, swapped=swapped)


def _write_scene(folder: Path, which: str, example: Example, *, swapped: bool) -> None:
    from unseen.benchmarks.svib.render import seen

    record, spec = example.record, example.task.split(example.split).spec
    objects = record.source if which == "source" else record.target
    found = seen(objects, record, spec, example.task.view)
    if found.image is not None:
        _save(folder / f"{which}.png", found.image[..., ::-1] if swapped else found.image, spec)
    _save(folder / f"{which}_mask.png", mask_colors(spec)[found.masks], spec)
    content = {"image_filename": folder.name, **scene_json(objects, record, spec, len(found.masks))}
    (folder / f"{which}.json").write_text(json.dumps(content), encoding="utf-8")


def _save(path: Path, pixels: Image, spec: Spec) -> None:
    from PIL import Image as Pillow

    if not spec.place.flat:  # whose files have an alpha channel
        pixels = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
    Pillow.fromarray(np.ascontiguousarray(pixels)).save(path, compress_level=1)


def mask_colors(spec: Spec) -> Image:
    """Return the color of the ground and of every object, (1 + objects, 3)."""
    named = MASKS[spec.world]
    grays = [(20 + 20 * k,) * 3 for k in range(spec.objects + 1 - len(named))]
    return np.array([*named, *grays], np.uint8)


def scene_json(objects: Sequence[Placed], record: Record, spec: Spec, side: int) -> dict[str, Any]:
    """Return a scene in the words of the published files; pixel coordinates are those of an image of `side` pixels."""
    if spec.place.flat:
        return {"objects": [_sprite_json(one, depth, spec) for depth, one in enumerate(objects)]}
    content: dict[str, Any] = {"objects": [_solid_json(one, record, spec, side) for one in objects]}
    if spec.place.textured:
        content["ground_material"] = MATERIALS[spec.world][spec.place.materials[record.ground]]
    scene = solids.scene_of(objects, record, spec)
    where = (scene.camera.position, *(light.position for light in scene.lights))
    return content | {name: list(position) for name, position in zip(LAMPS, where, strict=True)}


def _sprite_json(one: Placed, depth: int, spec: Spec) -> dict[str, Any]:
    color, shape, size = (values[k] for values, k in zip(spec.vocabularies, one.look, strict=True))
    return {
        "shape": shape,
        "size": size,
        "rotation": 0.0,
        "2d_coords": [one.x / GRAIN, one.y / GRAIN],
        "color": [*bytes.fromhex(str(color))],
        "depth": depth,
    }


def _solid_json(one: Placed, record: Record, spec: Spec, side: int) -> dict[str, Any]:
    from unseen.render.space.project import view

    body = solids.body_of(one, spec.place)
    seen_by = view(solids.scene_of((one,), record, spec).camera, side)
    offset = np.array(body.position) - seen_by[9:12]
    right, up, ahead = (float(seen_by[k : k + 3] @ offset) for k in (0, 3, 6))
    focal = float(seen_by[12])
    content = {
        "shape": SHAPES[spec.world].get(body.shape, body.shape),
        "size": body.size,
        "material": MATERIALS[spec.world][body.material],
        "3d_coords": list(body.position),
        "rotation": 0.0,
        "pixel_coords": [round(side / 2 + focal * right / ahead), round(side / 2 - focal * up / ahead), ahead],
    }
    return content | ({} if spec.place.textured else {"color": [*body.color, 1.0]})


# ---------------------------------------------------------------------------- reading


def read_folders(path: Path) -> Iterator[PublishedRow]:
    """Read episodes in order: `name`, and of both scenes `source` (JSON), `source_image`, `source_mask` as stored."""
    folders = sorted(folder for folder in path.iterdir() if folder.is_dir())
    if not folders:
        raise ValueError("it has no folder of an episode")
    for folder in folders:
        row: PublishedRow = {"name": folder.name}
        for which in ("source", "target"):
            if which == "source" or (folder / f"{which}.json").exists():
                row[which] = parsed(json.loads, (folder / f"{which}.json").read_text(encoding="utf-8"))
                row[f"{which}_image"] = _pixels(folder / f"{which}.png")
                row[f"{which}_mask"] = _pixels(folder / f"{which}_mask.png")
        yield row


def _pixels(file: Path) -> Image | None:
    return read_picture(file) if file.exists() else None


def record_of(row: PublishedRow, spec: Spec) -> Record:
    """Return the record of a published episode, in the vocabularies of a spec; ValueError where it has none."""
    source: dict[str, Any] = row["source"]
    target: dict[str, Any] = row.get("target") or source
    jitter = [
        round((at - base) / reach * GRAIN)
        for name, stood, reach in zip(LAMPS, STOOD, REACHES, strict=True)
        if name in source
        for at, base in zip(source[name], stood, strict=True)
    ]
    grounds = [MATERIALS[spec.world][name] for name in spec.place.materials] if spec.place.textured else [""]
    return Record(
        _objects(source, spec),
        _objects(target, spec),
        tuple(jitter),
        grounds.index(source.get("ground_material", "")),
    )


def _objects(scene: dict[str, Any], spec: Spec) -> tuple[Placed, ...]:
    return tuple(_placed(one, spec) for one in scene["objects"])


def _placed(one: dict[str, Any], spec: Spec) -> Placed:
    words: dict[str, Callable[[Any], Any]] = {
        "color": lambda value: [round(c * (1 if spec.place.flat else 255)) for c in value[:3]],
        "material": lambda value: value,
        "shape": lambda value: value,
        "size": lambda value: value,
    }
    known = published_values(spec)
    look = tuple(known[factor].index(words[factor](one[factor])) for factor in spec.place.factors)
    x, y, *_ = one["2d_coords" if spec.place.flat else "3d_coords"]
    return Placed(look, round(x * GRAIN), round(y * GRAIN))


def published_values(spec: Spec) -> dict[str, list[Any]]:
    """Return the vocabularies in the words of the published files."""
    shapes, materials = SHAPES.get(spec.world, {}), MATERIALS.get(spec.world, {})
    return {
        "color": [[*bytes.fromhex(color)] for color in spec.place.colors],
        "shape": [shapes.get(name, name) for name in spec.place.shapes],
        "size": list(spec.place.sizes),
        "material": [materials[name] for name in spec.place.materials],
    }


FORMATS = {
    row.name: row
    for row in (
        Format(
            "folders", "", "a folder per episode: PNG and JSON", partial(write_folders, swapped=False), read_folders
        ),
        Format(
            "folders-bgr", "", "the same with red and blue swapped", partial(write_folders, swapped=True), read_folders
        ),
    )
}
