"""Learning from few samples, of the models that were run: curves for a page, and scores for it and for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from unseen.report.charts import line_chart
from unseen.report.html import paragraph, section, table
from unseen.report.tables import DASH
from unseen.results.curriculum import Gain
from unseen.results.efficiency import Learner

COLUMNS = ("training", "model", "split", "SES ours", "paper", "AUC ours", "paper")


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
    return section("Sample efficiency", about, *charts, table(COLUMNS, score_lines(run), words=3))


def efficiency_chart(learner: Learner) -> str:
    """Accuracy over training samples, ours and the paper's."""
    curves = {"ours": learner.ours, "paper": learner.paper}
    stops = sorted({samples for curve in curves.values() for samples in curve.accuracies})
    lines = {name: sorted(curve.accuracies.items()) for name, curve in curves.items()}
    return line_chart(lines, over="training samples", what="accuracy in percent", top=100, stops=stops)


def _named(learner: Learner) -> str:
    return f"{learner.model}, {learner.training} training, {learner.split}"


def score_lines(learners: Sequence[Learner]) -> list[tuple[str, ...]]:
    """The scores of the learners that were run, under `COLUMNS`."""
    return [_line(learner) for learner in learners if learner.ours.accuracies]


def _line(learner: Learner) -> tuple[str, ...]:
    ours, paper = learner.ours, learner.paper
    return (learner.training, learner.model, learner.split, *map(_number, (ours.ses, paper.ses, ours.auc, paper.auc)))


def curriculum_section(gains: Sequence[Gain]) -> str:
    """The curriculum scores of the models that were run both ways; nothing where none was."""
    run = [(one.model, _number(one.ours), _number(one.paper), f"{one.rules}") for one in gains if one.rules]
    if not run:
        return ""
    about = paragraph(
        "What is gained by having learned the components of a rule first: of each rule the largest gain in accuracy"
        " over the regimes, in percent, then the mean over rules.",
        "quiet",
    )
    return section("Curriculum", about, table(("model", "ours", "paper", "rules of ours"), run))


def _number(value: float | None) -> str:
    return DASH if value is None else f"{value:.1f}"
