"""The five baselines of SVIB: as large as their hyperparameters make them, able to learn, in the stages they should."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import unseen  # noqa: E402
from unseen.benchmarks.svib import paper  # noqa: E402
from unseen.core.errors import SpecError, UnknownName  # noqa: E402
from unseen.models import MODELS, Images, Stage  # noqa: E402
from unseen.models.factor_cnn import in_order  # noqa: E402
from unseen.models.layers import pixels  # noqa: E402
from unseen.train.interface import interface_of  # noqa: E402
from unseen.train.loss import Learner  # noqa: E402
from unseen.train.modules import set_learning, train_mode  # noqa: E402
from unseen.train.recipe import recipes_for  # noqa: E402

FACTORS = (("color", 4), ("shape", 4), ("size", 4))
SPRITES = Images(128, FACTORS, (("positions", 0.0, 1.0),))


@pytest.fixture(autouse=True)
def one_thread_and_one_seed():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(threads)


# ---------------------------------------------------------------------------- sizes, worked out by hand


def linear(inputs, outputs, bias=True):
    return inputs * outputs + bias * outputs


def convolution(inputs, outputs):
    return 5 * 5 * inputs * outputs + outputs


def norm(width):
    return 2 * width


def mlp(width, hidden, out):
    return linear(width, hidden) + linear(hidden, out)


def encoder(width, blocks):
    """Attention without biases, a feed-forward part four times as wide, two normalisations; one at the end."""
    return blocks * (4 * width**2 + mlp(width, 4 * width, width) + 2 * norm(width)) + norm(width)


def decoder(inputs):
    """8 blocks of width 192: attention twice, and a normalisation for each part; patches of 4 x 4 pixels."""
    block = 8 * 192**2 + mlp(192, 768, 192) + 3 * norm(192)
    return linear(inputs, 192, bias=False) + 8 * block + norm(192) + linear(192, 4 * 4 * 3)


CNN = convolution(3, 64) + 3 * convolution(64, 64)  # 128 pixels become 8
GRU = 3 * 2 * (64 * 64 + 64)
READ = 3 * 4 + 2  # of an object: the chance of each value of its three factors, and where it is
SIZES = {
    "i2i-cnn": CNN + linear(8 * 8 * 64, 64) + decoder(64),
    "i2i-vit": linear(16 * 16 * 3, 192) + encoder(192, 8) + decoder(192),
    "oracle": 128 * 32 * 192 + encoder(192, 4) + decoder(192),
    "ssm-vae": (
        *(CNN + mlp(8 * 8 * 64, 256, 2 * 64),),
        *(mlp(64, 256, 8 * 8 * 64) + 3 * convolution(64, 64) + convolution(64, 3),),
        *(encoder(64, 4), decoder(64)),
    ),
    "ssm-slot": (
        convolution(3, 64) + 2 * convolution(64, 64) + convolution(64, 192),  # strides 2, 1, 1, 1
        linear(4, 192) + norm(192) + mlp(192, 192, 192),  # coordinates, and what makes features of it
        2 * 64,  # mean and deviation of the slots' beginnings
        norm(192) + norm(64) + 64 * 64 + 2 * 192 * 64,  # queries, keys and values
        GRU + norm(64) + mlp(64, 192, 64),
        encoder(64, 1),  # the predictor
        linear(4, 64) + 3 * convolution(64, 64) + convolution(64, 4),  # the broadcast decoder
        encoder(64, 4) + decoder(64),
    ),
    "factor-cnn": CNN + mlp(8 * 8 * 64, 256, 2 * READ) + decoder(READ),
}


@pytest.mark.parametrize("name", SIZES)
def test_a_model_is_as_large_as_its_hyperparameters_say(name):
    size = SIZES[name] if isinstance(SIZES[name], int) else sum(SIZES[name])
    assert sum(weight.numel() for weight in MODELS[name](SPRITES).parameters()) == size


# ---------------------------------------------------------------------------- learnt by heart

TINY = {"width": 64, "blocks": 2, "patch": 4, "dropout": 0.0}
BY_HEART = {
    "i2i-cnn": {"channels": 32},
    "i2i-vit": {"encoder_patch": 4},
    "oracle": {"encoder_blocks": 2},
    "ssm-vae": {"channels": 32},
    "ssm-slot": {"channels": 32, "features": 64, "hidden": 64},
    "factor-cnn": {"channels": 32},
}
STEPS = {"ssm-slot": 1000}  # of each stage; else 500
RATES = {"ssm-slot": 2e-3}  # else 5e-3
ERROR = 2e-3  # mean squared error of values from 0 to 1


@pytest.fixture(scope="module")
def episodes():
    return next(iter(unseen.load("svib/dsprites-sa", "train", size=16, symbols=True)[:8].torch(8)))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "oracle" else pytest.mark.slow) for name in BY_HEART]
)
def test_8_episodes_can_be_learnt_by_heart(name, episodes):
    told = interface_of(unseen.task("svib/dsprites-sa", size=16))
    model = MODELS[name](told, **TINY, **BY_HEART[name])
    steps, rate = STEPS.get(name, 500), RATES.get(name, 5e-3)
    for stage in getattr(model, "stages", (Stage(""),)):
        set_learning(model, {name for name, _ in model.named_parameters()}, stage.learns, ())
        train_mode(model)
        learner = Learner(model, told, stage.loss)
        learning = [weight for weight in model.parameters() if weight.requires_grad]
        optimizer = torch.optim.Adam(learning, lr=rate, fused=True)
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1, (step + 1) / 20) * (1 - step / steps)
            optimizer.zero_grad()
            learner(episodes)[0].backward()
            torch.nn.utils.clip_grad_norm_(learning, 0.05, norm_type=float("inf"))
            optimizer.step()
    with torch.no_grad():
        imagined = model.eval()(episodes).clamp(0, 1)
    error = (imagined - pixels(episodes["target_image"])).square().mean()
    assert error < ERROR
    still = (pixels(episodes["input_image"]) - pixels(episodes["target_image"])).square().mean()
    assert still > 3 * ERROR  # which copying does not reach


# ---------------------------------------------------------------------------- stages


@pytest.fixture
def batch():
    shape = (2, 16, 16, 3)
    return {name: torch.randint(0, 256, shape, dtype=torch.uint8) for name in ("input_image", "target_image")}


def small(name, **options):
    tiny = {"width": 16, "blocks": 1, "latents": 16, "channels": 8}
    return MODELS[name](Images(16), **{**tiny, **options})


@pytest.mark.parametrize("name", ["ssm-vae", "ssm-slot"])
@pytest.mark.parametrize(
    ("stages", "learns"),
    [
        ("three", {"representation": {"encoder", "decoder"}, "dynamics": {"dynamics"}, "probe": {"probe"}}),
        ("joint", {"world": {"encoder", "decoder", "dynamics"}, "probe": {"probe"}}),
        ("representation", {"representation": {"encoder", "decoder"}}),
        ("pretrained", {"dynamics": {"dynamics"}, "probe": {"probe"}}),
    ],
)
def test_each_stage_has_a_loss_that_teaches_what_it_should(name, stages, learns, batch):
    model = small(name, stages=stages)
    assert [stage.name for stage in model.stages] == list(learns)
    for stage in model.stages:
        set_learning(model, {name for name, _ in model.named_parameters()}, stage.learns, ())
        Learner(model, Images(16), stage.loss)({**batch, "index": torch.arange(2)})[0].backward()
        moved = {name.partition(".")[0] for name, weight in model.named_parameters() if weight.grad is not None}
        assert moved == learns[stage.name]
        model.zero_grad(set_to_none=True)


@pytest.mark.parametrize("name", ["ssm-vae", "ssm-slot"])
def test_the_dynamics_have_no_say_in_the_representation(name, batch):
    model = small(name, stages="joint")
    model.world_loss(batch)[0].backward()
    joint = {name: weight.grad.clone() for name, weight in model.encoder.named_parameters()}
    model.zero_grad()
    torch.manual_seed(0)
    model.eval().representation_loss(batch)[0].backward()
    alone = {name: weight.grad.clone() for name, weight in model.encoder.named_parameters()}
    model.zero_grad()
    model.world_loss(batch)[0].backward()
    assert all(torch.allclose(weight.grad, alone[name]) for name, weight in model.encoder.named_parameters())
    assert joint.keys() == alone.keys()


def test_a_representation_alone_answers_with_the_input(batch):
    model = small("ssm-slot", stages="representation").eval()
    assert torch.equal(model(batch), model.painted(model.state(batch)))


def test_a_way_of_training_that_there_is_not_is_refused():
    with pytest.raises(UnknownName, match="no way of training named 'four' in state-space models"):
        small("ssm-vae", stages="four")


def test_views_show_each_slot_and_its_mask_of_what_is_and_what_is_imagined(batch):
    views = small("ssm-slot", slots=3).eval().views(batch)
    rows = {name.rpartition(": ")[0] for name in views}
    assert rows == {"input", "input, masks", "imagined", "imagined, masks"}
    assert all(images.shape == (2, 3, 16, 16) for images in views.values())
    assert torch.allclose(sum(views[f"input, masks: slot {slot}"] for slot in (1, 2, 3)), torch.ones(()), atol=1e-5)
    together = sum(views[f"input: slot {slot}"] for slot in (1, 2, 3))
    assert torch.allclose(together, views["input: all slots"], atol=1e-5)


# ---------------------------------------------------------------------------- what an oracle is told


def told_of(task):
    dataset = unseen.load(task, "train", symbols=True, size=16)
    return interface_of(dataset.task), next(iter(dataset[:2].torch(2)))


def test_the_oracle_is_told_factors_and_places_and_does_not_look():
    told, batch = told_of("svib/dsprites-sa")
    model = MODELS["oracle"](told, width=16, blocks=1).eval()
    tokens = model.encoder(batch)
    assert tokens.shape == (2, 2 * (3 + 2), 16)  # two objects of three factors and a place
    answer = model(batch)
    assert torch.equal(answer, model({**batch, "input_image": torch.zeros_like(batch["input_image"])}))
    for entry, change in (("input_factors", 1), ("input_positions", 0.1)):
        changed = {**batch, entry: batch[entry].clone()}
        changed[entry][:, 0, 1] += change
        assert not torch.allclose(answer, model(changed), atol=1e-4)


@pytest.mark.parametrize(("world", "named"), [("clevr", 4), ("clevrtex", 4)])
def test_in_3d_the_oracle_is_told_where_camera_and_lamps_are_and_what_the_ground_is(world, named):
    from unseen.benchmarks.svib import render

    example = unseen.load(f"svib/{world}-sa", "train", symbols=True, renderer="none")[0]
    ranges = render.ranges(example.task.split("train").spec)
    told = Images(16, (("shape", 1),), tuple((name, *bounds) for name, bounds in ranges.items()))
    batch = {
        f"input_{name}": torch.as_tensor(value)[None].to(
            torch.int64 if name in ("factors", "ground") else torch.float32
        )
        for name, value in example.inputs.items()
    }
    encode = MODELS["oracle"](told, width=16, blocks=1).encoder
    assert encode.named(batch).shape == (1, 2, named)
    measured = encode.measured(batch)
    assert measured.shape == (1, 2, 2 + 12)
    assert 0 <= measured.min() <= measured.max() <= 1


def test_an_oracle_that_would_be_told_nothing_is_refused():
    with pytest.raises(SpecError, match="the oracle is told the factors of objects"):
        MODELS["oracle"](Images(16))


# ---------------------------------------------------------------------------- what is read


def test_objects_are_read_from_the_camera_on_or_from_left_to_right():
    factors = torch.tensor([[[1, 1], [2, 2]]])
    positions = torch.tensor([[[0.9, 0.1], [0.2, 0.8]]])
    flat = {"input_factors": factors, "input_positions": positions}
    assert in_order(flat)[0].tolist() == [[[2, 2], [1, 1]]]
    solid = {**flat, "input_parameters": torch.tensor([[[7.0, 0.0, 5.0], *[[0.0, 0.0, 0.0]] * 3]])}
    assert in_order(solid)[0].tolist() == [[[1, 1], [2, 2]]]
    assert in_order(solid)[1].equal(positions)


def test_the_ground_is_read_where_it_has_a_material():
    told = Images(16, (("shape", 3), ("material", 4)), (("positions", -4.0, 4.0),), (("ground", 4),))
    model = MODELS["factor-cnn"](told, width=16, blocks=1, channels=8)
    batch = {
        "input_image": torch.zeros(2, 16, 16, 3, dtype=torch.uint8),
        "input_factors": torch.zeros(2, 2, 2, dtype=torch.int64),
        "input_positions": torch.zeros(2, 2, 2),
        "input_ground": torch.tensor([0, 3]),
    }
    _, logged = model.factor_loss(batch)
    assert list(logged) == ["shape_1", "shape_2", "material_1", "material_2", "ground"]
    assert model(batch).shape == (2, 3, 16, 16)


def test_the_factors_of_8_episodes_can_be_learnt_by_heart(episodes):
    model = MODELS["factor-cnn"](
        interface_of(unseen.task("svib/dsprites-sa", size=16)), width=16, blocks=1, channels=16
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(150):
        optimizer.zero_grad()
        loss, logged = model.factor_loss(episodes)
        loss.backward()
        optimizer.step()
    assert min(logged.values()) == 1


# ---------------------------------------------------------------------------- recipes


@pytest.mark.parametrize("name", paper.MODELS)
@pytest.mark.parametrize(("task", "size"), [("dsprites-sa", 32), ("clevr-mna", 40), ("clevrtex-omni", 40)])
def test_recipes_are_those_of_the_paper(name, task, size):
    model = MODELS[name](Images(32, FACTORS))
    stages = [stage.name for stage in getattr(model, "stages", (Stage(""),))]
    for stage, recipe in recipes_for(name, f"svib/{task}", stages).items():
        assert recipe.batch_size == size
        assert recipe.steps(64_000 // size) == 160_000
        assert (recipe.optimizer, recipe.weight_decay) == ("adam", 0)
        assert (recipe.schedule, recipe.warmup, recipe.half_life) == ("exponential", 30_000, 250_000)
        assert (recipe.clip, recipe.clip_by) == (0.05, "largest")
        own = {"ssm-vae": 3e-4, "ssm-slot": 2e-4}.get(name, 3e-4)
        assert recipe.learning_rate == (3e-4 if stage == "probe" else own)
        if not stage:
            assert recipe.learning_rates == {"encoder": 1e-4}
        for part in (*recipe.clips, *recipe.learning_rates):
            assert any(weight.startswith(f"{part}.") for weight, _ in model.named_parameters())
