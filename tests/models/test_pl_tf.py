"""PL-TF's halting: the distribution over passes, its prior, and where inference stops."""

from __future__ import annotations

import pytest

from unseen.models import Grids

torch = pytest.importorskip("torch")

from unseen.models.pl_tf import PLTF, geometric, halting_distribution  # noqa: E402


def test_probabilities_of_halting_add_up_to_one():
    halts = torch.rand(50, 6, generator=torch.Generator().manual_seed(0))
    chances = halting_distribution(halts)
    assert (chances >= 0).all()
    assert torch.allclose(chances.sum(1), torch.ones(50))
    assert torch.allclose(chances[:, 2], (1 - halts[:, 0]) * (1 - halts[:, 1]) * halts[:, 2])


def test_the_prior_is_geometric_and_normalised():
    prior = geometric(0.05, 6)
    assert prior.sum().item() == pytest.approx(1)
    assert torch.allclose(prior[1:] / prior[:-1], torch.full((5,), 0.95))


@pytest.mark.parametrize(("bias", "passes"), [(20.0, 1), (-20.0, 4)])
def test_inference_stops_once_halting_is_certain(bias, passes):
    model = PLTF(Grids(side=3, code_length=0, tokens=29), width=16, heads=2, steps=4).eval()
    model.halting[-1].bias.data.fill_(bias)
    seen = []
    model.block.register_forward_hook(lambda *_: seen.append(1))
    model({"input_grid": torch.zeros(2, 3, 3, dtype=torch.int64)})
    assert len(seen) == passes


def test_the_divergence_is_zero_at_the_prior():
    model = PLTF(Grids(side=3, code_length=0, tokens=29), width=16, heads=2, steps=2, prior=0.5)
    # two steps of a geometric prior at 1/2 are 2/3 and 1/3, and so is a first halting probability of 2/3
    model.halting[-1].weight.data.zero_()
    model.halting[-1].bias.data.fill_(torch.tensor(2 / 3).logit())
    grid = torch.zeros(2, 3, 3, dtype=torch.int64)
    loss, logged = model.loss({"input_grid": grid, "target_grid": grid})
    assert logged["divergence"].item() == pytest.approx(0, abs=1e-6)
    assert logged["passes"].item() == pytest.approx(4 / 3, abs=1e-6)
    assert loss.item() == pytest.approx(logged["reconstruction"].item(), abs=1e-6)
