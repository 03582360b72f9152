"""What more combinations in training help, of the models that were run: errors against alpha, and predicted images."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from unseen.core.task import Example
from unseen.data.dataset import Dataset, Generated
from unseen.predict import read_predictions
from unseen.render.figure import QUIET, above, beside, blank, framed, margin, text, widened
from unseen.render.palette import Image
from unseen.report.charts import line_chart
from unseen.report.html import paragraph, picture, row, section, table
from unseen.report.tables import DASH
from unseen.results.alpha import SHARE, AlphaCurve, AlphaEfficiency
from unseen.results.compare import OUT
from unseen.results.run import Run, model_name

TITLES = {  # of the axes, by measure
    "lpips": "LPIPS on held-out combinations",
    "mse": "MSE on held-out combinations",
    "gap": "log MSE, held out less trained on",
}
COLUMNS = ("task", "model", "measure", "ours", "paper")
SHOWN = 2  # examples of each task, the first of their split
SIDE = 128  # pixels of an image on a sheet, at least
GAP = 8

Cells = dict[tuple[str, float], Image]  # predictions by model and alpha


def alpha_section(curves: Sequence[AlphaCurve], found: Sequence[AlphaEfficiency], runs: Iterable[Run] = ()) -> str:
    """Curves, predictions and efficiencies of the tasks that were run, ours beside the paper's; nothing without any."""
    tasks = list(dict.fromkeys(curve.task for curve in curves if curve.ours))
    if not tasks:
        return ""
    about = paragraph(
        "Errors against alpha, the share of factor combinations that training shows; lower is better. Dashed lines are"
        " the paper's. The gap is what is lost from trained-on to held-out combinations, in natural logarithms.",
        "quiet",
    )
    sheets = prediction_sheets(runs)
    pieces = [about]
    for task in tasks:
        pieces.append(f"<h3>{escape(task)}</h3>")
        pieces += alpha_charts([curve for curve in curves if curve.task == task])
        pieces.append(row(_figure(task, sheet) for sheet in sheets.get(task, ())))
    return section("Systematic generalization", *pieces, efficiency_table([one for one in found if one.task in tasks]))


def _figure(task: str, sheet: Image) -> str:
    return picture(sheet, "A held-out example, and what each model makes of it", said=f"Predictions on {task}")


def alpha_charts(curves: Sequence[AlphaCurve]) -> list[str]:
    """A chart for each measure of one task that has a point of ours."""
    models = dict.fromkeys(curve.model for curve in curves)  # in all charts, so that colors agree
    charts = []
    for measure, title in TITLES.items():
        of = {curve.model: curve for curve in curves if curve.measure == measure}
        if any(curve.ours for curve in of.values()):
            ours = {model: sorted(of[model].ours.items()) if model in of else [] for model in models}
            paper = {model: sorted(of[model].paper.items()) if model in of else [] for model in models}
            stops = sorted({alpha for line in (*ours.values(), *paper.values()) for alpha, _ in line})
            charts.append(line_chart(ours, over="alpha", what=title, stops=stops, paper=paper))
    return charts


def efficiency_table(found: Sequence[AlphaEfficiency]) -> str:
    """The smallest alpha at which each model is as good as a share of the Oracle."""
    lines = [(one.task, one.model, one.measure, _alpha(one.ours), _alpha(one.paper)) for one in found]
    about = (
        f"Alpha efficiency: the smallest alpha at which a model's error is at most {1 / SHARE:g} times the lowest of"
        " the Oracle, which is told the factors. A dash where no alpha is enough, or none was run."
    )
    return paragraph(about, "quiet") + table(COLUMNS, lines, words=3) if lines else ""


def _alpha(value: float | None) -> str:
    return DASH if value is None else f"{value:g}"


# ---------------------------------------------------------------------------- predictions


def prediction_sheets(runs: Iterable[Run], *, count: int = SHOWN) -> dict[str, list[Image]]:
    """By task, a sheet for each of the first held-out examples: every model's answer at every alpha.

    Answers stand on one sheet when they are to the same question: the same input with the same target.
    """
    asked: dict[tuple[str, bytes], tuple[Example, Cells]] = {}
    for run in runs:
        alpha = getattr(run.task.options, "alpha", None)
        if alpha is not None and run.task.kind.name == "image" and OUT in run.predictions:
            for example, answer in _answers(run, count):
                question = example.inputs["image"].tobytes() + example.target["image"].tobytes()
                cells = asked.setdefault((run.task.row.name, question), (example, {}))[1]
                cells.setdefault((model_name(run.config.model, run.config.options), alpha), answer)
    sheets: dict[str, list[Image]] = {}
    for (task, _), (example, cells) in asked.items():
        sheets.setdefault(task, []).append(prediction_sheet(example, cells))
    return sheets


def _answers(run: Run, count: int) -> list[tuple[Example, Image]]:
    found = read_predictions(run.predictions[OUT])
    examples = Dataset(Generated(run.task, OUT, found.seed))
    answered = sorted(zip(found.indices, found.values, strict=True), key=lambda one: one[0])[:count]
    return [(examples[index], image) for index, image in answered]


def prediction_sheet(example: Example, cells: Cells) -> Image:
    """The input and the target of an example above what each model, a row, predicts at each alpha, a column."""
    models = list(dict.fromkeys(model for model, _ in cells))
    alphas = sorted({alpha for _, alpha in cells})
    names = [text(model, color=QUIET) for model in models]
    width = max(name.shape[1] for name in names)
    shown = {place: enlarged(image) for place, image in cells.items()}
    side = next(iter(shown.values())).shape[1]
    asked = {"input": example.inputs["image"], "target": example.target["image"]}
    question = [above([text(name, color=QUIET), enlarged(image)], gap=2) for name, image in asked.items()]
    rows = [
        beside([blank(1, width), *question], gap=GAP),
        beside([blank(1, width), *(widened(text(f"alpha {alpha:g}", color=QUIET), side) for alpha in alphas)], gap=GAP),
        *(
            beside([widened(name, width), *(shown.get((model, alpha), blank(side, side)) for alpha in alphas)], gap=GAP)
            for model, name in zip(models, names, strict=True)
        ),
    ]
    return margin(above(rows, gap=GAP), 2 * GAP)


def enlarged(image: Image) -> Image:
    """A framed image of at least SIDE pixels, each pixel a square."""
    times = max(1, SIDE // image.shape[0])
    return framed(image.repeat(times, axis=0).repeat(times, axis=1))
