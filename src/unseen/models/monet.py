"""MONet: slot after slot claims a part of the image by attention, and a VAE explains what was claimed.

Burgess et al. (2019), in the form that Weis et al. (JMLR 2021, appendix C) compare: a U-Net for attention, a VAE of 16
latents with a spatial broadcast decoder, frame by frame. A video is a set of frames for it, and an object's number is
that of its slot, so nothing holds an object to its number. The paper's code holds ViMON alone, and what both share is
written as there, but for the mixture: its likelihood is weighted by attention, as the text says, which is how attention
learns what each slot can paint. `by_attention=false` weights it by the masks that the decoder paints, as ViMON's code.

Shapes in comments: n images, k slots, s pixels of a side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models import Videos
from unseen.models.convolutions import Broadcast, chain
from unseen.models.layers import Batch, pixels

SIGMAS = (0.09, 0.11)  # of the colors of the first slot, which tends to hold the background, and of all others
LEAST = 1e-5  # probability of a color, at least
SPARE = 2  # slots beside those of the objects: the background, and one that may stay empty
COARSEST = 16  # how often the attention's coarsest map fits into a side

Answer = tuple[Tensor, dict[str, Tensor]]  # ids, and frames as they are painted


class MONet(nn.Module):
    """Frames -> slots: what each looks like, and where it is."""

    kinds = ("video",)

    def __init__(
        self,
        task: Videos,
        slots: int = 0,
        latents: int = 16,
        beta: float = 0.5,
        gamma: float = 1.0,
        channels: int = 32,
        blur: float = 1.0,
        flat: bool = False,
        by_attention: bool = True,
    ) -> None:
        super().__init__()
        self.slots, self.by_attention = slots or task.slots + SPARE, by_attention
        self.beta, self.gamma, self.blur = beta, gamma, blur
        self.attention = AttentionNet(task.side, width=channels)
        self.encoder = Encoder(task.side, latents, width=channels)
        self.decoder = BroadcastDecoder(task.side, latents, width=channels, flat=flat)

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Explain every frame: colors (n, k, 3, s, s), mask logits and attention in logarithms (n, k, s, s), KL."""
        images = pixels(batch["input_frames"]).flatten(0, 1)  # (n, 3, s, s)
        attended = claim(self.attention, images, self.slots)
        mean, spread = self.encoder(images, attended).chunk(2, dim=-1)  # (n, k, latents)
        colors, logits = self.decoder(sampled(mean, spread))
        return colors, logits, attended, divergence(mean, spread)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Surprise of every frame, divergence of the latents, and divergence of painted masks from attention."""
        images = pixels(batch["input_frames"]).flatten(0, 1)
        colors, logits, attended, divergence = self(batch)
        surprise = mixture_surprise(images, colors, attended if self.by_attention else logits, self.blur)
        masks = mask_divergence(attended, logits)
        loss = surprise.mean() + self.beta * divergence.mean() + self.gamma * masks.mean()
        return loss, {"surprise": surprise.mean(), "squared_error": squared_error(images, colors, logits)}

    def predict(self, batch: Batch) -> Answer:
        """Number the slot whose mask is strongest in every pixel, from 1 on, and give frames as they are painted."""
        colors, logits, *_ = self(batch)
        return answered(colors, logits, len(batch["input_frames"]))

    def views(self, batch: Batch) -> dict[str, Tensor]:
        """Return what every slot paints in every frame."""
        colors, logits, *_ = self(batch)
        return slot_views(colors, logits.softmax(1), len(batch["input_frames"]))


# ---------------------------------------------------------------------------- attention


class AttentionNet(nn.Module):
    """A U-Net that says of every pixel how surely the next slot claims it.

    It sees the image and the scope; where it `expects`, also the mask that the slot is expected to have. That goes
    through a convolution of its own and is added, so that the weights of a network without expectations still fit.
    """

    def __init__(self, side: int, *, expects: bool = False, width: int = 32, hidden: int = 128) -> None:
        super().__init__()
        if side % COARSEST or side == COARSEST:  # one place alone has nothing to be normalized by
            raise SpecError(
                f"MONet halves images four times, so their side is a multiple of {COARSEST}, not {side},"
                f" and at least {2 * COARSEST}"
            )
        self.enter = nn.Conv2d(3 + 1, width, 3, padding=1, bias=False)
        self.expected = nn.Conv2d(1, width, 3, padding=1, bias=False) if expects else None
        self.down = nn.ModuleList([nn.Sequential(*_activated(width)), *(_block(width, width) for _ in range(4))])
        flat = width * (side // COARSEST) ** 2
        self.middle = nn.Sequential(
            *(nn.Flatten(), nn.Linear(flat, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()),
            *(nn.Linear(hidden, flat), nn.ReLU(), nn.Unflatten(1, (width, side // COARSEST, side // COARSEST))),
        )
        self.up = nn.ModuleList(_block(2 * width, width) for _ in range(5))
        self.head = nn.Conv2d(width, 1, 1, bias=False)

    def forward(self, images: Tensor, scope: Tensor, expected: Tensor | None = None) -> Tensor:
        """One logit for each pixel, from (n, 3, s, s) and (n, 1, s, s) -> (n, 1, s, s)."""
        x = self.enter(torch.cat([images, scope], dim=1))
        if self.expected is not None and expected is not None:
            x = x + self.expected(expected)
        skipped = []
        for number, block in enumerate(self.down):
            x = block(x)
            skipped.append(x)
            if number < 4:
                x = F.interpolate(x, scale_factor=0.5)
        x = self.middle(x)
        for number, block in enumerate(self.up):
            x = block(torch.cat([x, skipped.pop()], dim=1))
            if number < 4:
                x = F.interpolate(x, scale_factor=2.0)
        return self.head(x)  # type: ignore[no-any-return]


def _block(channels: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(channels, width, 3, padding=1, bias=False), *_activated(width))


def _activated(width: int) -> tuple[nn.Module, nn.Module]:
    return nn.InstanceNorm2d(width), nn.ReLU()


def claim(attention: nn.Module, images: Tensor, slots: int, expected: Tensor | None = None) -> Tensor:
    """Let slot after slot claim its share of every pixel -> logarithms of the shares (n, k, s, s).

    A slot sees the image, how much of each pixel is left (the scope) and, where there is one, the mask of (n, k, s, s)
    that is expected of it. The last slot takes the rest, so shares sum to one.
    """
    scope = torch.zeros_like(images[:, :1])  # (n, 1, s, s), in logarithms
    claimed = []
    for slot in range(slots - 1):
        logit = attention(images, scope, None if expected is None else expected[:, slot, None])
        claimed.append(scope + F.logsigmoid(logit))
        scope = scope + F.logsigmoid(-logit)
    return torch.cat([*claimed, scope], dim=1)


# ---------------------------------------------------------------------------- the VAE of a slot


class Encoder(nn.Module):
    """An image and the share of it that a slot claims -> means and log variances of the slot's latents."""

    def __init__(self, side: int, latents: int, width: int = 32) -> None:
        super().__init__()
        flat = 2 * width * (side // COARSEST) ** 2
        self.layers = nn.Sequential(
            *chain((4, width, width, 2 * width, 2 * width), 3, nn.ReLU, stride=2, padding=1),
            *(nn.Flatten(), nn.Linear(flat, 256), nn.ReLU(), nn.Linear(256, 2 * latents)),
        )

    def forward(self, images: Tensor, claimed: Tensor) -> Tensor:
        """All slots at once, (n, 3, s, s) and (n, k, s, s) -> (n, k, 2 * latents)."""
        slots = claimed.shape[1]
        seen = torch.cat([images[:, None].expand(-1, slots, -1, -1, -1), claimed[:, :, None]], dim=2)
        return self.layers(seen.flatten(0, 1)).unflatten(0, (-1, slots))  # type: ignore[no-any-return]


class BroadcastDecoder(Broadcast):
    """Latents -> colors and a mask: the same latents at every place, told apart by two coordinates.

    Its convolutions have no padding, and each takes a pixel off every edge; so it starts four larger on each side.
    Where colors are `flat`, a slot has one for all places, so that what it paints has the shape of its mask, and of
    nothing else.
    """

    def __init__(self, side: int, latents: int, width: int = 32, *, flat: bool = False) -> None:
        widths = (latents + 2, width, width, width, width)
        super().__init__(side + 2 * 4, [*chain(widths, 3, nn.ReLU), nn.Conv2d(width, 4, 1)])
        self.flat = flat

    def forward(self, latents: Tensor) -> tuple[Tensor, Tensor]:
        """All slots at once, (n, k, latents) -> colors (n, k, 3, s, s) and mask logits (n, k, s, s)."""
        painted = self.spread(latents.flatten(0, 1)).unflatten(0, latents.shape[:2])  # type: ignore[no-untyped-call]
        colors, logits = painted.split([3, 1], dim=2)
        if self.flat:
            colors = colors.mean((-2, -1), keepdim=True).expand_as(colors)
        return colors, logits.squeeze(2)


# ---------------------------------------------------------------------------- what is minimised


def sampled(mean: Tensor, log_variance: Tensor) -> Tensor:
    """Return a draw from a Gaussian that gradients pass through."""
    return mean + torch.randn_like(mean) * (0.5 * log_variance).exp()


def divergence(mean: Tensor, log_variance: Tensor) -> Tensor:
    """Divergence of Gaussians from the standard one, summed over slots and latents, (n, k, latents) -> (n,)."""
    return 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum((1, 2))


def mixture_surprise(images: Tensor, colors: Tensor, logits: Tensor, blur: float = 1.0) -> Tensor:
    """Negative log-likelihood of images under a mixture of slots, in each channel by itself, (n,).

    A color that is off by five deviations or more is as surprising as any other, so that nothing is learned of it. To
    `blur` colors by more than the published deviations makes short trainings learn from all of them.

    >>> image = torch.zeros(1, 3, 2, 2)
    >>> near, far = (mixture_surprise(image, image[:, None] + off, torch.zeros(1, 1, 2, 2)) for off in (0.1, 0.3))
    >>> bool(near < far)
    True
    """
    first, others = (blur * sigma for sigma in SIGMAS)
    sigma = torch.full((colors.shape[1], 1, 1, 1), others, device=colors.device)
    sigma[0] = first
    density = (-(colors - images[:, None]).square() / (2 * sigma.square())).exp() / (sigma * math.sqrt(2 * math.pi))
    mixed = (logits.softmax(1)[:, :, None] * density).sum(1).clamp(min=LEAST)  # (n, 3, s, s)
    return -mixed.log().sum((1, 2, 3))


def mask_divergence(attended: Tensor, logits: Tensor) -> Tensor:
    """Divergence of the masks that are painted from those of the attention, summed over pixels, (n,)."""
    return (attended.exp() * (attended - logits.log_softmax(1))).sum((1, 2, 3))


def squared_error(images: Tensor, colors: Tensor, logits: Tensor) -> Tensor:
    """Squared error of what all slots paint together, summed over an image as in the published tables; their mean."""
    return (blended(colors, logits) - images).square().sum((1, 2, 3)).mean()


def blended(colors: Tensor, logits: Tensor) -> Tensor:
    """Return what all slots paint together, (n, k, 3, s, s) and (n, k, s, s) -> (n, 3, s, s)."""
    return (logits.softmax(1)[:, :, None] * colors).sum(1)


# ---------------------------------------------------------------------------- what is answered, and shown to people


def answered(colors: Tensor, logits: Tensor, videos: int) -> Answer:
    """Ids and painted frames of so many videos, whose frames follow each other in the first axis."""
    ids, frames = numbered(logits), blended(colors, logits)
    return per_video(ids, videos), {"frames": per_video(frames, videos)}


def per_video(values: Tensor, videos: int) -> Tensor:
    """Return the first axis, frame after frame, as two: so many videos, and their frames."""
    return values.view(videos, -1, *values.shape[1:])


def slot_views(colors: Tensor, masks: Tensor, videos: int) -> dict[str, Tensor]:
    """Give what slots paint together, and each where its mask is, fading to white elsewhere: a row of frames for each.

    `colors` are (videos * frames, k, 3, s, s), and `masks` (videos * frames, k, s, s) from 0 to 1.
    """
    faded = 1 - masks[:, :, None] * (1 - colors.clamp(0, 1))
    slots = {
        f"slot {number}": per_video(images, videos)
        for number, images in enumerate(faded.transpose(0, 1).contiguous(), 1)
    }
    together = (masks[:, :, None] * colors).sum(1)
    return row_views({"all slots": per_video(together, videos), **slots})


def row_views(rows: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Views of videos (b, t, 3, s, s), each a row of frames."""
    return {
        f"{row}: frame {time}": frame for row, frames in rows.items() for time, frame in enumerate(frames.unbind(1))
    }


def numbered(logits: Tensor) -> Tensor:
    """Return the number of the strongest slot in every pixel, from 1 on, (n, k, s, s) -> (n, s, s).

    The slot of the background has a number too: the evaluation leaves out what overlaps the background.
    """
    return logits.argmax(1) + 1
