"""Everything a user may choose: `Spec` changes the record, `View` only its look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from unseen.core.errors import SpecError
from unseen.core.options import Names


@dataclass(frozen=True)
class Spec:
    """Which rules problems are drawn from, each as often as any other, and in which version."""

    rules: Names
    shifted: bool = False  # the generalization version
    variant: Literal["balanced", "published"] = "balanced"  # whose ranges are drawn from

    def __post_init__(self) -> None:
        if not self.rules:
            raise SpecError("a problem needs a rule; name at least one")


@dataclass(frozen=True)
class View:
    """How a problem looks; views share their records."""

    size: int = 128  # of an image's side in pixels
    style: Literal["outline", "smooth", "filled"] = "outline"  # lines of one pixel as published, soft, or filled

    def __post_init__(self) -> None:
        if not 16 <= self.size <= 4096:
            raise SpecError(f"size is an image's side in pixels, from 16 to 4096, not {self.size}")
