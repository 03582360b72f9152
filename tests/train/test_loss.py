"""The default objectives of each kind of task, by hand, and models that own theirs."""

from __future__ import annotations

import pytest
import torch

import unseen
from unseen.core.errors import SpecError
from unseen.models import Odd, Questions, Videos
from unseen.train.interface import interface_of
from unseen.train.loss import (
    OBJECTIVES,
    Learner,
    grid_loss,
    grid_prediction,
    grid_right,
    image_loss,
    image_prediction,
    image_right,
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
    learner = Learner(make_model(owner, task), interface_of(task)).eval()
    loss, logged = learner(batch)
    plain = grid_loss(learner.model(batch), batch)
    assert loss.item() == pytest.approx((plain + logged["noise"]).item())
    assert learner.predict(batch).equal(batch["input_grid"])
    assert learner.judge(batch)[0]["accuracy"] == 0  # it answers with the input, which every translation changes


def test_one_pass_gives_the_loss_and_the_answers(tiny: str, small_task: str) -> None:
    task = unseen.task(small_task)
    batch = next(iter(unseen.load(small_task, "val").torch(batch_size=4)))
    learner = Learner(make_model(tiny, task), interface_of(task)).eval()
    sums, _ = learner.judge(batch)
    assert sums["loss"] == 4 * learner(batch)[0].item()
    assert sums["accuracy"] == grid_right(learner.predict(batch), batch).sum()


def test_the_odd_image_has_the_highest_score() -> None:
    odd = OBJECTIVES[Odd](Odd(side=8))
    batch = {"index": torch.arange(2), "target_odd": torch.tensor([3, 0])}
    scores = torch.tensor([[0.0, 0.0, 0.0, 9.0], [0.0, 9.0, 0.0, 0.0]])
    assert odd.right(odd.prediction(scores), batch).tolist() == [True, False]
    assert odd.loss(torch.zeros(2, 4), batch).exp().item() == pytest.approx(4)


def test_an_answer_that_training_never_gave_is_counted_wrong_and_reported() -> None:
    questions = OBJECTIVES[Questions](Questions(("no", "yes"), ("is", "it"), images=2, side=8))
    batch = {"index": torch.arange(3), "target_answer": ["yes", "7", "no"]}
    logits = torch.tensor([[0.0, 50.0], [0.0, 50.0], [0.0, 50.0]])
    assert questions.prediction(logits) == ["yes", "yes", "yes"]
    assert questions.right(questions.prediction(logits), batch).tolist() == [True, False, False]
    assert questions.counted(batch) == {"unknown_answers": 1}
    assert questions.loss(logits, batch).item() == pytest.approx(50 / 2)  # of the two that can be known
    unknown = {"index": torch.arange(1), "target_answer": ["7"]}
    assert questions.loss(logits[:1], unknown).item() == 0


def test_a_model_of_videos_without_an_objective_is_a_sentence() -> None:
    learner = Learner(torch.nn.Flatten(), Videos(side=8, frames=2, slots=3))
    batch = {"target_ids": torch.zeros(1, 2, 8, 8)}
    with pytest.raises(SpecError, match=r"the model must have methods loss\(batch\) and predict\(batch\)"):
        learner.objective.loss(None, batch)


def test_an_output_of_another_shape_is_a_sentence(tiny: str, small_task: str) -> None:
    task = unseen.task(small_task)
    batch = next(iter(unseen.load(small_task, "val").torch(batch_size=4)))
    model = make_model(tiny, task)
    learner = Learner(model, interface_of(task))
    model.head = torch.nn.Conv2d(8, 9, 1)
    with pytest.raises(SpecError, match=r"forward\(batch\) gives \(4, 9, 7, 7\), and .* needs \(4, 11, 7, 7\)"):
        learner(batch)
    model.predict = lambda batch: batch["input_grid"][:, 0]
    with pytest.raises(SpecError, match=r"predict\(batch\) gives \(4, 7\), and .* needs \(4, 7, 7\)"):
        learner.predict(batch)


def test_grid_tf_is_judged_in_one_pass_as_in_two(small_task: str) -> None:
    task = unseen.task(small_task)
    batch = next(iter(unseen.load(small_task, "val").torch(batch_size=4)))
    model = make_model("grid-tf", task, {"width": 16, "layers": 1, "heads": 2}).eval()
    passes: list[int] = []
    model.norm.register_forward_hook(lambda *_: passes.append(1))
    learner = Learner(model, interface_of(task))
    batch["target_grid"] = learner.predict(batch)  # so that there are right answers to count
    batch["target_grid"][0, 0, 0] += 1
    expected = learner(batch)[0]
    passes.clear()
    sums, _ = learner.judge(batch)
    assert len(passes) == 1
    assert sums == {"loss": 4 * expected.item(), "accuracy": 3}
