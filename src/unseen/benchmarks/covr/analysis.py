"""How much of what can be learned a model brings to the questions that were held out.

The generalization score compares three accuracies on a setup: of a model without images, of one trained on the setup,
and of one trained on as many questions of every kind. It is the share of the gap between the first and the last that
the second closes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from unseen.benchmarks.covr import paper
from unseen.core.analysis import OUT, Figure, Finding, Outcome, mean_over, spelled
from unseen.core.errors import SpecError
from unseen.render.charts import line_chart

ABOUT = (
    "Of the gap between a model without images and one trained on as many questions of every kind, the share that"
    " training without the held-out questions closes, in percent. A score needs a run of all three."
)
ABOUT_SHOTS = (
    "Accuracy on held-out questions, in percent, by how many of their kind were in training (M; the paper's Figure 13)."
    " Runs that saw a share of the training saw that share of the M questions."
)
SHOTS = ("held out", "model", "M", "accuracy")
COLUMNS = ("setup", "questions", "models", "here", "paper")


@dataclass(frozen=True)
class Generalization:
    """The score of a family of models on one setup, in percent."""

    setup: str
    text: str  # of the questions: as generated, or paraphrased
    family: str
    here: float | None  # none where a run is missing, or there is no gap to close
    paper: float | None


def findings(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """Yield the generalization scores, and what questions of the held-out property in training are worth."""
    every = generalizations(outcomes)
    yield Finding(
        "Generalization score",
        ABOUT,
        COLUMNS,
        rows=tuple(_line(one) for one in every if one.here is not None),
        published=tuple(_line(one) for one in every if one.here is None),
        words=3,
    )
    if lines := shots(outcomes):
        yield Finding(
            "Questions with the held-out property in training",
            ABOUT_SHOTS,
            SHOTS,
            tuple((one.property, one.model, f"{m:,}", spelled(value)) for one in lines for m, value in one.curve),
            words=2,
            figures=tuple(_drawn(property, lines) for property in dict.fromkeys(one.property for one in lines)),
        )


@dataclass(frozen=True)
class Shots:
    """How well a model answers held-out questions, by how many of them it was trained with."""

    property: str
    model: str
    curve: tuple[tuple[int, float], ...]  # M and accuracy in percent


def shots(outcomes: Sequence[Outcome]) -> list[Shots]:
    """Find the curves over M, each of runs on at least two numbers of questions that differ in nothing else."""
    found: dict[tuple[str, str, str], dict[int, list[float]]] = {}
    for outcome in outcomes:
        m, accuracy = getattr(outcome.task.options, "m", None), outcome.value(OUT)
        if m is None or accuracy is None or outcome.task.options.training != paper.SPLIT:
            continue
        held_out = outcome.task.split(OUT).spec.keep
        alike = outcome.task.id.replace(f"+m={m}", "")
        found.setdefault((held_out, outcome.model, alike), {}).setdefault(m, []).append(accuracy)
    return [
        Shots(held_out, model, tuple((m, mean(values)) for m, values in sorted(curve.items())))
        for (held_out, model, _), curve in found.items()
        if len(curve) > 1
    ]


def _drawn(property: str, lines: Sequence[Shots]) -> Figure:
    """Draw the curves of a property."""
    own = [one for one in lines if one.property == property]
    stops = sorted({m for one in own for m, _ in one.curve})
    names = [one.model for one in own]
    labels = [name if names.count(name) == 1 else f"{name} ({number})" for number, name in enumerate(names, 1)]
    curves = {label: list(one.curve) for label, one in zip(labels, own, strict=True)}
    return Figure(line_chart(curves, over="M", what="accuracy", top=100.0, stops=stops), property)


def generalizations(outcomes: Sequence[Outcome]) -> list[Generalization]:
    """Find our score of every setup that has a published one."""
    fresh = [outcome for outcome in outcomes if not outcome.began_with]
    return [
        Generalization(row.setup, row.text, row.family, _score(_accuracies(fresh, row)), _score(row.accuracies))
        for row in paper.HELD_OUT
    ]


def _accuracies(outcomes: Sequence[Outcome], row: paper.HeldOut) -> dict[str, float | None]:
    """Find our accuracy on a setup for each way of training."""
    found = {}
    for way in row.accuracies:
        name, model = paper.place(row, way)
        found[way] = mean_over(outcomes, [f"covr/{one}" for one in paper.experiments(name)], model, split=OUT)
    return found


def _score(accuracies: Mapping[str, float | None]) -> float | None:
    blind, learned, most = (accuracies[way] for way in (paper.BLIND, paper.SPLIT, paper.SIZE))
    if blind is None or learned is None or most is None or most <= blind:
        return None
    return 100 * generalization_score(learned, text_only=blind, iid_size=most)


def generalization_score(accuracy: float, *, text_only: float, iid_size: float) -> float:
    """Of the gap between a model without images and one that saw as many questions of every kind, the share closed.

    1 where holding a property out costs nothing, 0 or less where the model is no better on it than without images;
    more than 1 is possible. Any scale, if it is the same for all three.

    >>> round(generalization_score(57.7, text_only=50.8, iid_size=77.3), 2)
    0.26
    """
    if iid_size <= text_only:
        raise SpecError(f"there is no gap to close between {text_only} without images and {iid_size} with them")
    return (accuracy - text_only) / (iid_size - text_only)


def _line(one: Generalization) -> tuple[str, ...]:
    return one.setup, one.text, one.family, spelled(one.here), spelled(one.paper)
