"""Learning without labels: views keep what must be kept, and the twin follows."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.models import Odd  # noqa: E402
from unseen.models.moco import MoCoResNet50, MoCoViTSmall, blurred, places, view  # noqa: E402

SMALL = {"channels": 4, "hidden": 8, "width": 8}


@pytest.fixture(autouse=True)
def one_seed():
    torch.manual_seed(0)


def batch(count: int = 4):
    return {"input_image": torch.randint(0, 256, (count, 32, 32, 3), dtype=torch.uint8)}


def test_views_of_a_plain_image_are_plain_whatever_is_drawn():
    plain = torch.rand(16, 3, 1, 1).expand(-1, -1, 32, 32)
    assert torch.allclose(view(plain), plain, atol=1e-5)


def test_a_view_is_another_every_time():
    images = torch.rand(2, 3, 32, 32)
    assert not torch.allclose(view(images), view(images))


def test_crops_lie_in_the_image_and_hold_most_of_it():
    grid = places(500, torch.empty(500, 3, 32, 32))
    assert grid.abs().max() <= 1
    across = (grid[:, 0, -1] - grid[:, 0, 0]).abs().amax(dim=1) * 32 / 31 / 2  # of the side, along either axis
    down = (grid[:, -1, 0] - grid[:, 0, 0]).abs().amax(dim=1) * 32 / 31 / 2
    area = across * down
    assert 0.8 - 1e-4 <= area.min() < 0.83
    assert 0.97 < area.max() <= 1 + 1e-4


def test_all_eight_ways_to_turn_and_mirror_occur():
    grid = places(500, torch.empty(500, 3, 8, 8))
    right = (grid[:, 0, -1] - grid[:, 0, 0]).sign().round()
    down = (grid[:, -1, 0] - grid[:, 0, 0]).sign().round()
    ways = {tuple(row.tolist()) for row in torch.cat([right, down], dim=1).round()}
    assert len({tuple(0 if abs(x) < 0.5 else x for x in way) for way in ways}) == 8


def test_a_blur_spreads_and_keeps_the_sum():
    dot = torch.zeros(8, 1, 33, 33)
    dot[:, :, 16, 16] = 1
    spread = blurred(dot)
    assert torch.allclose(spread.sum(dim=(1, 2, 3)), torch.ones(8), atol=1e-5)
    assert torch.allclose(spread, spread.flip(2), atol=1e-6)
    assert torch.allclose(spread, spread.transpose(2, 3), atol=1e-6)
    assert spread[:, 0, 16, 16].max() < 1 + 1e-6
    assert spread[:, 0, 16, 16].unique().numel() == 8


def test_the_twin_follows_slowly_and_stands_still_at_the_end():
    model = MoCoResNet50(Odd(32), **SMALL)
    leader, follower = model.project[0].weight, model.twin[1][0].weight
    assert torch.equal(leader, follower)
    with torch.no_grad():
        leader += 1
        before = follower.clone()
        model.after_step()
        assert torch.allclose(follower, before + 0.01, atol=1e-6)
        model.progress = 1.0
        before = follower.clone()
        model.after_step()
    assert torch.equal(follower, before)
    assert not any(weight.requires_grad for weight in model.twin.parameters())


def test_the_twin_slows_down_along_a_cosine():
    model = MoCoResNet50(Odd(32), **SMALL)
    model.progress = 0.25
    before = model.twin[1][0].weight.clone()
    with torch.no_grad():
        model.project[0].weight += 1
        model.after_step()
    assert torch.allclose(model.twin[1][0].weight, before + 0.01 * (2 + 2**0.5) / 4, atol=1e-6)


def test_layers_that_compare_views_are_those_of_moco_v3():
    """Of the authors' program: two or three to project, two to predict; the last of ResNet's is not normalised."""
    small = {"hidden": 8, "width": 4}
    resnet = MoCoResNet50(Odd(32), channels=4, **small)
    vit = MoCoViTSmall(Odd(32), features=24, blocks=1, heads=2, **small)

    def kinds(layers):
        return "".join(type(layer).__name__[0] for layer in layers)  # linear, batch norm, ReLU

    assert (kinds(resnet.project), kinds(resnet.predict_other)) == ("LBRLB", "LBRL")
    assert (kinds(vit.project), kinds(vit.predict_other)) == ("LBRLBRLB", "LBRLB")


def test_a_loss_of_many_images_is_high_where_views_look_alike_and_low_where_they_do_not():
    model = MoCoResNet50(Odd(32), **SMALL)
    one = torch.eye(8)
    apart, alike = model.likeness(one, one), model.likeness(one[:1].expand(8, -1), one[:1].expand(8, -1))
    own = torch.arange(8)
    assert torch.nn.functional.cross_entropy(apart, own) < torch.nn.functional.cross_entropy(alike, own)


def test_the_twin_normalises_by_the_batch_while_the_network_learns():
    model = MoCoResNet50(Odd(32), **SMALL).train()
    model.twin.eval()
    before = model.twin[0].bn1.running_mean.clone()
    model.contrast(batch())
    assert not torch.equal(model.twin[0].bn1.running_mean, before)
    model.eval().contrast(batch())
    assert not model.twin.training
