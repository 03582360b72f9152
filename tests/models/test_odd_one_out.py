"""The baselines of odd-one-out tasks: as large as published, blind to what must not count, able to learn by heart."""

from __future__ import annotations

import pytest

import unseen
from unseen.benchmarks.cvr.paper import BASELINES, MODELS
from unseen.core.errors import SpecError
from unseen.models import MODELS as REGISTERED
from unseen.models import Odd

torch = pytest.importorskip("torch")

from unseen.models.odd_one_out import RuleCue, centered, scores_of_unlikeness  # noqa: E402
from unseen.models.scattering import Scattering, shuffled  # noqa: E402

RULES = tuple(f"rule_{number}" for number in range(103))
SMALL = {
    "resnet-50": {"channels": 8, "hidden": 32},
    "vit-small": {"width": 48, "layers": 2, "heads": 2, "hidden": 32},
    "scl": {},
    "wren": {"channels": 8, "width": 32, "hidden": 32},
    "scl-resnet-18": {"channels": 8, "width": 16, "hidden": 16},
}


@pytest.fixture(autouse=True)
def one_thread_and_one_seed():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(threads)


def small(name: str, task: Odd, **options):
    return REGISTERED[name](task, **{**SMALL[name], **options}).eval()


def problems(count: int, side: int = 32, rules: tuple[str, ...] = ("alone",)):
    return {
        "input_images": torch.randint(0, 256, (count, 4, side, side, 3), dtype=torch.uint8),
        "input_rule": [rules[number % len(rules)] for number in range(count)],
        "target_odd": torch.randint(0, 4, (count,)),
    }


def size(module) -> int:
    return sum(weight.numel() for weight in module.parameters())


# ---------------------------------------------------------------------------- sizes

PRINTED = {row.model: row for row in BASELINES}
# what the printed sizes are of, and how far ours are from them:
# * of vision models and WReN a model that is told which of 103 rules it is asked about, of the others one that is not
# * ViT-small has 4.6 % more here: the sentence on its head (2,048 hidden) and its printed size disagree, see the model
TOLD = {"resnet-50": True, "vit-small": True, "scl": False, "wren": True, "scl-resnet-18": False}
FURTHER = {"vit-small": 0.05}


@pytest.mark.parametrize("name", MODELS)
def test_models_are_as_large_as_published(name):
    made = REGISTERED[name](Odd(128, RULES if TOLD[name] else ()))
    assert size(made) == pytest.approx(PRINTED[name].parameters, rel=FURTHER.get(name, 0.02))
    if hasattr(made, "backbone"):
        assert size(made.backbone) == pytest.approx(PRINTED[name].backbone_parameters, rel=0.005)


def test_vit_small_has_the_printed_size_with_a_hidden_layer_as_wide_as_its_features():
    made = REGISTERED["vit-small"](Odd(128, RULES), hidden=384)
    assert size(made) == pytest.approx(PRINTED["vit-small"].parameters, rel=0.005)


def test_scl_has_exactly_the_parameters_that_its_layers_have_by_hand():
    eye = (3 * 9 + 1) * 16 + (16 * 9 + 1) * 16 + (16 * 9 + 1) * 32 + 2 * (32 * 9 + 1) * 32 + 2 * (16 + 16 + 32 + 32)
    around = 2 * ((80 + 1) * 320 + 2 * 320 + (320 + 1) * 80)
    heads = (8 + 1) * 128 + (128 + 1) * 8 + (5 + 1) * 64 + (64 + 1) * 23 + (23 + 1) * 5 + (5 * 80 + 1)
    assert size(REGISTERED["scl"](Odd(128))) == eye + (32 * 16 + 1) * 80 + around + heads


# ---------------------------------------------------------------------------- what counts and what does not


@pytest.mark.parametrize("name", ["resnet-50", "vit-small", "wren"])
def test_the_order_of_the_images_changes_nothing_but_the_order_of_the_scores(name):
    model, batch = small(name, Odd(32)), problems(3)
    order = torch.tensor([2, 0, 3, 1])
    turned = {**batch, "input_images": batch["input_images"][:, order]}
    assert torch.allclose(model(turned), model(batch)[:, order], atol=1e-4)


