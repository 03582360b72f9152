"""The published numbers agree with each other, and cover what they say they cover."""

from __future__ import annotations

from itertools import chain

import pytest

from unseen.benchmarks.cvr.analysis import area_under_curve, sample_efficiency_score
from unseen.benchmarks.cvr.paper import (
    BASELINES,
    BLOCKS,
    COMPONENTS,
    CURRICULUM,
    CURRICULUM_SCORES,
    EFFICIENCY,
    HUMANS,
    MODELS,
    PARTICIPANTS,
    REGIMES,
    TABLES,
    TITLES,
    Human,
    Result,
    experiments,
)

ROUNDING = 0.1  # of a mean of numbers that are rounded themselves
WITH_ACCURACIES = [row for row in EFFICIENCY if row.accuracies]
PLACES = [f"{row.training}-{row.start}-{row.model}" for row in WITH_ACCURACIES]


@pytest.mark.parametrize("row", WITH_ACCURACIES, ids=PLACES)
def test_both_scores_follow_from_the_accuracies(row):
    assert tuple(row.accuracies) == tuple(row.solved) == REGIMES
    assert sample_efficiency_score(row.accuracies) == pytest.approx(row.ses, abs=ROUNDING)
    assert area_under_curve(row.accuracies) == pytest.approx(row.auc, abs=ROUNDING)


def test_every_model_has_scores_in_both_trainings_and_splits_and_two_models_also_from_pretrained_weights():
    places = [(row.split, row.training, row.start, row.model) for row in EFFICIENCY]
    assert len(set(places)) == len(places) == 2 * 2 * (5 + 2)
    assert {row.model for row in EFFICIENCY} == set(MODELS) == {row.model for row in BASELINES}
    assert {row.model for row in EFFICIENCY if row.start == "ssl"} == {"resnet-50", "vit-small"}


@pytest.mark.parametrize("row", EFFICIENCY, ids=lambda row: f"{row.split}-{row.training}-{row.start}-{row.model}")
def test_the_score_that_rewards_few_samples_is_the_lower_one(row):
    assert row.ses < row.auc


def test_the_generalization_set_is_harder_for_every_model():
    scores = {(row.split, row.training, row.start, row.model): row.ses for row in EFFICIENCY}
    for (split, *place), ses in scores.items():
        assert split == "test_ood" or scores[("test_ood", *place)] < ses


def test_rules_above_eighty_percent_are_some_of_all():
    assert all(0 <= solved <= 103 for row in WITH_ACCURACIES for solved in row.solved.values())


def test_a_score_of_the_curriculum_is_at_least_the_largest_gain_of_the_means():
    for row in CURRICULUM:
        gains = [row.transfer[samples] - row.scratch[samples] for samples in REGIMES]
        if row.training == "individual":  # each rule's largest gain is no smaller than its gain in any one regime
            assert max(gains) <= CURRICULUM_SCORES[row.model] + ROUNDING


PRINTED = {  # the differences of Table 4
    ("individual", "resnet-50"): (4.10, 3.06, 5.73, 7.47, 11.5, 5.75),
    ("individual", "vit-small"): (2.41, 0.89, 2.51, 2.11, 1.44, 1.21),
    ("individual", "scl"): (4.11, 3.43, 5.27, 7.93, 9.49, 11.0),
    ("individual", "wren"): (1.04, 2.03, 3.08, 3.78, 5.28, 5.79),
    ("individual", "scl-resnet-18"): (7.60, 5.80, 12.7, 13.6, 17.5, 20.0),
    ("joint", "resnet-50"): (4.31, 4.30, 7.19, 10.8, 0.86, 7.13),
    ("joint", "vit-small"): (2.00, 1.97, 1.56, 1.95, 4.14, 6.84),
    ("joint", "scl"): (1.87, 1.90, 2.11, 2.90, -4.22, -1.07),
    ("joint", "wren"): (1.06, 2.56, 3.86, 5.04, 6.20, 5.21),
    ("joint", "scl-resnet-18"): (6.33, 6.76, 9.34, 9.91, 22.7, 29.4),
}


def test_all_printed_differences_but_three_are_those_of_the_accuracies():
    differing = [
        (row.training, row.model, samples)
        for row in CURRICULUM
        for samples, printed in zip(REGIMES, PRINTED[row.training, row.model], strict=True)
        if abs(row.transfer[samples] - row.scratch[samples] - printed) > 0.15
    ]
    assert differing == [
        ("individual", "resnet-50", 500),
        ("individual", "resnet-50", 1000),
        ("individual", "vit-small", 1000),
    ]


def test_every_composition_of_two_relations_has_its_components_once():
    named = list(chain.from_iterable(COMPONENTS.values()))
    assert len(named) == len(set(named)) == 65 + 5  # and the rules that add a relation to a symmetry
    assert all(first < second <= 10 for first, second in COMPONENTS)
    assert {38, 39, 84, 85, 90} < set(named)


def test_people_saw_six_rules_each():
    assert sum(human.participants for human in HUMANS.values()) == PARTICIPANTS * BLOCKS
    assert len(HUMANS) == 45
    assert HUMANS[20] == Human(81.2, 4)


def test_the_means_over_rules_are_those_of_the_text():
    accuracies = {rule: human.accuracy for rule, human in HUMANS.items()}
    assert sum(accuracies.values()) / 45 == pytest.approx(78.7, abs=ROUNDING)
    assert sum(accuracy >= 80 for accuracy in accuracies.values()) == 26
    assert sum(accuracy > 80 for accuracy in accuracies.values()) == 23
    assert sum(accuracies[rule] for rule in range(9)) / 9 == pytest.approx(97.6, abs=ROUNDING)


def test_a_table_holds_what_records_are_set_beside():
    assert TABLES.keys() == TITLES.keys()
    assert len(TABLES["3"]) == 2 * 5 * 6
    assert Result("joint-500", "resnet-50", "test_ood", 37.3) in TABLES["3"]


def test_a_joint_number_is_of_one_task():
    assert experiments("joint-20") == ["all+samples=20"]


def test_a_number_of_individual_training_is_of_all_rules():
    pytest.importorskip("unseen.benchmarks.cvr.rules", reason="the rule table is not here yet")
    assert len(experiments("individual-1000")) == 103


def test_components_are_the_relations_of_the_rules_that_compose_them():
    rules = pytest.importorskip("unseen.benchmarks.cvr.rules", reason="the rule table is not here yet").RULES
    relations = {rule.id: set(rule.relations) for rule in rules}
    for components, compositions in COMPONENTS.items():
        for composition in compositions:
            named = set().union(*(relations[one] for one in components if one < 9))
            assert named <= relations[composition]
            assert max(components) >= 9 or named == relations[composition]
