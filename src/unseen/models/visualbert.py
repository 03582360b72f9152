"""VisualBERT and ViLBERT over several images (Bogin et al., COVR, 2021), and both without images.

The question is paired with each of its images. A transformer of two streams reads every pair; what it makes of the text
times what it makes of the image is one vector. A small transformer over these vectors and a learned one, which knows no
order, gives the answer.

The published models see 36 regions of a photo, as a detector found and described them. Here a small convolutional
network, trained along, describes the 36 cells of a grid; 5 numbers say where each is, and the mean of all comes
first, as published. Missing images are left out, where the published ones are zeros.

Shapes in comments: q questions, b pairs, n words, m regions, d width.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from unseen.models import Questions
from unseen.models.convolutions import chain
from unseen.models.layers import Batch, WordNumbers, learned, pixels
from unseen.models.two_streams import TEXT, BertLayer, Layer, TwoStreams, draw_bert_weights, one_stream, two_streams

LONGEST = 60  # words of a question that are read
CELLS = 6  # of a side: 36 regions
BERT_NAMES = {  # of the parts of a layer -> here
    **{f"attention.self.{name}": name for name in ("query", "key", "value")},
    **{"attention.output.dense": "out", "attention.output.LayerNorm": "attention_norm"},
    **{"intermediate.dense": "feed_forward.0", "output.dense": "feed_forward.2", "output.LayerNorm": "norm"},
}
PLACE = 5  # numbers of a region: left, top, right, bottom, area


class VisualBERT(nn.Module):
    """Questions over several images -> answers; one stream of words and regions."""

    kinds = ("question",)
    layout: Callable[[int], list[Layer]] = staticmethod(one_stream)
    sees = True

    def __init__(
        self,
        task: Questions,
        *,
        width: int = 768,
        layers: int = 12,
        heads: int = 12,
        hidden: int = 0,
        pooled: int = 1024,
        set_layers: int = 2,
        set_heads: int = 8,
        channels: int = 64,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        hidden = hidden or 4 * width
        self.words = Words(task.words, width, dropout)
        self.regions = Regions(width, channels if self.sees else 0, dropout)
        self.encoder = TwoStreams(type(self).layout(layers), width, heads, hidden, dropout)
        self.text_pooler, self.vision_pooler = (nn.Sequential(nn.Linear(width, pooled), nn.ReLU()) for _ in range(2))
        self.dropout = nn.Dropout(dropout)
        self.first = learned(pooled)
        self.sets = nn.ModuleList(BertLayer(pooled, set_heads, 3 * pooled, dropout) for _ in range(set_layers))
        self.head = nn.Linear(pooled, len(task.answers))
        self.apply(draw_bert_weights)

    def forward(self, batch: Batch) -> Tensor:
        """Read every question with each of its images, then all of it -> logits (q, answers)."""
        counts = batch["input_counts"] if self.sees else torch.ones_like(batch["input_counts"])
        words, unsaid = self.words(batch["input_text"])  # (q, n, d) and (q, n)
        words, unsaid = (values.repeat_interleave(counts, dim=0) for values in (words, unsaid))
        regions = self.regions(pixels(batch["input_images"]) if self.sees else None, len(words))
        text, vision = self.encoder(words, regions, unsaid)
        pairs = self.dropout(self.text_pooler(text[:, 0]) * self.vision_pooler(vision[:, 0]))  # (b, pooled)
        return self.head(self._together(pairs, counts))  # type: ignore[no-any-return]

    def adopt(self, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Weights of a BERT, as `transformers` saves them, under the names that they have here.

        Its layers are those in which the text attends to itself. Its words are other ones, so they stay behind.
        """
        own = [number for number, layer in enumerate(self.encoder.layers) if TEXT in layer.text]
        found = {}
        for name, value in weights.items():
            layer = re.fullmatch(r"(?:bert\.)?encoder\.layer\.(\d+)\.(.+)\.(weight|bias)", name)
            if layer and int(layer[1]) < len(own) and layer[2] in BERT_NAMES:
                found[f"encoder.text.{own[int(layer[1])]}.{BERT_NAMES[layer[2]]}.{layer[3]}"] = value
            elif name.endswith("embeddings.position_embeddings.weight"):
                found["words.places.weight"] = value[: LONGEST + 1]
            else:
                found[name] = value
        return found

    def _together(self, pairs: Tensor, counts: Tensor) -> Tensor:
        """One vector for each question, of the vectors of its pairs in any order, (b, pooled) -> (q, pooled)."""
        most = int(counts.max())
        there = torch.arange(most, device=pairs.device) < counts[:, None]  # (q, most)
        spread = pairs.new_zeros(len(counts), most, pairs.shape[1])
        spread[there] = pairs
        tokens = torch.cat([self.first.expand(len(counts), 1, -1), spread], dim=1)
        left_out = torch.cat([torch.zeros_like(there[:, :1]), ~there], dim=1)
        for layer in self.sets:
            tokens = layer(tokens, [(tokens, left_out)])
        return tokens[:, 0]


