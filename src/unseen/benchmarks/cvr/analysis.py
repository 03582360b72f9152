"""What runs say of learning visual relations: from how few samples, after which others, and which pairs of them.

Sample efficiency  accuracy by training samples, and two numbers that sum it up
Rule by rule       accuracies of rules that were learned one by one, and how many are solved
Curriculum         what it helps to have learned the components of a rule first, and what is known without learning it
People             what people did in a study, beside those of the paper
Relations          rules by the relations they compose: how many there are of each pair, and how well each is solved
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, log
from pathlib import PurePath
from statistics import mean
from typing import Any, Protocol

from unseen.benchmarks.cvr import paper
from unseen.core.analysis import DASH, IN, OUT, Figure, Finding, Outcome, mean_over, settled, spelled
from unseen.core.errors import SpecError
from unseen.render.charts import heat_map, line_chart

Accuracies = Mapping[int, float]  # in percent, by the number of training samples


def findings(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """Yield sample efficiency, rules one by one, curriculum, and what is known of rules that were never learned."""
    taught = [outcome for outcome in outcomes if not untaught(outcome)]
    every = learners(taught)
    run = [learner for learner in every if learner.here.accuracies]
    yield Finding(
        "Sample efficiency",
        "Accuracy by the number of training samples of each rule, in percent. AUC is the mean over the regimes; SES"
        " weights each by 1 / (1 + ln N), so that what few samples teach counts more. Both need every regime. Weights"
        " were random at first, or learned without labels (ssl).",
        ("training", "start", "model", "split", "SES here", "paper", "AUC here", "paper"),
        rows=tuple(map(_efficiency_line, run)),
        published=tuple(_efficiency_line(learner) for learner in every if learner not in run),
        words=4,
        figures=tuple(
            Figure(efficiency_chart(one), f"{one.model}, {one.training} training from {one.start} weights, {one.split}")
            for one in run
        ),
    )
    yield from rule_by_rule(taught)
    gained = gains(taught)
    yield Finding(
        "Curriculum",
        "What is gained by having learned the components of a rule first: of each rule the largest gain in accuracy"
        " over the regimes, in percent, then the mean over the rules that were run both ways.",
        ("model", "here", "rules run both ways", "paper"),
        rows=tuple(_gain_line(one) for one in gained if one.rules),
        published=tuple(_gain_line(one) for one in gained if not one.rules),
    )
    yield Finding(
        "Asked about rules that were never learned",
        "Accuracy in percent of models that learned some rules and answer others as they are; 25 is chance. The paper"
        " shows this in figures, without numbers.",
        ("model", "learned", "asked", "seed", IN, OUT),
        rows=tuple(
            (
                one.model,
                _learned(one),
                one.task.row.name,
                f"{one.seed}",
                spelled(one.value(IN)),
                spelled(one.value(OUT)),
            )
            for one in outcomes
            if untaught(one)
        ),
        words=3,
    )


def by_group(way: str, values: Mapping[str, float]) -> Finding | None:
    """Say how many rules are solved, and show which pairs of relations are, given accuracies from 0 to 1."""
    if way != "rule":
        return None
    from unseen.benchmarks.cvr.rules import RULES

    percent = {rule: 100 * value for rule, value in values.items()}
    about = f"{rules_solved(values)} of {len(values)} rules are above {SOLVED:.0%}."
    return Finding("Rule by rule", about, figures=(Figure(accuracy_map(RULES, percent)),))


# ---------------------------------------------------------------------------- what a run began with


def start_of(outcome: Outcome) -> str:
    """Name the weights that a run began with: random, without labels, those of other rules, or a file by its name."""
    if not outcome.began_with:
        return paper.RANDOM
    path = PurePath(outcome.began_with)
    if path.suffix:
        return path.stem
    models = {part.partition("+")[0] for part in path.parts}
    return paper.PRETRAINED if models & paper.WITHOUT_LABELS.keys() else paper.CURRICULUM_START


def untaught(outcome: Outcome) -> bool:
    """Tell whether a run answered with the weights that it began with, and learned nothing."""
    return bool(outcome.began_with) and outcome.steps == 0


def _learned(outcome: Outcome) -> str:
    """The task that the weights of a run come from, as the folders of runs are named: .../cvr/TASK/MODEL/seed-0."""
    parts = PurePath(outcome.began_with).parts
    return parts[-3] if len(parts) > 2 else outcome.began_with


# ---------------------------------------------------------------------------- sample efficiency


@dataclass(frozen=True)
class Curve:
    """Accuracies by training samples, and the two scores over them where all regimes are there."""

    accuracies: Accuracies
    ses: float | None = None
    auc: float | None = None


@dataclass(frozen=True)
class Learner:
    """A model in one way of training, from some weights, on one split."""

    training: str
    start: str
    model: str
    split: str
    here: Curve
    paper: Curve


def learners(outcomes: Sequence[Outcome]) -> list[Learner]:
    """Find our curve next to every published one, then those of models and initial weights that the paper lacks.

    Ours is a mean over the tasks of a regime, which counts only where all of them were run: rules differ more than
    regimes do.
    """
    published = {
        (row.training, row.start, row.model, row.split): Curve(row.accuracies, row.ses, row.auc)
        for row in paper.EFFICIENCY
    }
    by_start: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        by_start.setdefault((start_of(outcome), outcome.model), []).append(outcome)
    further = [
        (training, start, model, split)
        for training in (paper.INDIVIDUAL, paper.JOINT)
        for start, model in by_start
        for split in (IN, OUT)
        if start != paper.CURRICULUM_START
    ]
    found = {place: _curve(by_start.get(place[1:3], ()), *place) for place in dict.fromkeys((*published, *further))}
    return [
        Learner(*place, here, published.get(place, Curve({})))
        for place, here in found.items()
        if place in published or here.accuracies
    ]


def _curve(outcomes: Sequence[Outcome], training: str, start: str, model: str, split: str) -> Curve:
    found = {}
    if outcomes:
        for samples in paper.REGIMES:
            tasks = [f"cvr/{one}" for one in paper.experiments(f"{training}-{samples}")]
            if (value := mean_over(outcomes, tasks, model, split=split)) is not None:
                found[samples] = value
    return scored(found)


def scored(accuracies: Accuracies) -> Curve:
    """Add the two scores to accuracies, which are of all regimes or not at all.

    >>> scored(dict.fromkeys(paper.REGIMES, 35.0)).auc, scored({20: 30.0}).auc
    (35.0, None)
    """
    if accuracies.keys() != set(paper.REGIMES):
        return Curve(accuracies)
    return Curve(accuracies, sample_efficiency_score(accuracies), area_under_curve(accuracies))


def area_under_curve(accuracies: Accuracies) -> float:
    """AUC: the plain mean of the accuracies over the regimes. Higher is better.

    >>> round(area_under_curve({20: 26.3, 50: 28.1, 100: 29.1, 200: 30.3, 500: 31.5, 1000: 34.3}), 1)
    29.9
    """
    return mean(_checked(accuracies).values())


def sample_efficiency_score(accuracies: Accuracies) -> float:
    """SES: the mean of the accuracies with weights 1 / (1 + ln N), so that what few samples teach counts more.

    Higher is better, on the scale of the accuracies; below AUC for whatever learns more from more.

    >>> round(sample_efficiency_score({20: 26.3, 50: 28.1, 100: 29.1, 200: 30.3, 500: 31.5, 1000: 34.3}), 1)
    29.4
    """
    weights = {samples: 1 / (1 + log(samples)) for samples in _checked(accuracies)}
    return sum(weights[samples] * accuracy for samples, accuracy in accuracies.items()) / sum(weights.values())


def _checked(accuracies: Accuracies) -> Accuracies:
    wrong = [samples for samples, accuracy in accuracies.items() if samples < 1 or isnan(accuracy)]
    if wrong or not accuracies:
        raise SpecError(f"accuracies are numbers by how many samples were trained on, not {dict(accuracies)!r}")
    return accuracies


def efficiency_chart(learner: Learner) -> str:
    """Draw accuracy over training samples, ours and the paper's."""
    curves = {"here": learner.here, "paper": learner.paper}
    stops = sorted({samples for curve in curves.values() for samples in curve.accuracies})
    lines = {name: sorted(curve.accuracies.items()) for name, curve in curves.items()}
    return line_chart(lines, over="training samples", what="accuracy in percent", top=100, stops=stops)


