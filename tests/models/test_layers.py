"""Shared layers, against what is known of them by hand."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from unseen.models.layers import (  # noqa: E402
    Attention,
    Cells,
    Dropout,
    grid_rotary,
    grid_sin_cos,
    rotary,
    rotate,
    sin_cos,
    unturned,
)


def test_sin_cos_of_width_four_has_frequencies_one_and_a_hundredth():
    encoding = sin_cos(torch.tensor([3.0]), 4)[0]
    expected = [math.sin(3), math.sin(0.03), math.cos(3), math.cos(0.03)]
    assert encoding.tolist() == pytest.approx(expected, abs=1e-6)


def test_grid_positions_are_rows_then_columns_in_reading_order():
    positions = grid_sin_cos(2, 3, 8)
    assert positions.shape == (6, 8)
    for row in range(2):
        for column in range(3):
            expected = torch.cat([sin_cos(torch.tensor(row), 4), sin_cos(torch.tensor(column), 4)])
            assert torch.equal(positions[row * 3 + column], expected)


def test_rotated_products_depend_on_the_distance_alone():
    query, key = torch.randn(2, 8, generator=torch.Generator().manual_seed(0))

    def product(at, other):
        places = rotary(torch.tensor([at, other]), 8)
        turned = rotate(torch.stack([query, key])[None, None], places)[0, 0]
        return (turned[0] @ turned[1]).item()

    assert product(0, 3) == pytest.approx(product(7, 10), abs=1e-4)
    assert product(0, 3) != pytest.approx(product(0, 4), abs=1e-2)
    assert product(5, 5) == pytest.approx((query @ key).item(), abs=1e-4)


def test_every_pair_is_turned_by_its_own_angle():
    places, width = torch.tensor([0, 1, 7, 200]), 8
    x = torch.randn(2, 3, 4, width, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    angles = places[:, None] * 10_000.0 ** -(torch.arange(0, width, 2) / width)  # (n, width / 2)
    turned = torch.complex(*x.chunk(2, dim=-1)) * torch.polar(torch.ones_like(angles), angles)
    expected = torch.cat([turned.real, turned.imag], dim=-1)
    assert torch.allclose(rotate(x, rotary(places, width)), expected, atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_rotation_keeps_the_precision(dtype):
    assert rotate(torch.ones(1, 1, 3, 4, dtype=dtype), rotary(torch.arange(3), 4)).dtype == dtype


def test_attention_is_the_softmax_of_rotated_products():
    torch.manual_seed(0)
    attention, x, rotation = Attention(8, 2), torch.randn(3, 5, 8), rotary(torch.arange(5), 4)
    query, key, value = (part.unflatten(-1, (2, 4)).transpose(1, 2) for part in attention.project(x).chunk(3, dim=-1))
    weights = (rotate(query, rotation) @ rotate(key, rotation).transpose(2, 3) / 2).softmax(-1)  # 2: root of width 4
    assert torch.allclose(
        attention(x, rotation), attention.out((weights @ value).transpose(1, 2).flatten(2)), atol=1e-6
    )


def test_place_zero_is_not_rotated():
    x = torch.ones(1, 1, 1, 4)
    assert torch.equal(rotate(x, rotary(torch.zeros(1), 4)), x)


def test_attention_without_positions_does_not_know_the_order():
    torch.manual_seed(0)
    attention, x = Attention(8, 2), torch.randn(1, 5, 8)
    assert torch.allclose(attention(x.flip(1), None), attention(x, None).flip(1), atol=1e-6)
    rotation = rotary(torch.arange(5), 4)
    assert not torch.allclose(attention(x.flip(1), rotation), attention(x, rotation).flip(1), atol=1e-6)


def test_cells_are_a_convolution_of_one_hot_classes():
    cells, classes = Cells(11, 8), torch.tensor([[[3, 10], [0, 3]]])
    convolution = torch.nn.Conv2d(11, 8, kernel_size=1)
    convolution.weight.data = cells.table.data.T[..., None, None].contiguous()
    convolution.bias.data = cells.bias.data
    one_hot = torch.nn.functional.one_hot(classes, 11).permute(0, 3, 1, 2).float()
    assert torch.allclose(cells(classes), convolution(one_hot).permute(0, 2, 3, 1), atol=1e-6)
    assert cells.table.abs().max() <= 11**-0.5


@pytest.mark.parametrize("side", [5, 12])
def test_a_quarter_of_a_head_turns_with_the_row_a_quarter_with_the_column_and_half_does_not(side):
    width = 32
    cosines, sines = grid_rotary(side, width)
    angles = torch.atan2(sines[:, width // 2 :], cosines[:, : width // 2]).view(side, side, width // 2)
    frequencies = math.pi * torch.linspace(1, side // 2 / 2, 4)
    at = torch.linspace(-1, 1, side)
    for row, column in ((0, 0), (1, 3), (side - 1, 2)):
        expected = torch.cat([at[row] * frequencies, at[column] * frequencies, torch.zeros(8)])
        assert torch.allclose(angles[row, column].cos(), expected.cos(), atol=1e-5)
        assert torch.allclose(angles[row, column].sin(), expected.sin(), atol=1e-5)


def test_what_is_unturned_stays():
    x = torch.randn(1, 1, 3, 8)
    assert torch.equal(rotate(x, unturned(3, 8)), x)


def test_dropout_leaves_out_its_share_and_keeps_the_mean():
    torch.manual_seed(0)
    dropout, x = Dropout(0.1), torch.ones(1000, 101)
    dropped = dropout(x)
    assert (dropped == 0).float().mean().item() == pytest.approx(26 / 256, abs=0.005)
    assert dropped.mean().item() == pytest.approx(1, abs=0.01)
    assert torch.equal(dropout.eval()(x), x)
    assert torch.equal(Dropout(0.0)(x), x)


def test_attention_weights_are_dropped_in_training_only():
    torch.manual_seed(0)
    attention, plain, x = Attention(8, 2, dropout=0.5), Attention(8, 2), torch.randn(2, 5, 8)
    plain.load_state_dict(attention.state_dict())
    assert torch.allclose(attention.eval()(x, None), plain(x, None), atol=1e-6)
    attention.train()
    many = torch.stack([attention(x, None) for _ in range(2000)]).mean(0)
    assert torch.allclose(many, plain(x, None), atol=0.1)
    assert not torch.allclose(attention(x, None), plain(x, None), atol=1e-3)
