"""What images show though their graphs leave it out: a classifier of simple subgraphs, learned from such graphs.

As published, it learns to tell the simple subgraphs of an image's graph from some that come close and are not in it,
and an image is judged by a model that did not learn from it. The published one is a large pretrained network; this one
is small. A convolutional network says of every cell of a grid which words fit what is there. A subgraph is in the image
where some cell fits its words, or where two cells do that lie to each other as its relation has it.

Shapes in comments: b images, c cells, q subgraphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from unseen.benchmarks.covr.readers.judgements import THRESHOLDS
from unseen.benchmarks.covr.world.scene import Scene
from unseen.benchmarks.covr.world.subgraph import Edge, Node
from unseen.core.errors import missing_extra
from unseen.core.files import write_whole
from unseen.core.random import Stream, path_key

try:
    import torch
    import torch.nn.functional as F  # noqa: N812
    from torch import Tensor, nn
except ImportError:
    raise missing_extra("the filter of what images show", "train", "torch") from None

Images = npt.NDArray[np.uint8]  # (b, side, side, 3)

CELLS = 8  # of a side
FOLDS = 5  # as published
STEPS = 300  # of a fold
BATCH = 16  # images
ASKED = 12  # subgraphs of an image in a step, half of them its own
RATE = 4e-3
RARE = -4.0  # how sure a cell is of any word at first
BOXED = 0.2  # how much the words of boxes count beside the subgraphs
COVERED = 0.3  # share of a cell or of a box that both must have in common


@dataclass(frozen=True)
class Words:
    """The words of a corpus: names and attributes of objects, and relations."""

    said: dict[str, int]
    relations: dict[str, int]

    @classmethod
    def of(cls, scenes: Sequence[Scene]) -> Words:
        """Return the words of some scenes, in the order of the alphabet."""
        things = [thing for scene in scenes for thing in scene.things.values()]
        said = {word for thing in things for word in (thing.name, *thing.attributes)}
        relations = [relation for thing in things for relation in thing.relations]
        names = {relation.name for relation in relations}
        names |= {modifier.name for relation in relations for modifier in relation.modifiers}
        return cls(*({word: number for number, word in enumerate(sorted(words))} for words in (said, names)))

    def query(self, image: int, node: Node) -> list[int] | None:
        """Give an image and a simple subgraph as numbers, -1 where it says nothing; none where a word is not known."""
        edge = node.edges[0] if node.edges else None
        target = edge.target if edge else Node(None)
        said = (node.name, node.attribute, target.name, target.attribute)
        if any(word is not None and word not in self.said for word in said):
            return None
        if edge and edge.relation not in self.relations:
            return None
        numbers = [-1 if word is None else self.said[word] for word in said]
        return [image, *numbers, self.relations[edge.relation] if edge else -1]


class Sight(nn.Module):
    """Images and simple subgraphs -> how sure it is that each is in its image."""

    between: Tensor

    def __init__(self, words: Words, channels: int = 16, width: int = 96) -> None:
        super().__init__()
        widths = (3, channels, 2 * channels, 4 * channels)
        halves = [_halving(*pair) for pair in pairwise(widths)]
        self.cells = nn.Sequential(*halves, nn.AdaptiveAvgPool2d(CELLS), _seen(widths[-1], width))
        self.words = nn.Linear(width, len(words.said))
        nn.init.constant_(self.words.bias, RARE)
        line = torch.arange(CELLS)
        down, right = (values.flatten() for values in torch.meshgrid(line, line, indexing="ij"))
        apart = [values[None] - values[:, None] + CELLS - 1 for values in (down, right)]
        self.register_buffer("between", apart[0] * (2 * CELLS - 1) + apart[1], persistent=False)  # (c, c)
        self.relations = nn.Parameter(torch.zeros(len(words.relations), (2 * CELLS - 1) ** 2))
        self.scale, self.shift = nn.Parameter(torch.ones(2)), nn.Parameter(torch.zeros(2))

    def forward(self, images: Tensor) -> Tensor:
        """How well every word fits every cell, (b, side, side, 3) -> logits (b, c, words)."""
        pixels = images.permute(0, 3, 1, 2).float() / 255 - 0.5
        logits: Tensor = self.words(self.cells(pixels).flatten(2).transpose(1, 2))
        return logits

    def judge(self, fits: Tensor, queries: Tensor) -> Tensor:
        """Tell how sure it is of subgraphs, logits (b, c, words) and numbers (q, 6) -> logits (q,)."""
        likely = F.pad(F.logsigmoid(fits), (0, 1))  # what is not said fits everywhere: -1 is the last
        image, name, attribute, target, trait, relation = queries.T
        one = likely[image, :, name] + likely[image, :, attribute]  # (q, c)
        found = torch.logsumexp(one, dim=1)
        pair = relation >= 0
        if pair.any():
            some = image[pair]
            other = likely[some, :, target[pair]] + likely[some, :, trait[pair]]
            placed = self.relations[relation[pair]][:, self.between]  # (pairs, c, c)
            both = one[pair][:, :, None] + other[:, None] + placed
            found = found.masked_scatter(pair, torch.logsumexp(both.flatten(1), dim=1))
        return self.scale[pair.long()] * found + self.shift[pair.long()]


def _halving(start: int, end: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(start, end, 5, 2, 2), nn.BatchNorm2d(end), nn.ReLU())


def _seen(start: int, end: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(start, end, 3, 1, 1), nn.BatchNorm2d(end), nn.ReLU())


# ---------------------------------------------------------------------------- learning


def learn(images: Images, scenes: Sequence[Scene], words: Words, *, steps: int = STEPS, seed: int = 0) -> Sight:
    """Learn from images and their graphs, with whatever gaps these have."""
    torch.manual_seed(seed)
    model = Sight(words)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    asked = _Asked(scenes, words)
    for step in range(steps):
        rng = Stream(path_key(seed, "covr", "sight"), index=step)
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 20) * (1 - step / steps)
        chosen = [rng.below(len(scenes)) for _ in range(BATCH)]
        queries, targets = asked.about(chosen, rng)
        fits = model(torch.from_numpy(images[chosen]))
        loss = F.binary_cross_entropy_with_logits(model.judge(fits, queries), targets)
        shown = asked.shown[chosen]
        known = shown.sum((1, 2), keepdim=True) > 0  # graphs without boxes say nothing of cells
        cells = F.binary_cross_entropy_with_logits(fits, shown, weight=known.float(), reduction="sum")
        loss = loss + BOXED * cells / (len(chosen) * CELLS**2)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return model.eval()


class _Asked:
    """Simple subgraphs of scenes, and some that come close."""

    def __init__(self, scenes: Sequence[Scene], words: Words) -> None:
        self.scenes, self.words = scenes, words
        self.own = [list(dict.fromkeys(_subgraphs(scene))) for scene in scenes]
        self.every = sorted({node for nodes in self.own for node in nodes}, key=repr)
        self.shown = torch.stack([_shown(scene, words) for scene in scenes])

    def about(self, chosen: Sequence[int], rng: Stream) -> tuple[Tensor, Tensor]:
        """Subgraphs of chosen scenes and others, as numbers (q, 6), and whether they are in them (q,)."""
        queries, targets = [], []
        for place, scene in enumerate(chosen):
            own = self.own[scene]
            for turn in range(ASKED if own else 0):
                node, true = rng.choice(own), turn % 2 == 0
                if not true:
                    node = _changed(node, rng.choice(self.every), rng)
                    true = node in own
                query = self.words.query(place, node)
                if query:
                    queries.append(query)
                    targets.append(float(true))
        return torch.tensor(queries), torch.tensor(targets)


def _subgraphs(scene: Scene) -> Iterator[Node]:
    """Everything simple in a scene: objects, with each attribute, and related ones, the second with each attribute."""
    for thing in scene.things.values():
        yield from (Node(thing.name, attribute) for attribute in (None, *thing.attributes))
        for relation in thing.relations:
            for name, target in ((relation.name, relation.target), *relation.modifiers):
                other = scene.things[target]
                ends = (Node(other.name, attribute) for attribute in (None, *other.attributes))
                yield from (Node(thing.name, None, (Edge(name, end),)) for end in ends)


def _changed(node: Node, other: Node, rng: Stream) -> Node:
    """A subgraph with one of its words taken from another; all of it, where that has no such word."""
    if not node.edges:
        attribute = other.attribute if node.attribute and other.attribute and rng.below(2) else None
        return Node(node.name, attribute) if attribute else Node(other.name, node.attribute)
    if not other.edges:
        return other
    (edge,), (instead,) = node.edges, other.edges
    which = rng.below(3)
    if which == 0:
        return Node(other.name, None, (edge,))
    if which == 1:
        return Node(node.name, None, (Edge(instead.relation, edge.target),))
    return Node(node.name, None, (Edge(edge.relation, instead.target),))


def _shown(scene: Scene, words: Words) -> Tensor:
    """Which cells of an image show which words, by the boxes of its graph, (c, words)."""
    shown = torch.zeros(CELLS, CELLS, len(words.said))
    for thing in scene.things.values():
        if thing.box and scene.width and scene.height:
            left, top, width, height = thing.box
            across = _overlaps(left / scene.width, width / scene.width)
            down = _overlaps(top / scene.height, height / scene.height)
            least = COVERED * min(1.0, width * height * CELLS**2 / (scene.width * scene.height))
            covered = (down[:, None] * across[None] > least).float()
            for word in (thing.name, *thing.attributes):
                at = words.said[word]
                shown[:, :, at] = torch.maximum(shown[:, :, at], covered)
    return shown.flatten(0, 1)


def _overlaps(start: float, length: float) -> Tensor:
    """How much of each cell of a line a stretch of it covers, as a share of the cell."""
    begins = torch.arange(CELLS)
    return ((start + length) * CELLS - begins).clamp(0, 1) - (start * CELLS - begins).clamp(0, 1)


# ---------------------------------------------------------------------------- judging


class Judge:
    """How sure it is that images show simple subgraphs, each image judged by a model that did not learn from it."""

    def __init__(
        self, images: Images, scenes: Sequence[Scene], *, folds: int = FOLDS, steps: int = STEPS, seed: int = 0
    ) -> None:
        self.words = Words.of(scenes)
        self.scenes = {scene.id: scene for scene in scenes}
        self.fits: dict[str, Tensor] = {}  # (c, words) of every image
        self.models: dict[str, Sight] = {}
        for fold in range(folds):
            held_out = [place for place in range(len(scenes)) if place % folds == fold]
            rest = [place for place in range(len(scenes)) if place % folds != fold]
            model = learn(images[rest], [scenes[place] for place in rest], self.words, steps=steps, seed=seed)
            for start in range(0, len(held_out), BATCH):
                places = held_out[start : start + BATCH]
                with torch.inference_mode():
                    seen = model(torch.from_numpy(images[places]))
                for place, fits in zip(places, seen, strict=True):
                    self.fits[scenes[place].id] = fits
                    self.models[scenes[place].id] = model

    def __call__(self, scene: Scene, node: Node) -> float:
        """How sure it is that an image shows a simple subgraph; 0 where a word of it is new."""
        return self.scores(scene.id, [node])[0]

    def scores(self, scene_id: str, nodes: Sequence[Node]) -> list[float]:
        """Tell how sure it is of each of some simple subgraphs."""
        queries = [self.words.query(0, node) for node in nodes]
        known = [query for query in queries if query]
        if not known:
            return [0.0] * len(nodes)
        with torch.inference_mode():
            model = self.models[scene_id]
            judged = iter(model.judge(self.fits[scene_id][None], torch.tensor(known)).sigmoid().tolist())
        return [next(judged) if query else 0.0 for query in queries]

    def write(self, path: str | Path) -> None:
        """Write a table for `complete=`: what is attested in some image, missing in a graph, and likely enough."""
        write_whole(Path(path), "".join(self._lines()).encode())

    def _lines(self) -> Iterator[str]:
        yield "# scene, score, attribute, name, relation, attribute, name\n"
        every = sorted({node for scene in self.scenes.values() for node in _subgraphs(scene)}, key=repr)
        for scene_id, scene in self.scenes.items():
            own = set(_subgraphs(scene))
            others = [node for node in every if node not in own]
            for node, score in zip(others, self.scores(scene_id, others), strict=True):
                if score > min(THRESHOLDS.values()):
                    said = [node.attribute or "", node.name or ""]
                    said += [one or "" for edge in node.edges for one in _end(edge)]
                    yield "\t".join((scene_id, f"{score:.3f}", *said)) + "\n"


def _end(edge: Edge) -> tuple[str, str | None, str | None]:
    return edge.relation, edge.target.attribute, edge.target.name
