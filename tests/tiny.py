"""Tiny models, one per kind of task, with dropout and batch statistics: everything that makes resuming hard."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

from unseen.models import Stage
from unseen.models.layers import WordNumbers, pixels


class Tiny(nn.Module):
    """One-hot cells, a convolution, and a head."""

    kinds = ("grid",)

    def __init__(self, grids, width=8, dropout=0.1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(grids.classes, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.Dropout(dropout)
        )
        self.head = nn.Conv2d(width, grids.classes, 1)

    def forward(self, batch):
        cells = batch["input_grid"] % 11  # padding, -1, is class 10
        return self.head(self.body(F.one_hot(cells, 11).movedim(-1, 1).float()))


class Plain(Tiny):
    """Neither dropout nor statistics of batches, so that a batch learns alike whole and in shares."""

    def __init__(self, grids, width=8):
        super().__init__(grids, width, dropout=0.0)
        self.body[1] = nn.Identity()


class Owner(Tiny):
    """A model with an objective and an answer of its own."""

    def loss(self, batch):
        noise = torch.rand(())
        return F.cross_entropy(self(batch), batch["target_grid"] % 11) + noise, {"noise": noise}

    def predict(self, batch):
        return batch["input_grid"]


def eye(width: int = 8) -> nn.Sequential:
    """Images (n, 3, h, w) -> vectors (n, width)."""
    return nn.Sequential(
        nn.Conv2d(3, width, 3, 2),
        nn.BatchNorm2d(width),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
    )


class TinyOdd(nn.Module):
    """The image that is least like the mean is the odd one."""

    kinds = ("odd",)

    def __init__(self, odd):
        super().__init__()
        self.eye, self.rule = eye(), nn.Embedding(1 + len(odd.rules), 8)
        self.number = {rule: 1 + number for number, rule in enumerate(odd.rules)}

    def augment(self, batch):
        """Images in another order, which is another for every step."""
        order = torch.randperm(4, device=batch["target_odd"].device)
        return {
            **batch,
            "input_images": batch["input_images"][:, order],
            "target_odd": order.argsort()[batch["target_odd"]],
        }

    def forward(self, batch):
        seen = self.eye(pixels(batch["input_images"]).flatten(0, 1)).unflatten(0, (-1, 4))
        rules = torch.tensor([self.number.get(rule, 0) for rule in batch["input_rule"]])
        apart = (seen - seen.mean(1, keepdim=True)).square()  # (batch, 4, 8)
        return (apart * self.rule(rules)[:, None].exp()).sum(-1)


class TinyImage(nn.Module):
    """A convolution from image to image."""

    kinds = ("image",)

    def __init__(self, images):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Conv2d(8, 3, 1)

    def forward(self, batch):
        return self.head(self.body(pixels(batch["input_image"]))).sigmoid()


class Staged(TinyImage):
    """Learns to see, then to paint, then both from what it saw first; an average twin of its head moves along."""

    stages = (Stage("see", ("body", "head"), loss="copying"), Stage("paint", ("head",)), Stage("both", start="see"))

    def __init__(self, images):
        super().__init__(images)
        self.register_buffer("twin", self.head.weight.detach().clone())

    def copying(self, batch):
        """How well the input itself is painted."""
        return F.mse_loss(self(batch), pixels(batch["input_image"])), {"twin": self.twin.mean()}

    def after_step(self):
        """Move the twin a tenth of the way."""
        self.twin.lerp_(self.head.weight, 0.1)


class TinyVideo(nn.Module):
    """Paints every frame with as many colors as there are slots, and says which one where."""

    kinds = ("video",)

    def __init__(self, videos):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Conv2d(8, 1 + videos.slots, 1)

    def forward(self, batch):
        frames = pixels(batch["input_frames"]).flatten(0, 1)
        return frames, self.head(self.body(frames)).softmax(1)

    def loss(self, batch):
        frames, masks = self(batch)
        colors = torch.einsum("nkhw,nchw->nkc", masks, frames) / masks.sum((2, 3))[..., None]
        painted = torch.einsum("nkhw,nkc->nchw", masks, colors)
        return F.mse_loss(painted, frames), {"largest": masks.mean((0, 2, 3)).max()}

    def predict(self, batch):
        return self(batch)[1].argmax(1).unflatten(0, batch["input_frames"].shape[:2])


class TinyQuestion(nn.Module):
    """The mean of the words and the mean of the images, side by side."""

    kinds = ("question",)

    def __init__(self, questions):
        super().__init__()
        self.numbers = WordNumbers(questions.words)
        self.eye, self.words = eye(), nn.EmbeddingBag(len(self.numbers), 8, padding_idx=0)
        self.head = nn.Linear(16, len(questions.answers))

    def forward(self, batch):
        seen = self.eye(pixels(batch["input_images"])).split(batch["input_counts"].tolist())
        said = self.words(self.numbers(batch["input_text"]).to(batch["input_counts"].device))
        return self.head(torch.cat([torch.stack([images.mean(0) for images in seen]), said], 1))
