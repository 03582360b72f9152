"""Weights of other programs find their places: made ones, under the names that those programs write."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.core.errors import SpecError  # noqa: E402
from unseen.models import MODELS, Odd  # noqa: E402
from unseen.models.patch_transformer import resampled  # noqa: E402
from unseen.train.initial import read_weights, take_over  # noqa: E402

# ---------------------------------------------------------------------------- ResNet-50

STAGES = {1: 3, 2: 4, 3: 6, 4: 3}


def normalisation(name: str, width: int):
    yield from ((f"{name}.{part}", (width,)) for part in ("weight", "bias", "running_mean", "running_var"))
    yield f"{name}.num_batches_tracked", ()


def bottlenecks(channels: int):
    """Names and shapes of the blocks of a ResNet-50, as its usual implementation and CLIP have them alike."""
    width = channels
    for stage, blocks in STAGES.items():
        inner = channels * 2 ** (stage - 1)
        for block in range(blocks):
            start = f"layer{stage}.{block}"
            shapes = {"1": (inner, width, 1, 1), "2": (inner, inner, 3, 3), "3": (4 * inner, inner, 1, 1)}
            for number, shape in shapes.items():
                yield f"{start}.conv{number}.weight", shape
                yield from normalisation(f"{start}.bn{number}", shape[0])
            if block == 0:
                yield f"{start}.downsample.0.weight", (4 * inner, width, 1, 1)
                yield from normalisation(f"{start}.downsample.1", 4 * inner)
            width = 4 * inner


def made(shapes, start: str = ""):
    return {
        f"{start}{name}": torch.rand(shape) if shape else torch.tensor(7, dtype=torch.int64)
        for name, shape in dict(shapes).items()
    }


def imagenet(channels: int, start: str = ""):
    stem = [("conv1.weight", (channels, 3, 7, 7)), *normalisation("bn1", channels)]
    return made([*stem, *bottlenecks(channels), ("fc.weight", (1000, 32 * channels)), ("fc.bias", (1000,))], start)


def clip(channels: int):
    half = channels // 2
    stem = [
        ("conv1.weight", (half, 3, 3, 3)),
        ("conv2.weight", (half, half, 3, 3)),
        ("conv3.weight", (channels, half, 3, 3)),
    ]
    norms = [*normalisation("bn1", half), *normalisation("bn2", half), *normalisation("bn3", channels)]
    pool = [("attnpool.positional_embedding", (50, 32 * channels)), ("attnpool.k_proj.weight", (32 * channels,) * 2)]
    tower = made([*stem, *norms, *bottlenecks(channels), *pool], "visual.")
    return {**tower, **made([("transformer.resblocks.0.ln_1.weight", (8,)), ("token_embedding.weight", (9, 8))])}


@pytest.mark.parametrize("start", ["", "module.", "module.base_encoder."])
def test_a_resnet_of_imagenet_is_the_backbone(start):
    model, weights = MODELS["resnet-50"](Odd(32), channels=4), imagenet(4, start)
    said = take_over(model, weights, what="a file", names={})
    assert all(torch.equal(value, weights[f"{start}{name}"]) for name, value in model.backbone.state_dict().items())
    assert f"{start}fc.weight, {start}fc.bias there have no place in it" in said
    assert "head.hidden.weight, head.hidden.bias, head.out.weight and 1 more of the model begin afresh" in said


def test_the_image_tower_of_clip_is_the_backbone_without_its_pool():
    model, weights = MODELS["resnet-50"](Odd(32), channels=4, antialiased=True), clip(4)
    said = take_over(model, weights, what="a file", names={})
    assert all(torch.equal(value, weights[f"visual.{name}"]) for name, value in model.backbone.state_dict().items())
    assert "visual.attnpool.positional_embedding" in said
    scores = model.eval()({"input_images": torch.zeros(2, 4, 32, 32, 3, dtype=torch.uint8)})
    assert scores.shape == (2, 4)


def test_names_of_ones_own_runs_stay_as_they_are():
    for name, options in {"resnet-50": {"channels": 4}, "vit-small": {"width": 24, "layers": 1, "heads": 2}}.items():
        one, other = (MODELS[name](Odd(32), **options) for _ in range(2))
        take_over(one, other.state_dict(), what="a run", names={})
        assert all(torch.equal(value, other.state_dict()[key]) for key, value in one.state_dict().items())


def test_a_head_that_is_given_another_name_begins_afresh():
    one, other = (MODELS["resnet-50"](Odd(32), channels=4) for _ in range(2))
    before = one.head.out.weight.clone()
    take_over(one, other.state_dict(), what="a run", names={"head": "left"})
    assert torch.equal(one.head.out.weight, before)
    assert torch.equal(one.backbone.conv1.weight, other.backbone.conv1.weight)


# ---------------------------------------------------------------------------- ViT-small

WIDTH = 24
OPTIONS = {"width": WIDTH, "layers": 2, "heads": 2}


def timm(side: int):
    shapes = {
        "cls_token": (1, 1, WIDTH),
        "pos_embed": (1, 1 + side**2, WIDTH),
        "patch_embed.proj.weight": (WIDTH, 3, 16, 16),
        "patch_embed.proj.bias": (WIDTH,),
        "norm.weight": (WIDTH,),
        "norm.bias": (WIDTH,),
        "head.weight": (1000, WIDTH),
    }
    for block in range(2):
        layers = {"attn.qkv": 3 * WIDTH, "attn.proj": WIDTH, "mlp.fc1": 4 * WIDTH}
        for name, out in layers.items():
            shapes |= {f"blocks.{block}.{name}.weight": (out, WIDTH), f"blocks.{block}.{name}.bias": (out,)}
        shapes |= {f"blocks.{block}.mlp.fc2.weight": (WIDTH, 4 * WIDTH), f"blocks.{block}.mlp.fc2.bias": (WIDTH,)}
        shapes |= {f"blocks.{block}.norm{n}.{part}": (WIDTH,) for n in (1, 2) for part in ("weight", "bias")}
    return made(shapes.items())


def image_tower_of_clip(side: int):
    shapes = {
        "class_embedding": (WIDTH,),
        "positional_embedding": (1 + side**2, WIDTH),
        "conv1.weight": (WIDTH, 3, 16, 16),
        "proj": (WIDTH, 512),
    }
    shapes |= {f"{name}.{part}": (WIDTH,) for name in ("ln_pre", "ln_post") for part in ("weight", "bias")}
    for block in range(2):
        start = f"transformer.resblocks.{block}"
        shapes |= {f"{start}.attn.in_proj_weight": (3 * WIDTH, WIDTH), f"{start}.attn.in_proj_bias": (3 * WIDTH,)}
        shapes |= {f"{start}.attn.out_proj.weight": (WIDTH, WIDTH), f"{start}.attn.out_proj.bias": (WIDTH,)}
        shapes |= {f"{start}.mlp.c_fc.weight": (4 * WIDTH, WIDTH), f"{start}.mlp.c_fc.bias": (4 * WIDTH,)}
        shapes |= {f"{start}.mlp.c_proj.weight": (WIDTH, 4 * WIDTH), f"{start}.mlp.c_proj.bias": (WIDTH,)}
        shapes |= {f"{start}.ln_{n}.{part}": (WIDTH,) for n in (1, 2) for part in ("weight", "bias")}
    return made(shapes.items(), "visual.")


def test_a_transformer_of_imagenet_is_the_backbone():
    model, weights = MODELS["vit-small"](Odd(32), **OPTIONS), timm(2)
    said = take_over(model, weights, what="a file", names={})
    own = model.backbone
    assert "head.weight there have no place in it" in said
    assert f"{len(own.state_dict())} of {len(model.state_dict())} weights" in said
    assert torch.equal(own.blocks[1].attention.project.weight, weights["blocks.1.attn.qkv.weight"])
    assert torch.equal(own.blocks[0].feed_forward[2].bias, weights["blocks.0.mlp.fc2.bias"])
    assert torch.equal(own.positions, weights["pos_embed"])


def test_the_transformer_of_clip_is_the_backbone_but_for_the_bias_of_its_patches():
    model, weights = MODELS["vit-small"](Odd(32), before=True, **OPTIONS), image_tower_of_clip(14)
    said = take_over(model, weights, what="a file", names={})
    own = model.backbone
    assert "visual.proj there have no place in it" in said
    assert f"{len(own.state_dict()) - 1} of {len(model.state_dict())} weights" in said
    assert "backbone.patches.bias" in said
    assert torch.equal(own.before.weight, weights["visual.ln_pre.weight"])
    assert torch.equal(own.norm.bias, weights["visual.ln_post.bias"])
    assert torch.equal(own.summary.flatten(), weights["visual.class_embedding"])
    assert torch.equal(own.positions[0, 0], weights["visual.positional_embedding"][0])


def test_positions_keep_their_place_in_the_image_where_there_are_more_or_fewer():
    there = torch.arange(14) + 0.5
    rows, columns = (there / 14).repeat_interleave(14), (there / 14).repeat(14)
    positions = torch.cat([torch.full((1, 2), 9.0), torch.stack([rows, columns], dim=1)])[None]
    found = resampled(positions, 64)
    assert torch.equal(found[0, 0], positions[0, 0])
    square, here = found[0, 1:].reshape(8, 8, 2), (torch.arange(8) + 0.5) / 8
    inner = slice(1, -1)  # cubics bend at the border
    assert torch.allclose(square[inner, :, 0], here[inner, None].expand(-1, 8), atol=0.02)
    assert torch.allclose(square[:, inner, 1], here[None, inner].expand(8, -1), atol=0.02)


@pytest.mark.parametrize("inside", ["", "model", "state_dict"])
def test_weights_are_read_from_a_file(inside, tmp_path):
    torch.save({inside: timm(2), "epoch": 3} if inside else timm(2), tmp_path / "timm.pth")
    model = MODELS["vit-small"](Odd(32), **OPTIONS)
    assert take_over(model, read_weights(tmp_path / "timm.pth"), what="timm.pth", names={}).startswith("30 of 34")


def test_weights_of_something_else_are_refused():
    with pytest.raises(SpecError, match="no weight of a file has the name and shape of one of the model's"):
        take_over(
            MODELS["resnet-50"](Odd(32), channels=4), {"bert.embeddings": torch.zeros(3)}, what="a file", names={}
        )
