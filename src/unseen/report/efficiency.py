"""Sample efficiency for a page: a curve over training samples for every model that was run, and the scores."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from unseen.report.charts import line_chart
from unseen.report.html import paragraph, section, table
from unseen.report.tables import DASH
from unseen.results.efficiency import Learner


def efficiency_section(learners: Sequence[Learner]) -> str:
    """Curves and scores of the models that were run, ours beside the paper's; nothing where none was."""
    run = [learner for learner in learners if learner.ours.accuracies]
    if not run:
        return ""
    about = paragraph(
        "Accuracy by the number of training samples of each rule, in percent. AUC is the mean over the regimes; SES"
        " weights each by 1 / (1 + ln N), so that what is learned from few samples counts more.",
        "quiet",
    )
    charts = [f"<h3>{escape(_named(learner))}</h3>{efficiency_chart(learner)}" for learner in run]
    columns = ("training", "model", "split", "SES ours", "paper", "AUC ours", "paper")
    return section("Sample efficiency", about, *charts, table(columns, map(_line, run), words=3))


def efficiency_chart(learner: Learner) -> str:
    """Accuracy over training samples, ours and the paper's."""
    curves = {"ours": learner.ours, "paper": learner.paper}
    stops = sorted({samples for curve in curves.values() for samples in curve.accuracies})
    lines = {name: sorted(curve.accuracies.items()) for name, curve in curves.items()}
    return line_chart(lines, over="training samples", what="accuracy in percent", top=100, stops=stops)


def _named(learner: Learner) -> str:
    return f"{learner.model}, {learner.training} training, {learner.split}"


def _line(learner: Learner) -> tuple[str, ...]:
    ours, paper = learner.ours, learner.paper
    scores = (ours.ses, paper.ses, ours.auc, paper.auc)
    return (learner.training, learner.model, learner.split, *(DASH if one is None else f"{one:.1f}" for one in scores))
