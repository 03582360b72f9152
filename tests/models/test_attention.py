"""Attention a few heads at a time is attention, and dropout by masked bits is dropout, forwards and backwards."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.models import attention  # noqa: E402
from unseen.models.attention import Dropout, attend, grown, random_bytes  # noqa: E402

SHAPE = (3, 4, 7, 8)  # examples, heads, tokens, dims


def plain(query, key, value, *, least):
    """The same in words of one syllable, all heads at once."""
    weights = (query @ key.transpose(2, 3) * query.shape[-1] ** -0.5).softmax(-1)
    if least:
        left = random_bytes(weights.shape, weights.device) >= least
        weights = torch.where(left, weights, 0) * grown(least)
    return weights @ value


def mixed_and_gradients(way, dtype, least):
    torch.manual_seed(0)
    heads = [torch.randn(SHAPE, dtype=dtype).requires_grad_() for _ in range(3)]
    asked = torch.randn(SHAPE, dtype=dtype)
    mixed = way(*heads, least=least)
    mixed.backward(asked)
    return [mixed.detach(), *(head.grad for head in heads)]


@pytest.mark.parametrize("at_once", [1, 150, 10_000])  # one head, three and a rest, all
@pytest.mark.parametrize("least", [0, 26, 128])
@pytest.mark.parametrize(("dtype", "error"), [(torch.float64, 1e-12), (torch.float32, 1e-5), (torch.bfloat16, 0.1)])
def test_a_few_heads_at_a_time_give_what_all_at_once_give(dtype, error, least, at_once, monkeypatch):
    monkeypatch.setattr(attention, "AT_ONCE", at_once)
    for found, expected in zip(
        mixed_and_gradients(attend, dtype, least), mixed_and_gradients(plain, dtype, least), strict=True
    ):
        assert found.dtype == dtype
        assert torch.allclose(found, expected, atol=error)


def test_autocast_does_not_make_weights_larger_again():
    heads = [torch.randn(SHAPE, dtype=torch.bfloat16) for _ in range(3)]
    with torch.autocast("cpu", torch.bfloat16):
        assert attend(*heads, least=26).dtype == torch.bfloat16


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_dropout_keeps_numbers_and_gradients_of_the_same_places(dtype):
    x = torch.randn(50, 41, dtype=dtype).T.requires_grad_()  # no multiple of eight, and not in the order of memory
    dropped = Dropout(0.25)(x)
    dropped.backward(torch.full_like(x, 3.0))
    left = dropped != 0
    assert 0.7 < left.float().mean() < 0.8
    assert torch.equal(dropped, torch.where(left, x, 0) * grown(64))
    assert torch.equal(x.grad, torch.where(left, torch.full_like(x, 3.0), 0) * grown(64))
