"""What it helps to see more combinations in training: errors against alpha, and the images that models predict.

Alpha is the share of factor combinations that training shows. An error of ours is a mean over seeds. A task with other
options, such as smaller images, has curves of its own, beside which there are none of the paper. Of sprites, whose
images can be read back, there is also which factors models get right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from statistics import mean

from unseen.benchmarks.svib import paper
from unseen.benchmarks.svib.splits import TASKS
from unseen.core.analysis import IN, OUT, Figure, Finding, Outcome, spelled
from unseen.core.errors import SpecError
from unseen.core.task import Example
from unseen.render.charts import line_chart
from unseen.render.figure import QUIET, above, beside, blank, framed, margin, paragraph, text, widened
from unseen.render.palette import Image

ERRORS = ("lpips", "mse")  # out of distribution
GAP = "gap"  # between the errors out of and in distribution
TITLES = {  # of the axes, by measure; of all measures lower is better
    "lpips": "LPIPS on held-out combinations",
    "mse": "MSE on held-out combinations",
    GAP: "log MSE, held out less trained on",
}
SHARE = 0.5  # of the Oracle: an error at most twice as large
ABOUT = (
    "Errors against alpha, the share of factor combinations that training shows; lower is better. Dashed lines are the"
    " paper's. The gap is what is lost from trained-on to held-out combinations, in natural logarithms. The table has"
    " alpha efficiencies: the smallest alpha at which a model's error is at most"
    f" {1 / SHARE:g} times the lowest of the Oracle, which is told the factors; a dash where no alpha is enough."
)
COLUMNS = ("task", "model", "measure", "here", "paper")
FACTORS_ABOUT = (
    "Of the objects that should be imagined, how many have each factor right, in percent: on combinations that were"
    " trained on, and on held-out ones. A star marks a factor that the rule changes; the others are only to be kept."
)
FACTORS = ("color", "shape", "size")  # of sprites
FACTOR_COLUMNS = ("task", "alpha", "model", "split", *FACTORS, "all")
SHOWN = 2  # examples of each task, the first of their split
SIDE = 128  # pixels of an image on a sheet, at least
SPACE = 8  # pixels between images
NAMES = 160  # pixels of a model's name, in several lines where it is long

Place = tuple[str, str, str]  # task, model, measure
Errors = Mapping[float, float]  # by alpha
Answers = dict[tuple[str, float], Image]  # predicted images by model and alpha


@dataclass(frozen=True)
class Curve:
    """How a model does on a task by one measure, for each alpha."""

    task: str  # "dsprites-sa"
    model: str
    measure: str
    here: dict[float, float]
    paper: dict[float, float]


@dataclass(frozen=True)
class Efficiency:
    """The smallest alpha at which a model is as good as a share of the Oracle; none where it never is."""

    curve: Curve
    here: float | None
    paper: float | None


def findings(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """Yield the alpha curves and efficiencies, with the images of the tasks that were run, then factors by rule."""
    fresh = [outcome for outcome in outcomes if not outcome.began_with]
    every = curves(fresh)
    found = [(bool(one.curve.here), _line(one)) for one in efficiencies(every)]
    yield Finding(
        "Systematic generalization",
        ABOUT,
        COLUMNS,
        rows=tuple(line for run, line in found if run),
        published=tuple(line for run, line in found if not run),
        words=3,
        figures=tuple(_figures(every, prediction_sheets(fresh))),
    )
    if lines := factor_lines(outcomes):
        yield Finding("Which factors are right", FACTORS_ABOUT, FACTOR_COLUMNS, rows=tuple(lines), words=4)


def _line(one: Efficiency) -> tuple[str, ...]:
    return one.curve.task, one.curve.model, one.curve.measure, spelled(one.here, "g"), spelled(one.paper, "g")


def _figures(every: Sequence[Curve], sheets: Mapping[str, Sequence[Image]]) -> Iterator[Figure]:
    for task in dict.fromkeys(curve.task for curve in every if curve.here):
        for chart in charts([curve for curve in every if curve.task == task]):
            yield Figure(chart, task)
        for sheet in sheets.get(task, ()):
            yield Figure(sheet, f"{task}: a held-out example, and what each model makes of it")


# ---------------------------------------------------------------------------- numbers


def curves(outcomes: Sequence[Outcome]) -> list[Curve]:
    """Find every curve that is published or that we have points of, in the order of tasks, measures and models."""
    rows = [row.name for row in TASKS]
    published: dict[Place, dict[float, float]] = {}
    for score in (score for table in paper.SCORES.values() for score in table):
        if score.task in rows:  # and not a mean over tasks
            published.setdefault((score.task, score.model, score.metric), {})[score.alpha] = score.value
    here = _here(outcomes)
    tasks = list(dict.fromkeys((*rows, *(task for task, _, _ in here))))
    models = list(dict.fromkeys(model for _, model, _ in (*published, *here)))
    places = ((task, model, measure) for task in tasks for measure in TITLES for model in models)
    return [
        Curve(*place, here.get(place, {}), published.get(place, {}))
        for place in places
        if place in here or place in published
    ]


def _here(outcomes: Iterable[Outcome]) -> dict[Place, dict[float, float]]:
    """Find the mean over seeds of each measure, by alpha."""
    values: dict[Place, dict[float, list[float]]] = {}
    for outcome in outcomes:
        alpha = alpha_of(outcome)
        if alpha is None:
            continue
        for measure in TITLES:
            if (value := measured(outcome, measure)) is not None:
                place = (outcome.task_without("alpha"), outcome.model, measure)
                values.setdefault(place, {}).setdefault(alpha, []).append(value)
    return {place: {alpha: mean(by[alpha]) for alpha in sorted(by)} for place, by in values.items()}


def alpha_of(outcome: Outcome) -> float | None:
    """Say which share of the combinations a run was shown; none of a task without this option."""
    alpha: float | None = getattr(outcome.task.options, "alpha", None)
    return alpha


def measured(outcome: Outcome, measure: str) -> float | None:
    """Take a measure of one run; none where it lacks a metric, and no gap where an error is 0."""
    if measure != GAP:
        return outcome.value(OUT, measure)
    outside, inside = outcome.value(OUT, "mse"), outcome.value(IN, "mse")
    return generalization_gap(outside, inside) if outside and inside else None


def efficiencies(every: Sequence[Curve], *, share: float = SHARE) -> list[Efficiency]:
    """Find how early each model is as good as a share of the Oracle: of ours where it was run, else of the paper's."""
    oracles = [curve for curve in every if curve.model.partition("+")[0] == paper.ORACLE]  # of whatever size
    yardsticks = {(curve.task, curve.measure): curve for curve in sorted(oracles, key=lambda one: bool(one.here))}
    found = []
    for curve in every:
        best = yardsticks.get((curve.task, curve.measure))
        if best and curve.measure in ERRORS:
            here = alpha_efficiency(curve.here, best.here or best.paper, share=share)
            published = alpha_efficiency(curve.paper, best.paper, share=share) if best.paper else None
            found.append(Efficiency(curve, here, published))
    return found