def _efficiency_line(learner: Learner) -> tuple[str, ...]:
    here, published = learner.here, learner.paper
    numbers = (here.ses, published.ses, here.auc, published.auc)
    return learner.training, learner.start, learner.model, learner.split, *map(spelled, numbers)


# ---------------------------------------------------------------------------- rules one by one


def rule_by_rule(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """Yield the accuracy of every rule that was learned on its own, and how many are solved of those as published."""
    from unseen.benchmarks.cvr.rules import RULES

    learned: dict[tuple[str, str, str], dict[str, Accuracies]] = {}
    for place in dict.fromkeys((outcome.model, start_of(outcome)) for outcome in outcomes):
        own = [one for one in outcomes if (one.model, start_of(one)) == place and not one.task.row.repeats]
        learned |= {(*place, split): found for split in (IN, OUT) if (found := accuracies(own, split))}
    regimes = sorted({samples for found in learned.values() for one in found.values() for samples in one})
    yield Finding(
        "Rules learned one by one",
        "Accuracy in percent by the number of training samples, mean over seeds.",
        ("model", "start", "split", "rule", *map(str, regimes)),
        rows=tuple(
            (*place, rule, *(spelled(by_samples.get(samples)) for samples in regimes))
            for place, found in learned.items()
            for rule, by_samples in found.items()
        ),
        words=4,
    )
    plain = {place: {rule: found[rule] for rule in found if "+" not in rule} for place, found in learned.items()}
    yield Finding(
        "Solved rules",
        f"Rules above {SOLVED:.0%}, of those that were learned one by one; the paper's are of all 103.",
        ("model", "start", "split", "samples", "solved here", "rules run", "paper"),
        rows=tuple(_solved_line(place, found, n) for place, found in plain.items() for n in regimes if _at(found, n)),
        words=3,
        figures=tuple(
            Figure(accuracy_map(RULES, at), f"{model} from {start} weights, {split}, {samples:,} samples")
            for (model, start, split), found in plain.items()
            for samples in regimes[-1:]
            if (at := {rule.replace("-", "_"): value for rule, value in _at(found, samples).items()})
        ),
    )


def _at(found: Mapping[str, Accuracies], samples: int) -> dict[str, float]:
    """The accuracies of one regime, by rule."""
    return {rule: by_samples[samples] for rule, by_samples in found.items() if samples in by_samples}


def _solved_line(place: tuple[str, str, str], found: Mapping[str, Accuracies], samples: int) -> tuple[str, ...]:
    model, start, split = place
    at = {rule: value / 100 for rule, value in _at(found, samples).items()}
    printed = [
        row.solved[samples]
        for row in paper.EFFICIENCY
        if (row.training, row.start, row.model, row.split) == (paper.INDIVIDUAL, start, model, split)
        and samples in row.solved
    ]
    return *place, f"{samples}", f"{rules_solved(at)}", f"{len(at)}", spelled(printed[0] if printed else None, "d")


# ---------------------------------------------------------------------------- curriculum


@dataclass(frozen=True)
class Gain:
    """The curriculum score of a model, ours next to the published one."""

    model: str
    here: float | None  # none where no rule was run both ways
    rules: int  # that were run both ways
    paper: float | None


def gains(outcomes: Iterable[Outcome]) -> list[Gain]:
    """Find our score of every model that has a published one, then of other models that were run both ways."""
    by_model: dict[str, list[Outcome]] = {model: [] for model in paper.CURRICULUM_SCORES}
    for outcome in outcomes:
        by_model.setdefault(outcome.model, []).append(outcome)
    every = [_gain(model, found) for model, found in by_model.items()]
    return [one for one in every if one.rules or one.paper is not None]


def _gain(model: str, outcomes: Sequence[Outcome]) -> Gain:
    published = paper.CURRICULUM_SCORES.get(model)
    alone = [outcome for outcome in outcomes if not outcome.task.row.repeats]
    transfer = accuracies(outcome for outcome in alone if start_of(outcome) == paper.CURRICULUM_START)
    scratch = accuracies(outcome for outcome in alone if start_of(outcome) == paper.RANDOM)
    both = {rule: transfer[rule].keys() & scratch[rule].keys() for rule in transfer.keys() & scratch.keys()}
    rules = [rule for rule, regimes in both.items() if regimes]
    if not rules:
        return Gain(model, None, 0, published)
    sides = ({rule: {n: found[rule][n] for n in both[rule]} for rule in rules} for found in (transfer, scratch))
    return Gain(model, curriculum_score(*sides), len(rules), published)


def accuracies(outcomes: Iterable[Outcome], split: str = IN) -> dict[str, Accuracies]:
    """Average the accuracy of each task over seeds, by training samples; other options make it another task."""
    values: dict[str, dict[int, list[float]]] = {}
    for outcome in outcomes:
        value = outcome.value(split)
        if value is not None:
            by_samples = values.setdefault(outcome.task_without("samples"), {})
            by_samples.setdefault(outcome.task.split("train").size, []).append(value)
    return {name: {samples: mean(each) for samples, each in found.items()} for name, found in values.items()}


def curriculum_score(transfer: Mapping[str, Accuracies], scratch: Mapping[str, Accuracies]) -> float:
    """Tell how much a model gains from having learned a rule's components first.

    Of each rule the largest gain in accuracy over the regimes, then the mean over rules. Higher is better, 0 where
    nothing is gained.

    >>> curriculum_score({"size_count": {20: 40.0, 50: 60.0}}, {"size_count": {20: 30.0, 50: 55.0}})
    10.0
    """
    if transfer.keys() != scratch.keys() or not transfer:
        differing = ", ".join(sorted(transfer.keys() ^ scratch.keys())) or "there are none"
        raise SpecError(f"a curriculum score needs the same rules with and without transfer: {differing}")
    return mean(_largest_gain(rule, transfer[rule], scratch[rule]) for rule in transfer)


def _largest_gain(rule: str, transfer: Accuracies, scratch: Accuracies) -> float:
    if transfer.keys() != scratch.keys():
        raise SpecError(
            f"{rule} was trained on {_listed(transfer)} samples after transfer and {_listed(scratch)} without"
        )
    _checked(scratch)
    return max(accuracy - scratch[samples] for samples, accuracy in _checked(transfer).items())


def _listed(accuracies: Accuracies) -> str:
    return ", ".join(map(str, accuracies)) or "no"


def _gain_line(one: Gain) -> tuple[str, ...]:
    return one.model, spelled(one.here), f"{one.rules}", spelled(one.paper)


# ---------------------------------------------------------------------------- relations

SOLVED = 0.8  # a rule counts as solved above this accuracy, as published
ALONE = "alone"
Pair = tuple[str, str]  # of relations, or a relation and ALONE


class Rule(Protocol):
    """What is asked of a row of a rule table.

    A rule of one relation stands alone, one of two (or of a relation with itself) is a pair; one of more belongs to no
    pair, and is counted with each of its relations.
    """

    @property
    def name(self) -> str:
        """The rule's published name."""

    @property
    def relations(self) -> tuple[str, ...]:
        """The elementary relations that the rule composes."""


def rules_solved(accuracies: Mapping[str, float]) -> int:
    """Count the rules that have an accuracy above 80 %.

    >>> rules_solved({"size": 0.8, "count": 0.95})
    1
    """
    return sum(accuracy > SOLVED for accuracy in accuracies.values())


def relations_of(rules: Iterable[Rule]) -> list[str]:
    """List the elementary relations, in the order of the rules that are about one alone."""
    return [rule.relations[0] for rule in rules if len(rule.relations) == 1]


def pair_of(rule: Rule, order: Sequence[str]) -> Pair | None:
    """Name the pair that a rule composes, the later relation first; none of a rule with more than two."""
    if len(rule.relations) == 1:
        return rule.relations[0], ALONE
    if len(rule.relations) == 2:
        first, second = sorted(rule.relations, key=order.index)
        return second, first
    return None


def pair_means(rules: Sequence[Rule], values: Mapping[str, float]) -> dict[Pair, float]:
    """Average over the rules of each pair, given the values of some rules by name."""
    order = relations_of(rules)
    found: dict[Pair, list[float]] = {}
    for rule in rules:
        pair = pair_of(rule, order)
        if pair and rule.name in values:
            found.setdefault(pair, []).append(values[rule.name])
    return {pair: mean(each) for pair, each in found.items()}


def pair_counts(rules: Sequence[Rule]) -> dict[Pair, int]:
    """Count the rules of each pair."""
    order = relations_of(rules)
    return dict(Counter(pair for rule in rules if (pair := pair_of(rule, order))))


def involved(rules: Iterable[Rule]) -> dict[str, int]:
    """Count the rules that involve each relation."""
    return dict(Counter(relation for rule in rules for relation in set(rule.relations)))


def count_map(rules: Sequence[Rule]) -> str:
    """Draw a heat map of how many rules there are of each pair."""
    counts = pair_counts(rules)
    return _map(rules, counts, what="rules of each pair of relations", most=max(counts.values()))


def accuracy_map(rules: Sequence[Rule], accuracies: Mapping[str, float]) -> str:
    """Draw a heat map of accuracies in percent, given by the name of the rule."""
    return _map(rules, pair_means(rules, accuracies), what="accuracy in percent by pair of relations", most=100)


def _map(rules: Sequence[Rule], values: Mapping[Pair, float], *, what: str, most: float) -> str:
    names = relations_of(rules)
    return heat_map(names, [ALONE, *names], values, what=what, most=most)


# ---------------------------------------------------------------------------- people


def people(trials: Sequence[Mapping[str, Any]]) -> Finding:
    """Set what people of a study did beside the people of the paper, rule by rule.

    A trial says who, which task, whether the answer was `right`, the `confidence` and the response time `rt` in
    milliseconds, both of which may be missing. Means are over people, each of whom counts once for a rule.
    """
    from unseen.benchmarks.cvr.rules import RULES

    asked = {settled(trial["task"]): trial["task"] for trial in trials}
    lines = []
    for row in RULES:
        name, known = row.name.replace("_", "-"), paper.HUMANS.get(row.id)
        mine = [trial for trial in trials if trial["task"] == asked.get(f"cvr/{name}")]
        blocks: dict[Any, list[Mapping[str, Any]]] = {}
        for trial in mine:
            blocks.setdefault((trial["study"], trial["participant"]), []).append(trial)
        if not (blocks or known):
            continue
        means = [
            _mean_of_means(blocks.values(), value, scale)
            for value, scale in (("right", 100), ("confidence", 1), ("rt", 1e-3))
        ]
        published = (f"{known.accuracy:.1f}", str(known.participants)) if known else (DASH, DASH)
        lines.append(
            (
                bool(blocks),
                (name, spelled(means[0]), published[0], str(len(blocks)), published[1], *map(spelled, means[1:])),
            )
        )
    return Finding(
        "People",
        "People of a study beside those of the paper, rule by rule: accuracy in percent, how sure they were from 0 to"
        f" 100, and seconds from the images to the choice. The paper's people were {paper.CONFIDENCE} sure and took"
        f" {paper.SECONDS} seconds, means over all their blocks; it gives neither by rule.",
        ("rule", "accuracy", "paper", "people", "paper's", "confidence", "seconds"),
        rows=tuple(line for run, line in lines if run),
        published=tuple(line for run, line in lines if not run),
    )


def _mean_of_means(blocks: Iterable[Sequence[Mapping[str, Any]]], value: str, scale: float) -> float | None:
    """The mean over people of what each had on average; none where nobody was asked."""
    means = [
        mean(float(trial[value]) for trial in block if trial[value] is not None)
        for block in blocks
        if any(trial[value] is not None for trial in block)
    ]
    return scale * mean(means) if means else None
