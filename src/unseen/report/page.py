"""The page of one run, for a newcomer: the task, what was trained, what it scored, and what its answers look like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from itertools import islice

from unseen.core.analysis import DASH, IN, OUT
from unseen.core.catalogue import task as task_named
from unseen.core.splits import Compositions
from unseen.core.task import Split, Task
from unseen.data.dataset import Generated
from unseen.metrics import METRICS
from unseen.render.charts import Bar, bar_chart, line_chart
from unseen.render.html import column, paragraph, picture, row, section, table
from unseen.report import gallery
from unseen.report.answers import Answer, answers, view_sheets
from unseen.report.catalogue import compositions_of
from unseen.report.catalogue import spelled as spelled_composition
from unseen.report.comparison import signed, spelled, spelled_budget
from unseen.report.summary import figure, finding_section
from unseen.results.again import commands, remarks
from unseen.results.compare import paper_of, published, share_of_budget, value_of
from unseen.results.groups import group_scores
from unseen.results.outcome import findings
from unseen.results.record import Record, record_of
from unseen.results.scoring import Scores
from unseen.runs import Run, model_name

SHOWN = 2  # answers of each sort and split
LISTED = 9  # compositions written out; more are counted
CURVES = ("train", "val", "val_ood")
ASKED = {  # what a model must do, by kind of task
    "grid": "The model is shown the grid on the left and must draw the grid on the right. An answer counts only if"
    " every cell is right.",
    "video": "The model is shown the frames and must say of every pixel to which object it belongs, by a number that an"
    " object keeps.",
    "image": "The model is shown the image on the left and must draw the image on the right, by a rule that it has to"
    " find out. An answer is measured by how far it is from that image.",
    "odd": "The model is shown four images, three of which follow a rule, and must point at the odd one.",
    "question": "The model is shown some images and a question about all of them, and must answer it word for word.",
}
HOW_ANSWERS_LOOK = {
    "grid": "The model's answer is next to what was asked for; a cross marks each wrong cell.",
    "odd": "The odd image has a green frame, and a wrong answer a red one. After unseen predict RUN --attribution 20,"
    " the first images are shown again below: red pixels speak for the model's answer, and blue ones against it.",
}
VIEWED = "An example with the model's answer, and the parts that the model works with"
KINDS_OF_TEST = {
    IN: "in distribution: new examples of what was trained on",
    OUT: "out of distribution: what was held out of training",
}


def whole_page(title: str, body: str) -> str:
    """Return a page around its body; its style is inside it."""
    style = files("unseen.report").joinpath("style.css").read_text()
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def run_page(run: Run, scores: Mapping[str, Scores]) -> str:
    """Return the page of a run and the scores of its predictions."""
    record = record_of(run, scores)
    title = f"{model_name(record.model, record.model_options)} on {record.task}"
    body = (
        f"<h1>{escape(title)}</h1>",
        paragraph(verdict(record), "lead"),
        task_section(run.task),
        training_section(run, record),
        score_section(record),
        group_section(run, scores),
        curve_section(run),
        logged_section(run),
        answer_section(run, scores),
        view_section(run),
        analysis_sections(run, record),
        repeat_section(record),
    )
    return whole_page(title, "\n".join(piece for piece in body if piece))


def verdict(record: Record) -> str:
    """Return what came out, in a sentence or two."""
    inside, outside = value_of(record, IN), value_of(record, OUT)
    said = []
    if inside is not None:
        name = spelled_name(headline(record))
        said.append(f"On new examples of what it was trained on, its {name} is {score_of(record, IN)}.")
    if outside is not None:
        said.append(f"On what it has never seen, {score_of(record, OUT)}.")
    reported = published(record)
    if reported:
        numbers = " and ".join(_said(reported[split], record) for split in (IN, OUT) if split in reported)
        said.append(f"The paper reports {numbers}.")
        share = _share(record)
        if share is not None and share < 1:
            said.append(f"This run saw {spelled_budget((share, share))} of the training examples that the paper's did.")
    return " ".join(said)


def score_of(record: Record, split: str) -> str:
    """Return the headline metric of a split in words and figures; a dash where it was not measured."""
    value = value_of(record, split)
    return DASH if value is None else _said(value, record)


def _said(value: float, record: Record) -> str:
    metric = headline(record)
    return spelled(value, metric) + (" %" if METRICS[metric].percent else "")


def _share(record: Record) -> float | None:
    return share_of_budget(record, paper_of(task_named(record.task).benchmark))


# ---------------------------------------------------------------------------- the task


def task_section(task: Task) -> str:
    """Return what is asked, with a picture of a training example and of a held-out one."""
    asked = ASKED.get(task.kind.name, f"The model is asked for: {', '.join(task.kind.target)}.")
    splits = [task.splits[name] for name in ("train", OUT) if name in task.splits]
    pictures = [_example(task, split) for split in splits]
    about = f"{task.benchmark.title}. {task.row.sentence}"
    return section("The task", paragraph(about), paragraph(asked), row(pictures), learned_and_held_out(task))


def _example(task: Task, split: Split) -> str:
    what = "trained on" if split.name == "train" else "held out"
    # without the pass that moves repeated examples: this is only a look
    example = Generated(task, split.name, 0, moved={}).example(0)
    return picture(gallery.picture(example), what, said=f"An example of what is {what}: input and target")


def learned_and_held_out(task: Task) -> str:
    """Return a list of what is trained on and what is held out."""
    return f"<ul>{''.join(f'<li>{sentence}</li>' for sentence in _learned(task))}</ul>"


def _learned(task: Task) -> Iterator[str]:
    """What each split is made of; what is held out may be kinds of scenes and not compositions."""
    every = [compositions_of(task, task.splits[name]) for name in ("train", OUT) if name in task.splits]
    yield f"Trained on: {_named(every[0])}."
    for held_out in every[1:]:
        if list(islice(held_out, LISTED)) == list(islice(every[0], LISTED)):
            yield "Tested on: the same, in scenes of a kind that training does not have."
        else:
            yield f"Held out, and tested on: {_named(held_out)}."


def _named(every: Compositions) -> str:
    named = ", ".join(f"<code>{escape(spelled_composition(one))}</code>" for one in islice(every, LISTED))
    return named + (f" and {len(every) - LISTED:,} more" if len(every) > LISTED else "")


# ---------------------------------------------------------------------------- training


def training_section(run: Run, record: Record) -> str:
    """Return what the model was, what it saw, how long it took, and where."""
    budget, machine = record.budget, record.machine
    size = f": {record.parameters:,} parameters" if record.parameters else ""
    share = _share(record) if published(record) else None  # of a task that the paper has
    paper = [("share of the paper's training", spelled_budget((share, share)))] if share is not None else []
    lines = [
        ("model", model_name(record.model, record.model_options) + size),
        ("training examples", f"{run.config.examples:,}"),
        ("examples seen", f"{budget.examples:,} in {budget.steps:,} steps"),
        *paper,
        ("time", spelled_time(budget.seconds)),
        ("machine", machine.accelerator or f"{machine.processor}, {machine.cores} cores"),
        ("seed", str(record.seed)),
    ]
    return section("What was trained", table(("", ""), lines, words=2))


def spelled_time(seconds: float) -> str:
    """Return a duration for people.

    >>> spelled_time(42.2), spelled_time(90), spelled_time(7300)
    ('42 seconds', '1.5 minutes', '2.0 hours')
    """
    if seconds < 60:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.1f} minutes" if seconds < 3600 else f"{seconds / 3600:.1f} hours"


def curve_section(run: Run) -> str:
    """Tell how the loss went on each split, and the share of right answers where it was measured."""
    charts = []
    marks = {stage: step for stage, step in run.stages.items() if stage}
    for value, what, scale, top in (("loss", "loss", 1, None), ("accuracy", "right answers, %", 100, 100.0)):
        curves = {split: [(step, scale * number) for step, number in run.curve(split, value)] for split in CURVES}
        if any(curves.values()):
            charts.append(line_chart(curves, over="training step", what=what, top=top, marks=marks))
    about = "val is in distribution, val_ood out of it; neither is trained on."
    if marks:
        about += " Upright lines are where a stage of the training begins; each has a loss of its own."
    return section("How it learned", paragraph(about, "quiet"), *charts) if charts else ""


def logged_section(run: Run) -> str:
    """Return what a model logs beside its loss, at the end of each stage: on new examples of what was trained on."""
    last = {line.stage: line.splits.get("val", {}) for line in run.log}
    lines = [
        (stage, spelled_name(name), f"{value:.4g}")
        for stage, values in last.items()
        for name, value in values.items()
        if name not in ("loss", "accuracy")
    ]
    return section("What else it measured", table(("stage", "value", "val"), lines, words=2)) if lines else ""


def spelled_name(metric: str) -> str:
    """Return the name of a metric in words.

    >>> spelled_name("grid_accuracy")
    'grid accuracy'
    """
    return metric.replace("_", " ")


# ---------------------------------------------------------------------------- scores


def score_section(record: Record) -> str:
    """In and out of distribution, shares as bars with the paper's numbers, then every metric."""
    metric = headline(record)
    bars = score_bars(record)
    differences = [
        f"{bar.name} {signed(bar.value - bar.paper, metric)} points" for bar in bars if bar.paper is not None
    ]
    about = [METRICS[metric].description]
    if bars:
        about.insert(0, f"Bars: {spelled_name(metric)}.")
    if differences:
        about.append(
            f"A line across a bar is what the paper reports. The difference from the paper: {', '.join(differences)}."
        )
    chart = bar_chart(bars) if bars else ""
    return section("What it scored", chart, paragraph(" ".join(about), "quiet"), metric_table(record))


