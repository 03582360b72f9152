"""One whole file of every form that the library reads, in a small world of data, a run, its record and other people's
files; and ways to spoil them.
"""

from __future__ import annotations

import io
import json
import random
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

import unseen
from unseen.benchmarks.covr.world.scene import to_gqa
from unseen.core.catalogue import BENCHMARKS
from unseen.core.seals import BLANK, MARK, NAME, seal, without_seal
from unseen.data.exam import make_exam, write_exam
from unseen.data.export import export
from unseen.data.generate import generate
from unseen.metrics.tracking.label_maps import to_published
from unseen.predict import write_predictions
from unseen.results.people import SCHEMA
from unseen.results.record import write_record
from unseen.runs.views import write_views

TASK = "cogitao/custom+grid=5+max_size=3+objects=1+samples=20+sequences=translate_up"
EXPORTED = {  # a task and options of every benchmark, small enough to be written and read often
    "cogitao": TASK,
    "cvr": "cvr/inside",
    "svib": "svib/dsprites-sa",
    "video": "video/vmds",
    "covr": "covr/iid",
}
ANSWERS = {
    "grid": ("cogitao/c1-1", np.zeros((4, 5), np.int8)),
    "odd": ("cvr/inside", np.zeros(4, np.float32)),
    "image": ("svib/dsprites-sa", np.zeros((128, 128, 3), np.uint8)),
    "video": ("video/vmds", np.zeros((10, 64, 64), np.uint8)),
    "question": ("covr/iid", "yes"),
}


def make(folder: Path, model: str) -> None:
    """Write every file there is into a folder."""
    from unseen.train import Devices, Recipe, train

    generate(unseen.task(TASK), folder / "data", count=20, workers=1)
    recipe = Recipe(batch_size=10, epochs=1)
    run = train(TASK, model, recipe=recipe, options={"width": 4}, out=folder / "runs", on=Devices("cpu"))
    unseen.predict(run, "test", device="cpu", count=5)
    write_record(run.folder, folder / "results")
    (folder / "answers").mkdir()
    for kind, (task, answer) in ANSWERS.items():
        write_predictions(
            folder / "answers" / f"{kind}.parquet", unseen.task(task), "test", [answer] * 2, indices=[0, 1]
        )
    for name, task in EXPORTED.items():
        for format in getattr(BENCHMARKS[name].optional_file("published"), "FORMATS", {}):
            export(unseen.load(task, "test")[:2], folder / "published" / name / format, format)
    _write_foreign(folder / "foreign", model)


