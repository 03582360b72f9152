"""Record -> arrays: grids, task codes, frames; and pictures for people."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cogitao import kernels
from unseen.benchmarks.cogitao.rules import PUBLISHED, steps
from unseen.benchmarks.cogitao.sample import Pair, Record, plan
from unseen.benchmarks.cogitao.spec import PairedSpec, Spec, View
from unseen.core.padding import PADDING, padded
from unseen.render import figure
from unseen.render.palette import Image, grid_image

Grids = npt.NDArray[np.int8]  # (depth + 1, h, w)


def paint(sequence: tuple[str, ...], pair: Pair, spec: Spec) -> tuple[Grids, npt.NDArray[np.uint8]]:
    """Return every frame of a pair, and which object (from 1) each cell of it belongs to."""
    made = plan(spec)
    shape = (len(sequence) + 1, pair.height, pair.width)
    grids, owners = np.zeros(shape, np.int8), np.zeros(shape, np.uint8)
    if made.compiled:
        kernels.paint(made.library.cells, made.table, _scene(sequence, pair, made.numbered), grids, owners)
        return grids, owners
    for i, (one, row, column) in enumerate(pair.objects, 1):
        for k, (cells, at) in enumerate(steps(sequence, made.library[one], (row, column)) or ()):
            box = np.s_[k, at[0] : at[0] + cells.shape[0], at[1] : at[1] + cells.shape[1]]
            np.copyto(grids[box], cells.astype(np.int8), where=cells > 0)
            np.copyto(owners[box], i, where=cells > 0)
    return grids, owners


def _scene(sequence: tuple[str, ...], pair: Pair, numbered: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """A pair in the form of the kernels."""
    scene = np.zeros(kernels.OBJECTS + 3 * len(pair.objects), np.int64)
    scene[kernels.HEIGHT : kernels.OPS] = pair.height, pair.width, len(pair.objects), len(sequence)
    scene[kernels.OPS : kernels.OPS + len(sequence)] = [numbered.index(name) for name in sequence]
    scene[kernels.OBJECTS :] = np.ravel(pair.objects)
    return scene


def task_code(sequence: tuple[str, ...], spec: Spec) -> npt.NDArray[np.int16]:
    """Return the sequence as tokens: 0 is the identity that pads, then the transformations in their order."""
    code = np.zeros(spec.code_length, np.int16)
    if spec.code_length:
        numbered = plan(spec).numbered
        code[: len(sequence)] = [1 + numbered.index(name) for name in sequence]
    return code


def tokens(spec: Spec) -> int:
    """Tell how many tokens there are for task codes: the identity, the published transformations, and others in use."""
    numbered = plan(spec).numbered
    return 1 + max(len(PUBLISHED), *(1 + numbered.index(name) for name in spec.occurring))


def side(spec: Spec, view: View) -> int:
    """Return the side that grids are padded to: as the view asks, or that of the largest."""
    return view.padding or spec.grid[1]


def arrays(record: Record, spec: Spec, view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs and target of an example; the rgb view adds an image to every grid."""
    frames, owners = paint(record.sequence, record.query, spec)
    inputs: dict[str, Any] = {"grid": frames[0], "code": task_code(record.sequence, spec)}
    target: dict[str, Any] = {"grid": frames[-1]}
    if isinstance(spec, PairedSpec):
        target["paired_grid"] = paint(spec.partner(record.sequence), record.query, spec)[0][-1]
    if record.demonstrations:
        shown = [paint(record.sequence, pair, spec)[0] for pair in record.demonstrations]
        inputs["demonstration_inputs"] = [grids[0] for grids in shown]
        inputs["demonstration_targets"] = [grids[-1] for grids in shown]
    if view.sequential:
        target["frames"] = frames
        target["owners"] = owners
    if view.rgb:
        inputs |= {IMAGES[name]: _images(inputs[name], view) for name in IMAGES if name in inputs}
        target |= {IMAGES[name]: _images(target[name], view) for name in IMAGES if name in target}
    return inputs, target


IMAGES = {  # arrays of grids, and the name of their images
    "grid": "image",
    "frames": "frame_images",
    "demonstration_inputs": "demonstration_input_images",
    "demonstration_targets": "demonstration_target_images",
}


def _images(grids: Grids | list[Grids], view: View) -> npt.NDArray[np.uint8]:
    """A grid as an image, or several as a stack of images."""
    if isinstance(grids, np.ndarray) and grids.ndim == 2:
        return grid_image(grids, view.size, view.background, view.soft)
    return np.stack([grid_image(grid, view.size, view.background, view.soft) for grid in grids])


