"""IODINE: slots are guessed, painted, compared with the image, and refined, several times over.

Greff et al. (2019), in the form that Weis et al. (JMLR 2021, appendix C) give it as the base of OP3. Every slot starts
from the same learned guess. A refinement paints all slots, sees where the painting is wrong and how the error changes
with each of its parts, and corrects mean and deviation of the slot's latents. On a video, the first frame takes
`first` refinements, and every later one starts from the slots of the frame before and takes `later`.

Shapes in comments: b videos, k slots, s pixels of a side, d latents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Videos
from unseen.models.convolutions import Broadcast, chain
from unseen.models.layers import Batch, coordinates, pixels
from unseen.models.monet import SPARE, Answer, answered, slot_views

SIGMA = 0.1  # of a color
LEAST = 1e-12  # likelihood of a pixel, at least
UNIT = float(np.log(np.e - 1))  # whose softplus is 1


@dataclass(frozen=True)
class Belief:
    """What is believed of every slot: a Gaussian over its latents, a draw from it, and what it is expected to be."""

    mean: Tensor  # (b, k, d)
    spread: Tensor  # (b, k, d), of which the softplus is the variance
    latents: Tensor  # (b, k, d)
    known: Tensor  # (b, k, fixed): a part of the state that is not drawn; of no width for IODINE
    memory: tuple[Tensor, Tensor]  # of the refinements so far, each (b * k, 128)
    prior_mean: Tensor  # (b, k, d)
    prior_spread: Tensor

    @property
    def no_memory(self) -> tuple[Tensor, Tensor]:
        """The memory that a series of refinements begins with."""
        return torch.zeros_like(self.memory[0]), torch.zeros_like(self.memory[1])

    @property
    def state(self) -> Tensor:
        """All that a slot is painted from, (b, k, fixed + d)."""
        return torch.cat([self.known, self.latents], dim=-1)


@dataclass(frozen=True)
class Painted:
    """What a belief looks like, and how well that explains a frame."""

    colors: Tensor  # (b, k, 3, s, s)
    logits: Tensor  # (b, k, s, s), of the masks
    masks: Tensor
    likelihoods: Tensor  # (b, k, s, s), of the frame's pixels if a slot were all there is
    mixed: Tensor  # (b, s, s), of the frame's pixels under all slots
    surprise: Tensor  # mean over the batch
    divergence: Tensor  # of belief and expectation, mean over the batch

    @property
    def image(self) -> Tensor:
        """All slots together, (b, 3, s, s)."""
        return (self.masks[:, :, None] * self.colors).sum(1)


class Step(NamedTuple):
    """A painting on the way through a video."""

    painted: Painted
    weight: float  # in the loss
    frame: int  # that it shows
    last: bool  # of that frame


class IODINE(nn.Module):
    """A video -> slots, by refining a guess."""

    kinds = ("video",)

    def __init__(
        self, task: Videos, slots: int = 0, latents: int = 64, first: int = 5, later: int = 2, beta: float = 1.0
    ) -> None:
        super().__init__()
        self.slots, self.first, self.later, self.beta = slots or task.slots + SPARE, first, later, beta
        self.guess = Guess(latents)
        self.refine = Refinement(task.side, latents, adds=True)
        self.paint = Painter(task.side, latents)

    def forward(self, frames: Tensor) -> Iterator[Step]:
        """Go through a video (b, t, 3, s, s), painting by painting."""
        belief = self.guess(len(frames), self.slots)
        for time, frame in enumerate(frames.unbind(1)):
            belief = replace(belief, memory=belief.no_memory)
            painted = self.paint(belief, frame)
            steps = self.later if time else self.first
            for step in range(1, steps + 1):
                belief = self.refine(belief, frame, painted, self.beta)
                painted = self.paint(belief, frame)
                yield Step(painted, step / steps, time, step == steps)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the mean over all paintings, the later ones of a frame weighing more."""
        return refinement_loss(self, pixels(batch["input_frames"]), self.beta)

    def predict(self, batch: Batch) -> Answer:
        """Number the slot whose mask is strongest in every pixel, from 1 on, and give frames as they are painted."""
        return answered(*last_paintings(self, batch))

    def views(self, batch: Batch) -> dict[str, Tensor]:
        """Return what every slot paints in every frame."""
        colors, logits, videos = last_paintings(self, batch)
        return slot_views(colors, logits.softmax(1), videos)


