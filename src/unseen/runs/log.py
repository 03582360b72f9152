"""The learning curve: a line of JSON per evaluation."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from unseen.core.errors import DataError
from unseen.core.files import unwritable, write_whole
from unseen.core.seals import MARK, sealed_json, without_seal
from unseen.core.validation import CHECKED, Whole


@dataclass(frozen=True)
class LogLine:
    """What was measured at one step."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    step: Whole  # over all stages
    seconds: float  # since the run began, interruptions left out
    splits: dict[str, dict[str, float]]  # of each split the loss, the accuracy where it was evaluated, and so on
    stage: str = ""  # "" where a model learns in one
    epoch: float = 0.0  # of the stage
    examples: Whole = 0  # seen so far, each as often as it was seen
    learning_rate: float = 0.0
    cpu_seconds: float | None = None  # with workers that made batches; none where several processes trained
    memory: Whole = 0  # bytes that the process and its workers held at most, so far
    time: dict[str, float] = field(default_factory=dict)  # seconds by what they were spent on, since training went on


def read_log(path: Path) -> list[LogLine]:
    """Return the lines written so far; half a line at the end, left by a killed process, is none."""
    *lines, last = path.read_bytes().split(b"\n") if path.is_file() else [b""]
    if last.rstrip().endswith(b"}") or MARK in last:  # no half line: something became of the end of a whole one
        lines.append(last)
    read, reader = [], TypeAdapter(LogLine)
    for number, text in enumerate(lines, 1):
        where = f"{path}, line {number}"
        try:
            read.append(reader.validate_json(without_seal(text + b"\n", where), strict=True))
        except ValidationError as error:
            first = error.errors()[0]
            at = ".".join(map(str, first["loc"]))
            raise DataError(f"{where}{f', {at}' if at else ''}: {first['msg'].lower()}") from None
    return read


def keep_log(path: Path, step: int) -> None:
    """Drop the lines of later steps than this one, which a killed process wrote and which will be done again."""
    write_whole(path, b"".join(_written(line) for line in read_log(path) if line.step <= step))


def add_to_log(path: Path, line: LogLine) -> None:
    """Write one more line."""
    try:
        with path.open("ab") as file:
            file.write(_written(line))
    except OSError as error:
        raise unwritable(path, error) from error


def _written(line: LogLine) -> bytes:
    return sealed_json(asdict(line), indent=None)
