"""Rules by the relations they compose: how many there are of each pair, and how well each pair is solved.

Works on any table of rules with a name and a tuple of relations. A rule of one relation stands alone, one of two (or of
a relation with itself) is a pair; one of more belongs to no pair, and is counted with each of its relations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import Protocol

from unseen.report.charts import heat_map

ALONE = "alone"
Pair = tuple[str, str]  # of relations, or a relation and ALONE


class Rule(Protocol):
    """What is asked of a row of a rule table."""

    @property
    def name(self) -> str:
        """Its published name."""

    @property
    def relations(self) -> tuple[str, ...]:
        """The elementary relations that it composes."""


def relations_of(rules: Iterable[Rule]) -> list[str]:
    """The elementary relations, in the order of the rules that are about one alone."""
    return [rule.relations[0] for rule in rules if len(rule.relations) == 1]


def pair_of(rule: Rule, order: Sequence[str]) -> Pair | None:
    """The pair that a rule composes, the later relation first; none of a rule with more than two."""
    if len(rule.relations) == 1:
        return rule.relations[0], ALONE
    if len(rule.relations) == 2:
        first, second = sorted(rule.relations, key=order.index)
        return second, first
    return None


def pair_means(rules: Sequence[Rule], values: Mapping[str, float]) -> dict[Pair, float]:
    """The mean over the rules of each pair, given the values of some rules by name."""
    order = relations_of(rules)
    found: dict[Pair, list[float]] = {}
    for rule in rules:
        pair = pair_of(rule, order)
        if pair and rule.name in values:
            found.setdefault(pair, []).append(values[rule.name])
    return {pair: mean(each) for pair, each in found.items()}


def pair_counts(rules: Sequence[Rule]) -> dict[Pair, int]:
    """How many rules there are of each pair."""
    order = relations_of(rules)
    return dict(Counter(pair for rule in rules if (pair := pair_of(rule, order))))


def involved(rules: Iterable[Rule]) -> dict[str, int]:
    """How many rules involve each relation."""
    return dict(Counter(relation for rule in rules for relation in set(rule.relations)))


def count_map(rules: Sequence[Rule]) -> str:
    """A heat map of how many rules there are of each pair."""
    counts = pair_counts(rules)
    return _map(rules, counts, what="rules of each pair of relations", most=max(counts.values()))


def accuracy_map(rules: Sequence[Rule], accuracies: Mapping[str, float]) -> str:
    """A heat map of accuracies in percent, given by the name of the rule."""
    return _map(rules, pair_means(rules, accuracies), what="accuracy in percent by pair of relations", most=100)


def _map(rules: Sequence[Rule], values: Mapping[Pair, float], *, what: str, most: float) -> str:
    names = relations_of(rules)
    return heat_map(names, [ALONE, *names], values, what=what, most=most)
