"""Where training is, as the header of its checkpoint tells; it can be read without PyTorch."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from unseen.core.errors import DataError
from unseen.core.nesting import parsed
from unseen.core.seals import is_file_sealed
from unseen.core.validation import CHECKED, Whole

HEADER = "unseen"  # the entry of a safetensors file's header that holds the state as JSON


@dataclass
class State:
    """Where training is: all that a checkpoint holds besides tensors."""

    __pydantic_config__: ClassVar[ConfigDict] = CHECKED

    stage: str = ""  # that it is in; "" where a model learns in one
    began: Whole = 0  # step that the stage began at
    seen: Whole = 0  # examples before that, each as often as it was seen
    step: Whole = 0  # over all stages
    seconds: float = 0.0  # spent so far, by all processes that worked on it one after the other
    cpu_seconds: float = 0.0  # of the first process
    sums: dict[str, float] = field(default_factory=dict)  # of what was logged since the epoch began
    summed: Whole = 0  # steps in the sums
    best: float | None = None  # value that chooses, of the stage
    best_step: Whole = 0
    stale: Whole = 0  # evaluations since the best
    flat: Whole = 0  # evaluations since the best, or since the learning rate was cut
    cuts: Whole = 0  # how often it was
    stopped: Literal["", "finished", "patience", "accuracy", "time"] = ""  # why
    precision: dict[str, Any] = field(default_factory=dict)  # of the scaling of gradients at 16 bits


def read_state(path: Path) -> State:
    """Tell where training was when it wrote this checkpoint, without its tensors."""
    try:
        if not is_file_sealed(path):
            raise DataError(f"{path} is not a checkpoint, or a damaged one: it does not fit its seal")
        with path.open("rb") as file:
            header = parsed(json.loads, file.read(int.from_bytes(file.read(8), "little")))
        return parse_state(header["__metadata__"])
    except DataError:
        raise
    except FileNotFoundError:
        raise DataError(f"there is no checkpoint {path}; the training has not come so far") from None
    except (OSError, MemoryError, OverflowError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"{path} is not a checkpoint, or a damaged one: {_first_line(error)}") from error


def parse_state(header: dict[str, str]) -> State:
    """Return the state in a checkpoint's header."""
    return TypeAdapter(State).validate_json(header[HEADER])


def _first_line(error: BaseException) -> str:
    if isinstance(error, ValidationError):
        return str(error.errors()[0]["msg"]).lower()
    return str(error).partition("\n")[0]
