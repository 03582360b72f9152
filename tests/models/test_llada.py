"""LLaDA's masks and its decoding."""

from __future__ import annotations

import pytest

from unseen.models import Grids

torch = pytest.importorskip("torch")

from unseen.models.llada import MASK, LLaDA, draw_mask  # noqa: E402

TASK = Grids(side=4, code_length=0, tokens=29)


@pytest.fixture
def model():
    torch.manual_seed(0)
    return LLaDA(TASK, width=16, layers=1, heads=2, hidden=16, steps=5).eval()


def test_ratios_are_uniform_and_masks_follow_them():
    mask, ratio = draw_mask(torch.zeros(2000, 400), 0)
    assert ratio.mean().item() == pytest.approx(0.5, abs=0.02)
    assert 0 < ratio.min() < 0.01
    assert 0.99 < ratio.max() <= 1
    assert torch.allclose(mask.float().mean(1, keepdim=True), ratio, atol=0.12)  # five standard deviations of 400


def test_masks_change_in_training_and_not_in_evaluation():
    target = torch.zeros(4, 9)
    assert torch.equal(draw_mask(target, 0)[0], draw_mask(target, 0)[0])
    assert not torch.equal(draw_mask(target, None)[1], draw_mask(target, None)[1])


def test_training_uses_the_global_random_state(model):
    grid = torch.zeros(2, 4, 4, dtype=torch.int64)
    losses = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        losses.append(model.train().loss({"input_grid": grid, "target_grid": grid})[0].item())
    assert losses[0] == losses[1] != losses[2]


def test_every_step_of_decoding_keeps_what_is_known_and_adds_to_it(model, monkeypatch):
    seen = []
    logits = model.logits
    monkeypatch.setattr(model, "logits", lambda batch, target: seen.append(target) or logits(batch, target))
    answer = model.predict({"input_grid": torch.zeros(2, 4, 4, dtype=torch.int64)}).flatten(1)
    assert [int((target == MASK).sum(1)[0]) for target in seen] == [16, 12, 9, 6, 3]  # the first keeps one more
    for before, after in zip(seen, [*seen[1:], torch.where(answer < 0, Grids.colors, answer)], strict=True):
        known = before != MASK
        assert torch.equal(before[known], after[known])


def test_the_surest_cells_are_kept_first(model, monkeypatch):
    cells = torch.arange(16)
    sure = torch.nn.functional.one_hot(cells % 10, Grids.classes) * (cells + 1.0)[:, None]  # the later, the surer
    seen = []
    monkeypatch.setattr(model, "logits", lambda batch, target: seen.append(target) or sure[None])
    answer = model.predict({"input_grid": torch.zeros(1, 4, 4, dtype=torch.int64)})
    assert (seen[1] != MASK)[0].nonzero().flatten().tolist() == [12, 13, 14, 15]
    assert answer.flatten().tolist() == (cells % 10).tolist()


def test_the_loss_is_the_plain_mean_over_masked_cells_of_the_whole_batch(model, monkeypatch):
    logits = torch.randn(2, 16, Grids.classes, generator=torch.Generator().manual_seed(0))
    monkeypatch.setattr(model, "logits", lambda batch, target: logits)
    target = torch.randint(0, 10, (2, 4, 4), generator=torch.Generator().manual_seed(1))
    mask = draw_mask(target.flatten(1), 0)[0]
    expected = torch.nn.functional.cross_entropy(logits[mask], target.flatten(1)[mask])
    assert model.loss({"input_grid": target, "target_grid": target})[0].item() == pytest.approx(
        expected.item(), abs=1e-6
    )
