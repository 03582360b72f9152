"""The default objectives of grid and image tasks, by hand, and models that own theirs."""

from __future__ import annotations

import pytest
import torch

import unseen
from unseen.core.errors import SpecError
from unseen.core.task import KINDS
from unseen.train.loss import (
    Learner,
    grid_loss,
    grid_prediction,
    grid_right,
    image_loss,
    image_prediction,
    image_right,
    objective_of,
)
from unseen.train.modules import make_model

TARGET = torch.tensor([[[3, -1], [0, -1]]])  # one grid of two cells, padded


def logits_of(classes: list[int], strength: float = 50.0) -> torch.Tensor:
    return torch.nn.functional.one_hot(torch.tensor(classes), 11).T.reshape(1, 11, 2, 2) * strength


def test_padding_is_a_class_that_counts() -> None:
    assert grid_loss(logits_of([3, 10, 0, 10]), {"target_grid": TARGET}).item() == pytest.approx(0, abs=1e-6)
    assert grid_loss(logits_of([3, 0, 0, 10]), {"target_grid": TARGET}).item() == pytest.approx(50 / 4)


def test_predictions_have_colors_and_minus_one_for_padding() -> None:
    predicted = grid_prediction(logits_of([3, 10, 0, 10]))
    assert predicted.equal(TARGET)
    assert grid_right(predicted, {"target_grid": TARGET}).tolist() == [True]
    assert grid_right(grid_prediction(logits_of([3, 10, 0, 0])), {"target_grid": TARGET}).tolist() == [False]


def test_images_are_right_up_to_noise() -> None:
    target = torch.full((2, 4, 4, 3), 100, dtype=torch.uint8)
    images = (target / 255).permute(0, 3, 1, 2).clone()
    images[1] += 0.1
    assert image_loss(images, {"target_image": target}).item() == pytest.approx(0.1**2 / 2, rel=1e-4)
    predicted = image_prediction(images)
    assert predicted[0].equal(target[0])
    assert image_right(predicted, {"target_image": target}).tolist() == [True, False]
    assert image_prediction(images + 9).max() == 255


def test_a_model_owns_its_objective_and_its_answers(owner: str, small_task: str) -> None:
    task = unseen.task(small_task)
    batch = next(iter(unseen.load(small_task, "val").torch(batch_size=4)))
    learner = Learner(make_model(owner, task), task.kind).eval()
    loss, logged = learner(batch)
    plain = grid_loss(learner.model(batch), batch)
    assert loss.item() == pytest.approx((plain + logged["noise"]).item())
    assert learner.predict(batch).equal(batch["input_grid"])
    assert learner.judge(batch)[1] == 0  # it answers with the input, which every translation changes


def test_one_pass_gives_the_loss_and_the_answers(tiny: str, small_task: str) -> None:
    task = unseen.task(small_task)
    batch = next(iter(unseen.load(small_task, "val").torch(batch_size=4)))
    learner = Learner(make_model(tiny, task), task.kind).eval()
    loss, right = learner.judge(batch)
    assert loss.equal(learner(batch)[0].detach())
    assert right == grid_right(learner.predict(batch), batch).sum()


def test_kinds_without_a_default_are_refused_with_a_sentence() -> None:
    with pytest.raises(SpecError, match="video tasks have no default loss yet; there is one for grid, image tasks"):
        objective_of(KINDS["video"])


def test_grid_tf_is_judged_in_one_pass_as_in_two(small_task: str) -> None:
    task = unseen.task(small_task)
    batch = next(iter(unseen.load(small_task, "val").torch(batch_size=4)))
    model = make_model("grid-tf", task, {"width": 16, "layers": 1, "heads": 2}).eval()
    passes: list[int] = []
    model.norm.register_forward_hook(lambda *_: passes.append(1))
    learner = Learner(model, task.kind)
    batch["target_grid"] = learner.predict(batch)  # so that there are right answers to count
    batch["target_grid"][0, 0, 0] += 1
    expected = learner(batch)[0]
    passes.clear()
    loss, right = learner.judge(batch)
    assert len(passes) == 1
    assert loss.equal(expected.detach())
    assert right == 3
