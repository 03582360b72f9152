"""TBA, tracking by animation: trackers read a shared memory of each frame, and what they draw must look like the frame.

He et al. (2019), as Weis et al. (JMLR 2021, appendix C) train it. A convolutional network writes a frame down as a
memory of 8 x 8 cells. One tracker after the other, the surest first, looks up its object there, updates its state, and
erases what it has read, so that the next finds another. Each then draws: how sure it is, on which layer, where, of
which shape and look. Nobody draws the background, so frames are shown on black.

In training, trackers carry their state from batch to batch and forget it now and then. Answers start afresh, unlike
those of the released test run, whose trackers begin with the state of the video before.

Shapes in comments: b videos, t frames, k trackers, s pixels of a side, h of a template's side.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models import Videos
from unseen.models.layers import Batch, coordinates, pixels
from unseen.models.monet import Answer, slot_views

FEATURES, STATE = 20, 80  # widths of a cell of the memory and of a tracker
SEEN = (
    (5, 32, 5, 64),
    (32, 64, 3, 32),
    (64, 128, 1, 16),
    (128, 256, 3, 8),
    (256, FEATURES, 1, 8),
)  # from, to, kernel, side
FORGET = 0.01  # how often all states are set to zero
SCALE, RATIO = 0.1, 0.2  # templates are drawn at 1 +- 0.1 of their size, and with a ratio of 1 +- 0.2
INSIDE = 2 / 3  # of a template stays inside the frame
TIGHT, DOUBT, DARK, BRIGHT = 13.0, 1.0, 0.1, 20.0  # weights of size, doubt and darkness; brightness that is enough
TINY = 1e-20


class Drawn(NamedTuple):
    """What trackers draw; a frame axis may stand before the trackers'."""

    sure: Tensor  # (..., k), from 0 to 1
    layer: Tensor  # (..., k, layers), one-hot; later layers cover earlier ones
    pose: Tensor  # (..., k, 4): scale, ratio, x and y, from -1 to 1
    shape: Tensor  # (..., k, 1, h, h), 0 or 1
    look: Tensor  # (..., k, 3, h, h), from 0 to 1