def refinement_loss(model: nn.Module, frames: Tensor, beta: float) -> tuple[Tensor, dict[str, Tensor]]:
    """Weigh the losses of all paintings; what is told is of the last painting of every frame."""
    losses, weights, errors, divergences = [], [], [], []
    with torch.enable_grad():  # evaluations refine by gradients too
        for painted, weight, time, last in model(frames):
            losses.append(weight * (painted.surprise + beta * painted.divergence))
            weights.append(weight)
            if last:
                errors.append((painted.image - frames[:, time]).square().sum((1, 2, 3)).mean().detach())
                divergences.append(painted.divergence.detach())
    loss = torch.stack(losses).sum() / sum(weights)
    return loss, {"squared_error": torch.stack(errors).mean(), "divergence": torch.stack(divergences).mean()}


def last_paintings(model: nn.Module, batch: Batch) -> tuple[Tensor, Tensor, int]:
    """Colors and mask logits of the last painting of every frame, (videos * t, k, ...), and how many videos there are.

    Refining takes gradients, also where answering takes none.
    """
    with torch.inference_mode(False), torch.enable_grad():
        frames = pixels(batch["input_frames"].clone())  # what was made without gradients cannot have any
        ends = [(step.painted.colors.detach(), step.painted.logits.detach()) for step in model(frames) if step.last]
    colors, logits = (torch.stack(values, dim=1).flatten(0, 1) for values in zip(*ends, strict=True))
    return colors, logits, len(frames)


# ---------------------------------------------------------------------------- parts that OP3 shares


class Guess(nn.Module):
    """What every slot is believed to be before anything is seen."""

    def __init__(self, latents: int, known: int = 0) -> None:
        super().__init__()
        self.mean, self.spread = (nn.Parameter(torch.randn(latents) / latents**0.5) for _ in range(2))
        self.known = nn.Parameter(torch.randn(known) / max(known, 1) ** 0.5)

    def forward(self, batch: int, slots: int) -> Belief:
        """Give every slot the same belief, and a draw of its own, which alone tells slots apart."""
        mean, spread, known = (value.expand(batch, slots, -1) for value in (self.mean, self.spread, self.known))
        rest = mean.new_zeros(batch * slots, MEMORY)
        return Belief(
            mean, spread, drawn(mean, spread), known, (rest, rest), torch.zeros_like(mean), torch.full_like(mean, UNIT)
        )


class Painter(Broadcast):
    """A belief -> what it looks like: the state of a slot at every place, with two coordinates, then convolutions."""

    def __init__(self, side: int, width: int, channels: int = 32) -> None:
        widths = (width + 2, *(channels,) * 4)
        super().__init__(side, [*chain(widths, 5, nn.ELU, padding=2), nn.Conv2d(channels, 4, 5, padding=2)])

    def forward(self, belief: Belief, frame: Tensor) -> Painted:
        """Paint all slots, and measure how well they explain a frame (b, 3, s, s)."""
        painted = self.spread(belief.state.flatten(0, 1))
        painted = painted.unflatten(0, belief.mean.shape[:2])  # type: ignore[no-untyped-call]
        colors, logits = painted.split([3, 1], dim=2)
        logits = logits.squeeze(2)
        masks = logits.softmax(1)
        likelihoods = likelihood(colors, frame)
        mixed = (masks * likelihoods).sum(1)
        surprise = -(mixed + LEAST).log().sum() / len(frame)
        return Painted(colors, logits, masks, likelihoods, mixed, surprise, divergence(belief) / len(frame))


MEMORY = 128  # of the refinements so far