def factor_lines(outcomes: Iterable[Outcome]) -> list[tuple[str, ...]]:
    """Find how often each factor is right, a line for each task, alpha, model and split: means over seeds."""
    values: dict[tuple[str, str, str, str], list[list[float]]] = {}
    marked: dict[str, set[str]] = {}
    for outcome in outcomes:
        for split in (IN, OUT):
            found = [outcome.value(split, f"{name}_accuracy") for name in (*FACTORS, "factor")]
            numbers = [value for value in found if value is not None]
            if len(numbers) == len(found):
                task, alpha = outcome.task_without("alpha"), spelled(alpha_of(outcome), "g")
                values.setdefault((task, alpha, outcome.model, split), []).append(numbers)
                marked[task] = {effect.writes for effect in outcome.task.split(split).spec.effects}
    lines = []
    for (task, alpha, model, split), runs in values.items():
        means = [f"{mean(column):.1f}" for column in zip(*runs, strict=True)]
        starred = [f"{said}*" if name in marked[task] else said for name, said in zip(FACTORS, means[:-1], strict=True)]
        lines.append((task, alpha, model, split, *starred, means[-1]))
    return lines


def generalization_gap(outside: float, inside: float) -> float:
    """The systematic generalization gap: log MSE out of distribution less log MSE in distribution, natural logarithms.

    0 where held-out combinations are imagined as well as others; each 0.69 is an error twice as large. Lower is better.

    >>> round(generalization_gap(2400.0, 24.0), 3)
    4.605
    """
    if not (outside > 0 and inside > 0):
        raise SpecError(f"a generalization gap is between two errors above 0, not {outside} and {inside}")
    return log(outside) - log(inside)