class TBA(nn.Module):
    """A video on black -> trackers. It is made for frames of 128 pixels; `enlarge` repeats the pixels of others."""

    kinds = ("video",)
    view = {"background": "black"}  # noqa: RUF012
    places: Tensor
    states: Tensor
    sureness: Tensor

    def __init__(
        self,
        task: Videos,
        slots: int = 0,
        layers: int = 0,
        template: int = 48,
        enlarge: int = 2,
        carried: int = 64,
    ) -> None:
        super().__init__()
        self.enlarge, self.side, self.template = enlarge, task.side * enlarge, template
        if self.side < SEEN[0][-1]:
            raise SpecError(f"TBA sees frames of at least {SEEN[0][-1]} pixels, not {self.side}; set enlarge")
        trackers, layers = slots or task.slots + 1, layers or task.slots
        self.sizes = (1, layers, 4, template**2, 3 * template**2)
        self.see = nn.Sequential(*(layer for row in SEEN for layer in _seeing(*row)))
        self.look_up = LookUp()
        self.draw = nn.Sequential(
            *(nn.Linear(STATE, 80), nn.ReLU(), nn.Linear(80, 377), nn.ReLU(), nn.Linear(377, sum(self.sizes)))
        )
        self.register_buffer("places", coordinates(self.side), persistent=False)
        self.register_buffer("states", torch.zeros(carried, trackers, STATE))
        self.register_buffer("sureness", torch.zeros(carried, trackers))

    def forward(self, frames: Tensor, state: Tensor, sure: Tensor) -> tuple[Drawn, Tensor]:
        """Follow objects through frames (b, t, 3, s, s) from states (b, k, 80); gives drawings and the last states."""
        places = self.places.expand(*frames.shape[:2], -1, -1, -1)
        seen = self.see(torch.cat([frames, places], dim=2).flatten(0, 1))  # (b * t, features, 8, 8)
        memories = seen.flatten(2).transpose(1, 2).unflatten(0, frames.shape[:2])  # (b, t, cells, features)
        steps = []
        for memory in memories.unbind(1):
            state, drawn = self._step(memory, state, sure)
            sure = drawn.sure
            steps.append(drawn)
        return Drawn(*(torch.stack(values, dim=1) for values in zip(*steps, strict=True))), state

    def _step(self, memory: Tensor, state: Tensor, sure: Tensor) -> tuple[Tensor, Drawn]:
        """One frame, which trackers look at in the order of how sure they were."""
        order = sure.round().argsort(dim=1, descending=True, stable=True)  # (b, k)
        back = order.argsort(dim=1)
        looked = []
        for tracker in _ordered(state, order).unbind(1):
            updated, memory = self.look_up(tracker, memory)
            looked.append(updated)
        after = _ordered(torch.stack(looked, dim=1), back)
        drawn = self._drawn(after)
        works = _ordered(working(_ordered(sure, order), _ordered(drawn.sure, order)), back)  # (b, k)
        wide = works[..., None]
        return state + wide * (after - state), drawn._replace(
            sure=works * drawn.sure, pose=wide * drawn.pose, look=wide[..., None, None] * drawn.look
        )

    def _drawn(self, state: Tensor) -> Drawn:
        sure, layer, pose, shape, look = self.draw(state).split(self.sizes, dim=-1)
        square = (self.template, self.template)
        return Drawn(
            sure.squeeze(-1).tanh().abs(),
            F.gumbel_softmax(layer, hard=True),
            pose.tanh(),
            hard_sigmoid(shape).view(*shape.shape[:-1], 1, *square),
            look.sigmoid().view(*look.shape[:-1], 3, *square),
        )

    # ------------------------------------------------------------------------ the two uses

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Squared error of the drawing, size of templates, doubt, and looks too dark to be seen; per frame."""
        frames = self._frames(batch)
        drawn, state = self(frames, *self._start(len(frames)))
        if self.training:
            self._carry(state.detach(), drawn.sure[:, -1].detach())
        error = (self._painted(drawn) - frames).square().sum()
        sizes = (1 + SCALE * drawn.pose[..., 0]).square().sum() / drawn.sure.shape[-1]
        doubt = -sum((chance * (chance + TINY).log()).sum() for chance in (drawn.sure, 1 - drawn.sure))
        dark = (BRIGHT - drawn.look.flatten(3).sum(-1)).clamp(min=0).sum()
        count = frames.shape[0] * frames.shape[1]
        return (error + TIGHT * sizes + DOUBT * doubt + DARK * dark) / count, {
            "squared_error": error.detach() / count / self.enlarge**2,  # as of the frames before they were enlarged
            "sure": drawn.sure.detach().mean(),
        }

    def predict(self, batch: Batch) -> Answer:
        """Number the tracker that is seen in every pixel, from 1 on, 0 where none is; and give frames as drawn.

        A pixel of the enlarged frame is seen if its tracker is sure and no later layer covers it; a pixel of the frame
        itself if all the pixels that it was enlarged to are, against salt and pepper (the published pooling).
        """
        frames = self._frames(batch)
        drawn, _ = self(frames, *self._start(0, len(frames)))
        shapes, _ = self._placed(drawn._replace(sure=drawn.sure.round()))  # (b * t, k, 1, s, s)
        layers = drawn.layer.flatten(0, 1)  # (b * t, k, layers)
        union = torch.einsum("nkl,nkcyx->nlcyx", layers, shapes).clamp(max=1)
        uncovered = (1 - union).flip(1).cumprod(1).flip(1)  # of this layer and all later ones
        free = torch.cat([uncovered[:, 1:], torch.ones_like(uncovered[:, :1])], dim=1)  # of all later ones
        seen = shapes * torch.einsum("nkl,nlcyx->nkcyx", layers, free)
        pooled = -F.max_pool2d(-seen.squeeze(2), self.enlarge)  # (b * t, k, s, s)
        strongest, number = pooled.max(1)
        ids = torch.where(strongest > 0.5, number + 1, 0).view(batch["input_frames"].shape[:-1])
        painted = self._painted(drawn)[..., :: self.enlarge, :: self.enlarge]  # the nearest pixel, as published
        return ids, {"frames": painted}

    def views(self, batch: Batch) -> dict[str, Tensor]:
        """Return what every tracker draws in every frame, be it covered or not."""
        frames = self._frames(batch)
        drawn, _ = self(frames, *self._start(0, len(frames)))
        shapes, looks = self._placed(drawn)
        return slot_views(looks, shapes.squeeze(2), len(frames))

    def _frames(self, batch: Batch) -> Tensor:
        frames = pixels(batch["input_frames"])
        return frames.repeat_interleave(self.enlarge, -2).repeat_interleave(self.enlarge, -1)

    # ------------------------------------------------------------------------ states between batches

    def _start(self, carried: int, fresh: int = 0) -> tuple[Tensor, Tensor]:
        """States to begin a batch with: carried ones in training, else zeros."""
        kept = min(carried, len(self.states)) if self.training else 0
        missing = carried - kept + fresh
        return (
            torch.cat([self.states[:kept], self.states.new_zeros(missing, *self.states.shape[1:])]),
            torch.cat([self.sureness[:kept], self.sureness.new_zeros(missing, *self.sureness.shape[1:])]),
        )

    def _carry(self, state: Tensor, sure: Tensor) -> None:
        """Keep the states of a batch for the next one, or forget all."""
        kept = min(len(state), len(self.states))
        if torch.rand(()) < FORGET:
            self.states.zero_()
            self.sureness.zero_()
        else:
            self.states = torch.cat([state[:kept], self.states[kept:]])
            self.sureness = torch.cat([sure[:kept], self.sureness[kept:]])

    # ------------------------------------------------------------------------ animation

    def _painted(self, drawn: Drawn) -> Tensor:
        """The drawing of all trackers on black, layer by layer, (b, t, 3, s, s)."""
        shapes, looks = self._placed(drawn)
        layers = drawn.layer.flatten(0, 1)
        covers = torch.einsum("nkl,nkcyx->lncyx", layers, shapes).clamp(max=1)
        colors = torch.einsum("nkl,nkcyx->lncyx", layers, looks)
        image = torch.zeros_like(colors[0])
        for cover, color in zip(covers, colors, strict=True):
            image = image * (1 - cover) + color
        return image.view(*drawn.sure.shape[:2], *image.shape[1:])

    def _placed(self, drawn: Drawn) -> tuple[Tensor, Tensor]:
        """Templates where they are in the frame: shapes (b * t, k, 1, s, s) and looks in them (b * t, k, 3, s, s)."""
        shape = drawn.shape * drawn.sure[..., None, None, None]
        both = torch.cat([shape, drawn.look * shape], dim=-3).flatten(0, 2)  # (b * t * k, 4, h, h)
        size = [len(both), 4, self.side, self.side]
        grid = F.affine_grid(self._places(drawn.pose.flatten(0, 2)), size, align_corners=False)
        placed = F.grid_sample(both, grid, align_corners=False).view(-1, drawn.sure.shape[-1], *size[1:])
        return placed[:, :, :1], placed[:, :, 1:]

    def _places(self, pose: Tensor) -> Tensor:
        """Maps (n, 2, 3) from the frame to a template, by the template's size and place in the frame."""
        scale, ratio, right, down = pose.unbind(1)
        stretch = (1 + RATIO * ratio).sqrt()
        size = self.template / self.side * (1 + SCALE * scale)  # of the frame
        across, up = 1 / (size / stretch), 1 / (size * stretch)
        reach = 1 - INSIDE * self.template / self.side
        zero = torch.zeros_like(across)
        return torch.stack(
            [
                torch.stack([across, zero, across * reach * right], dim=1),
                torch.stack([zero, up, up * reach * down], dim=1),
            ],
            dim=1,
        )


