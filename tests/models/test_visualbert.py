"""VisualBERT and ViLBERT: the layers of BERT, any order of images, and weights of BERT by their names."""

from __future__ import annotations

import pytest

from unseen.models import MODELS, Questions

torch = pytest.importorskip("torch")

BERT_LAYER = 7_087_872  # parameters of a layer of BERT base
TASK = Questions(("no", "yes"), ("is", "it", "red"), images=3, side=32)
SMALL = {"width": 32, "layers": 2, "heads": 2, "pooled": 32, "channels": 8}


def batch_of():
    torch.manual_seed(0)
    return {
        "input_images": torch.randint(0, 256, (5, 32, 32, 3), dtype=torch.uint8),
        "input_counts": torch.tensor([2, 3]),
        "input_text": ["is it red", "is it"],
    }


@pytest.mark.parametrize(("name", "layers"), [("visualbert", 12), ("vilbert", 18 + 12)])
def test_a_model_has_the_layers_of_the_published_one(name, layers):
    with torch.device("meta"):  # counted, not made
        model = MODELS[name](TASK)
    assert sum(weight.numel() for weight in model.encoder.parameters()) == layers * BERT_LAYER


@pytest.mark.parametrize("name", ["visualbert", "vilbert"])
def test_the_order_of_images_does_not_matter_but_whose_they_are_does(name):
    model, batch = MODELS[name](TASK, **SMALL).eval(), batch_of()
    before = model(batch)
    turned = model({**batch, "input_images": batch["input_images"][[1, 0, 4, 2, 3]]})
    assert torch.allclose(before, turned, atol=1e-5)
    mixed = model({**batch, "input_images": batch["input_images"][[4, 1, 2, 3, 0]]})
    assert not torch.allclose(before, mixed, atol=1e-5)


@pytest.mark.parametrize("name", ["visualbert-text", "vilbert-text"])
def test_text_alone_sees_nothing(name):
    model, batch = MODELS[name](TASK, **SMALL).eval(), batch_of()
    other = {**batch, "input_images": batch["input_images"].flip(0)}
    assert torch.equal(model(batch), model(other))
    assert not torch.allclose(model(batch), model({**batch, "input_text": ["red it is", "it is"]}), atol=1e-6)


@pytest.mark.parametrize("name", ["visualbert", "vilbert"])
def test_weights_of_bert_find_their_places(name):
    from unseen.train.initial import take_over

    model = MODELS[name](TASK, **SMALL)
    parts = {"attention.self.query": (32, 32), "attention.output.LayerNorm": (32,), "intermediate.dense": (128, 32)}
    weights = {
        f"bert.encoder.layer.{number}.{part}.weight": torch.rand(shape)
        for number in range(2)
        for part, shape in parts.items()
    }
    weights["bert.embeddings.position_embeddings.weight"] = torch.rand(512, 32)
    weights["bert.embeddings.word_embeddings.weight"] = torch.rand(30, 32)  # of other words
    said = take_over(model, weights, what="a BERT", names={})
    assert "bert.embeddings.word_embeddings.weight there" in said
    second = model.encoder.text[1 if name == "visualbert" else 2]  # of ViLBERT's, one looks at the image in between
    assert torch.equal(second.query.weight, weights["bert.encoder.layer.1.attention.self.query.weight"])
    assert torch.equal(model.words.places.weight, weights["bert.embeddings.position_embeddings.weight"][:61])
