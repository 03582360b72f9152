"""SAVi: slots attend to each frame, and a predictor carries them to the next (Kipf et al. 2022).

A model of today for those who compare with one; the benchmark's paper has no row for it. It learns to paint frames, as
the published models here do, not their optical flow. With a hint, slots start from the boxes of the objects in the
first frame, as the benchmark's `motion` view tells them, and look at each frame once; without one they are drawn, or
learned (`drawn=false`), and look twice.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from unseen.models import Videos
from unseen.models.convolutions import LAYERS
from unseen.models.layers import Batch, pixels
from unseen.models.monet import SPARE, Answer, answered, slot_views
from unseen.models.slot_attention import LearnedSlots, Painted, SlotDecoder, SlotEncoder
from unseen.models.transformer import draw_weights, relu_mlp

PLACES = 8  # of a side that a slot is spread over to be painted
PALE = 0.1  # of the usual size of the last weights to begin with: nothing is painted where nothing is known yet


class SAVi(nn.Module):
    """A video -> slots that keep their objects."""

    kinds = ("video",)

    def __init__(
        self,
        task: Videos,
        slots: int = 0,
        latents: int = 128,
        rounds: int = 2,
        channels: int = 32,
        features: int = 64,
        hidden: int = 128,
        drawn: bool = True,
        flat: bool = False,
    ) -> None:
        super().__init__()
        self.slots = slots or task.slots + SPARE
        self.encoder = SlotEncoder(
            task.side,
            slots=self.slots,
            width=latents,
            rounds=rounds,
            channels=channels,
            features=features,
            hidden=hidden,
        )
        if not drawn:
            self.encoder.start = LearnedSlots(self.slots, latents)
        self.decoder = SlotDecoder(task.side, latents, channels=channels, doubling=doublings(task.side), flat=flat)
        with torch.no_grad():
            self.decoder.brush[-1].weight.mul_(PALE)  # type: ignore[operator]

    def forward(self, batch: Batch) -> Painted:
        """Paint every frame of every video, one after the other."""
        slots, _ = self.encoder.follow(pixels(batch["input_frames"]), self.hint(batch))
        return self.decoder(slots.flatten(0, 1))  # type: ignore[no-any-return]

    def hint(self, batch: Batch) -> Tensor | None:
        """Return what slots are told before the first frame; nothing."""
        return None

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Squared error of all frames, summed over the values of a frame."""
        frames = pixels(batch["input_frames"]).flatten(0, 1)
        error = (self(batch).image - frames).square().sum((1, 2, 3)).mean()
        return error, {"squared_error": error.detach()}

    def predict(self, batch: Batch) -> Answer:
        """Number the slot whose mask is strongest in every pixel, from 1 on, and give frames as they are painted."""
        painted = self(batch)
        return answered(painted.images, painted.masks.squeeze(2).log(), len(batch["input_frames"]))

    def views(self, batch: Batch) -> dict[str, Tensor]:
        """Return what every slot paints in every frame."""
        painted = self(batch)
        return slot_views(painted.images, painted.masks.squeeze(2), len(batch["input_frames"]))


def doublings(side: int) -> int:
    """How often the decoder doubles a slot that is spread over 8 x 8 places, as SAVi's is, for frames up to 128 pixels.

    >>> [doublings(side) for side in (32, 64, 128)]
    [2, 3, 4]
    """
    return min(LAYERS, max(1, (side // PLACES).bit_length() - 1))


class HintedSAVi(SAVi):
    """SAVi whose slots are told where objects are in the first frame, and which one is whose."""

    view = {"motion": True}  # noqa: RUF012

    def __init__(self, task: Videos, latents: int = 128, rounds: int = 1, **options: Any) -> None:
        super().__init__(task, latents=latents, rounds=rounds, **options)
        self.side = task.side
        self.encoder.start = Hint(self.slots, latents)

    def hint(self, batch: Batch) -> Tensor:
        """Return the boxes of the objects in the first frame, as shares of its side, (b, objects, 4)."""
        return batch["target_boxes"].float() / self.side


class Hint(nn.Module):
    """Makes slots of boxes: one for each object, in their order; those that are left over have an empty box."""

    def __init__(self, slots: int, width: int) -> None:
        super().__init__()
        self.slots = slots
        self.layers = relu_mlp(4, 256, width)
        draw_weights(self.layers)  # without biases, which would make all boxes alike; as published

    def forward(self, boxes: Tensor) -> Tensor:
        """Begin with boxes, (b, objects, 4) -> (b, k, d)"""
        empty = boxes.new_zeros(len(boxes), max(0, self.slots - boxes.shape[1]), 4)
        return self.layers(torch.cat([boxes[:, : self.slots], empty], dim=1))  # type: ignore[no-any-return]
