"""How much of what can be learned a model brings to what was held out, ours beside the published.

A benchmark whose paper reports it has `paper.HELD_OUT`: for each setup the accuracies of a model without images, of one
trained on the setup, and of one trained on as many examples of every kind; `paper.place` says which task and model that
is. The score is the share of the gap between the first and the last that the second closes. Ours is there where all
three were run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType

from unseen.core.task import Benchmark
from unseen.metrics.question import generalization_score
from unseen.results.compare import OUT, accuracy_of, is_comparable, paper_of
from unseen.results.record import Record


@dataclass(frozen=True)
class Generalization:
    """The score of a family of models on one setup, in percent."""

    setup: str
    text: str  # of the questions: as generated, or paraphrased
    family: str
    ours: float | None  # none where a run is missing, or there is no gap to close
    paper: float | None


def generalizations(records: Iterable[Record], benchmark: Benchmark) -> list[Generalization]:
    """Every published score with ours beside it; none where the paper reports none."""
    paper = paper_of(benchmark)
    comparable = [record for record in records if is_comparable(record, benchmark)]
    found = []
    for row in getattr(paper, "HELD_OUT", ()):
        ours = {way: accuracy_of(comparable, benchmark, *paper.place(row, way), split=OUT) for way in row.accuracies}
        found.append(
            Generalization(row.setup, row.text, row.family, _score(ours, paper), _score(row.accuracies, paper))
        )
    return found


def _score(accuracies: Mapping[str, float | None], paper: ModuleType) -> float | None:
    blind, learned, most = (accuracies[way] for way in (paper.BLIND, paper.SPLIT, paper.SIZE))
    if blind is None or learned is None or most is None or most <= blind:
        return None
    return 100 * generalization_score(learned, text_only=blind, iid_size=most)