class LookUp(nn.Module):
    """A tracker reads the memory where it resembles a key, updates its state, and writes what the next shall find."""

    def __init__(self) -> None:
        super().__init__()
        self.key, self.strength = nn.Linear(STATE, FEATURES), nn.Linear(STATE, 1)
        self.erase, self.write = nn.Linear(STATE, FEATURES), nn.Linear(STATE, FEATURES)
        self.cell = nn.GRUCell(FEATURES, STATE)

    def forward(self, state: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
        """One tracker, (b, 80) and (b, cells, features) -> both as they are after it."""
        alike = F.cosine_similarity(memory, self.key(state)[:, None], dim=2)
        weight = (alike * (1 + F.softplus(self.strength(state)))).softmax(1)[..., None]  # (b, cells, 1)
        state = self.cell((weight * memory).sum(1), state)
        erased, written = self.erase(state).sigmoid()[:, None], self.write(state)[:, None]
        return state, memory * (1 - weight * erased) + weight * written


def working(before: Tensor, now: Tensor) -> Tensor:
    """Tell which trackers work on a frame, in order: up to the first that had no object and has none, and that one.

    >>> working(torch.tensor([[1.0, 0.0, 0.0]]), torch.tensor([[1.0, 0.0, 1.0]]))
    tensor([[1., 1., 0.]])
    """
    idle = (before.round() + now.round()).lt(0.5).float().cumsum(1)
    return torch.cat([torch.ones_like(idle[:, :1]), idle[:, :-1].lt(0.5).float()], dim=1)


def hard_sigmoid(logits: Tensor) -> Tensor:
    """Zeros and ones, drawn with the chances that logits give; gradients pass as if they were not rounded."""
    uniform = torch.rand(2, *logits.shape, device=logits.device).clamp(min=TINY)
    noise = (-uniform[1].log() + TINY).log() - (-uniform[0].log() + TINY).log()
    soft = (logits + noise).sigmoid()
    return soft + (soft.round() - soft).detach()


def _seeing(before: int, after: int, kernel: int, side: int) -> tuple[nn.Module, ...]:
    return (nn.Conv2d(before, after, kernel, padding=kernel // 2), nn.AdaptiveMaxPool2d(side), nn.ReLU())


def _ordered(values: Tensor, order: Tensor) -> Tensor:
    """Trackers in an order, (b, k, ...) by (b, k)."""
    index = order.reshape(*order.shape, *(1,) * (values.dim() - 2)).expand_as(values)
    return values.gather(1, index)
