"""PL-TF's halting: the distribution over passes, its prior, and where inference stops."""

from __future__ import annotations

import pytest

from unseen.models import Grids

torch = pytest.importorskip("torch")

from unseen.models.pl_tf import PLTF, MendedPLTF, geometric, halting_distribution  # noqa: E402

TASK = Grids(side=3, code_length=0, tokens=29)
SMALL = {"width": 16, "heads": 2, "dropout": 0.0}


def test_probabilities_of_halting_add_up_to_one():
    halts = torch.rand(50, 6, generator=torch.Generator().manual_seed(0))
    chances = halting_distribution(halts)
    assert (chances >= 0).all()
    assert torch.allclose(chances.sum(1), torch.ones(50))
    assert torch.allclose(chances[:, 2], (1 - halts[:, 0]) * (1 - halts[:, 1]) * halts[:, 2])


def test_most_of_the_prior_is_on_the_last_pass():
    prior = geometric(0.05, 7)
    assert prior.tolist() == pytest.approx([0.05, 0.0475, 0.0451, 0.0429, 0.0407, 0.0387, 0.7351], abs=1e-4)


def grids(count):
    return torch.randint(0, 10, (count, 3, 3), generator=torch.Generator().manual_seed(0))


def passes_of(model, x):
    """What every pass gives, as the recurrence is written: the first reads the input twice."""
    h = x
    for _ in range(model.steps):
        h = model.norm(model.block(x + h, model.rotation))
        yield h


@pytest.mark.parametrize(("bias", "kind"), [(20.0, PLTF), (20.0, MendedPLTF), (-20.0, PLTF), (-20.0, MendedPLTF)])
def test_who_halts_at_once_is_answered_by_one_pass_and_the_published_model_forgets_that_it_read_its_input(bias, kind):
    torch.manual_seed(0)
    model, batch = kind(TASK, **SMALL, steps=4).eval(), {"input_grid": grids(5)}
    model.halting[-1].bias.data.fill_(bias)
    x = model.tokens(batch)
    passes = list(passes_of(model, x))
    from_nothing = model.norm(model.block(x, model.rotation))
    expected = passes[-1] if bias < 0 else passes[0] if model.remembers else from_nothing
    classes = model.answer(expected)[:, :, :3, :3]
    assert torch.allclose(model(batch)[:, :10], classes[:, :10], atol=1e-5)


def test_chances_are_uniform_and_the_same_for_equal_grids():
    model = PLTF(Grids(side=4, code_length=0, tokens=29), **SMALL)
    many = torch.randint(-1, 10, (4000, 4, 4), generator=torch.Generator().manual_seed(1))
    chances = model.chances(many)
    assert chances.shape == (7, 4000)
    assert torch.equal(chances[:, :5], model.chances(many[:5]))
    for share in (0.1, 0.5, 0.9):
        assert (chances < share).float().mean(1).tolist() == pytest.approx([share] * 7, abs=0.04)
    assert torch.corrcoef(chances).fill_diagonal_(0).abs().max() < 0.08


def test_training_stops_where_hardly_anything_is_left():
    model = PLTF(TASK, **SMALL)
    model.halting[-1].bias.data.fill_(20.0)
    seen = []
    model.block.register_forward_hook(lambda *_: seen.append(1))
    model.loss({"input_grid": grids(2), "target_grid": grids(2)})
    assert len(seen) == 1


def test_the_divergence_is_zero_at_the_prior():
    model = PLTF(TASK, **SMALL, steps=2, prior=0.5)
    model.halting[-1].weight.data.zero_()  # halting at 1/2: 1/2 on the first pass, what is left on the second
    loss, logged = model.loss({"input_grid": grids(2), "target_grid": grids(2)})
    assert logged["divergence"].item() == pytest.approx(0, abs=1e-6)
    assert logged["passes"].item() == pytest.approx(1.5, abs=1e-6)
    assert loss.item() == pytest.approx(logged["reconstruction"].item(), abs=1e-6)


@pytest.mark.parametrize("kind", [PLTF, MendedPLTF])
@pytest.mark.parametrize("bias", [-1.0, 0.0, 1.0, 20.0])  # few examples halt early, or half, or most, or all
def test_loss_and_answers_share_their_passes(kind, bias):
    torch.manual_seed(0)
    model, batch = kind(TASK, **SMALL).eval(), {"input_grid": grids(40), "target_grid": grids(40).flip(0)}
    model.halting[-1].bias.data.fill_(bias)
    passes = []
    model.block.register_forward_hook(lambda *_: passes.append(1))
    loss, logged, output = model.loss_and_output(batch)
    assert len(passes) == model.steps + (not model.remembers)  # one more for those who forgot
    expected, told = model.loss(batch)
    assert torch.equal(loss, expected)
    assert logged == told
    assert torch.equal(output, model(batch))


def test_who_has_halted_starts_from_nothing_pass_after_pass():
    torch.manual_seed(0)
    model, batch = PLTF(TASK, **SMALL).eval(), {"input_grid": grids(40)}
    model.halting[-1].bias.data.fill_(-1.0)
    x = h = model.tokens(batch)
    going = torch.ones(40, dtype=torch.bool)
    for chance in model.chances(batch["input_grid"])[:-1]:  # as the authors' code goes through it
        h = model.norm(model.block(x + h, model.rotation))
        going &= model.halt(h) <= chance
        h = h * going[:, None, None]
    assert 5 < going.sum() < 35
    classes = model.answer(model.norm(model.block(x + h, model.rotation)))[:, :, :3, :3]
    assert torch.allclose(model(batch)[:, :10], classes[:, :10], atol=1e-5)
