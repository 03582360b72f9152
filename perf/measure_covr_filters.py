"""How well do the learned filters of COVR find what scene graphs with gaps get wrong? Worlds of our own know the truth.

python perf/measure_covr_filters.py words                        which words exclude each other
python perf/measure_covr_filters.py images --steps 300           what images show though their graphs leave it out

From complete scenes, a share of the annotations is taken away or renamed. `words` judges every fifth of the pairs by a
model that learned from the others, all fifths in turn; what the filter has to find are pairs that do not exclude each
other. `images` looks up distractors of subgraphs as questions do; what the filter has to find are images that do show
the subgraph. Of true distractors, `kept` is the share that stays. `order` needs no thresholds: how often the model is
surer of an image that shows the subgraph than of one that does not.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from unseen.benchmarks.covr.english.exclusivity import ALLOWED, KINDS_OF_WORDS
from unseen.benchmarks.covr.filters.gaps import Gaps, truly_exclusive, with_gaps
from unseen.benchmarks.covr.filters.word_pairs import Pairs, uses_of
from unseen.benchmarks.covr.readers.judgements import lacking, missing
from unseen.benchmarks.covr.store.memory import Memory
from unseen.benchmarks.covr.store.query import matches, pattern_of
from unseen.benchmarks.covr.world import flat
from unseen.benchmarks.covr.world.identity import hashed
from unseen.benchmarks.covr.world.paint import painted
from unseen.benchmarks.covr.world.scene import Scene
from unseen.benchmarks.covr.world.subgraph import Node, length, subgraphs
from unseen.cli.output import print_table
from unseen.core.random import Stream, path_key

FIFTHS = 5
JUDGED = 2_400  # pairs of a kind at most, about as many nouns as were judged for the paper
SIDE = 96  # of an image in pixels
SHORT = 3  # elements of a subgraph: two objects and a relation
PER_FAMILY = 4  # candidates that are looked at


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("filter", choices=("words", "images"))
    parser.add_argument("--scenes", type=int, default=600)
    parser.add_argument("--rates", type=float, nargs="+", default=[0.1, 0.3, 0.5], help="share that is left out")
    parser.add_argument("--renamed", type=float, default=0.3, help="share of words that have another word (words only)")
    parser.add_argument("--folds", type=int, default=2, help="of images, as many models (images only)")
    parser.add_argument("--steps", type=int, default=300, help="of a model (images only)")
    parser.add_argument("--subgraphs", type=int, default=400, help="whose distractors are judged (images only)")
    chosen = parser.parse_args()
    whole = [flat.scene(flat.World(), path_key(0, "covr", "filters"), index) for index in range(chosen.scenes)]
    if chosen.filter == "words":
        lines = [line for rate in chosen.rates for line in words(whole, rate, chosen.renamed)]
        columns = ("left out", "kind", "pairs", "overlap", "precision", "recall", "right")
    else:
        lines = [line for rate in chosen.rates for line in images(whole, rate, chosen)]
        columns = (
            "left out",
            "distractors",
            "show it",
            "precision",
            "recall",
            "true ones kept",
            "order",
            "CPU seconds",
        )
    print_table(columns, lines, title=f"{chosen.filter}, {chosen.scenes} scenes")


# ---------------------------------------------------------------------------- words


def words(whole: Sequence[Scene], rate: float, renamed: float) -> Iterator[tuple[str, ...]]:
    """Judge pairs of every kind, each by a model that learned from other pairs."""
    uses = uses_of(with_gaps(scene, Gaps(rate, rate, rate, renamed)) for scene in whole)
    for kind in KINDS_OF_WORDS:
        pairs = sorted(uses[kind].candidates(), key=lambda pair: hashed(" / ".join(sorted(pair))))[:JUDGED]
        truth = {(kind, *pair): float(truly_exclusive(kind, *pair)) for pair in pairs}
        counts: Counter[tuple[bool, bool]] = Counter()
        for fifth in range(FIFTHS):
            own = {key for key in truth if hashed(" / ".join(sorted(key[1:])), seed=1) % FIFTHS == fifth}
            model = Pairs(uses, {key: value for key, value in truth.items() if key not in own})
            counts.update((truth[key] == 0, model(*key) <= ALLOWED) for key in own)
        yield f"{rate:.0%}", kind, *judged(counts), f"{(counts[True, True] + counts[False, False]) / len(truth):.1%}"


# ---------------------------------------------------------------------------- images


def images(whole: Sequence[Scene], rate: float, chosen: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    """Judge distractors by models that did not learn from them."""
    from unseen.benchmarks.covr.filters.sight import Judge

    began = time.process_time()
    scenes = [with_gaps(scene, Gaps(rate, rate, rate)) for scene in whole]
    shown = np.stack([painted(scene, SIDE) for scene in whole])
    judge = Judge(shown, scenes, folds=chosen.folds, steps=chosen.steps)
    lacks = lacking(judge)
    truth = {scene.id: scene for scene in whole}
    counts: Counter[tuple[bool, bool]] = Counter()
    sure: dict[bool, list[float]] = {True: [], False: []}
    for node, scene in candidates(scenes, chosen.subgraphs):
        shows = any(True for _ in matches(pattern_of(node), truth[scene.id]))
        counts[shows, not lacks(scene, node)] += 1
        sure[shows].append(min((judge(scene, one) for one in missing(scene, node)), default=1.0))
    kept = counts[False, False] / max(1, counts[False, False] + counts[False, True])
    yield f"{rate:.0%}", *judged(counts), f"{kept:.1%}", f"{order(sure):.1%}", f"{time.process_time() - began:.0f}"


def order(sure: dict[bool, list[float]]) -> float:
    """How often it is surer of an image that shows a subgraph than of one that does not; a half by chance."""
    one, other = np.array(sure[True])[:, None], np.array(sure[False])[None]
    return float(((one > other) + (one == other) / 2).mean())


def candidates(scenes: Sequence[Scene], count: int) -> Iterator[tuple[Node, Scene]]:
    """Subgraphs of scenes, and images that graphs with gaps make distractors of them."""
    store = Memory(scenes)
    rng = Stream(path_key(0, "covr", "filters", "candidates"))
    for _ in range(count):
        found = [one.node for one in subgraphs(rng.choice(scenes)) if length(one.node) == SHORT]
        if not found:
            continue
        node = rng.choice(found)
        taken: dict[str, Scene] = {}
        for family in store.distractors(node).values():
            for _ in range(PER_FAMILY):
                id = rng.choice(family.scenes)
                taken[id] = store.scene(id)
        yield from ((node, scene) for scene in taken.values())


def judged(counts: Counter[tuple[bool, bool]]) -> tuple[str, ...]:
    """All, those that are to be found, and precision and recall of what is found, by (is to be found, is found)."""
    found = counts[True, True]
    wanted, said = found + counts[True, False], found + counts[False, True]
    return f"{counts.total():,}", f"{wanted:,}", f"{found / max(1, said):.1%}", f"{found / max(1, wanted):.1%}"


if __name__ == "__main__":
    main()
