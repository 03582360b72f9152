"""The published tables with all their columns, and where models fail: in hard sets, and with more objects.

A line of ours is a mean over seeds, with the population deviation, as the paper has it. MT is that of the published
program, as in the tables; `mt_strict`, which follows the paper's words, stands in no table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean, pstdev
from typing import Any

from unseen.benchmarks.video import paper
from unseen.core.analysis import DASH, IN, Cells, Figure, Finding, Outcome, spelled
from unseen.core.task import Example
from unseen.render.charts import heat_map, line_chart

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

ABOUT_OTHERS = (
    "Other sets, sizes and options than the paper has, in its columns. The MSE is a sum over pixels: of frames of 32"
    " pixels it is a quarter of what the same error gives on 64."
)
HARD = {  # sets of VMDS that the paper looks for failures in, in its order
    "test_occlusion": "occlusion",
    "test_same_color": "same color",
    "test_small": "small",
    "test_large": "large",
    "test_size": "size",
    "test_color": "color",
    "test_rotation": "rotation",
}
ABOUT_HARD = (
    "MOTA on the hard sets of VMDS, in percent of the same model's MOTA on its test set (figures 5, 6 and E.3 of the"
    " paper): 100 is a set that costs the model nothing. Sprites cover each other, have one color, or are all small or"
    " all large; then what training did not have: they change their size or color, or turn. Rows of the paper are"
    " worked out from its tables."
)
FAILURES = {"miss": "missed", "id_switches": "ID switches", "false_positives": "false positives"}
ABOUT_FAILURES = (
    "Failures per occurrence of an object, in percent, in test videos with so many objects (figures 3 and E.1 of the"
    " paper, which prints no numbers)."
)
LOOKED_AT = 200  # videos of a run, at most, that failures are counted in

Place = tuple[str, str, str]  # task, split, model


def findings(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """Yield each published table with our runs on its sets, then where models fail."""
    yield from tables(outcomes)
    yield other_runs(outcomes)
    yield hard_sets(outcomes)
    yield failures_by_objects(outcomes)


def tables(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
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


def other_runs(outcomes: Sequence[Outcome]) -> Finding:
    """Return our runs that no published table has a place for, with the same columns."""
    published = {(score.task, score.split) for scores in paper.SCORES.values() for score in scores}
    lines = {place: line for place, line in ran(outcomes, list(HEADINGS)).items() if place[:2] not in published}
    rows = tuple(_cells(place, line, list(HEADINGS)) for place, line in lines.items())
    title = "Runs outside the published tables, all columns"
    return Finding(title, ABOUT_OTHERS, ("task", "split", "model", *HEADINGS.values()), rows, words=3)


def lines_of(scores: Sequence[paper.Score]) -> dict[Place, dict[str, str]]:
    """Return the numbers of a published table as they are printed, by line and metric."""
    lines: dict[Place, dict[str, str]] = {}
    for score in scores:
        said = f"{score.value:.1f}" + ("" if score.spread is None else f" ± {score.spread:.1f}")
        lines.setdefault((score.task, score.split, score.model), {})[score.metric] = said
    return lines


def ran(outcomes: Sequence[Outcome], metrics: Sequence[str]) -> dict[Place, dict[str, str]]:
    """Return our numbers in the same form: means over seeds, with the deviation where there are several."""
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


# ---------------------------------------------------------------------------- where models fail


def hard_sets(outcomes: Sequence[Outcome]) -> Finding:
    """MOTA on hard sets relative to the test set: ours, and the paper's."""
    published = _relative({(score.model, score.split): [score.value] for score in _published_mota()})
    values: dict[tuple[str, str], list[float]] = {}
    for outcome in outcomes:
        for split in outcome.scores if outcome.task.row.name == "vmds" else ():
            values.setdefault((_name(outcome), split), []).append(outcome.value(split) or 0.0)
    ours = _relative(values)
    rows, printed = _rows_of(ours), _rows_of(published, " (paper)")
    figures = []
    if rows:
        squares = {
            (name + said, HARD[split]): value
            for found, said in ((ours, ""), (published, " (paper)"))
            for (name, split), value in found.items()
        }
        names = [cells[0] for cells in (*rows, *printed)]
        chart = heat_map(names, list(HARD.values()), squares, what="percent of MOTA on test", most=100)
        figures.append(Figure(chart, "MOTA on hard sets of VMDS in percent of MOTA on its test set"))
    return Finding("Hard sets of VMDS", ABOUT_HARD, ("model", *HARD.values()), rows, printed, figures=tuple(figures))


def _published_mota() -> Iterator[paper.Score]:
    scores = (score for table in ("2", "E.2", "E.3") for score in paper.SCORES[table])
    return (score for score in scores if score.task == "vmds" and score.metric == paper.METRICS[0])


def _relative(values: dict[tuple[str, str], list[float]]) -> dict[tuple[str, str], float]:
    """By model and hard set, the mean in percent of the model's mean on the test set, where that is above 0."""
    means = {place: fmean(each) for place, each in values.items()}
    return {
        (model, split): 100 * value / means[model, IN]
        for (model, split), value in means.items()
        if split in HARD and means.get((model, IN), 0) > 0
    }


def _rows_of(found: dict[tuple[str, str], float], said: str = "") -> tuple[Cells, ...]:
    models = dict.fromkeys(model for model, _ in found)
    return tuple((model + said, *(spelled(found.get((model, split)), ".0f") for split in HARD)) for model in models)


def _name(outcome: Outcome) -> str:
    """The model, with the task's options where there are some."""
    options = outcome.task.id.partition("+")[2]
    return outcome.model + (f" ({options})" if options else "")


def failures_by_objects(outcomes: Sequence[Outcome]) -> Finding:
    """Misses, switches and false positives by how many objects a video has, of runs whose answers are at hand."""
    rows: list[Cells] = []
    curves: dict[str, dict[str, list[tuple[float, float]]]] = {kind: {} for kind in FAILURES}
    for outcome in outcomes:
        name = f"{outcome.task.id.partition('/')[2]} {outcome.model}"
        for number, shares in _by_objects(outcome).items():
            rows.append((name, str(number), *(spelled(shares[kind]) for kind in FAILURES)))
            for kind in FAILURES:
                curves[kind].setdefault(name, []).append((number, shares[kind]))
    figures = [
        Figure(line_chart(found, over="objects in the video", what=f"{FAILURES[kind]}, %"), FAILURES[kind])
        for kind, found in curves.items()
        if found
    ]
    columns = ("run", "objects", *FAILURES.values())
    return Finding("Failures by number of objects", ABOUT_FAILURES, columns, tuple(rows), figures=tuple(figures))


def _by_objects(outcome: Outcome) -> dict[int, dict[str, float]]:
    """By number of objects, failures in percent of occurrences over the test videos that have so many."""
    groups: dict[int, list[tuple[Example, Any]]] = {}
    for example, ids in outcome.answers(IN, LOOKED_AT):
        groups.setdefault(len(example.record.objects), []).append((example, ids))
    return {number: {kind: outcome.measure(kind, groups[number]) for kind in FAILURES} for number in sorted(groups)}
