"""SCALOR: objects are discovered on a grid of cells, propagated from frame to frame, and drawn over a background.

Jiang et al. (2020), with the settings of Weis et al. (JMLR 2021, appendix C). In every frame, the objects of the frame
before are first looked for again near where they were (propagation). Then each cell of a grid may propose one more
object (discovery); a proposal that covers what is already explained is rejected. An object is what it looks like, where
it is, how deep it lies, and whether it is there; each has a prior that a recurrent network foresees. All objects of a
batch are handled at once, in a table of `most` rows for every video.

Where this differs from the authors' program: objects are kept in a table instead of lists, and the program has grids of
4 x 4 and 8 x 8 cells only, so the encoders of a 3 x 3 grid, which the benchmark uses for VMDS, are ours.

Shapes in comments: b videos, k objects or cells, s pixels of a side, g of a glimpse.
"""

from __future__ import annotations

from math import log, pi
from typing import NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn
from torch.distributions import Normal, kl_divergence

from unseen.models import Videos
from unseen.models.layers import Batch, pixels
from unseen.models.monet import Answer, row_views

GLIMPSE = 32  # pixels of a side that an object is looked at with
ENCODED, HIDDEN, PRIOR, BACKGROUND_PRIOR, SEEN = 64, 128, 64, 32, 128  # widths
SHARPEST = 8.8  # logit of presence, at most
STAYS, STAYS_PRIOR = 2.0, 5.0  # added to the logits that an object is still there, and that it is foreseen to be
STEADY = -2.0  # added to the spread of movements
STEP = 0.2  # of half a frame, that an object may move from frame to frame
FOUND, LOST = (
    0.7,
    0.6,
)  # presence that a proposal needs to be kept, and absence, summed over frames, that loses an object
REJECTED = 1e-8  # prior of a proposal whose place is taken
RATIO = (1.0, 0.5)  # of an object's width and height
PRESENT = (0.1, 1e-3, 500)  # prior of a proposal: at first, in the end, and steps until then
EPS = 1e-15


class Objects(NamedTuple):
    """A table of objects for every video of a batch."""

    there: Tensor  # (b, k, 1): from 0 to 1; 0 where a row is empty
    what: Tensor  # (b, k, d)
    where: Tensor  # (b, k, 4): width and height, from 0 to 1 of the frame, and x and y from -1 to 1
    moved: Tensor  # (b, k, 4): the latents that `where` was made from
    depth: Tensor  # (b, k, 1)
    absent: Tensor  # (b, k, 1): how much it was not there, summed over frames
    memory: Tensor  # (b, k, 128): what is remembered of it
    prior: Tensor  # (b, k, 2 * 64): hidden state and cell of the network that foresees it
    number: Tensor  # (b, k, 1): that it keeps

    def chosen(self, rows: Tensor) -> Objects:
        """Return some rows of the table, (b, k) by index."""
        return Objects(*(value.gather(1, rows[..., None].expand(-1, -1, value.shape[-1])) for value in self))

    def detached(self) -> Objects:
        """Return the same objects, through which no gradients pass."""
        return Objects(*(value.detach() for value in self))


class Drawing(NamedTuple):
    """Objects as they are drawn in the frame, and what believing in them costs."""

    colors: Tensor  # (b, k, 3, s, s), faded where it is not there
    cover: Tensor  # (b, k, 1, s, s)
    weight: Tensor  # (b, k, 1, s, s): cover, the more the nearer it is
    divergence: Tensor  # (b,)