def score_bars(record: Record) -> list[Bar]:
    """Return the headline metric in and out of distribution as bars, with the paper's; none where it is no share."""
    if not METRICS[headline(record)].percent:
        return []
    reported = published(record)
    return [
        Bar({IN: "in distribution", OUT: "out of distribution"}[split], value, reported.get(split))
        for split in (IN, OUT)
        if (value := value_of(record, split)) is not None
    ]


def group_section(run: Run, scores: Mapping[str, Scores]) -> str:
    """Of a task that joins several rules, templates or the like: how well each of them is answered."""
    pieces = []
    for split in (IN, OUT):
        ways = group_scores(run.task, scores[split]) if split in scores else {}
        for way, found in ways.items():
            if len(found) > 1:
                pieces += _groups(run.task, way, split, found)
    return section("Group by group", *pieces)


def _groups(task: Task, way: str, split: str, found: Mapping[str, float]) -> list[str]:
    """What the benchmark's own analysis says of groups, or a plain table of them."""
    by_group = getattr(task.benchmark.optional_file("analysis"), "by_group", None)
    finding = by_group(way, found) if by_group else None
    if finding:
        return [paragraph(f"{split}: {finding.about}"), *map(figure, finding.figures)]
    lines = [(group, f"{100 * value:.1f}") for group, value in found.items()]
    return [table((f"{way}, {split}", "percent"), lines)]


