"""Factor-CNN: how well factors can be read from an image, and painted from what was read (SVIB, appendix B.6).

Four convolutions and two linear maps read the factors of every object and its place, nearest to the camera first, or
from left to right where there is none, and the ground's material where there is one. The shares of right readings by
factor are what Table 5 reports; the log has them as `shape_1`, `size_2`, `ground`. Then the transformer decoder, as a
probe, paints the next image from nothing but these readings, one token for each object.

Left open by the paper: everything but the number of layers. The convolutions are those of I2I-CNN; the probe is ours.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.core.errors import SpecError
from unseen.models import Images, Stage
from unseen.models.convolutions import ConvEncoder
from unseen.models.layers import Batch, pixels
from unseen.models.transformer import TransformerDecoder, draw_weights

GROUND = "ground"  # the factor of the whole scene


class FactorCNN(nn.Module):
    """Reads factors, then paints from them."""

    kinds = ("image",)
    view = {"symbols": True}  # noqa: RUF012  # what it is to read
    stages = (Stage("factors", ("encoder",), loss="factor_loss"), Stage("probe", ("probe",)))

    def __init__(
        self,
        task: Images,
        *,
        objects: int = 2,
        channels: int = 64,
        hidden: int = 256,
        width: int = 192,
        blocks: int = 8,
        heads: int = 4,
        patch: int = 4,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        if not task.factors:
            raise SpecError("factor-cnn reads the factors of objects, and this task does not say what those are")
        self.factors, self.objects = task.factors, objects
        self.ground = dict(task.scene).get(GROUND, 0)  # materials that it may have
        self.low, self.high = next((low, high) for name, low, high in task.ranges if name == "positions")
        self.each = sum(size for _, size in task.factors) + 2  # numbers that are read of an object: with its place
        self.encoder = ConvEncoder(task.side, channels=channels, hidden=hidden, out=objects * self.each + self.ground)
        draw_weights(self.encoder)
        self.probe = TransformerDecoder(
            task.side, self.each + self.ground, width=width, blocks=blocks, heads=heads, patch=patch, dropout=dropout
        )

    def forward(self, batch: Batch) -> Tensor:
        """Paint the next image from what is read of the input -> (b, 3, side, side)"""
        scores, places, ground = self.read(batch)
        shares = [score.softmax(dim=-1) for score in scores]  # (b, objects, values) each
        tokens = torch.cat([*shares, places, ground.softmax(dim=-1)[:, None].expand(-1, self.objects, -1)], dim=2)
        return self.probe(tokens)  # type: ignore[no-any-return]

    def read(self, batch: Batch) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
        """Scores of each factor's values (b, objects, values), places (b, objects, 2), and scores of the ground."""
        read = self.encoder(pixels(batch["input_image"]))
        of_objects, ground = read.split([self.objects * self.each, self.ground], dim=1)
        *scores, places = of_objects.view(-1, self.objects, self.each).split([*dict(self.factors).values(), 2], dim=2)
        return tuple(scores), places, ground

    def factor_loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Cross-entropy of all factors and squared error of places; logs the share of right readings of each factor."""
        scores, places, ground = self.read(batch)
        factors, positions = in_order(batch)
        losses = [F.mse_loss(places, (positions - self.low) / (self.high - self.low))]
        logged: dict[str, Tensor] = {}
        for (name, _), score, true in zip(self.factors, scores, factors.unbind(dim=2), strict=True):
            losses.append(F.cross_entropy(score.flatten(0, 1), true.flatten()))
            right = score.argmax(dim=2).eq(true).float().mean(dim=0)  # (objects,)
            logged |= {f"{name}_{number}": share for number, share in enumerate(right, 1)}
        if self.ground:
            losses.append(F.cross_entropy(ground, batch["input_ground"]))
            logged[GROUND] = ground.argmax(dim=1).eq(batch["input_ground"]).float().mean()
        return torch.stack(losses).sum(), logged


def in_order(batch: Batch) -> tuple[Tensor, Tensor]:
    """Factors (b, objects, factors) and positions (b, objects, 2) of the nearest object first, or of the leftmost."""
    factors, positions = batch["input_factors"], batch["input_positions"]
    if "input_parameters" in batch:
        camera = batch["input_parameters"][:, :1, :2]  # above the ground, on which objects stand
        away = (positions - camera).norm(dim=2)  # (b, objects)
    else:
        away = positions[..., 0]
    order = away.argsort(dim=1)[..., None]
    return factors.gather(1, order.expand_as(factors)), positions.gather(1, order.expand_as(positions))