def _write_foreign(folder: Path, model: str) -> None:
    folder.mkdir()
    scenes = [unseen.load("covr/iid", "test")[0]]
    from unseen.benchmarks.covr.questions.corpus import find_scene

    spec = unseen.task("covr/iid").split("test").spec
    graphs = {image: to_gqa(find_scene(spec, image)) for one in scenes for image in one.record.scenes}
    thing = {"object_id": 1, "names": ["cup"], "attributes": ["red"], "x": 1, "y": 2, "w": 3, "h": 4}
    other = {"object_id": 2, "name": "table", "x": 1, "y": 2, "w": 3, "h": 4}
    labels = np.zeros((1, 4, 6, 6), np.uint8)
    labels[:, :, 2:4, 2:4] = 3
    texts = {
        "graphs.json": json.dumps(graphs),
        "genome.json": json.dumps(
            [
                {
                    "image_id": 1,
                    "objects": [thing],
                    "relationships": [{"subject": thing, "predicate": "ON", "object": other}],
                }
            ]
        ),
        "videos.json": json.dumps(to_published(labels, truth=True)),
        "templates.tsv": "flapping\tAGENT flaps its BODYPART at PLACE\n",
        "spec.toml": 'task = "cogitao/custom"\ngrid = "5-7"\nobjects = 1\nsequences = ["rot90"]\n',
        "spec.json": json.dumps({"task": "cogitao/custom", "grid": [5, 7], "objects": 1}),
        "sweep.toml": f'tasks = "{TASK}"\nmodels = ["{model}"]\nseeds = 2\nrecipe = {{ epochs = 2 }}\n',
        "regions/rows.json": json.dumps({"7": 0}),
        "vocab.txt": "[PAD]\n[UNK]\nis\nthe\n##s\n",
        "questions.jsonl": "".join(
            _dumped({"utterance": f"Is the cup {color}?", "paraphrased": f"Does the cup look {color}?"}) + "\n"
            for color in ("red", "blue")
        ),
        "exclusive.tsv": "noun\tman\twoman\t0.99\nrelation\tnear\triding\t0.1\n",
        "complete.tsv": "2370799\t0.93\tred\thelmet\n2370799\t0.71\t\tman\twearing\tred\thelmet\n",
        "situations/train.json": json.dumps(
            {"flapping_1.jpg": {"verb": "flapping", "frames": [{"agent": "n1", "bodypart": "n2", "place": ""}]}}
        ),
        "situations/imsitu_space.json": json.dumps({"nouns": {"n1": {"gloss": ["bird"]}, "n2": {"gloss": ["wing"]}}}),
        "situations/templates.tsv": "flapping\tAGENT flaps its BODYPART at PLACE\n",
        "reply.json": json.dumps(
            {"choices": [{"message": {"content": "2"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
        ),
        "note.claim": json.dumps({"process": 1, "host": "x", "done": 1, "total": 2, "text": "", "seconds": 1.5}),
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    _write_regions(folder / "regions")
    Image.fromarray(np.zeros((9, 8, 3), np.uint8)).save(folder / "picture.png")
    write_exam(folder / "exam.json", make_exam(unseen.task(TASK), "test", seed=3, count=2))
    write_views(folder / "views.npz", [0, 3], {"slots: first": np.zeros((2, 4, 4, 3), np.uint8)})
    pq.write_table(pa.Table.from_pylist([{}], SCHEMA), folder / "trials.parquet")
    shutil.copy(files("unseen.web") / "studies" / "cvr.toml", folder / "study.toml")
    import torch

    torch.save({"weight": torch.ones(3)}, folder / "theirs.pt")


def _write_regions(folder: Path) -> None:
    import h5py

    features, boxes = np.ones((1, 3, 8), np.float32), np.full((1, 3, 4), [0.1, 0.1, 0.6, 0.9], np.float32)
    np.savez(folder / "7.npz", features=features[0], boxes=boxes[0])
    with h5py.File(folder / "all.h5", "w") as file:
        file["features"], file["boxes"] = features, boxes


# ---------------------------------------------------------------------------- ways to spoil a file

ODD: list[Any] = [
    *(None, True, -1, 0, 1, 2**31, 2**63, 10**400, 0.5, float("nan"), float("inf"), "", "x", "\0", "..", "1", "9" * 30),
    *("/etc/passwd", "x:/elsewhere/f", "x" * 300, "\x1b[31m", "test"),
    *([], {}, [[]], [1], ["x"], {"": 1}, {"x": {}}, [None]),
]


def spoil(path: Path, rng: random.Random) -> None:
    """Change a file, in its bytes or in what it says; mostly with a new seal, so that it is not the seal that tells."""
    ways = WAYS.get(path.suffix, [])
    rng.choice([*ways, *ways, damage] if path.suffix not in FRAGILE else ways)(path, rng)


def damage(path: Path, rng: random.Random) -> None:
    """Flip, cut, repeat, insert or replace some bytes."""
    content = bytearray(path.read_bytes())
    at = rng.randrange(len(content) + 1)
    size = rng.choice([1, 1, 4, 100])
    match rng.randrange(5):
        case 0 if at < len(content):
            content[at] ^= 1 << rng.randrange(8)
        case 1:
            del content[at:]
        case 2:
            content[at:at] = content[at : at + size]
        case 3:
            content[at:at] = rng.randbytes(size)
        case _:
            content[at : at + size] = rng.randbytes(size)
    path.write_bytes(_resealed(bytes(content), rng))


def _resealed(content: bytes, rng: random.Random) -> bytes:
    """The content with a seal that fits, mostly, where it has one."""
    at = content.rfind(MARK)
    if at < 0 or rng.random() < 0.2:
        return content
    end = at + len(BLANK)
    return seal(content[:at] + BLANK.encode() + content[end:]) if len(content) >= end else content


def change_value(value: Any, rng: random.Random) -> Any:
    """A value in which one thing, somewhere inside, is another, gone, or there twice."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        match rng.randrange(8):
            case 0:
                return {k: v for k, v in value.items() if k != key}
            case 1:
                return {**value, rng.choice(["x", "", "..", key + "x"]): rng.choice(ODD)}
            case _:
                return {**value, key: change_value(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        match rng.randrange(8):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return value[:at] + value[at : at + 1] * 2 + value[at + 1 :]
            case _:
                return [*value[:at], change_value(value[at], rng), *value[at + 1 :]]
    if rng.random() < 0.02:
        return json.loads("[" * 900 + "]" * 900)
    return rng.choice(ODD)


def _dumped(value: Any) -> str:
    return json.dumps(value)


def change_json(path: Path, rng: random.Random) -> None:
    """Change something that a JSON file says."""
    content = path.read_bytes()
    value = change_value(json.loads(without_seal(content, path)), rng)
    if MARK in content and isinstance(value, dict) and rng.random() < 0.8:
        path.write_bytes(seal(_dumped({**value, NAME: BLANK}).encode()))
    else:
        path.write_text(_dumped(value))


def change_lines(path: Path, rng: random.Random) -> None:
    """Change something that a line of JSON says."""
    lines = path.read_bytes().splitlines()
    at = rng.randrange(len(lines))
    value = change_value(json.loads(without_seal(lines[at] + b"\n", path)), rng)
    lines[at] = _dumped(value).encode()
    path.write_bytes(b"\n".join(lines) + rng.choice([b"\n", b"\n", b""]))


def change_toml(path: Path, rng: random.Random) -> None:
    """Change a value or a name of a TOML file."""
    lines = path.read_text().splitlines()
    at = rng.randrange(len(lines))
    name, equals, _ = lines[at].partition("=")
    odd = rng.choice(["3", "-1", "1e400", "nan", '""', '"x"', "[]", "[1]", "{}", "{x = 1}", "true", "1979-05-27"])
    lines[at] = rng.choice([f"{name}{equals or '='} {odd}", f"x{lines[at]}", f"{lines[at]}\n{lines[at]}", "[x]"])
    path.write_text("\n".join(lines))


def change_parquet(path: Path, rng: random.Random) -> None:
    """Change the metadata, or a column, of a Parquet file."""
    table = pq.read_table(path)
    metadata = {key: value for key, value in (table.schema.metadata or {}).items() if key != NAME.encode()}
    if b"unseen" in metadata and rng.random() < 0.5:
        metadata[b"unseen"] = _dumped(change_value(json.loads(metadata[b"unseen"]), rng)).encode()
    else:
        table = _change_column(table, rng)
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, table.replace_schema_metadata(metadata).schema, write_page_checksum=True) as writer:
        writer.write_table(table.replace_schema_metadata(metadata))
        writer.add_key_value_metadata({NAME: BLANK})
    path.write_bytes(seal(sink.getvalue()))


def _change_column(table: pa.Table, rng: random.Random) -> pa.Table:
    at = rng.randrange(table.num_columns)
    name, rows = table.schema.names[at], table.num_rows
    odd = rng.choice(
        [
            pa.array([rng.choice([-1, 2**62, 0])] * rows, pa.int64()),
            pa.nulls(rows, table.schema.field(at).type),
            pa.array(["x"] * rows),
            pa.array([[[1], [2, 3]]] * rows),
            pa.array([{"bytes": rng.choice([b"", b"x", b"\x89PNG"]), "path": None}] * rows),
        ]
    )
    match rng.randrange(5):
        case 0:
            return table.drop_columns([name])
        case 1:
            return table.slice(rng.randrange(rows + 1))
        case 2:
            return pa.concat_tables([table, table])
        case _:
            return table.set_column(at, table.schema.field(at).with_type(odd.type), odd)


def change_header(path: Path, rng: random.Random) -> None:
    """Change something that the header of a safetensors file says."""
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    about = header.get("__metadata__", {})
    if "unseen" in about and rng.random() < 0.7:
        about["unseen"] = _dumped(change_value(json.loads(about["unseen"]), rng))
    else:
        changed = change_value({k: v for k, v in header.items() if k != "__metadata__"}, rng)
        header = {**(changed if isinstance(changed, dict) else {"x": changed}), "__metadata__": about}
    about[NAME] = BLANK
    written = _dumped(header).encode()
    path.write_bytes(seal(len(written).to_bytes(8, "little") + written + content[8 + size :]))


def change_hdf5(path: Path, rng: random.Random) -> None:
    """Leave something out of an HDF5 file, or put something else in its place."""
    import h5py

    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        name = rng.choice(names)
        attributes = list(file.attrs)
        if attributes and rng.random() < 0.2:
            file.attrs[rng.choice(attributes)] = rng.choice(["x", 3, [1.5]])
            return
        del file[name]
        if rng.random() < 0.8:
            file[name] = rng.choice(
                [
                    np.zeros(0),
                    np.zeros((2, 2)),
                    np.zeros((2, 5, 5), np.int64),
                    3,
                    "x",
                    [b"[", b"{}"],
                    np.zeros((2, 9, 9, 9, 9)),
                ]
            )


def change_arrays(path: Path, rng: random.Random) -> None:
    """Leave an array out of a file of NumPy arrays, or put another in its place, or a single one in place of all."""
    with np.load(path) as held:
        arrays = dict(held)
    name = rng.choice(list(arrays))
    odd = [np.zeros(0), np.zeros((2, 2, 2)), np.array(["x"]), np.full((3, 4), np.nan), np.zeros((3, 4), complex)]
    if rng.random() < 0.2:
        del arrays[name]
    else:
        arrays[name] = rng.choice(odd)
    if rng.random() < 0.1:
        with path.open("wb") as file:
            np.save(file, odd[0])
    else:
        rng.choice([np.savez, np.savez_compressed])(path, **arrays)


def change_words(path: Path, rng: random.Random) -> None:
    """Change a word of a text, leave it out, or have a line twice."""
    lines = path.read_text().split("\n")
    at = rng.randrange(len(lines))
    words = lines[at].split("\t")
    words[rng.randrange(len(words))] = rng.choice(["", "x", "nan", "-1", "1e999", "\t", "\r", "é", "x" * 300])
    lines[at] = rng.choice(["\t".join(words), "\t".join(words[1:]), lines[0], f"{lines[at]}\n{lines[at]}"])
    path.write_text("\n".join(lines))


Way = Callable[[Path, random.Random], None]
FRAGILE = {".h5", ".hdf5"}  # whose own library may crash on damaged bytes, or never end
WAYS: dict[str, list[Way]] = {
    ".json": [change_json],
    ".jsonl": [change_lines],
    ".claim": [change_json],
    ".toml": [change_toml],
    ".parquet": [change_parquet],
    ".safetensors": [change_header],
    ".npz": [change_arrays],
    ".tsv": [change_words],
    ".txt": [change_words],
    ".h5": [change_hdf5],
    ".hdf5": [change_hdf5],
}


def copy_world(world: Path, to: Path) -> Path:
    """A world of one's own, to spoil."""
    return Path(shutil.copytree(world, to))
