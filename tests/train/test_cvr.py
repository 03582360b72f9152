"""CVR's baselines in training: resumed to the same bits, taught without labels, and asked what they never learned."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.benchmarks.cvr.paper import RECIPES  # noqa: E402
from unseen.core.errors import SpecError  # noqa: E402
from unseen.predict.trained import predict  # noqa: E402
from unseen.results.compare import share_of_budget  # noqa: E402
from unseen.results.record import record_of, score_run  # noqa: E402
from unseen.train import Devices, Recipe, recipe_for, train  # noqa: E402
from unseen.train.checkpoint import load_weights  # noqa: E402

ALONE, PAIR = (f"cvr/custom+rules={rules}+samples=24+size=32" for rules in ("inside", "inside,size"))
SMALL = {
    "scl": {"width": 16, "heads": 2, "hidden": 8},
    "wren": {"channels": 4, "width": 8, "hidden": 8},
    "resnet-50": {"channels": 4, "hidden": 8},
    "vit-small": {"width": 24, "layers": 1, "heads": 2, "hidden": 8},
    "scl-resnet-18": {"channels": 4, "width": 8, "hidden": 8},
    "moco-resnet-50": {"channels": 4, "hidden": 8, "width": 8},
    "moco-vit-small": {"features": 24, "blocks": 1, "heads": 2, "hidden": 8, "width": 8},
}
SHORT = {
    "batch_size": 8,
    "epochs": 2,
    "eval_examples": 8,
    "least_steps": 0,
    "eval_least": 0,
    "patience": 0,
    "warmup": 0,
}


class Stop(Exception):
    """Power is gone."""


@pytest.fixture
def trained(tmp_path):
    """Train a small model as published, but for a short while."""

    def run(model: str, task: str = ALONE, out: str = "runs", changes=SHORT, **given):
        return train(task, model, options=SMALL[model], changes=changes, out=tmp_path / out, on=Devices("cpu"), **given)

    return run


@pytest.mark.parametrize("model", ["scl", "wren", "vit-small", "moco-resnet-50"])
def test_an_interrupted_run_ends_with_the_weights_of_an_uninterrupted_one(model, trained, weights):
    def stop(done, total, text):
        if done == 4:
            raise Stop

    whole = trained(model, out="whole")
    with pytest.raises(Stop):
        trained(model, progress=stop, save_seconds=0)
    run = trained(model)
    assert weights(run) == weights(whole)
    assert [(line.step, line.splits) for line in run.log] == [(line.step, line.splits) for line in whole.log]


def test_the_recipe_is_that_of_the_model_alone_or_of_rules_together():
    assert recipe_for("scl", "cvr/shape+samples=20") == RECIPES["scl"]
    assert recipe_for("scl", "cvr/all+samples=20") == RECIPES["scl", "all"]
    assert recipe_for("moco-vit-small", "cvr/all").optimizer == "adamw"


# ---------------------------------------------------------------------------- what others learned


def test_a_model_of_one_rule_takes_over_what_a_model_of_its_components_knows(trained):
    before = trained("scl", PAIR)
    after = trained("scl", out="after", init_from=before.folder)
    whole, left = after.config.init_taken.split("; ")
    assert whole.startswith("56 of 56 weights are those of ")
    assert left == "head.cue.join.weight, head.cue.vectors.weight there have no place in it"


def test_a_model_may_answer_without_learning_anything(trained):
    before = trained("scl", PAIR)
    run = trained("scl", out="after", init_from=before.folder, changes={**SHORT, "epochs": 0})
    assert (run.state.step, run.state.stopped, len(run.log)) == (0, "finished", 1)
    taken, own = load_weights(before.weights()), load_weights(run.weights())
    assert all(torch.equal(value, taken[name]) for name, value in own.items())
    predict(run, "test", count=5, device="cpu")
    record = record_of(run, score_run(run))
    assert (record.budget.steps, record.scores["test"].count) == (0, 5)
    again = trained("scl", out="after", init_from=before.folder, changes={**SHORT, "epochs": 0})
    assert again.state == run.state


def test_budgets_are_shares_of_the_steps_that_a_published_training_could_have(trained):
    from unseen.benchmarks.cvr import paper

    run = trained("scl", changes={**SHORT, "max_steps": 4})
    predict(run, "test", count=5, device="cpu")
    record = record_of(run, score_run(run))
    assert share_of_budget(record, paper) == pytest.approx(4 / 800)


# ---------------------------------------------------------------------------- without labels


@pytest.mark.parametrize(("moco", "model"), [("moco-resnet-50", "resnet-50"), ("moco-vit-small", "vit-small")])
def test_a_backbone_that_learned_without_labels_is_taken_over_and_nothing_else(moco, model, trained):
    before = trained(moco, PAIR)
    assert "accuracy" not in before.log[-1].splits["val"]
    assert 0 <= before.log[-1].splits["val"]["told_right"] <= 1
    after = trained(model, init_from=before.folder, changes={**SHORT, "epochs": 0})
    seen, own = load_weights(before.weights()), load_weights(after.weights())
    for name, value in own.items():
        assert (name in seen and torch.equal(value, seen[name])) == name.startswith("backbone.")
    predict(before, "test", count=3, device="cpu")


def test_one_image_has_nothing_to_be_compared_with(trained):
    with pytest.raises(SpecError, match="a batch of one image has nothing to compare it with"):
        trained("moco-resnet-50", changes={**SHORT, "batch_size": 23})


def test_a_recipe_cannot_have_fewer_epochs_than_none():
    with pytest.raises(SpecError, match="epochs cannot be negative"):
        Recipe(epochs=-1)