class SCALOR(nn.Module):
    """A video -> objects that come, move and go, over a background. `cells` is the side of the grid that finds them."""

    kinds = ("video",)
    steps: Tensor

    def __init__(
        self,
        task: Videos,
        cells: int = 4,
        most: int = 10,
        what: int = 16,
        background: int = 3,
        anchor: float = 0.2,
        variance: float = 0.1,
        sigma: float = 0.1,
        sharpness: float = 0.3,
        soften: int = 20_000,
        whole: int = 30_000,
    ) -> None:
        super().__init__()
        self.most, self.sigma, self.sharpness, self.soften, self.whole = most, sigma, sharpness, soften, whole
        self.see = Encoder(cells)
        size = Size(anchor, variance)
        self.appearance = Appearance(what)
        self.discover = Discovery(cells, size)
        self.propagate = Propagation(what, size)
        self.background = Background(task.side, background) if background else None
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))

    def after_step(self) -> None:
        """Count the steps, by which presence becomes sharper and proposals rarer."""
        self.steps += 1

    @property
    def temperature(self) -> float:
        """How soft presence is: 1 at first, falling to `sharpness`."""
        return float(max(self.sharpness, self.sharpness ** (int(self.steps) / self.soften)))

    def forward(self, frames: Tensor) -> Seen:
        """Go through a video (b, t, 3, s, s)."""
        encoded = self.see(frames)
        objects = self._nothing(frames)
        backdrop = None
        images, covers, numbers, divergences = [], [], [], []
        for time, (frame, map_) in enumerate(zip(frames.unbind(1), encoded.unbind(1), strict=True)):
            objects, old = self.propagate(frame, map_, objects, self.appearance, self.temperature)
            proposed, new = self.discover(
                *(frame, map_, old.cover.sum(1), self.appearance, self.temperature, self._prior),
                time=time,
            )
            colors, covered, weights = (torch.cat(pair, dim=1) for pair in zip(old[:3], new[:3], strict=True))
            cover = _clamped(covered.sum(1))  # (b, 1, s, s)
            weights = weights / (weights.sum(1, keepdim=True) + EPS)
            image, cost = (colors * weights).sum(1), old.divergence + new.divergence
            if self.background is not None:
                painted, backdrop, further = self.background(frame, cover, backdrop)
                image, cost = image + (1 - cover) * painted, cost + further
            both = Objects(*(torch.cat(pair, dim=1) for pair in zip(objects, proposed, strict=True)))
            images.append(image)
            covers.append(cover)
            numbers.append(both.number.squeeze(-1).gather(1, weights.squeeze(2).flatten(2).argmax(1)))
            divergences.append(cost)
            objects = self._kept(both)
        return Seen(
            torch.stack(images, 1),
            torch.stack(covers, 1).squeeze(2),
            torch.stack(numbers, 1).view(frames[:, :, 0].shape),
            torch.stack(divergences, 1),
        )

    @property
    def _prior(self) -> float:
        """The prior that a cell proposes an object."""
        first, last, over = PRESENT
        return first + (last - first) * min(int(self.steps) / over, 1)

    def _nothing(self, frames: Tensor) -> Objects:
        widths = (1, self.appearance.width, 4, 4, 1, 1, HIDDEN, 2 * PRIOR, 1)
        return Objects(*(frames.new_zeros(len(frames), self.most, width) for width in widths))

    def _kept(self, both: Objects) -> Objects:
        """The rows that go on: objects that are still there, then the surest proposals, as many as the table holds."""
        there = both.there.squeeze(-1)
        is_old = torch.arange(there.shape[1], device=there.device) < self.most
        stays = torch.where(is_old, there > 0, there > FOUND)
        rank = torch.where(stays, there + 2 * is_old, -1.0)
        rows = rank.argsort(dim=1, descending=True, stable=True)[:, : self.most]
        kept = both.chosen(rows)
        alive = stays.gather(1, rows)[..., None]
        kept = Objects(*(value * alive for value in kept))
        return kept if int(self.steps) >= self.whole else kept.detached()

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Surprise of every frame, and divergence of what is believed from what was foreseen; means over frames."""
        frames = pixels(batch["input_frames"])
        seen = self(frames)
        error = (seen.images - frames).square().sum((2, 3, 4))
        surprise = error / (2 * self.sigma**2) + frames[0, 0].numel() * log(2 * pi * self.sigma**2) / 2
        return (surprise + seen.divergence).mean(), {
            "squared_error": error.detach().mean(),
            "cover": seen.covers.detach().mean(),
        }

    def predict(self, batch: Batch) -> Answer:
        """Return the number of the object that weighs most, from 1 on, where objects cover most of a pixel; else 0.

        And frames as they are painted.
        """
        seen = self(pixels(batch["input_frames"]))
        numbers = torch.where(seen.covers > 0.5, seen.numbers, 0.0)
        return torch.stack([_renumbered(video) for video in numbers]), {"frames": seen.images}

    def views(self, batch: Batch) -> dict[str, Tensor]:
        """Frames as they are painted, and of them what objects cover, fading to white elsewhere."""
        seen = self(pixels(batch["input_frames"]))
        covered = 1 - seen.covers[:, :, None] * (1 - seen.images.clamp(0, 1))
        return row_views({"painted": seen.images, "objects alone": covered})


class Seen(NamedTuple):
    """What was made of a video."""

    images: Tensor  # (b, t, 3, s, s)
    covers: Tensor  # (b, t, s, s): how much of a pixel is objects
    numbers: Tensor  # (b, t, s, s): of the object that weighs most
    divergence: Tensor  # (b, t)


# ---------------------------------------------------------------------------- what all parts see


class Encoder(nn.Module):
    """Frames -> a map of cells for each, which remembers the frames before it."""

    def __init__(self, cells: int) -> None:
        super().__init__()
        self.cells = cells
        self.body = _body(3, cells, ENCODED)
        self.aside = nn.Sequential(_layer(ENCODED, ENCODED), _layer(ENCODED, ENCODED))
        self.merge = _layer(2 * ENCODED, ENCODED)
        self.memories = nn.ModuleList(ConvLSTM(ENCODED, cells) for _ in range(2))

    def forward(self, frames: Tensor) -> Tensor:
        """All frames of all videos, (b, t, 3, s, s) -> (b, t, 64, cells, cells)."""
        maps = self.body(frames.flatten(0, 1))
        maps = self.merge(torch.cat([maps, self.aside(maps)], dim=1))
        maps = maps.view(*frames.shape[:2], *maps.shape[1:])
        for memory in self.memories:
            maps = memory(maps)
        return maps  # type: ignore[no-any-return]


class ConvLSTM(nn.Module):
    """A recurrent cell of maps, whose gates also look at what is stored in their cell."""

    def __init__(self, width: int, cells: int) -> None:
        super().__init__()
        self.given = nn.Conv2d(width, 4 * width, 3, padding=1)
        self.kept = nn.Conv2d(width, 4 * width, 3, padding=1, bias=False)
        self.peep = nn.Parameter(torch.zeros(3, width, cells, cells))

    def forward(self, maps: Tensor) -> Tensor:
        """Over time, (b, t, width, cells, cells) -> the same."""
        shown = stored = torch.zeros_like(maps[:, 0])
        out = []
        for given in self.given(maps.flatten(0, 1)).view(*maps.shape[:2], -1, *maps.shape[3:]).unbind(1):
            enter, forget, leave, value = (given + self.kept(shown)).chunk(4, dim=1)
            enter, forget, leave = (
                (gate + stored * peep).sigmoid() for gate, peep in zip((enter, forget, leave), self.peep, strict=True)
            )
            stored = forget * stored + enter * value.tanh()
            shown = leave * stored.tanh()
            out.append(shown)
        return torch.stack(out, dim=1)


def _body(channels: int, cells: int, width: int) -> nn.Sequential:
    """Convolutions from an image down to a map of cells: three halvings, one more for 4 x 4 cells or fewer."""
    halvings = [_layer(channels, 16, halve=True), _layer(16, 16)] if channels > 1 else [_layer(1, 16, halve=True)]
    halvings += [_layer(16, 32, halve=True), _layer(32, 32), _layer(32, 64, halve=True), _layer(64, 64)]
    if cells <= 4:
        halvings.append(_layer(64, 64, halve=True))
    return nn.Sequential(*halvings, nn.AdaptiveAvgPool2d(cells), _layer(64, width, kernel=1))


def _layer(before: int, after: int, *, kernel: int = 3, halve: bool = False) -> nn.Sequential:
    convolution = nn.Conv2d(before, after, 4, 2, 1) if halve else nn.Conv2d(before, after, kernel, padding=kernel // 2)
    return nn.Sequential(convolution, nn.CELU(), _norm(after))


def _norm(width: int) -> nn.GroupNorm:
    return nn.GroupNorm({16: 4, 128: 16, 256: 16}.get(width, 8), width)


class Appearance(nn.Module):
    """What an object looks like: a glimpse -> latents, and latents -> colors and cover."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.look = nn.Sequential(
            *(_layer(3, 16, halve=True), _layer(16, 32, halve=True), _layer(32, 64, halve=True), _layer(64, 64)),
            *(nn.Conv2d(64, 128, 4), nn.CELU(), _norm(128), nn.Flatten(), nn.Linear(128, 2 * width)),
        )
        self.paint = nn.Sequential(
            *(_layer(width, 128, kernel=1), _grow(128, 64, 4), _grow(64, 64, 2), _grow(64, 32, 2), _grow(32, 16, 2)),
            _layer(16, 16),
        )
        self.colors, self.cover = nn.Conv2d(16, 3, 3, padding=1), nn.Conv2d(16, 1, 3, padding=1)

    def seen(self, frame: Tensor, where: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and deviation of the latents of what is at some places, (b, k, 4) -> twice (b, k, d)."""
        b, k = where.shape[:2]
        glimpses = glimpse(frame[:, None].expand(-1, k, -1, -1, -1).flatten(0, 1), where.flatten(0, 1), GLIMPSE)
        mean, spread = self.look(glimpses).view(b, k, -1).chunk(2, dim=-1)
        return mean, F.softplus(spread)

    def drawn(self, objects: Objects, side: int) -> tuple[Tensor, Tensor, Tensor]:
        """Colors, cover and weight of objects in a frame: (b, k, 3, s, s) and twice (b, k, 1, s, s)."""
        b, k = objects.there.shape[:2]
        maps = self.paint(objects.what.flatten(0, 1)[..., None, None])
        colors = self.colors(maps).sigmoid()
        cover = self.cover(maps).sigmoid() * objects.there.view(-1, 1, 1, 1)
        weight = cover * (-objects.depth).sigmoid().view(-1, 1, 1, 1)
        placed = put(torch.cat([cover * colors, cover, weight], dim=1), objects.where.flatten(0, 1), side)
        colors, cover, weight = torch.split(placed.view(b, k, 5, side, side), [3, 1, 1], dim=2)
        return colors, cover, weight

    def alone(self, what: Tensor, where: Tensor, side: int) -> Tensor:
        """Return the cover of objects that are surely there, (b, k, d) and (b, k, 4) -> (b, k, s, s)."""
        cover = self.cover(self.paint(what.flatten(0, 1)[..., None, None])).sigmoid()
        return put(cover, where.flatten(0, 1), side).view(*where.shape[:2], side, side)


def _grow(before: int, after: int, times: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(before, after * times**2, 1), nn.PixelShuffle(times), nn.CELU(), _norm(after))


class Size(NamedTuple):
    """How large objects are: a share of half the frame, and how far it may vary."""

    anchor: float
    variance: float

    def of(self, latents: Tensor) -> Tensor:
        """Width and height from two latents, (..., 2) -> (..., 2)."""
        scale, ratio = latents.tanh().chunk(2, dim=-1)
        scale = self.anchor + self.variance * scale
        stretch = (RATIO[0] + RATIO[1] * ratio).sqrt()
        return torch.cat([scale / stretch, scale * stretch], dim=-1)


def glimpse(images: Tensor, where: Tensor, side: int) -> Tensor:
    """Return what is at some places of images, at one size, (n, c, s, s) and (n, 4) -> (n, c, side, side)."""
    maps = _maps(where[:, :2], where[:, 2:])
    return F.grid_sample(
        images, F.affine_grid(maps, [*images.shape[:2], side, side], align_corners=False), align_corners=False
    )


def put(templates: Tensor, where: Tensor, side: int) -> Tensor:
    """Templates at their places in frames, black around them, (n, c, g, g) and (n, 4) -> (n, c, side, side)."""
    size = where[:, :2] + 1e-9
    maps = _maps(1 / size, -where[:, 2:] / size)
    grid = F.affine_grid(maps, [*templates.shape[:2], side, side], align_corners=False)
    return F.grid_sample(templates, grid, align_corners=False)


def _maps(scale: Tensor, shift: Tensor) -> Tensor:
    """Affine maps (n, 2, 3) that scale and shift."""
    return torch.cat([torch.diag_embed(scale), shift[..., None]], dim=-1)


# ---------------------------------------------------------------------------- discovery


class Discovery(nn.Module):
    """Every cell of the grid may propose an object."""

    corners: Tensor

    def __init__(self, cells: int, size: Size) -> None:
        super().__init__()
        self.cells, self.size = cells, size
        self.covered = _body(1, cells, 32)
        self.merge = nn.Sequential(_layer(ENCODED + 32, ENCODED, kernel=1), _layer(ENCODED, ENCODED, kernel=1))
        self.where, self.there, self.depth = (nn.Conv2d(ENCODED, width, 1) for width in (8, 1, 2))
        line = torch.arange(cells) + 0.5
        self.register_buffer("corners", torch.cartesian_prod(line, line).flip(1), persistent=False)  # x and y

    def forward(
        self,
        frame: Tensor,
        seen: Tensor,
        covered: Tensor,
        appearance: Appearance,
        temperature: float,
        prior: float,
        *,
        time: int,
    ) -> tuple[Objects, Drawing]:
        """Propose objects in a frame that is covered in part, (b, 1, s, s); each has a number of its own."""
        maps = self.merge(torch.cat([seen, self.covered(covered.detach())], dim=1))
        logits = SHARPEST * _rows(self.there(maps)).tanh()  # (b, cells, 1)
        depth, where = _gaussian(_rows(self.depth(maps))), _gaussian(_rows(self.where(maps)))
        there, deep, moved = present(logits, temperature), depth.rsample(), where.rsample()
        place = 2 / self.cells * (self.corners + moved[..., 2:].tanh()) - 1
        at = torch.cat([self.size.of(moved[..., :2]), place], dim=-1)
        what = Normal(*appearance.seen(frame, at))
        drawn = what.rsample()
        believed = there
        expected = torch.full_like(there, prior)
        if time:
            free = self._free(appearance.alone(drawn, at, frame.shape[-1]), covered)
            there, expected = there * free, torch.where(free > 0, expected, REJECTED)
        rest = frame.new_zeros(len(frame), self.cells**2, HIDDEN + 2 * PRIOR + 1)
        memory, foreseen, absent = torch.split(rest, [HIDDEN, 2 * PRIOR, 1], dim=-1)
        number = 1 + time * self.cells**2 + torch.arange(self.cells**2, device=frame.device).expand(len(frame), -1)
        objects = Objects(there, drawn, at, torch.zeros_like(moved), deep, absent, memory, foreseen, number[..., None])
        cost = sum(
            (kl_divergence(own, Normal(torch.zeros_like(own.mean), 1.0)) * believed).sum((1, 2))
            for own in (what, where, depth)
        )
        return objects, Drawing(
            *appearance.drawn(objects, frame.shape[-1]), cost + presence_divergence(logits, expected).sum((1, 2))
        )

    @staticmethod
    def _free(alone: Tensor, covered: Tensor) -> Tensor:
        """Which proposals are not, for the most part, where an object is already, (b, k, 1)."""
        proposed, taken = (alone > 0.3).float(), (covered > 0.1).float()
        explained = (proposed * taken).sum((2, 3)) / (proposed.sum((2, 3)) + EPS)
        return (explained < 0.3).float()[..., None]


# ---------------------------------------------------------------------------- propagation


class Propagation(nn.Module):
    """Objects are looked for near where they were, and may be lost."""

    def __init__(self, width: int, size: Size) -> None:
        super().__init__()
        self.size = size
        self.near = nn.Sequential(_layer(ENCODED, ENCODED, kernel=1), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.near_head = nn.Linear(4 * ENCODED, SEEN)
        self.enter = nn.Linear(4 + 1 + width + 4 + SEEN, HIDDEN)
        self.cell = nn.GRUCell(HIDDEN, HIDDEN)
        self.where = _two(HIDDEN + width + 8 + SEEN, HIDDEN, 8)
        self.depth = _two(HIDDEN + width + SEEN, HIDDEN, 2)
        self.remembered = _two(HIDDEN, 64, 2 * width)
        self.gates = _two(HIDDEN + SEEN, 64, 2)
        self.there = _two(HIDDEN + 8 + width, 64, 1)
        self.prior = Prior(width)

    def forward(
        self, frame: Tensor, seen: Tensor, old: Objects, appearance: Appearance, temperature: float
    ) -> tuple[Objects, Drawing]:
        """Objects of the frame before -> the same objects in this one; rows that were empty stay empty."""
        alive = (old.there > 0).float()
        foreseen, prior_state = self.prior(old)
        near = self._near(seen, old.where)
        given = self.enter(torch.cat([old.where, old.there, old.what, old.moved, near], dim=-1))
        memory = self.cell(given.flatten(0, 1), old.memory.flatten(0, 1)).view_as(old.memory)
        where = _gaussian(self.where(torch.cat([memory, old.what, old.where, old.moved, near], dim=-1)), STEADY)
        moved = where.rsample()
        place = (old.where[..., 2:] + STEP * moved[..., 2:].tanh()).clamp(-1.05, 1.05)
        at = torch.cat([self.size.of(moved[..., :2]), place], dim=-1)
        what = self._what(appearance.seen(frame, at), memory, near)
        drawn = what.rsample()
        depth = _gaussian(self.depth(torch.cat([memory, drawn, near], dim=-1)))
        deep = depth.rsample()
        logits = SHARPEST * (self.there(torch.cat([memory, at, moved, drawn], dim=-1)) + STAYS).tanh()
        there = present(logits, temperature)
        absent = old.absent + (1 - there) * alive
        there = there * (absent < LOST) * alive
        new = Objects(there, drawn, at, moved, deep, absent, memory, prior_state, old.number)
        cost = presence_divergence(logits, foreseen.there) * alive
        for own, expected in ((what, foreseen.what), (where, foreseen.where), (depth, foreseen.depth)):
            cost = cost + (kl_divergence(own, expected).sum(-1, keepdim=True) * there)
        return new, Drawing(*appearance.drawn(new, frame.shape[-1]), cost.sum((1, 2)))

    def _near(self, seen: Tensor, where: Tensor) -> Tensor:
        """What the map of cells shows around objects, half a frame wide, (b, k, 128)."""
        b, k = where.shape[:2]
        around = torch.cat([torch.full_like(where[..., :2], 0.5), where[..., 2:].detach()], dim=-1).flatten(0, 1)
        maps = glimpse(seen[:, None].expand(-1, k, -1, -1, -1).flatten(0, 1), around, max(2, seen.shape[-1] // 2))
        return self.near_head(self.near(maps)).view(b, k, -1)  # type: ignore[no-any-return]

    def _what(self, looked: tuple[Tensor, Tensor], memory: Tensor, near: Tensor) -> Normal:
        """What an object looks like, by what is seen and what is remembered, each through a gate."""
        mean, spread = self.remembered(memory).chunk(2, dim=-1)
        forget, enter = self.gates(torch.cat([memory, near], dim=-1)).sigmoid().split(1, dim=-1)
        return Normal(
            enter * looked[0] + forget * mean, F.softplus(enter * looked[1] + forget * F.softplus(spread)) + EPS
        )


class Foreseen(NamedTuple):
    """What an object is expected to be in the next frame."""

    what: Normal
    where: Normal
    depth: Normal
    there: Tensor  # (b, k, 1), a chance


class Prior(nn.Module):
    """Foresees objects by what they were."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.enter = nn.Linear(width + 4 + 4 + 1 + 1, HIDDEN)
        self.cell = nn.LSTMCell(HIDDEN, PRIOR)
        self.what, self.where, self.depth, self.there = (nn.Linear(PRIOR, n) for n in (2 * width, 8, 2, 1))

    def forward(self, old: Objects) -> tuple[Foreseen, Tensor]:
        """What is foreseen of every row of a table, and the new state (b, k, 2 * 64)."""
        given = self.enter(torch.cat([old.what, old.where, old.moved, old.depth, old.there], dim=-1)).flatten(0, 1)
        shown, stored = self.cell(given, tuple(old.prior.flatten(0, 1).chunk(2, dim=-1)))
        state = torch.cat([shown, stored], dim=-1).view_as(old.prior)
        shown = shown.view(*old.prior.shape[:2], -1)
        chance = (self.there(shown) + STAYS_PRIOR).sigmoid()
        what, where, depth = (_gaussian(head(shown)) for head in (self.what, self.where, self.depth))
        return Foreseen(what, where, depth, chance), state


# ---------------------------------------------------------------------------- background


class Background(nn.Module):
    """What is behind all objects, as a few latents."""

    def __init__(self, side: int, width: int) -> None:
        super().__init__()
        halvings = (_layer(4, 16, halve=True), _layer(16, 32, halve=True), _layer(32, 64, halve=True))
        self.look = nn.Sequential(
            *halvings, _layer(64, 64, halve=True), nn.AdaptiveAvgPool2d(4), nn.Conv2d(64, 2 * width, 4)
        )
        self.paint = nn.Sequential(
            *(_layer(width, 256, kernel=1), _grow(256, 128, 4), _layer(128, 128), _grow(128, 64, 4), _layer(64, 64)),
            *(_grow(64, 16, max(1, side // 16)), _layer(16, 16), _layer(16, 16), nn.Conv2d(16, 3, 3, padding=1)),
        )
        self.cell, self.prior = nn.GRUCell(width, BACKGROUND_PRIOR), nn.Linear(BACKGROUND_PRIOR, 2 * width)

    def forward(
        self, frame: Tensor, cover: Tensor, before: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, tuple[Tensor, Tensor], Tensor]:
        """Paint what is behind a cover, (b, 3, s, s); gives it, what to go on from, and what believing in it costs."""
        own = _gaussian(self.look(torch.cat([frame, 1 - cover], dim=1)).flatten(1))
        latents = own.rsample()
        if before is None:
            state = frame.new_zeros(len(frame), BACKGROUND_PRIOR)
            expected = Normal(torch.zeros_like(own.mean), 1.0)
        else:
            old, state = before
            state = self.cell(old, state)
            change = _gaussian(self.prior(state))
            expected = Normal(old + change.mean, change.stddev)
        painted = self.paint(latents[..., None, None]).sigmoid()
        return painted, (latents, state), kl_divergence(own, expected).sum(1)


# ---------------------------------------------------------------------------- chances


def present(logits: Tensor, temperature: float) -> Tensor:
    """Presence from 0 to 1, drawn with the chances that logits give; the colder, the closer to 0 or 1."""
    uniform = torch.rand_like(logits).clamp(1e-6, 1 - 1e-6)
    return ((logits + uniform.logit()) / temperature).sigmoid()


def presence_divergence(logits: Tensor, prior: Tensor) -> Tensor:
    """Divergence of chances from prior chances.

    >>> presence_divergence(torch.zeros(1), torch.full((1,), 0.5))
    tensor([0.])
    """
    chance = logits.sigmoid()
    return chance * ((chance + EPS).log() - (prior + EPS).log()) + (1 - chance) * (
        (1 - chance + EPS).log() - (1 - prior + EPS).log()
    )


def _gaussian(values: Tensor, bias: float = 0.0) -> Normal:
    """Means and spreads side by side -> Gaussians."""
    mean, spread = values.chunk(2, dim=-1)
    return Normal(mean, F.softplus(spread + bias) + 1e-6)


def _two(width: int, hidden: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, hidden), nn.CELU(), nn.Linear(hidden, out))


def _rows(maps: Tensor) -> Tensor:
    """Maps of cells as rows, (b, c, cells, cells) -> (b, cells * cells, c)."""
    return maps.flatten(2).transpose(1, 2)


def _clamped(cover: Tensor) -> Tensor:
    """At most 1; gradients pass as if it were not clamped."""
    return cover + (cover.clamp(EPS, 1 - EPS) - cover).detach()


def _renumbered(numbers: Tensor) -> Tensor:
    """The numbers of a video's objects as 1, 2, 3 and so on; 0 stays.

    >>> _renumbered(torch.tensor([0.0, 17.0, 4.0, 17.0]))
    tensor([0, 2, 1, 2])
    """
    _, index = torch.unique(torch.cat([numbers.new_zeros(1), numbers.flatten()]), return_inverse=True)  # with a 0
    return index[1:].view(numbers.shape)  # type: ignore[no-any-return]
