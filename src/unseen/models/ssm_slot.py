"""SSM-Slot: the state is a set of slots, one per object if all goes well (SAVi; SVIB, appendix E.2.2).

Input and target are a video of two frames, in which slots keep their objects. The dynamics are a transformer over
slots.

Left open by the paper, and decided here: the slot decoder's last transposed convolution gives the four channels, color
and mask, as the VAE's gives color. Slots are random at the start; outside of training, and once the representation is
frozen, the same ones are taken every time, where the published code draws them anew.
"""

from __future__ import annotations

from torch import Tensor

from unseen.models import Images
from unseen.models.layers import Batch, pixels
from unseen.models.slot_attention import SlotDecoder, SlotEncoder
from unseen.models.state_space import Logged, StateSpace, both
from unseen.models.transformer import TransformerDecoder, TransformerEncoder


class SSMSlot(StateSpace):
    """A state-space model whose state is a set of vectors."""

    def __init__(
        self,
        task: Images,
        *,
        stages: str = "three",
        slots: int = 4,
        latents: int = 64,
        rounds: int = 3,
        channels: int = 64,
        features: int = 192,
        hidden: int = 192,
        dynamics_blocks: int = 4,
        dynamics_heads: int = 4,
        width: int = 192,
        blocks: int = 8,
        heads: int = 4,
        patch: int = 4,
        dropout: float = 0.1,
    ) -> None:
        super().__init__(stages)
        self.encoder = SlotEncoder(
            task.side,
            slots=slots,
            width=latents,
            rounds=rounds,
            channels=channels,
            features=features,
            hidden=hidden,
        )
        self.decoder = SlotDecoder(task.side, latents, channels=channels)
        self.dynamics = TransformerEncoder(latents, blocks=dynamics_blocks, heads=dynamics_heads)
        self.probe = TransformerDecoder(
            task.side, latents, width=width, blocks=blocks, heads=heads, patch=patch, dropout=dropout
        )

    def state(self, batch: Batch) -> Tensor:
        """Return the slots of the input, (b, k, d)."""
        return self.encoder(pixels(batch["input_image"])[:, None])[:, 0]  # type: ignore[no-any-return]

    def states(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the slots of input and target, (b, k, d) each, in which a slot keeps its object."""
        source, target = self.encoder(both(batch)).unbind(dim=1)
        return source, target

    def painted(self, states: Tensor) -> Tensor:
        """Return the images of some slots (b, k, d)."""
        return self.decoder(states).image  # type: ignore[no-any-return]

    def representation_loss(self, batch: Batch) -> tuple[Tensor, Logged]:
        """Squared error of both images when slots paint them, summed over an image's values."""
        frames = both(batch)
        painted = self.painted(self.encoder(frames).flatten(0, 1)).view_as(frames)
        error = (painted - frames).square()
        return error.flatten(2).sum(dim=2).mean(), {"error": error.detach().mean()}

    def views(self, batch: Batch) -> dict[str, Tensor]:
        """Give what slots make of the input and of the next image: as all paint it, what each one paints, and where."""
        state = self.state(batch)
        found: dict[str, Tensor] = {}
        for name, slots in {"input": state, "imagined": self.dynamics(state)}.items():
            painted = self.decoder(slots)
            every = list(zip(painted.images.unbind(1), painted.masks.unbind(1), strict=True))
            for number, (image, mask) in enumerate(every, 1):
                found[f"{name}: slot {number}"] = image * mask
            found[f"{name}: all slots"] = painted.image
            for number, (image, mask) in enumerate(every, 1):
                found[f"{name}, masks: slot {number}"] = mask.expand_as(image)
        return found
