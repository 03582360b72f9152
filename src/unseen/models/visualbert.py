"""VisualBERT and ViLBERT over several images (Bogin et al., COVR, 2021), and both without images.

The question is paired with each of its images. A transformer of two streams reads every pair; what it makes of the text
times what it makes of the image is one vector. A small transformer over these vectors and a learned one, which knows no
order, gives the answer.

Regions are those of a detector, or the boxes of objects that a small network looks at (`regions.py`). The published
detector was taught the names and attributes of objects on Visual Genome before any question was asked, and then kept as
it was. So is this network, in a stage of its own, in which it names what boxes show. The published transformer had
learned from captions which of them fit an image. This one learns which regions texts are about, and how many, from
regions whose names are told: first of short phrases, then of the questions of training, which it answers as well. In
the last stage, it answers from what the eye sees. Missing images are left out, where the published ones are zeros.

Shapes in comments: q questions, b pairs, n words, m regions, d width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unseen.models import Questions, Stage
from unseen.models.layers import Batch, learned
from unseen.models.phrases import asked_of
from unseen.models.regions import Regions, named
from unseen.models.two_streams import (
    BertLayer,
    Layer,
    TwoStreams,
    begin_alike,
    begin_copying,
    draw_bert_weights,
    one_stream,
    two_streams,
)
from unseen.models.volta import bert_weights, volta_weights
from unseen.models.word_pieces import MARKS, WordPieces, with_endings

FINDING = 8.0  # weight of finding what a text is about: of all regions, few are
NAMING = 0.3  # weight of saying what these show
UNKNOWN = -1  # class of an answer that no question of the training split has
MANY = 3  # objects of an image that a text is about are counted so far
LONGEST = 60  # word pieces of a question that are read, with the marks of its beginning and end
SAID, PLACED = 0.5, 0.1  # size of the numbers in vectors of words and of their places at first
# the eye is taught, and then rests, as the published detector does
EYE = ("regions.eye", "regions.names")
PAIRING = (
    *("words", "regions.around", "regions.place", "regions.norm"),
    *("encoder", "text_pooler", "vision_pooler"),
)
REFERENTS = ("found", "counted", "named")
ANSWERING = ("first", "sets", "head")


class VisualBERT(nn.Module):
    """Questions over several images -> answers; one stream of words and regions."""

    kinds = ("question",)
    layout: Callable[[int], list[Layer]] = staticmethod(one_stream)
    sees = True
    welcome: Mapping[str, Any] = {"symbols": True}  # what the eye is taught

    def __init__(
        self,
        task: Questions,
        *,
        width: int = 768,
        layers: int = 12,
        heads: int = 0,
        hidden: int = 0,
        pooled: int = 0,
        set_layers: int = 2,
        set_heads: int = 8,
        channels: int = 0,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        heads = heads or max(1, width // 64)  # what is not chosen grows with the width: 12 heads of 768, as published
        hidden = hidden or 4 * width
        pooled = pooled or max(64, width * 4 // 3 // 64 * 64)  # 1,024 of 768
        channels = channels or max(1, width // 8)
        self.words = Words(task.pieces or (*MARKS, *with_endings(task.words)), width, dropout)
        self.regions = Regions(task, width, channels, dropout, sees=self.sees)
        self.symbols = {word: number for number, word in enumerate(task.symbols)}
        self.encoder = TwoStreams(type(self).layout(layers), width, heads, hidden, dropout)
        self.text_pooler, self.vision_pooler = (nn.Sequential(nn.Linear(width, pooled), nn.ReLU()) for _ in range(2))
        self.dropout = nn.Dropout(dropout)
        self.first = learned(pooled)
        self.sets = nn.ModuleList(BertLayer(pooled, set_heads, 3 * pooled, dropout) for _ in range(set_layers))
        self.head = nn.Linear(pooled, len(task.answers))
        self.apply(draw_bert_weights)
        if not task.features:
            begin_copying(self)
            self._begin_with_words(task.answers)
        if self.regions.names is not None:
            self.found, self.counted = nn.Linear(width, 2), nn.Linear(pooled, 2 * (MANY + 1))
            self.named = nn.Linear(pooled, len(self.symbols))
            self.classes = {answer: number for number, answer in enumerate(task.answers)}
            self.stages = (
                Stage("look", learns=EYE, loss="look"),
                Stage("read", learns=(*PAIRING, *REFERENTS), loss="read"),
                Stage("ask", learns=(*PAIRING, *REFERENTS, *ANSWERING), loss="ask"),
                Stage("answer", learns=(*PAIRING, *ANSWERING)),
            )
            self.regions.begin()
            self.vision_pooler.load_state_dict(self.text_pooler.state_dict())
            begin_alike(self.encoder, self.words.norm, self.regions.norm)

    def _begin_with_words(self, answers: tuple[str, ...]) -> None:
        """Let vectors of words be larger than those of places, and classes of answers like the words that they are."""
        with torch.no_grad():
            self.words.table.weight.normal_(std=SAID)
            self.words.table.weight[self.words.pieces.padding] = 0
            self.words.places.weight.normal_(std=PLACED)
            said = F.linear(self.words.single(list(answers)), self.text_pooler[0].weight)  # type: ignore[arg-type]
            self.head.weight.copy_(F.normalize(said, dim=1))  # (answers, pooled)

    def forward(self, batch: Batch) -> Tensor:
        """Read every question with each of its images, then all of it -> logits (q, answers)."""
        counts = batch["input_counts"] if self.sees else torch.ones_like(batch["input_counts"])
        regions, none = self.regions(batch, int(counts.sum()), self._symbols())
        text, vision = self._pairs(batch["input_text"], regions, none, counts)[:2]  # type: ignore[arg-type]
        pairs = self.dropout(self._product(text, vision))
        return self.head(self._together(pairs, counts))  # type: ignore[no-any-return]

    def _product(self, text: Tensor, vision: Tensor) -> Tensor:
        """The first tokens of texts and of images as one vector for each pair, (b, d) twice -> (b, pooled)"""
        return self.text_pooler(text) * self.vision_pooler(vision)  # type: ignore[no-any-return]

    def _pairs(self, texts: list[str], regions: Tensor, none: Tensor, counts: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The first tokens of each text and of each of its images when they have been read together, both (b, d).

        And the regions as the last layer finds them, (b, 1 + m, d).
        """
        words, unsaid = self.words(texts)  # (q, n, d) and (q, n)
        words, unsaid = (values.repeat_interleave(counts, dim=0) for values in (words, unsaid))
        return self.encoder(words, regions, unsaid, none)  # type: ignore[no-any-return]

    def _symbols(self) -> Tensor:
        """The vectors of the words for what can be seen, (words, d)."""
        return self.words.single(list(self.symbols)) if self.symbols else self.words.table.weight[:0]

    def look(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Name what every region shows."""
        told, there = self._told(batch)[1:]
        logits = self.regions.named(batch)[there]
        boxes = max(1, len(logits))  # graphs may have no boxes
        naming = F.binary_cross_entropy_with_logits(logits.float(), told[there], reduction="sum") / boxes
        return naming, {"named": ((logits > 0) == told[there].bool()).all(1).sum() / boxes}

    def read(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Find from the true names of regions what phrases are about, and whether a sentence counts the image."""
        asked = asked_of(batch["input_names"], batch["input_relations"])  # type: ignore[arg-type]
        each = torch.ones(len(asked), dtype=torch.long, device=batch["input_boxes"].device)
        referents = [(one.fits, one.fits if one.shows else set()) for one in asked]
        _, loss, logged = self._understood(batch, [one.text for one in asked], each, referents)
        return loss, logged

    def ask(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        """Find from the true names of regions what questions are about, and answer them."""
        counts, referents = batch["input_counts"], referred(batch["target_referents"])  # type: ignore[arg-type]
        pairs, loss, logged = self._understood(batch, batch["input_text"], counts, referents)  # type: ignore[arg-type]
        answers = torch.tensor([self.classes.get(one, UNKNOWN) for one in batch["target_answer"]], device=pairs.device)
        logits = self.head(self._together(self.dropout(pairs), counts)).float()
        answering = F.cross_entropy(logits, answers, ignore_index=UNKNOWN, reduction="sum")
        loss = loss + answering / (answers != UNKNOWN).sum().clamp(1)
        return loss, {**logged, "answered": (logits.argmax(1) == answers).float().mean()}

    def _understood(
        self, batch: Batch, texts: list[str], counts: Tensor, referents: list[tuple[set[int], set[int]]]
    ) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """Vectors of texts with so many images each, of which true names are told, (b, pooled).

        And how badly they say what objects of each image a text is about: which, how many, and what they show.
        """
        places, told, there = self._told(batch)
        fits = marked(referents, there.shape[1]).to(there.device)  # (b, m, 2)
        text, vision, regions = self._pairs(texts, *self.regions.shown(told, places, self._symbols()), counts)
        pairs = self._product(text, vision)
        found, counted = self.found(regions[:, 1:]).float(), self.counted(pairs).float().unflatten(1, (2, -1))
        many = fits.sum(1).long().clamp(max=MANY)  # (b, 2)
        names = (told * fits.amax(2)[..., None]).amax(1)  # (b, words)
        finding = F.binary_cross_entropy_with_logits(found[there], fits[there], reduction="sum") / there.sum().clamp(1)
        naming = F.binary_cross_entropy_with_logits(self.named(pairs).float(), names, reduction="sum") / len(names)
        loss = FINDING * finding / 2 + F.cross_entropy(counted.flatten(0, 1), many.flatten()) + NAMING * naming
        all_found = (((found > 0) == fits.bool()) | ~there[..., None]).flatten(1).all(1)
        logged = {"found": all_found.float().mean(), "counted": (counted.argmax(2) == many).float().mean()}
        return pairs, loss, logged

    def _told(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Where regions are, (b, m, 5), the words for them, (b, m, words), and which of them there are, (b, m)."""
        places = self.regions.boxed(batch)
        told = named(batch["input_names"], self.symbols, places.shape[1])  # type: ignore[arg-type]
        return places, told.to(places.device), places[..., 4] > 0

    def adopt(self, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Weights of a BERT, or of VOLTA's own models, under the names that they have here."""
        return volta_weights(self, weights) or bert_weights(self, weights)

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
    """Questions over several images -> answers; two streams, of which that of words is read alone first."""

    layout = staticmethod(two_streams)


class VisualBERTText(VisualBERT):
    """VisualBERT that is shown one blank image, whatever the question: how far the words alone go."""

    sees = False
    welcome: Mapping[str, Any] = {}


class ViLBERTText(ViLBERT):
    """ViLBERT that is shown one blank image, whatever the question."""

    sees = False
    welcome: Mapping[str, Any] = {}


class Words(nn.Module):
    """The word pieces of questions between marks of their beginning and end, each with its place."""

    def __init__(self, pieces: tuple[str, ...], width: int, dropout: float) -> None:
        super().__init__()
        self.pieces = WordPieces(pieces)
        self.table = nn.Embedding(self.pieces.size, width, padding_idx=self.pieces.padding)
        self.places = nn.Embedding(LONGEST, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, texts: list[str]) -> tuple[Tensor, Tensor]:
        """Embed questions -> (q, n, d), and the places behind their last piece (q, n)."""
        numbers = self.pieces(texts, LONGEST).to(self.table.weight.device)
        places = self.places(torch.arange(numbers.shape[1], device=numbers.device))
        return self.dropout(self.norm(self.table(numbers) + places)), numbers == self.pieces.padding

    def single(self, words: list[str]) -> Tensor:
        """Embed words alone, each by the mean of its pieces, (words, d)."""
        return torch.stack([self.table.weight[self.pieces.of_word(word)].mean(0) for word in words])


def referred(texts: list[str]) -> list[tuple[set[int], set[int]]]:
    """The first and the last objects of images that questions are about.

    >>> referred(["0 1; 1", "; "])
    [({0, 1}, {1}), (set(), set())]
    """
    sets = ([{*map(int, places.split())} for places in text.split(";")] for text in texts)
    return [(first, last) for first, last in sets]


def marked(referents: list[tuple[set[int], set[int]]], objects: int) -> Tensor:
    """Pairs of sets of objects as numbers.

    >>> marked([({0, 1}, {1})], 3).tolist()
    [[[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]]
    """
    found = torch.zeros(len(referents), objects, 2)
    for image, sets in enumerate(referents):
        for which, places in enumerate(sets):
            found[image, list(places), which] = 1
    return found
