"""Short phrases about images, some of which fit: what a transformer learns from before it is asked questions.

An image is known by the names of its objects, "red car; tall boy". A phrase names one or two of them, with an attribute
or without, or in their place any of the batch. Chance is PyTorch's, which training seeds.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

OTHER = 0.4  # chance that a phrase is about another image
TWO = 0.4  # that it names two objects
DESCRIBED = 0.7  # that an object is told with an attribute, where it has any


def asked_of(names: Sequence[str]) -> tuple[list[str], Tensor]:
    """A phrase for every image, and whether all that it names is there, (b,) of 0 and 1.

    >>> torch.manual_seed(0)  # doctest: +ELLIPSIS
    <...>
    >>> asked_of(["red car; tall boy", "cat"])
    (['a tall boy', 'a cat'], tensor([1., 1.]))
    """
    scenes = [[name.split() for name in text.split("; ") if name] for text in names]
    every = [thing for scene in scenes for thing in scene] or [["thing"]]
    phrases, true = [], []
    for scene in scenes:
        parts = []
        for _ in range(1 + _happens(TWO)):
            about = every if not scene or _happens(OTHER) else scene
            parts.append(_part(about[_below(len(about))]))
        phrases.append(" and ".join(" ".join(("a", *part)) for part in parts))
        true.append(all(any({*part} <= {*thing} for thing in scene) for part in parts))
    return phrases, torch.tensor(true, dtype=torch.float32)


def _part(thing: list[str]) -> list[str]:
    """The name of an object, and one of its attributes perhaps."""
    *attributes, name = thing
    return [attributes[_below(len(attributes))], name] if attributes and _happens(DESCRIBED) else [name]


def _happens(chance: float) -> bool:
    return float(torch.rand(())) < chance


def _below(count: int) -> int:
    return int(torch.randint(count, ()))
