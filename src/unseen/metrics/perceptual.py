"""LPIPS: how different two images look, as the distance between their features in a network (Zhang et al., 2018).

Needs torch, and weights that are fetched on first use. By AlexNet it is what the SVIB paper reports.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from unseen.core.errors import SpecError, missing_extra
from unseen.metrics.image import Image, compared
from unseen.metrics.metric import Counts, metric

if TYPE_CHECKING:
    from unseen.metrics.networks import Lpips

SMALLEST = 32  # pixels a side: less is pooled away


@cache
def network(name: str) -> Lpips:
    """A network with its weights, ready to compare images."""
    try:
        from unseen.metrics.networks import NETWORKS, Lpips
        from unseen.metrics.weights import weights
    except ImportError:
        raise missing_extra("LPIPS", "train", "torch") from None
    made = Lpips(NETWORKS[name]).eval().requires_grad_(False)
    made.load(weights(name))
    return made


def distance(name: str, target: Image, prediction: Image) -> float:
    """The distance of a prediction from its target by one of the networks."""
    values = compared(target, prediction)
    if min(target.shape[:2]) < SMALLEST:
        raise SpecError(f"LPIPS compares images of at least {SMALLEST} pixels a side, not {target.shape[:2]}")
    return network(name).between(*values)


@metric(kind="image", higher_is_better=False, percent=False, prepare=partial(network, "alexnet"))
def lpips(target: Image, prediction: Image) -> Counts:
    """LPIPS by AlexNet: how different a predicted image looks from its target, averaged over images.

    From 0, for an image that is exact, to about 1; lower is better, and closer to what people see than the MSE. The
    order of the two does not matter. No images: 0.
    """
    return distance("alexnet", target, prediction), 1


@metric(kind="image", higher_is_better=False, percent=False, prepare=partial(network, "vgg16"))
def lpips_vgg(target: Image, prediction: Image) -> Counts:
    """LPIPS by VGG16, a slower network: how different a predicted image looks from its target, averaged over images.

    From 0, for an image that is exact, to about 1; lower is better. Not to be compared with AlexNet's. No images: 0.
    """
    return distance("vgg16", target, prediction), 1