class Refinement(nn.Module):
    """Corrects a belief by what its painting gets wrong; `adds` to it (IODINE), or replaces it (OP3's code)."""

    places: Tensor

    def __init__(self, side: int, latents: int, *, adds: bool) -> None:
        super().__init__()
        self.adds = adds
        self.register_buffer("places", coordinates(side), persistent=False)
        self.see = nn.Sequential(
            *chain((17, 32, 32, latents), 5, nn.ELU, padding=2),
            *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(latents, 128), nn.ELU()),
        )
        self.cell = nn.LSTMCell(128 + 5 * latents, MEMORY)
        self.mean, self.spread = nn.Linear(MEMORY, latents), nn.Linear(MEMORY, latents)
        self.image_norms = nn.ModuleList(nn.GroupNorm(1, channels) for channels in (1, 1, 1, 3))
        self.latent_norms = nn.ModuleList(nn.LayerNorm(latents) for _ in range(2))

    def forward(self, belief: Belief, frame: Tensor, painted: Painted, beta: float) -> Belief:
        """A better belief; gradients of the loss are seen, not passed on."""
        parts = (painted.colors, painted.masks, belief.mean, belief.spread)
        loss = painted.surprise + beta * painted.divergence
        slopes = torch.autograd.grad(loss, parts, retain_graph=True)
        image = self._image(frame, painted, slopes[0], slopes[1])
        numbers = [norm(slope.detach()) for norm, slope in zip(self.latent_norms, slopes[2:], strict=True)]
        seen = torch.cat([*numbers, belief.mean, belief.spread, belief.latents], dim=-1).flatten(0, 1)
        memory = self.cell(torch.cat([self.see(image), seen], dim=-1), belief.memory)
        mean, spread = (head(memory[0]).unflatten(0, belief.mean.shape[:2]) for head in (self.mean, self.spread))
        if self.adds:
            mean, spread = belief.mean + mean, belief.spread + spread
        return replace(belief, mean=mean, spread=spread, latents=drawn(mean, spread), memory=memory)

    def _image(self, frame: Tensor, painted: Painted, color_slope: Tensor, mask_slope: Tensor) -> Tensor:
        """All that is seen of every slot, (b * k, 17, s, s)."""
        b, slots = painted.logits.shape[:2]

        def alike(image: Tensor) -> Tensor:
            return image[:, None].expand(-1, slots, -1, -1, -1)

        posterior = painted.likelihoods / (painted.likelihoods.sum(1, keepdim=True) + 1e-8)
        mixed = painted.mixed[:, None].expand(-1, slots, -1, -1)
        without = mixed - painted.masks * painted.likelihoods  # likelihood of the pixel under the other slots
        normed = [
            norm(values.detach().flatten(0, 1)).unflatten(0, (b, slots))
            for norm, values in zip(
                self.image_norms,
                (mask_slope[:, :, None], mixed[:, :, None], without[:, :, None], color_slope),
                strict=True,
            )
        ]
        maps = [values[:, :, None] for values in (painted.masks, painted.logits, posterior)]
        places = self.places.expand(b, slots, -1, -1, -1)
        return torch.cat([alike(frame), painted.colors, *maps, *normed, places], dim=2).flatten(0, 1)


def likelihood(colors: Tensor, frame: Tensor) -> Tensor:
    """Density of a frame's pixels under each slot, (b, k, s, s).

    The exponent is a mean over channels and the constant that of six dimensions, as in OP3's code.
    """
    error = (colors - frame[:, None]).square().mean(2)
    return (-error / (2 * SIGMA**2)).exp() / (SIGMA**3 * (2 * np.pi) ** 3)


def deviation(spread: Tensor) -> Tensor:
    """Return the standard deviation that a spread stands for."""
    return (F.softplus(spread) + 1e-5).sqrt()


def drawn(mean: Tensor, spread: Tensor) -> Tensor:
    """Return a draw that gradients pass through."""
    return mean + deviation(spread) * torch.randn_like(mean)


def divergence(belief: Belief) -> Tensor:
    """Tell how far the belief is from what was expected, summed over everything."""
    own, expected = deviation(belief.spread), deviation(belief.prior_spread)
    apart = (belief.mean - belief.prior_mean) / expected
    return ((expected / own).log() + 0.5 * ((own / expected).square() + apart.square() - 1)).sum()
