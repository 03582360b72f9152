"""The transformers of SVIB's baselines."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from unseen.core.errors import SpecError  # noqa: E402
from unseen.models.layers import Attention, CrossAttention  # noqa: E402
from unseen.models.transformer import (  # noqa: E402
    TransformerDecoder,
    TransformerEncoder,
    draw_weights,
    patched,
    relu_mlp,
)


@pytest.fixture(autouse=True)
def one_seed():
    torch.manual_seed(0)


def decoder(**options):
    return TransformerDecoder(16, 8, **{"width": 32, "blocks": 2, "heads": 4, "patch": 4, **options})


def test_a_decoder_paints_an_image_of_any_number_of_tokens():
    model = decoder()
    assert model(torch.rand(2, 1, 8)).shape == model(torch.rand(2, 7, 8)).shape == (2, 3, 16, 16)


def test_a_decoder_does_not_know_the_order_of_tokens():
    model, tokens = decoder().eval(), torch.rand(2, 5, 8)
    assert torch.allclose(model(tokens), model(tokens.flip(1)), atol=1e-5)


def test_there_are_1024_queries_for_an_image_of_the_paper():
    model = TransformerDecoder(128, 8, width=192, blocks=1, heads=4, patch=4)
    assert model.queries.shape == (1024, 192)
    assert len(torch.unique(model.queries, dim=0)) == 1024


def test_an_image_that_cannot_be_cut_into_patches_is_refused():
    with pytest.raises(SpecError, match="images of 16 pixels cannot be cut into patches of 5"):
        decoder(patch=5)


def test_the_first_block_normalises_the_stream_itself():
    encoder, tokens = TransformerEncoder(16, blocks=1, heads=2), torch.rand(2, 3, 16)
    assert torch.allclose(encoder(tokens), encoder(5 * tokens + 1), atol=1e-2)


def test_dropout_is_of_training_alone():
    model, tokens = decoder(dropout=0.5), torch.rand(1, 2, 8)
    assert not torch.equal(model(tokens), model(tokens))
    model.eval()
    assert torch.equal(model(tokens), model(tokens))


def test_cross_attention_is_attention_where_tokens_attend_to_themselves():
    own, cross = Attention(8, 2, bias=False), CrossAttention(8, 2, bias=False)
    cross.query.weight.data, cross.project.weight.data = own.project.weight.data.split([8, 16])
    cross.out.weight.data = own.out.weight.data
    tokens = torch.rand(2, 5, 8)
    assert torch.allclose(own(tokens, None), cross(tokens, tokens), atol=1e-6)


def test_patches_are_in_reading_order():
    image = torch.arange(16.0).view(1, 1, 4, 4)
    assert patched(image, 2)[0].tolist() == [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]


@torch.no_grad()
def test_weights_are_as_wide_as_xavier_and_kaiming_say():
    layers = nn.ModuleList([relu_mlp(64, 256, 64), Attention(64, 4)])
    draw_weights(layers)
    first, last = layers[0][0], layers[0][2]
    assert first.weight.abs().max().item() == pytest.approx((6 / 64) ** 0.5, rel=0.01)  # before a ReLU: of its inputs
    assert last.weight.abs().max().item() == pytest.approx((6 / (256 + 64)) ** 0.5, rel=0.01)
    assert not first.bias.any()
    # three square maps in one layer, each drawn as such
    assert layers[1].project.weight.abs().max().item() == pytest.approx((6 / (64 + 64)) ** 0.5, rel=0.01)


@torch.no_grad()
def test_what_blocks_add_starts_smaller_the_more_of_them_there_are():
    few, many = (decoder(blocks=blocks).blocks[0].cross.out.weight.std() for blocks in (1, 4))
    assert (few / many).item() == pytest.approx(2, rel=0.1)
