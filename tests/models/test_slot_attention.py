"""Slots compete for features, and keep their objects."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.models.slot_attention import Coordinates, GaussianSlots, SlotAttention, SlotDecoder, SlotEncoder  # noqa: E402


@pytest.fixture(autouse=True)
def one_seed():
    torch.manual_seed(0)


@pytest.fixture
def encoder():
    return SlotEncoder(16, slots=3, width=8, rounds=2, channels=4, features=12, hidden=8, heads=2)


def test_slots_share_every_feature_among_them():
    attention = SlotAttention(12, 8, hidden=16)
    slots, shares = attention(torch.rand(2, 3, 8), torch.rand(2, 20, 12), rounds=3)
    assert slots.shape == (2, 3, 8)
    assert torch.allclose(shares.sum(dim=1), torch.ones(2, 20), atol=1e-6)


def test_the_order_of_features_does_not_matter_and_slots_change_places_with_their_starts():
    attention = SlotAttention(12, 8, hidden=16)
    start, features = torch.rand(1, 3, 8), torch.rand(1, 20, 12)
    slots, shares = attention(start, features, rounds=3)
    turned, _ = attention(start, features.flip(1), rounds=3)
    assert torch.allclose(slots, turned, atol=1e-5)
    others, swapped = attention(start.flip(1), features, rounds=3)
    assert torch.allclose(slots, others.flip(1), atol=1e-5)
    assert torch.allclose(shares, swapped.flip(1), atol=1e-5)


def test_a_slot_is_the_mean_of_what_it_takes():
    """By hand: with one slot, every share is 1, whatever keys and queries are."""
    attention = SlotAttention(4, 4, hidden=4)
    start, features = torch.rand(1, 1, 4), torch.rand(1, 6, 4)
    value = attention.value(attention.feature_norm(features)).mean(dim=1)
    by_hand = attention.update(value, start[:, 0])[:, None]
    by_hand = by_hand + attention.mlp(attention.mlp_norm(by_hand))
    assert torch.allclose(attention(start, features, rounds=1)[0], by_hand, atol=1e-5)


def test_slots_begin_anew_in_training_and_alike_elsewhere():
    start = GaussianSlots(3, 8)
    assert not torch.equal(start(2), start(2))
    start.eval()
    drawn = start(2)
    assert torch.equal(drawn, start(2))
    assert torch.equal(drawn[0], drawn[1])
    assert len(torch.unique(drawn[0], dim=0)) == 3


def test_frames_are_followed_from_first_to_last(encoder):
    encoder.eval()
    frames = torch.rand(2, 3, 3, 16, 16)
    slots, places = encoder.follow(frames)
    assert slots.shape == (2, 3, 3, 8)
    assert places.shape == (2, 3, 3, 8, 8)
    assert torch.allclose(encoder(frames[:, :1]), slots[:, :1], atol=1e-5)  # the first knows nothing of the others
    assert not torch.allclose(encoder(frames[:, 1:2])[:, 0], slots[:, 1], atol=1e-3)  # the second does of the first


def test_masks_share_every_pixel_and_the_image_is_the_sum():
    decoder = SlotDecoder(32, 8, channels=4)
    painted = decoder(torch.rand(2, 3, 8))
    assert painted.image.shape == (2, 3, 32, 32)
    assert painted.images.shape == (2, 3, 3, 32, 32)
    assert torch.allclose(painted.masks.sum(dim=1), torch.ones(2, 1, 32, 32), atol=1e-6)
    assert torch.allclose(painted.image, (painted.images * painted.masks).sum(dim=1), atol=1e-6)


def test_places_are_told_by_how_far_the_four_sides_are():
    distances = Coordinates(3, 5).distances
    assert distances[0, 0].tolist() == [0, 0, 1, 1]
    assert distances[1, 2].tolist() == [0.5, 1, 0.5, 0]