def scene(record: Record, spec: Spec) -> dict[str, Any]:
    """Return the symbolic scene as plain Python values."""
    library = plan(spec).library
    return {
        "sequence": list(record.sequence),
        "grid": [record.query.height, record.query.width],
        "objects": [
            {"object": one.object, "at": [one.row, one.column], "cells": library[one.object].tolist()}
            for one in record.query.objects
        ],
    }


# ---------------------------------------------------------------------------- pictures for people

GRID_PIXELS = 240  # about how large the largest grid of a split is drawn
ANSWER_PIXELS = 150  # the same where a grid is one of three
ARROW = 30
HEAD = 26  # height of what stands above a frame


def picture(record: Record, spec: Spec, view: View) -> Image:
    """Return the sequence above its input and output grid; every frame where the view is sequential.

    Demonstrations of the same sequence come first. All grids of a split are drawn at one scale.
    """
    pairs = [paint(record.sequence, pair, spec)[0] for pair in (*record.demonstrations, record.query)]
    if view.sequential:
        rows = [_filmstrip(record.sequence, frames, spec, view) for frames in pairs]
    else:
        rows = [_film([frames[0], frames[-1]], spec, view) for frames in pairs]
    if record.demonstrations:
        titles = [f"demonstration {k}" for k in range(1, len(pairs))] + ["query"]
        rows = [
            figure.above([figure.text(title, color=figure.QUIET, size=13), row], gap=4)
            for title, row in zip(titles, rows, strict=True)
        ]
    whole = figure.above(rows, gap=16)
    if view.sequential:
        return whole
    return figure.above([figure.chain(record.sequence, whole.shape[1]), whole], gap=10)


def answer_picture(record: Record, prediction: npt.NDArray[np.integer], spec: Spec, view: View) -> Image:
    """Input, target and a model's answer side by side, a cross in every cell of the answer that is wrong.

    A cell that the answer leaves out or has too many is wrong, too; padding that target and answer share is not shown.
    """
    frames, _ = paint(record.sequence, record.query, spec)
    height, width = np.max([frames[-1].shape, prediction.shape], axis=0)
    target, answer = padded(frames[-1], height, width), padded(prediction, height, width)
    rows, columns = (np.flatnonzero(((target != PADDING) | (answer != PADDING)).any(axis=axis)) for axis in (1, 0))
    shown = np.s_[: rows[-1] + 1, : columns[-1] + 1]
    cell = _cell(spec, ANSWER_PIXELS)
    drawn = [figure.lined(np.maximum(grid, 0), cell, view.background) for grid in (*frames[[0, -1]], answer[shown])]
    drawn[2] = figure.crossed(drawn[2], (target != answer)[shown], cell)
    titles = ("input", "target", "answer")
    pieces = [
        figure.above([figure.text(title, size=13, color=figure.QUIET), grid], gap=4)
        for title, grid in zip(titles, drawn, strict=True)
    ]
    whole = figure.beside(pieces, gap=20, align="start")
    return figure.above([figure.chain(record.sequence, whole.shape[1]), whole], gap=10)


def _film(frames: list[Grids], spec: Spec, view: View) -> Image:
    """Grids from left to right, with arrows between them."""
    pieces = [_drawn(frames[0], spec, view)]
    for frame in frames[1:]:
        pieces += [figure.arrow(ARROW), _drawn(frame, spec, view)]
    return figure.beside(pieces, gap=10)


def _filmstrip(sequence: tuple[str, ...], frames: Grids, spec: Spec, view: View) -> Image:
    """Every frame, each under the transformation that leads to it."""
    heads = [figure.text("input", size=13, color=figure.QUIET), *map(figure.name_box, sequence)]
    heads = [figure.beside([head, figure.blank(HEAD)], gap=0) for head in heads]
    drawn = [_drawn(frame, spec, view) for frame in frames]
    pieces = [figure.above([heads[0], drawn[0]], gap=8, align="middle")]
    for head, grid in zip(heads[1:], drawn[1:], strict=True):
        # as high as a head and a grid, so that the arrow points at the middle of the grid
        arrow = figure.beside([figure.blank(len(grid)), figure.arrow(ARROW)], gap=0)
        pieces += [figure.above([figure.blank(HEAD), arrow], gap=8), figure.above([head, grid], gap=8, align="middle")]
    return figure.beside(pieces, gap=10, align="start")


def _drawn(grid: Grids, spec: Spec, view: View) -> Image:
    """A grid with thin lines, or its image where images are what the view shows."""
    if not view.rgb:
        return figure.lined(grid, _cell(spec), view.background)
    image = _images(grid, view)
    times = max(1, round(GRID_PIXELS / view.size))
    return figure.framed(image.repeat(times, axis=0).repeat(times, axis=1))


def _cell(spec: Spec, pixels: int = GRID_PIXELS) -> int:
    """Pixels of a cell: the same for all grids of a split."""
    return max(4, min(16, pixels // spec.grid[1]))
