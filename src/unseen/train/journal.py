"""The learning curve: a JSON line per evaluation, and the same for TensorBoard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

from unseen.core.files import write_whole

Row = dict[str, Any]
LOG = "log.jsonl"
TENSORBOARD = "tensorboard"


class Journal:
    """Writes rows of a run that continues from a step; what a killed process wrote of later steps is dropped."""

    def __init__(self, folder: Path, step: int) -> None:
        self.path = folder / LOG
        kept = [row for row in read_log(folder) if row["step"] <= step]
        write_whole(self.path, "".join(_line(row) for row in kept).encode())
        self.board = SummaryWriter(folder / TENSORBOARD, purge_step=step + 1)

    def add(self, row: Row) -> None:
        """Write a row down."""
        with self.path.open("a") as file:
            file.write(_line(row))
        for name, value in row.items():
            for path, number in _numbers(name, value):
                self.board.add_scalar(path, number, row["step"])
        self.board.flush()

    def close(self) -> None:
        """End the writing."""
        self.board.close()


def read_log(folder: Path) -> list[Row]:
    """The rows written so far; half a line, left by a killed process, is none."""
    rows = []
    path = folder / LOG
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return rows


def _line(row: Row) -> str:
    return json.dumps(row) + "\n"


def _numbers(name: str, value: Any) -> list[tuple[str, float]]:
    """The numbers of a row by their path: `val/loss`."""
    if isinstance(value, dict):
        return [pair for key, inner in value.items() for pair in _numbers(f"{name}/{key}", inner)]
    return [] if name == "step" else [(name, value)]
