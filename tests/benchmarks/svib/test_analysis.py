"""Errors against alpha: of ours what was run, next to what was published; and the predicted images."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unseen
from unseen.benchmarks.svib.analysis import (
    GAP,
    Curve,
    alpha_efficiency,
    charts,
    curves,
    efficiencies,
    findings,
    generalization_gap,
    prediction_sheets,
)
from unseen.benchmarks.svib.splits import TASKS
from unseen.core.analysis import DASH, Outcome
from unseen.core.errors import SpecError

errors = st.dictionaries(st.sampled_from([0.0, 0.2, 0.4, 0.6]), st.floats(1e-4, 5e3), min_size=1)


def outcome(task, model="i2i-vit", seed=0, *, answers=(), began_with="", **values):
    """An outcome whose values are named split__metric."""
    scores: dict[str, dict[str, float]] = {}
    for name, value in values.items():
        split, _, metric = name.partition("__")
        scores.setdefault(split, {})[metric] = value
    return Outcome(
        unseen.task(f"svib/{task}"), model, seed, scores, began_with, answers=lambda split, count: list(answers)[:count]
    )


def curve_of(found, task, model, measure) -> Curve:
    (curve,) = (one for one in found if (one.task, one.model, one.measure) == (task, model, measure))
    return curve


# ---------------------------------------------------------------------------- numbers


def test_without_runs_only_the_papers_curves_are_there():
    found = curves([])
    assert curve_of(found, "dsprites-sa", "i2i-vit", "lpips").paper == {0.6: 0.0036, 0.4: 0.0172, 0.2: 0.17}
    assert curve_of(found, "clevr-sa", "oracle", "mse").paper[0.0] == 1366.79
    assert {one.measure for one in found} == {"lpips", "mse"}
    assert {one.task for one in found} <= {row.name for row in TASKS}
    (finding,) = findings([])
    assert finding.rows == finding.figures == ()
    assert ("dsprites-sa", "oracle", "mse", DASH, "0.4") in finding.published


def test_seeds_are_averaged_by_alpha_which_may_be_at_its_default():
    default = unseen.task("svib/dsprites-sa").options.alpha
    found = curves(
        [
            outcome("dsprites-sa", test_ood__mse=100.0, test__mse=10.0),
            outcome(f"dsprites-sa+alpha={default}", seed=1, test_ood__mse=200.0, test__mse=20.0),
            outcome("dsprites-sa+alpha=0", test_ood__mse=900.0),
        ]
    )
    assert curve_of(found, "dsprites-sa", "i2i-vit", "mse").here == {0.0: 900.0, default: 150.0}
    assert curve_of(found, "dsprites-sa", "i2i-vit", GAP).here == {default: pytest.approx(np.log(10))}
    assert curve_of(found, "dsprites-sa", "i2i-vit", GAP).paper == {}


def test_a_perfect_run_has_no_gap_and_other_options_are_another_task():
    found = curves(
        [
            outcome("dsprites-sa", "mine", test_ood__mse=0.0, test__mse=0.0),
            outcome("dsprites-sa+strict=true", "mine", test_ood__mse=5.0, test__mse=1.0),
        ]
    )
    assert list(curve_of(found, "dsprites-sa", "mine", "mse").here.values()) == [0.0]
    (gap,) = [one for one in found if one.measure == GAP]
    assert (gap.task, gap.paper) == ("dsprites-sa+strict=true", {})


def test_efficiency_is_by_our_oracle_where_it_was_run_and_else_by_the_papers():
    vit = [outcome(f"dsprites-sa+alpha={alpha}", test_ood__mse=9.0 - 10 * alpha) for alpha in (0.2, 0.4, 0.6)]

    def efficiency(outcomes, model="i2i-vit"):
        (one,) = (
            one
            for one in efficiencies(curves(outcomes))
            if (one.curve.task, one.curve.model, one.curve.measure) == ("dsprites-sa", model, "mse")
        )
        return one.here, one.paper

    assert efficiency(vit) == (0.2, None)  # at most twice 4.54
    assert efficiency([*vit, outcome("dsprites-sa+alpha=0.4", "oracle", test_ood__mse=2.5)]) == (0.4, None)
    assert efficiency(vit, "oracle") == (None, 0.4)


def test_runs_that_began_with_other_weights_are_no_part_of_the_curves():
    (finding,) = findings([outcome("dsprites-sa", test_ood__mse=5.0, began_with="runs/elsewhere")])
    assert finding.rows == ()


def test_a_gap_grows_by_a_logarithm():
    assert generalization_gap(30.0, 30.0) == 0
    assert generalization_gap(20.0, 10.0) == pytest.approx(0.693147, abs=1e-6)
    assert generalization_gap(5.0, 10.0) < 0
    with pytest.raises(SpecError, match=r"between two errors above 0, not 3.0 and 0.0"):
        generalization_gap(3.0, 0.0)


def test_the_efficient_alpha_is_the_smallest_that_reaches_the_oracles_best():
    oracle = {0.0: 3798.0, 0.2: 37.34, 0.4: 5.18, 0.6: 4.54}
    vit = {0.0: 1242.0, 0.2: 843.0, 0.4: 94.7, 0.6: 24.7}
    assert (
        alpha_efficiency(vit, oracle, share=0.1) == 0.6
    )  # at most ten times 4.54; better than it at alpha 0 is nothing
    assert alpha_efficiency(vit, oracle) is None
    assert alpha_efficiency(oracle, oracle) == 0.4
    assert alpha_efficiency(oracle, oracle, share=1) == 0.6


@given(errors, errors)
def test_a_larger_share_of_the_oracle_needs_no_smaller_alpha(found, oracle):
    alphas = [alpha_efficiency(found, oracle, share=share) for share in (0.01, 0.5, 1)]
    reached = [2.0 if alpha is None else alpha for alpha in alphas]
    assert reached == sorted(reached)


@pytest.mark.parametrize(("oracle", "share"), [({}, 0.5), ({0.2: 1.0}, 0.0), ({0.2: 1.0}, 1.1)])
def test_a_share_of_no_oracle_is_an_error(oracle, share):
    with pytest.raises(SpecError, match=r"a share of the Oracle is in \(0, 1\]"):
        alpha_efficiency({0.2: 1.0}, oracle, share=share)


# ---------------------------------------------------------------------------- figures


def square(place, *, brightness=1.0, background=0):
    """A question, a square that goes to the right, and an answer to it that is darker than it should be."""
    image = np.full((32, 32, 3), background, np.uint8)
    target = image.copy()
    image[8:20, place : place + 12] = target[8:20, place + 10 : place + 22] = (255, 127, 0)
    example = SimpleNamespace(inputs={"image": image}, target={"image": target})
    return example, (target * brightness).astype(np.uint8)


@pytest.fixture
def answered():
    """Two models, one of them at two alphas, that predict darker and darker squares."""
    return [
        outcome(f"dsprites-sa+alpha={alpha}", model, answers=[square(0, brightness=alpha), square(3, brightness=alpha)])
        for model, alpha in (("i2i-vit", 0.2), ("i2i-vit", 0.4), ("oracle", 0.4))
    ]


def test_a_sheet_shows_every_model_at_every_alpha_under_the_question(answered):
    sheets = prediction_sheets(answered)
    assert list(sheets) == ["dsprites-sa"]
    first, second = sheets["dsprites-sa"]
    assert first.shape == second.shape
    cells = [(first == color).all(axis=2).sum() for color in ((255, 127, 0), (102, 50, 0), (51, 25, 0))]
    assert cells == [2 * 48 * 48, 2 * 48 * 48, 48 * 48]  # squares of 12 pixels, four times as large


def test_answers_to_other_questions_stand_on_other_sheets(answered):
    dark = outcome("dsprites-sa", "oracle", answers=[square(0, background=20)])
    assert len(prediction_sheets([*answered, dark])["dsprites-sa"]) == 3


def test_charts_have_our_lines_and_the_papers_in_the_same_colors():
    outcomes = [outcome(f"dsprites-sa+alpha={alpha}", test_ood__mse=50.0, test__mse=70.0) for alpha in (0.2, 0.4)]
    squared, gap = charts([one for one in curves(outcomes) if one.task == "dsprites-sa"])  # no LPIPS of ours
    assert squared.count('class="line paper c') == 5
    assert squared.count('class="line c1"') == squared.count('class="line paper c1"') == 1
    assert squared.count(">i2i-vit<") == 1
    assert gap.count("<polyline") == 1
    assert ">-" in gap  # better out of distribution: the axis goes below zero


def test_the_finding_has_charts_and_sheets_of_the_tasks_that_were_run(answered):
    scored = outcome("dsprites-sa+alpha=0.4", "oracle", test_ood__mse=5.0)
    (finding,) = findings([*answered, scored])
    assert ("dsprites-sa", "oracle", "mse", "0.4", "0.4") in finding.rows
    drawings = [one.drawing for one in finding.figures]
    assert [isinstance(one, str) for one in drawings] == [True, False, False]


def test_factors_are_told_by_rule_with_a_star_for_those_that_it_changes():
    right = {
        f"{split}__{name}_accuracy": value
        for split in ("test", "test_ood")
        for name, value in {"color": 90.0, "shape": 20.0, "size": 80.0, "factor": 10.0}.items()
    }
    runs = [outcome("dsprites-sa+alpha=0.2+size=64", seed=0, **right), outcome("dsprites-ma", seed=0, **right)]
    other = outcome("dsprites-sa+alpha=0.2+size=64", seed=1, **{**right, "test__shape_accuracy": 40.0})
    _, finding = findings([*runs, other])
    assert finding.rows == (
        ("dsprites-sa+size=64", "0.2", "i2i-vit", "test", "90.0", "30.0*", "80.0", "10.0"),
        ("dsprites-sa+size=64", "0.2", "i2i-vit", "test_ood", "90.0", "20.0*", "80.0", "10.0"),
        ("dsprites-ma", "0.4", "i2i-vit", "test", "90.0*", "20.0", "80.0*", "10.0"),
        ("dsprites-ma", "0.4", "i2i-vit", "test_ood", "90.0*", "20.0", "80.0*", "10.0"),
    )


def test_models_of_other_sizes_are_held_against_an_oracle_of_another_size():
    task = "dsprites-sa+size=64"
    runs = [
        *(outcome(f"{task}+alpha={alpha}", "oracle+width=64", test_ood__mse=1.0) for alpha in (0.2, 0.6)),
        *(
            outcome(f"{task}+alpha={alpha}", "i2i-vit+width=64", test_ood__mse=mse)
            for alpha, mse in ((0.2, 9), (0.6, 2))
        ),
    ]
    found = {one.curve.model: one.here for one in efficiencies(curves(runs)) if one.curve.task == task}
    assert found == {"oracle+width=64": 0.2, "i2i-vit+width=64": 0.6}
