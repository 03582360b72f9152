"""The published tables with all their columns: every metric with the printed deviation, and our runs among them.

A line of ours is a mean over seeds, with the population deviation, as the paper has it. MT is that of the published
program, as in the tables; `mt_strict`, which follows the paper's words, stands in no table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, pstdev

from unseen.benchmarks.video import paper
from unseen.core.analysis import DASH, Cells, Finding, Outcome

HEADINGS = {
    "mota": "MOTA",
    "motp": "MOTP",
    "md": "MD",
    "mt": "MT",
    "match": "Match",
    "miss": "Miss",
    "id_switches": "ID S.",
    "false_positives": "FPs",
    "video_mse": "MSE",
}
ABOUT = (
    "All columns of the published table, in percent but for the MSE, with the printed deviation over three seeds."
    " Models of the paper stand as published; the others were run here."
)

Place = tuple[str, str, str]  # task, split, model


def findings(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """Yield each published table with our runs on its sets."""
    for table, title in paper.TITLES.items():
        published = lines_of(paper.SCORES[table])
        metrics = [name for name in HEADINGS if any(name in line for line in published.values())]
        ours = {
            place: line
            for place, line in ran(outcomes, metrics).items()
            if place[:2] in {known[:2] for known in published}
        }
        sets = {place[:2] for place in ours}
        lines = {**published, **ours}
        ordered = sorted(lines, key=lambda place: [place[:2] for place in published].index(place[:2]))
        yield Finding(
            f"Table {table}, all columns: {title}",
            ABOUT,
            ("task", "split", "model", *(HEADINGS[name] for name in metrics)),
            rows=tuple(_cells(place, lines[place], metrics) for place in ordered if place[:2] in sets),
            published=tuple(_cells(place, lines[place], metrics) for place in ordered if place[:2] not in sets),
            words=3,
        )


def lines_of(scores: Sequence[paper.Score]) -> dict[Place, dict[str, str]]:
    """The numbers of a published table as they are printed, by line and metric."""
    lines: dict[Place, dict[str, str]] = {}
    for score in scores:
        said = f"{score.value:.1f}" + ("" if score.spread is None else f" ± {score.spread:.1f}")
        lines.setdefault((score.task, score.split, score.model), {})[score.metric] = said
    return lines


def ran(outcomes: Sequence[Outcome], metrics: Sequence[str]) -> dict[Place, dict[str, str]]:
    """Our numbers in the same form: means over seeds, with the deviation where there are several."""
    values: dict[Place, dict[str, list[float]]] = {}
    for outcome in outcomes:
        for split in outcome.scores:
            line = values.setdefault((outcome.task.id.partition("/")[2], split, outcome.model), {})
            for name in metrics:
                if (value := outcome.value(split, name)) is not None:
                    line.setdefault(name, []).append(value)
    return {place: {name: _said(each) for name, each in line.items()} for place, line in values.items()}


def _said(values: Sequence[float]) -> str:
    return f"{fmean(values):.1f}" + (f" ± {pstdev(values):.1f}" if len(values) > 1 else "")


def _cells(place: Place, line: dict[str, str], metrics: Sequence[str]) -> Cells:
    return (*place, *(line.get(name, DASH) for name in metrics))