@pytest.mark.parametrize("name", ["scl", "scl-resnet-18"])
def test_scattering_reads_its_context_in_order_and_is_trained_on_any(name):
    model, batch = small(name, Odd(32)), problems(3)
    order = torch.tensor([2, 0, 3, 1])
    turned = {**batch, "input_images": batch["input_images"][:, order]}
    assert not torch.allclose(model(turned), model(batch)[:, order], atol=1e-6)
    features = torch.randn(3, 4, 8)
    head = Scattering((), 8, width=8, heads=2, hidden=4).train()
    assert not torch.equal(head(features, batch), head(features, batch))
    assert torch.equal(head.eval()(features, batch), head(features, batch))


def test_shuffling_keeps_all_images_of_every_problem():
    x = torch.randn(64, 4, 3)
    again = shuffled(x)
    assert not torch.equal(again, x)
    assert torch.equal(again.sort(dim=1).values, x.sort(dim=1).values)


@pytest.mark.parametrize("name", MODELS)
def test_the_rule_counts_where_there_are_several_and_only_there(name):
    batch = problems(4, rules=("shape", "inside"))
    other = {**batch, "input_rule": batch["input_rule"][::-1]}
    several, alone = small(name, Odd(32, ("shape", "inside"))), small(name, Odd(32))
    assert not torch.allclose(several(batch), several(other))
    assert torch.equal(alone(batch), alone(other))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_one_rule_has_all_weights_of_one_of_several_but_those_of_the_rule(name):
    several, alone = (small(name, Odd(32, rules)).state_dict() for rules in (("shape", "inside"), ()))
    assert {key for key in several if "cue." not in key} == alone.keys()
    assert all(several[key].shape == value.shape for key, value in alone.items())


def test_adding_the_cue_is_concatenating_the_rule_before_the_layer():
    cue, layer = RuleCue(("a", "b"), 5), torch.nn.Linear(7, 5)
    features = torch.randn(2, 4, 7)
    added = layer(features) + cue({"input_rule": ["b", "a"]})
    told = cue.vectors.weight[torch.tensor([1, 0])][:, None].expand(-1, 4, -1)
    whole = torch.nn.functional.linear(
        torch.cat([features, told], dim=-1), torch.cat([layer.weight, cue.join.weight], dim=1), layer.bias
    )
    assert torch.allclose(added, whole, atol=1e-5)


def test_scores_are_minus_the_sums_of_cosines():
    z = torch.randn(2, 4, 6)
    cosines = torch.nn.functional.cosine_similarity(z[:, :, None], z[:, None], dim=-1)
    assert torch.allclose(scores_of_unlikeness(z), -cosines.sum(dim=-1), atol=1e-5)


def test_white_is_one_and_black_is_minus_nine():
    images = torch.tensor([0, 255], dtype=torch.uint8)[:, None, None, None].expand(2, 4, 4, 3)
    assert [round(float(image.mean()), 4) for image in centered(images)] == [-9.0, 1.0]


@pytest.mark.parametrize(("name", "side"), [("wren", 24), ("vit-small", 40)])
def test_images_that_a_model_cannot_see_are_refused(name, side):
    with pytest.raises(SpecError, match=r"pixels"):
        small(name, Odd(side))


# ---------------------------------------------------------------------------- learning by heart

HEART = [pytest.param(name, marks=() if name in ("scl", "wren") else pytest.mark.slow) for name in MODELS]
FAST = {"vit-small": 1e-4}  # its published rate is for many more steps


@pytest.fixture(scope="module")
def sixteen():
    return next(iter(unseen.load("cvr/shape", "train", samples=16, size=64).torch(16)))


@pytest.mark.parametrize("name", HEART)
def test_16_problems_can_be_learnt_by_heart(name, sixteen):
    model, published = REGISTERED[name](Odd(64)), PRINTED[name]
    rate = FAST.get(name, published.learning_rate)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, weight_decay=published.weight_decay)
    for step in range(1, 301):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model.train()(sixteen), sixteen["target_odd"]).backward()
        optimizer.step()
        if step % 10 == 0:
            with torch.no_grad():
                if torch.equal(model.eval()(sixteen).argmax(dim=1), sixteen["target_odd"]):
                    return
    pytest.fail(f"{name} does not know all of the 16 problems after {step} steps")
