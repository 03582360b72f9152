"""How much of what can be learned a model brings to what was held out, ours beside the published.

A benchmark whose paper reports it has `paper.HELD_OUT`: for each setup the accuracy of a model without images, of one
trained on the setup, and of one trained on as many examples of every kind. The score is the share of the gap between
the first and the last that the second closes. Ours is there where all three were run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from unseen.core.task import Benchmark
from unseen.metrics.question import generalization_score
from unseen.results.compare import OUT, experiments_of, is_comparable, paper_of, value_of
from unseen.results.record import Record


@dataclass(frozen=True)
class Generalization:
    """The score of a family of models on one setup, in percent."""

    setup: str
    text: str  # of the questions: as generated, or paraphrased
    family: str
    ours: float | None  # none where a run is missing
    paper: float


def generalizations(records: Iterable[Record], benchmark: Benchmark) -> list[Generalization]:
    """Every published score with ours beside it; none where the paper reports none."""
    paper = paper_of(benchmark)
    comparable = [record for record in records if is_comparable(record, benchmark)]
    found = []
    for row in getattr(paper, "HELD_OUT", ()):
        places = {place: _accuracy(comparable, benchmark, *place) for place in paper.places(row)}
        ours = _score([value for value in places.values() if value is not None])
        found.append(Generalization(row.setup, row.text, row.family, ours, _published(row.accuracies, paper)))
    return found
