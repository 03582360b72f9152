"""A transformer of two streams, text and vision, whose layers say who attends to whom (VOLTA: Bugliarello et al. 2021).

VisualBERT and ViLBERT are the same program with different lists of layers. In VisualBERT both streams attend to both
with the same weights, so that they are one. In ViLBERT text is read alone first, and then each stream looks at the
other and at itself in turn, with weights of its own.

Shapes in comments: b pairs of a text and an image, n words, m regions, d width, h heads.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

TEXT, VISION = "text", "vision"


@dataclass(frozen=True)
class Layer:
    """Who attends to whom in a layer; a stream that attends to nothing rests."""

    text: tuple[str, ...] = ()
    vision: tuple[str, ...] = ()
    shared: bool = False  # whether both streams have the same weights


def one_stream(layers: int) -> list[Layer]:
    """The layers of VisualBERT: all attend to all."""
    return [Layer((TEXT, VISION), (TEXT, VISION), shared=True)] * layers


def two_streams(layers: int) -> list[Layer]:
    """The layers of ViLBERT: half of the text's own are before vision joins, half after each look at each other.

    >>> two_streams(2)
    [Layer(text=('text',), vision=(), shared=False), Layer(text=('vision',), vision=('text',), shared=False), \
Layer(text=('text',), vision=('vision',), shared=False)]
    """
    alone, both = layers // 2, layers - layers // 2
    return [Layer((TEXT,))] * alone + [Layer((VISION,), (TEXT,)), Layer((TEXT,), (VISION,))] * both


class TwoStreams(nn.Module):
    """Words and regions, each changed by what its layers attend to."""

    def __init__(self, layers: list[Layer], width: int, heads: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.layers = layers
        self.text, self.vision = nn.ModuleList(), nn.ModuleList()
        for layer in layers:
            own = BertLayer(width, heads, hidden, dropout) if layer.text else None
            self.text.append(own or nn.Identity())
            other = own if layer.shared else BertLayer(width, heads, hidden, dropout) if layer.vision else None
            self.vision.append(other or nn.Identity())

    def forward(self, words: Tensor, regions: Tensor, unsaid: Tensor, none: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What the first word and the first region have become behind all layers, both (b, d).

        And the regions in front of the last layer, (b, m, d). Words are (b, n, d), regions (b, m, d); `unsaid` (b, n)
        are places behind the last word, `none` (b, m) those that are no region. Of the last layer nothing else is asked
        for, so that nothing else is computed there.
        """
        for number, (layer, text, vision) in enumerate(zip(self.layers, self.text, self.vision, strict=True), start=1):
            both = {TEXT: (words, unsaid), VISION: (regions, none)}
            before = regions
            asking = [words, regions] if number < len(self.layers) else [words[:, :1], regions[:, :1]]
            if layer.shared:  # one pass does for both
                after = text(torch.cat(asking, dim=1), list(both.values()))
                words, regions = after.split([tokens.shape[1] for tokens in asking], dim=1)
                continue
            words = text(asking[0], [both[name] for name in layer.text]) if layer.text else asking[0]
            regions = vision(asking[1], [both[name] for name in layer.vision]) if layer.vision else asking[1]
        return words[:, 0], regions[:, 0], before


class BertLayer(nn.Module):
    """A post-norm layer as BERT has it; its tokens may attend to other ones than themselves."""

    def __init__(self, width: int, heads: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.share = heads, dropout
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.attention_norm = nn.LayerNorm(width, eps=1e-12)
        self.feed_forward = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, attended: list[tuple[Tensor, Tensor]]) -> Tensor:
        """Attend to all of these together, each (b, m, d) with the places (b, m) that are left out."""
        others = torch.cat([tokens for tokens, _ in attended], dim=1)
        hidden = torch.cat([mask for _, mask in attended], dim=1)
        query, key, value = (
            part(tokens).unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (b, h, n, d/h)
            for part, tokens in ((self.query, x), (self.key, others), (self.value, others))
        )
        # written out, since the fused one takes three times as long on a processor to go back through so few tokens
        scores = (query @ key.transpose(-1, -2)) * query.shape[-1] ** -0.5  # (b, h, n, m)
        shares = scores.masked_fill(hidden[:, None, None], -torch.inf).softmax(-1)
        mixed = F.dropout(shares, self.share, self.training) @ value
        x = self.attention_norm(x + self.dropout(self.out(mixed.transpose(1, 2).flatten(2))))
        return self.norm(x + self.dropout(self.feed_forward(x)))  # type: ignore[no-any-return]


def draw_bert_weights(module: nn.Module) -> None:
    """Draw the weights of a module as BERT's are drawn; for `model.apply`.

    Layers that are narrower than BERT's 768 start larger, or else signals would fade in them.
    """
    if isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.02 * (768 / module.in_features) ** 0.5)
        nn.init.zeros_(module.bias)


def begin_copying(model: nn.Module) -> None:
    """Let every layer begin by adding to a token the mean of what it attends to, as it is.

    From small random weights, the first token of a text hardly depends on the text at first, and what is pooled from
    it hardly on the question.
    """
    with torch.no_grad():
        for layer in (module for module in model.modules() if isinstance(module, BertLayer)):
            for part in (layer.value, layer.out):
                nn.init.normal_(part.weight, std=0.02)
                part.weight += torch.eye(len(part.weight))


LIKENESS = 1.3  # of a query and a key to the token they are of, at first
KIND = 0.5  # what tells regions from words: added to every number of the ones, subtracted from those of the others


def begin_alike(encoder: TwoStreams, words: nn.LayerNorm, regions: nn.LayerNorm) -> None:
    """Let words attend to regions that are like them from the first step on, and regions to words.

    In the first layer in which text looks at images, queries and keys begin as the tokens themselves. There a token
    would attend to itself first of all; so the norms of words and regions begin with a mark that says which of them
    it is, and a query asks for the other one. A word that no region is like attends to itself, and so does a region
    that no word is like: what comes back then has its own mark, and later layers can tell. From random weights, two
    layers had not found that out after 25,000 phrases.
    """
    first = next(number for number, layer in enumerate(encoder.layers) if VISION in layer.text)
    with torch.no_grad():
        same = LIKENESS * torch.eye(len(words.weight))
        for layer in {encoder.text[first], encoder.vision[first]}:
            layer.key.weight += same  # type: ignore[operator, union-attr]
            # the mark is the mean of a token's numbers, which is otherwise 0: a query has it turned around
            layer.query.weight += same - 2 * same.mean(1)  # type: ignore[operator, union-attr]
        words.bias.fill_(-KIND)
        regions.bias.fill_(KIND)
