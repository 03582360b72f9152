"""VisualBERT on COVR: what its images tell reaches its answers."""

from __future__ import annotations

import pytest

import unseen

pytest.importorskip("torch")

SAMPLES = 60
SMALL = {"width": 128, "layers": 2, "dropout": 0.0}
RECIPE = {
    **{"batch_size": 20, "learning_rate": 1e-3, "warmup": 20, "eval_examples": 20, "max_steps": 250},
    **{"eval_steps": 50, "select": "train"},  # the weights that know the questions best
}


def learned(model: str, out, **changes) -> float:
    """The share of its training questions that a model answers at the end."""
    run = unseen.train(
        f"covr/custom+samples={SAMPLES}+size=64", model, options=SMALL, changes={**RECIPE, **changes}, out=out
    )
    path = unseen.predict(run, "train", count=SAMPLES)
    return unseen.task(run.config.task).score("train", path)["answer_accuracy"]


@pytest.mark.slow
def test_images_tell_apart_questions_that_have_the_same_words(tmp_path):
    # most questions have a twin with the same words, other images and another answer
    seeing = learned("visualbert", tmp_path, **{"look.max_steps": 20})
    blind = learned("visualbert-text", tmp_path)
    assert seeing > blind + 0.1