def headline(record: Record) -> str:
    """Return the name of the metric that a record is judged by."""
    return next(iter(next(iter(record.scores.values())).metrics))


def metric_table(record: Record) -> str:
    """Return every metric of every split."""
    names = next(iter(record.scores.values())).metrics
    columns = ("metric", "better", *record.scores)
    values = [
        (spelled_name(name), metric.better, *(f"{scores.metrics[name].value:.3f}" for scores in record.scores.values()))
        for name, metric in names.items()
    ]
    counts = ("examples", "", *(f"{scores.count:,}" for scores in record.scores.values()))
    return table(columns, [*values, counts], words=2)


# ---------------------------------------------------------------------------- answers


def answer_section(run: Run, scores: Mapping[str, Scores]) -> str:
    """Answers of the test splits, right and wrong, or the best and the worst; a cross is a wrong cell."""
    pieces = []
    for split in (IN, OUT):
        if split in scores and (pictures := answer_pictures(run, scores[split], count=SHOWN)):
            pieces += [f"<h3>{escape(split)}, {KINDS_OF_TEST[split]}</h3>", paragraph(tally(scores[split])), pictures]
    about = paragraph(
        HOW_ANSWERS_LOOK.get(run.task.kind.name, "The model's answer is next to what was asked for."), "quiet"
    )
    return section("What its answers look like", about, *pieces) if pieces else ""


def answer_pictures(run: Run, scores: Scores, *, count: int) -> str:
    """Show `count` right answers of a split, then as many wrong ones; nothing where the benchmark draws none."""
    shown = [one for right in (True, False) for one in answers(run, scores, right=right, count=count)]
    return row(map(_answer, shown)) if shown else ""


def tally(scores: Scores) -> str:
    """Tell how many answers of a split are right, or that the best and the worst are shown."""
    metric = METRICS[next(iter(scores))]
    if not metric.percent:
        return f"The best and the worst of {scores.count:,} answers."
    right = sum(row[metric.name] == 1 for row in scores.rows)
    return f"{right:,} of {scores.count:,} answers are right."


def _answer(answer: Answer) -> str:
    kind = "right" if answer.right else "wrong"
    caption = f'<span class="{kind}">{answer.word}</span>, example {answer.index:,}'
    return picture(answer.picture, caption, said=f"Input, target and the model's answer, {answer.word}")


def view_section(run: Run) -> str:
    """Return what the model makes of examples on the way to its answers, where it can tell."""
    pieces = []
    for split in (IN, OUT):
        if split in run.views and split in run.predictions:
            sheets = (picture(sheet, caption, said=VIEWED) for sheet, caption in view_sheets(run, split))
            pieces += [f"<h3>{escape(split)}, {KINDS_OF_TEST[split]}</h3>", column(sheets)]
    about = "Above, an example and the answer; below, the parts that the model works with. A mask is white at its part."
    return section("What it sees", paragraph(about, "quiet"), *pieces) if pieces else ""


def analysis_sections(run: Run, record: Record) -> str:
    """What the benchmark's own analysis draws of this run, beside the paper where that has it: of videos, failures."""
    found = findings([record], run.task.benchmark, [run])
    return "\n".join(finding_section(one) for one in found if one.rows and one.figures)


def repeat_section(record: Record) -> str:
    """Return the commands that make this page's numbers again, and what they need."""
    made = ", ".join(f"{name} {version}" for name, version in record.versions.items())
    commit = f" Commit {record.commit}." if record.commit else ""
    about = f"Made with {made}; content version {record.benchmark_version}.{commit}"
    return section(
        "Do it again",
        f"<pre><code>{escape(chr(10).join(commands(record)))}</code></pre>",
        paragraph(" ".join((about, *remarks(record))), "quiet"),
    )
