"""Record -> arrays: grids, task codes, frames; and pictures for people."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.cogitao import kernels
from unseen.benchmarks.cogitao.rules import steps
from unseen.benchmarks.cogitao.sample import Pair, Record, plan
from unseen.benchmarks.cogitao.spec import Spec, View

Grids = npt.NDArray[np.int8]  # (depth + 1, h, w)


def paint(sequence: tuple[str, ...], pair: Pair, spec: Spec) -> tuple[Grids, npt.NDArray[np.uint8]]:
    """Every frame of a pair, and which object (from 1) each cell of it belongs to."""
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
    """The sequence as tokens: 0 is the identity that pads, then the transformations in their order."""
    code = np.zeros(spec.code_length, np.int16)
    if spec.code_length:
        numbered = plan(spec).numbered
        code[: len(sequence)] = [1 + numbered.index(name) for name in sequence]
    return code


def arrays(record: Record, spec: Spec, view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs and target of an example."""
    frames, owners = paint(record.sequence, record.query, spec)
    inputs: dict[str, Any] = {"grid": frames[0], "code": task_code(record.sequence, spec)}
    target: dict[str, Any] = {"grid": frames[-1]}
    if record.demonstrations:
        shown = [paint(record.sequence, pair, spec)[0] for pair in record.demonstrations]
        inputs["demonstration_inputs"] = [grids[0] for grids in shown]
        inputs["demonstration_targets"] = [grids[-1] for grids in shown]
    if view.sequential:
        target["frames"] = frames
        target["owners"] = owners
    return inputs, target


def scene(record: Record, spec: Spec) -> dict[str, Any]:
    """The symbolic scene as plain Python values."""
    library = plan(spec).library
    return {
        "sequence": list(record.sequence),
        "grid": [record.query.height, record.query.width],
        "objects": [
            {"object": one.object, "at": [one.row, one.column], "cells": library[one.object].tolist()}
            for one in record.query.objects
        ],
    }
