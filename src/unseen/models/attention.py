"""The arithmetic of attention and dropout, made fast for processors. Shapes: b examples, h heads, n tokens, d dims.

Weights of attention are many, and most of the time goes into passing over them. Here that is done for a few heads at a
time, so that they stay in the processor's cache, and numbers are left out by masking their bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

AT_ONCE = 2**20  # weights of attention that are worked on together, a few MiB
INTEGERS = {2: torch.int16, 4: torch.int32, 8: torch.int64}  # by bytes


def attend(query: Tensor, key: Tensor, value: Tensor, *, least: int = 0) -> Tensor:
    """Mix values by the likeness of query and key, all (b, h, n, d) -> (b, h, n, d).

    Weights whose random byte is below `least` are left out, and the others made larger for it.
    """
    if query.device.type != "cpu":
        return F.scaled_dot_product_attention(query, key, value, dropout_p=least / 256)
    if not least and query.dtype == torch.float32:
        return F.scaled_dot_product_attention(query, key, value)  # the faster one without weights to leave out
    flat = (tensor.flatten(0, 1) for tensor in (query, key, value))
    return _InParts.apply(*flat, least).unflatten(0, query.shape[:2])  # type: ignore[no-any-return, no-untyped-call]


class Dropout(nn.Module):
    """Dropout by random bytes: several times as fast on a processor as PyTorch's, with a share in steps of 1/256."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.least = round(256 * share)  # of a byte whose number is kept

    def forward(self, x: Tensor) -> Tensor:
        """Leave numbers out by chance in training, and make up for it in size, (...) -> (...)"""
        if not self.training or not self.least:
            return x
        return _Dropped.apply(x, self.least)  # type: ignore[no-any-return, no-untyped-call]


def random_bytes(shape: torch.Size, device: torch.device) -> Tensor:
    """Bytes from torch's random state."""
    words = torch.empty(-(-shape.numel() // 8), dtype=torch.int64, device=device).random_(-(2**63), None)
    return words.view(torch.uint8)[: shape.numel()].view(shape)


def kept(x: Tensor, chances: Tensor, least: int) -> Tensor:
    """Return the numbers whose byte is at least so large, and 0 for the others.

    >>> kept(torch.tensor([1.5, -2.0]), torch.tensor([3, 4], dtype=torch.uint8), 4)
    tensor([ 0., -2.])
    """
    integer = INTEGERS[x.element_size()]
    below = torch.iinfo(integer).bits - 1
    bits = (least - 1 - chances.to(integer)) >> below  # all ones where it is negative
    return (x.view(integer) & bits).view(x.dtype)


def grown(least: int) -> float:
    """Return the factor that makes up for what is left out."""
    return 256 / (256 - least)


class _Dropped(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, least: int) -> Tensor:
        chances = random_bytes(x.shape, x.device)
        ctx.save_for_backward(chances)
        ctx.least = least
        return kept(x.contiguous(), chances, least).mul_(grown(least))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (chances,) = ctx.saved_tensors
        return kept(gradient.contiguous(), chances, ctx.least).mul_(grown(ctx.least)), None


class _InParts(Function):
    """Attention of heads (m, n, d), a few at a time. `m` counts the heads of all examples."""

    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor, least: int) -> Tensor:
        count, tokens, width = query.shape
        query = query * width**-0.5
        weights = query.new_empty(count, tokens, tokens)
        chances = random_bytes(weights.shape, weights.device) if least else None
        mixed = torch.empty_like(query)
        with torch.autocast("cpu", enabled=False):
            for part in _parts(weights):
                torch.softmax(query[part] @ key[part].transpose(1, 2), dim=-1, out=weights[part])
                left = weights[part] if chances is None else kept(weights[part], chances[part], least)
                torch.bmm(left, value[part], out=mixed[part])
        mixed *= grown(least)
        ctx.save_for_backward(query, key, value, weights, chances, mixed)
        ctx.least = least
        return mixed

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        query, key, value, weights, chances, mixed = ctx.saved_tensors
        # of each weight its own gradient, less the mean of all by their weights, which the softmax takes away
        means = (gradient * mixed).sum(-1, keepdim=True)  # (m, n, 1)
        gradient = gradient * grown(ctx.least)
        of_query, of_key, of_value = (torch.empty_like(query) for _ in range(3))
        for part in _parts(weights):
            left = weights[part] if chances is None else kept(weights[part], chances[part], ctx.least)
            torch.bmm(left.transpose(1, 2), gradient[part], out=of_value[part])
            scores = left.mul(gradient[part] @ value[part].transpose(1, 2))
            scores.addcmul_(weights[part], means[part], value=-1)
            torch.bmm(scores, key[part], out=of_query[part])
            torch.bmm(scores.transpose(1, 2), query[part], out=of_key[part])
        return of_query.mul_(query.shape[-1] ** -0.5), of_key, of_value, None


def _parts(weights: Tensor) -> Iterator[slice]:
    """Heads that are worked on together."""
    size = max(1, AT_ONCE // weights[0].numel())
    return (slice(start, start + size) for start in range(0, len(weights), size))
