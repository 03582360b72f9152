"""What files may say: no names but those that are declared, numbers that are numbers, of a size that can be."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

CHECKED = ConfigDict(extra="forbid", allow_inf_nan=False)  # of every dataclass that a file is read as
Whole = Annotated[
    int, Field(ge=-(2**63), lt=2**63)
]  # a whole number: one of 400 digits is a mistake, and breaks charts