class ViLBERT(VisualBERT):
    """The same with two streams, of which text is read alone first."""

    layout = staticmethod(two_streams)


class VisualBERTText(VisualBERT):
    """VisualBERT that is shown one blank image, whatever the question: how far the words alone go."""

    sees = False


class ViLBERTText(ViLBERT):
    """ViLBERT that is shown one blank image, whatever the question."""

    sees = False


class Words(nn.Module):
    """The words of questions after a mark of their beginning, each with its place."""

    def __init__(self, known: tuple[str, ...], width: int, dropout: float) -> None:
        super().__init__()
        self.numbers = WordNumbers(known)
        self.mark = len(self.numbers)  # behind the words
        self.table = nn.Embedding(self.mark + 1, width, padding_idx=0)
        self.places = nn.Embedding(LONGEST + 1, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, texts: list[str]) -> tuple[Tensor, Tensor]:
        """Embed questions -> (q, n, d), and the places behind their last word (q, n)."""
        numbers = self.numbers(texts)[:, :LONGEST].to(self.table.weight.device)
        numbers = torch.cat([torch.full_like(numbers[:, :1], self.mark), numbers], dim=1)
        places = self.places(torch.arange(numbers.shape[1], device=numbers.device))
        return self.dropout(self.norm(self.table(numbers) + places)), numbers == 0


class Regions(nn.Module):
    """The cells of a grid over an image, described by a small convolutional network, and the mean of all first.

    Without channels there is no network, and every image is blank.
    """

    places: Tensor

    def __init__(self, width: int, channels: int, dropout: float) -> None:
        super().__init__()
        self.eye = (
            nn.Sequential(
                *chain((3, channels, 2 * channels, 4 * channels), 5, nn.ReLU, stride=2, padding=2),
                *(nn.AdaptiveAvgPool2d(2 * CELLS), *chain((4 * channels, width), 2, nn.ReLU, stride=2)),
            )
            if channels
            else None
        )
        self.feature, self.place = nn.Linear(width, width), nn.Linear(PLACE, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)
        line = torch.arange(CELLS) / CELLS
        top, left = (values.flatten() for values in torch.meshgrid(line, line, indexing="ij"))
        cells = torch.stack([left, top, left + 1 / CELLS, top + 1 / CELLS, torch.full_like(top, CELLS**-2)], dim=1)
        whole = torch.tensor([[0.0, 0.0, 1.0, 1.0, 1.0]])
        self.register_buffer("places", torch.cat([whole, cells]), persistent=False)

    def forward(self, images: Tensor | None, count: int) -> Tensor:
        """Describe so many images, (b, 3, side, side) -> (b, 1 + cells, d); without any, blank ones."""
        if self.eye is None or images is None:
            features = self.places.new_zeros(count, len(self.places), self.feature.in_features)
        else:
            seen = self.eye(images).flatten(2).transpose(1, 2)  # (b, cells, d)
            features = torch.cat([seen.mean(1, keepdim=True), seen], dim=1)
        return self.dropout(self.norm(self.feature(features) + self.place(self.places)))  # type: ignore[no-any-return]
