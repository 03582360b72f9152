"""SAVi: slots attend to each frame, and a predictor carries them to the next (Kipf et al. 2022).

A model of today for those who compare with one; the benchmark's paper has no row for it. It learns to paint frames, as
the published models here do, not their optical flow. With a hint, slots start from the boxes of the objects in the
first frame, as the benchmark's `motion` view tells them; without one they are drawn.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from unseen.models import Videos
from unseen.models.layers import Batch, pixels
from unseen.models.monet import SPARE, numbered
from unseen.models.slot_attention import Painted, SlotDecoder, SlotEncoder
from unseen.models.transformer import relu_mlp


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
    ) -> None:
        super().__init__()
        self.encoder = SlotEncoder(
            task.side,
            slots=slots or task.slots + SPARE,
            width=latents,
            rounds=rounds,
            channels=channels,
            features=features,
            hidden=hidden,
        )
        self.decoder = SlotDecoder(task.side, latents, channels=channels)

    def forward(self, batch: Batch) -> Painted:
        """Paint every frame of every video, one after the other."""
        slots, _ = self.encoder.follow(pixels(batch["input_frames"]), self.start(batch))
        return self.decoder(slots.flatten(0, 1))  # type: ignore[no-any-return]

    def start(self, batch: Batch) -> Tensor | None:
        """The slots before the first frame; none where they are to be drawn."""
        return None

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Squared error of all frames, summed over the values of a frame."""
        frames = pixels(batch["input_frames"]).flatten(0, 1)
        error = (self(batch).image - frames).square().sum((1, 2, 3)).mean()
        return error, {"mse": error.detach()}

    def predict(self, batch: Batch) -> Tensor:
        """The number of the slot whose mask is strongest, from 1 on, in every pixel of every frame."""
        return numbered(self(batch).masks.squeeze(2)).view(batch["input_frames"].shape[:-1])


class HintedSAVi(SAVi):
    """SAVi whose slots are told where objects are in the first frame, and which one is whose."""

    view = {"motion": True}  # noqa: RUF012

    def __init__(self, task: Videos, latents: int = 128, **options: int) -> None:
        super().__init__(task, latents=latents, **options)
        self.side = task.side
        self.slots = self.encoder.start.noise.shape[0]
        self.hint = relu_mlp(4, 256, latents)

    def start(self, batch: Batch) -> Tensor:
        """A slot for the box of each object, in their order; slots that are left over start from an empty box."""
        boxes = batch["target_boxes"][:, : self.slots].float() / self.side  # (b, objects, 4)
        empty = boxes.new_zeros(len(boxes), self.slots - boxes.shape[1], 4)
        return self.hint(torch.cat([boxes, empty], dim=1))  # type: ignore[no-any-return]