def alpha_efficiency(errors: Errors, oracle: Errors, *, share: float = SHARE) -> float | None:
    """Return the smallest alpha at which a model is as good as `share` of the Oracle; none where it never is.

    Lower is better. The Oracle, which is told the factors, is the yardstick of success: at its lowest error over all
    alphas, because at alpha 0 it fails too. A share of 0.5 is reached by an error that is at most twice as large.

    >>> alpha_efficiency({0.2: 0.17, 0.4: 0.03, 0.6: 0.01}, {0.2: 0.02, 0.6: 0.01}, share=0.25)
    0.4
    """
    if not oracle or not 0 < share <= 1:
        raise SpecError(f"a share of the Oracle is in (0, 1] and needs its errors, got {share} and {dict(oracle)!r}")
    enough = min(oracle.values()) / share
    return min((alpha for alpha, error in errors.items() if error <= enough), default=None)


# ---------------------------------------------------------------------------- figures


def charts(every: Sequence[Curve]) -> list[str]:
    """Draw a chart for each measure of one task that has a point of ours."""
    models = dict.fromkeys(curve.model for curve in every)  # in all charts, so that colors agree
    drawn = []
    for measure, title in TITLES.items():
        of = {curve.model: curve for curve in every if curve.measure == measure}
        if any(curve.here for curve in of.values()):
            here = {model: sorted(of[model].here.items()) if model in of else [] for model in models}
            published = {model: sorted(of[model].paper.items()) if model in of else [] for model in models}
            stops = sorted({alpha for line in (*here.values(), *published.values()) for alpha, _ in line})
            drawn.append(line_chart(here, over="alpha", what=title, stops=stops, paper=published))
    return drawn


def prediction_sheets(outcomes: Iterable[Outcome], *, count: int = SHOWN) -> dict[str, list[Image]]:
    """By task, draw a sheet for each of the first held-out examples: every model's answer at every alpha.

    Answers stand on one sheet when they are to the same question: the same input with the same target.
    """
    asked: dict[tuple[str, bytes], tuple[Example, Answers]] = {}
    for outcome in outcomes:
        alpha = alpha_of(outcome)
        if alpha is not None:
            for example, answer in outcome.answers(OUT, count):
                question = example.inputs["image"].tobytes() + example.target["image"].tobytes()
                answers = asked.setdefault((outcome.task_without("alpha"), question), (example, {}))[1]
                answers.setdefault((outcome.model, alpha), answer)
    sheets: dict[str, list[Image]] = {}
    for (task, _), (example, answers) in asked.items():
        sheets.setdefault(task, []).append(prediction_sheet(example, answers))
    return sheets


def prediction_sheet(example: Example, answers: Answers) -> Image:
    """Draw the input and the target of an example above what each model, a row, predicts at each alpha, a column."""
    models = list(dict.fromkeys(model for model, _ in answers))
    alphas = sorted({alpha for _, alpha in answers})
    names = [paragraph(model.replace("+", " +"), NAMES, color=QUIET) for model in models]
    width = max(name.shape[1] for name in names)
    shown = {place: enlarged(image) for place, image in answers.items()}
    side = next(iter(shown.values())).shape[1]
    asked = {"input": example.inputs["image"], "target": example.target["image"]}
    question = [above([text(name, color=QUIET), enlarged(image)], gap=2) for name, image in asked.items()]
    headings = [widened(text(f"alpha {alpha:g}", color=QUIET), side) for alpha in alphas]
    rows = [beside([blank(1, width), *pieces], gap=SPACE) for pieces in (question, headings)]
    for model, name in zip(models, names, strict=True):
        images = [shown.get((model, alpha), blank(side, side)) for alpha in alphas]
        rows.append(beside([widened(name, width), *images], gap=SPACE))
    return margin(above(rows, gap=SPACE), 2 * SPACE)


def enlarged(image: Image) -> Image:
    """Frame an image of at least SIDE pixels, each of its own pixels a square."""
    times = max(1, SIDE // image.shape[0])
    return framed(image.repeat(times, axis=0).repeat(times, axis=1))
