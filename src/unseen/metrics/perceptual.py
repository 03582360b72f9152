"""LPIPS: how different two images look, as the distance between their features in a network (Zhang et al., 2018).

Needs torch, and weights that are fetched on first use. By AlexNet it is what the SVIB paper reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from unseen.core.errors import SpecError, missing_extra
from unseen.metrics.image import FIRST, Image, compared
from unseen.metrics.metric import Counts, metric

if TYPE_CHECKING:
    from unseen.metrics.networks import Lpips

SMALLEST = 32  # pixels a side: less is pooled away
BATCH = 32  # pairs that a network compares at once, which takes an eighth of the time of one by one


@cache
def network(name: str) -> Lpips:
    """Return a network with its weights, ready to compare images."""
    try:
        from unseen.metrics.networks import NETWORKS, Lpips
        from unseen.metrics.weights import weights
    except ImportError:
        raise missing_extra("LPIPS", "train", "torch") from None
    made = Lpips(NETWORKS[name]).eval().requires_grad_(False)
    made.load(weights(name))
    return made


def distances(name: str, targets: Sequence[Image], predictions: Sequence[Image]) -> list[Counts]:
    """Return the distance of every prediction from its target by one of the networks, as a metric counts it."""
    pairs = [compared(target, prediction) for target, prediction in zip(targets, predictions, strict=True)]
    for target in targets:
        if min(target.shape[:2]) < SMALLEST:
            raise SpecError(f"LPIPS compares images of at least {SMALLEST} pixels a side, not {target.shape[:2]}")
    alike = len({target.shape for target in targets}) == 1
    steps = range(0, len(pairs), BATCH if alike else 1)
    found = (network(name).between(*zip(*pairs[first : first + steps.step], strict=True)) for first in steps)
    return [(distance, 1) for batch in found for distance in batch]


ALEXNET, VGG = (partial(distances, name) for name in ("alexnet", "vgg16"))


@metric(kind="image", higher_is_better=False, percent=False, prepare=partial(network, "alexnet"), together=ALEXNET)
def lpips(target: Image, prediction: Image) -> Counts:
    """LPIPS by AlexNet: how different a predicted image looks from its target, averaged over images.

    From 0, for an image that is exact, to about 1; lower is better, and closer to what people see than the MSE. The
    order of the two does not matter. No images: 0.
    """
    return ALEXNET([target], [prediction])[0]


@metric(
    kind="image",
    higher_is_better=False,
    percent=False,
    prepare=partial(network, "alexnet"),
    first=FIRST,
    together=ALEXNET,
)
def lpips_first_320(target: Image, prediction: Image) -> Counts:
    """LPIPS by AlexNet of the first 320 examples of a split, after which SVIB's published evaluation stops.

    From 0, for an image that is exact, to about 1; lower is better. No images: 0.
    """
    return ALEXNET([target], [prediction])[0]


@metric(kind="image", higher_is_better=False, percent=False, prepare=partial(network, "vgg16"), together=VGG)
def lpips_vgg(target: Image, prediction: Image) -> Counts:
    """LPIPS by VGG16, a slower network: how different a predicted image looks from its target, averaged over images.

    From 0, for an image that is exact, to about 1; lower is better. Not to be compared with AlexNet's. No images: 0.
    """
    return VGG([target], [prediction])[0]
