"""Losses over cells, by hand."""

from __future__ import annotations

from math import exp, log

import pytest

from unseen.core.errors import UnknownName

torch = pytest.importorskip("torch")

from unseen.models import MODELS, Grids  # noqa: E402
from unseen.models.cell_losses import loss_of_grids, with_size_of  # noqa: E402

GRID = torch.tensor([[[0, 3], [-1, -1]]])  # a background cell, a colored one, and padding
EVEN = torch.zeros(1, Grids.classes, 2, 2)  # all classes alike


def test_colored_cells_weigh_ten_times_and_padding_nothing():
    assert loss_of_grids(EVEN, GRID, kind="cross-entropy").item() == pytest.approx((1 + 10) * log(11) / 2)


def test_the_focal_loss_is_of_the_weighted_cross_entropy():
    expected = sum((1 - exp(-weight * log(11))) ** 2 * weight * log(11) for weight in (1, 10)) / 2
    assert loss_of_grids(EVEN, GRID, kind="focal").item() == pytest.approx(expected, rel=1e-5)


def test_stablemax_grows_linearly():
    logits = EVEN.clone()
    logits[:, 3] = 4.0  # grows to 5, the ten others to 1
    logits[:, 0] = -1.0  # shrinks to a half
    total = 5 + 0.5 + 9
    expected = (log(total / 0.5) + 10 * log(total / 5)) / 2
    assert loss_of_grids(logits, GRID, kind="stablemax").item() == pytest.approx(expected, rel=1e-5)


def test_answers_keep_the_size_of_the_grid():
    said = with_size_of(GRID, EVEN + torch.nn.functional.one_hot(torch.tensor(10), 11)[None, :, None, None]).argmax(1)
    assert (said == Grids.colors).tolist() == (GRID < 0).tolist()


@pytest.mark.parametrize("model", ["trm", "task-resnet"])
def test_an_unknown_loss_is_named(model):
    with pytest.raises(UnknownName, match="no loss named 'hinge'"):
        MODELS[model](Grids(side=4, code_length=4, tokens=29), loss="hinge")
