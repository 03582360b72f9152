"""A small network learns from images and their graphs to tell which simple subgraphs an image shows."""

from __future__ import annotations

import sys
from importlib import import_module

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from unseen.benchmarks.covr.filters.sight import CELLS, Judge, Sight, Words  # noqa: E402
from unseen.benchmarks.covr.readers.judgements import complete, lacking  # noqa: E402
from unseen.benchmarks.covr.world.scene import Relation, Scene, Thing  # noqa: E402
from unseen.benchmarks.covr.world.subgraph import Edge, Node  # noqa: E402
from unseen.core.errors import MissingExtra  # noqa: E402

SIDE = 32
RED, BLUE = (255, 0, 0), (0, 0, 255)


def of_blocks(number: int, *, told: bool = True):
    """A scene with a red or a blue block in one of four corners, and its image; nothing is told of it, or all is."""
    name, color = (("apple", RED), ("plum", BLUE))[number // 2 % 2]  # in both folds
    left, top = (number // 4 % 2) * 16, (number // 8 % 2) * 16
    image = np.full((SIDE, SIDE, 3), 128, np.uint8)
    image[top : top + 16, left : left + 16] = color
    thing = Thing(f"{number}:0", name, box=(left, top, 16, 16))
    return Scene(str(number), {thing.id: thing} if told else {}, SIDE, SIDE), image


@pytest.fixture(scope="module")
def judge():
    made = [of_blocks(number, told=number % 5 != 4) for number in range(40)]
    return Judge(np.stack([image for _, image in made]), [scene for scene, _ in made], folds=2, steps=80)


def test_what_a_graph_leaves_out_is_seen(judge):
    for number in (4, 9, 14, 19):
        scene, _ = of_blocks(number, told=False)
        own, other = (Node("apple"), Node("plum")) if number // 2 % 2 == 0 else (Node("plum"), Node("apple"))
        assert judge(scene, own) > 0.5 > judge(scene, other)


def test_an_image_that_shows_the_subgraph_is_no_distractor(judge, tmp_path):
    scene, _ = of_blocks(4, told=False)
    judge.write(tmp_path / "seen.tsv")
    for lacks in (lacking(judge), complete(tmp_path / "seen.tsv")):
        assert not lacks(scene, Node("apple"))


def test_a_word_that_no_graph_has_is_seen_nowhere(judge):
    assert judge(of_blocks(4)[0], Node("zebra")) == 0.0


def test_a_relation_is_told_by_where_two_things_are():
    things = [Thing("1", "cup", relations=(Relation("on", "2"),)), Thing("2", "table")]
    words = Words.of([Scene("s", {thing.id: thing for thing in things})])
    model = Sight(words)
    with torch.no_grad():
        model.relations[0, :] = -20.0
        model.relations[0, CELLS * (2 * CELLS - 1) + CELLS - 1] = 0.0
    fits = torch.full((2, CELLS**2, 2), -10.0)
    fits[0, 0, words.said["cup"]] = fits[0, CELLS, words.said["table"]] = 10.0  # the cup above the table
    fits[1, CELLS, words.said["cup"]] = fits[1, 0, words.said["table"]] = 10.0  # below it
    node = Node("cup", edges=(Edge("on", Node("table")),))
    queries = torch.tensor([words.query(image, node) for image in range(2)])
    right, wrong = model.judge(fits, queries).tolist()
    assert right > wrong + 5


def test_without_torch_the_filter_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "unseen.benchmarks.covr.filters.sight")
    with pytest.raises(MissingExtra, match=r'needs torch; .* pip install "\.\[train\]"'):
        import_module("unseen.benchmarks.covr.filters.sight")
