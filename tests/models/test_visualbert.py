"""VisualBERT and ViLBERT: the layers of BERT, any order of images, and weights of BERT by their names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unseen.models import MODELS, Questions

torch = pytest.importorskip("torch")

from unseen.models import phrases as phrases_module  # noqa: E402
from unseen.models.phrases import asked_of  # noqa: E402
from unseen.models.two_streams import BertLayer, TwoStreams, draw_bert_weights, one_stream  # noqa: E402
from unseen.models.word_pieces import MARKS, WordPieces, with_endings  # noqa: E402
from unseen.train.initial import take_over  # noqa: E402

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


BOXES = {"input_boxes": torch.tensor([[[0.0, 0.0, 0.5, 0.5], [0.5, 0.0, 0.9, 0.8]]]).repeat(5, 1, 1)}
FOUND = {"input_features": torch.rand(5, 4, 7), "input_places": torch.rand(5, 4, 5)}


@pytest.mark.parametrize("name", ["visualbert", "vilbert"])
@pytest.mark.parametrize(
    ("told", "shown"),
    [({}, {}), ({"symbols": ("ball", "red")}, BOXES), ({"side": 0, "features": 7}, FOUND)],
    ids=["cells", "boxes", "features"],
)
def test_the_order_of_images_does_not_matter_but_whose_they_are_does(name, told, shown):
    model, batch = MODELS[name](replace(TASK, **told), **SMALL).eval(), batch_of() | shown
    if "symbols" in told:
        torch.nn.init.normal_(model.regions.names.weight)  # an eye that has learned nothing sees the same everywhere
    each = {key: value for key, value in batch.items() if torch.is_tensor(value) and len(value) == 5}

    def answered(order):
        return model(batch | {key: value[order] for key, value in each.items()})

    assert torch.allclose(model(batch), answered([1, 0, 4, 2, 3]), atol=1e-5)
    assert not torch.allclose(model(batch), answered([4, 1, 2, 3, 0]), atol=1e-5)


def test_the_last_layer_spares_only_what_nobody_asks_for():
    torch.manual_seed(0)
    encoder = TwoStreams(one_stream(2), 32, 2, 64, 0.0).eval()
    words, regions, unsaid = torch.rand(3, 4, 32), torch.rand(3, 5, 32), torch.zeros(3, 4, dtype=torch.bool)
    unsaid[1, 2:] = True
    tokens, left_out = torch.cat([words, regions], dim=1), torch.cat([unsaid, torch.zeros(3, 5).bool()], dim=1)
    for layer in encoder.text:
        tokens = layer(tokens, [(tokens, left_out)])
    text, vision, _ = encoder(words, regions, unsaid, torch.zeros(3, 5).bool())
    assert torch.allclose(text, tokens[:, 0], atol=1e-5)
    assert torch.allclose(vision, tokens[:, 4], atol=1e-5)


@pytest.mark.parametrize("name", ["visualbert-text", "vilbert-text"])
def test_text_alone_sees_nothing(name):
    model, batch = MODELS[name](TASK, **SMALL).eval(), batch_of()
    other = {**batch, "input_images": batch["input_images"].flip(0)}
    assert torch.equal(model(batch), model(other))
    assert not torch.allclose(model(batch), model({**batch, "input_text": ["red it is", "it is"]}), atol=1e-6)


@pytest.mark.parametrize("name", ["visualbert", "vilbert"])
def test_regions_of_a_file_stand_for_images(name):
    model = MODELS[name](replace(TASK, side=0, features=7), **SMALL).eval()
    batch = batch_of()
    batch["input_features"], batch["input_places"] = torch.rand(5, 4, 7), torch.rand(5, 4, 5)
    before = model({key: value for key, value in batch.items() if key != "input_images"})
    other = {**batch, "input_features": batch["input_features"].flip(0)}
    assert model.regions.eye is None
    assert before.shape == (2, 2)
    assert not torch.allclose(before, model(other), atol=1e-6)


def test_the_mean_of_the_regions_comes_first_and_is_everywhere():
    regions = MODELS["visualbert"](replace(TASK, side=0, features=7), **SMALL).eval().regions
    features, places = torch.rand(1, 4, 7), torch.rand(1, 4, 5)
    first = regions({"input_features": features, "input_places": places}, 1, torch.empty(0, 32))[0][:, 0]
    whole = torch.tensor([0.0, 0.0, 1.0, 1.0, 1.0])
    expected = regions.norm(regions.feature(features.mean(1)) + regions.place(whole))
    assert torch.allclose(first, expected, atol=1e-6)


def boxes_of(images, count):
    """So many places without overlap for the regions of some images, (images, count, 5)."""
    return torch.arange(count)[None, :, None].expand(images, -1, -1) * torch.tensor([1.0, 0, 1, 0, 0]) / count + (
        torch.tensor([0.0, 0.0, 1 / count, 1.0, 1 / count])
    )


def test_words_attend_to_the_regions_they_name_from_the_start():
    torch.manual_seed(0)
    model = MODELS["visualbert"](replace(TASK, words=("a", "ball", "red"), symbols=("ball", "red")), width=64, layers=2)
    model.eval()
    shown = torch.zeros(1, 12, 2)
    shown[0, 7, 0] = 1  # the only ball
    words, _ = model.words(["a ball"])
    regions, _ = model.regions.shown(shown, boxes_of(1, 12), model._symbols())
    layer, tokens = model.encoder.text[0], torch.cat([words, regions], dim=1)
    scores = layer.query(tokens) @ layer.key(tokens).transpose(1, 2)
    place = words.shape[1] + 1 + 7
    to_regions = scores[0, 2, words.shape[1] + 1 :]  # of "ball", which follows the mark of the beginning and "a"
    assert to_regions.argmax() + words.shape[1] + 1 == place


@pytest.mark.parametrize("name", ["visualbert", "vilbert"])
def test_what_is_pooled_depends_on_the_question_from_the_start(name):
    torch.manual_seed(0)
    spoken = tuple(f"{letter}{number}" for letter in "abc" for number in range(6))
    model = MODELS[name](replace(TASK, words=spoken, symbols=spoken[:9]), width=128, layers=2).eval()
    texts = [" ".join(spoken[at] for at in torch.randperm(len(spoken))[:6]) for _ in range(64)]
    regions, none = model.regions.shown((torch.rand(64, 12, 9) < 0.1).float(), boxes_of(64, 12), model._symbols())

    def spread():
        return model._pairs(texts, regions, none, torch.ones(64, dtype=torch.long))[0].std(0).mean()

    copying = spread()
    for layer in (module for module in model.modules() if isinstance(module, BertLayer)):
        draw_bert_weights(layer.value)
        draw_bert_weights(layer.out)
    assert copying > 1.5 * spread()  # of small random weights, with which hardly anything is learned


def test_an_answer_begins_like_the_word_that_it_is():
    model = MODELS["visualbert-text"](replace(TASK, answers=("red", "it")), width=64, layers=1)
    seen = model.text_pooler[0](model.words.single(["red", "it"]))
    assert model.head(seen).argmax(1).tolist() == [0, 1]


def test_an_eye_is_taught_to_name_what_boxes_show():
    torch.manual_seed(0)
    model = MODELS["visualbert"](replace(TASK, symbols=("ball", "red")), **SMALL, dropout=0.0)
    assert [stage.name for stage in model.stages] == ["look", "read", "ask", "answer"]
    images = torch.zeros(8, 32, 32, 3, dtype=torch.uint8)
    images[:4, :16, :16, 0] = 255  # half of them have a red ball in a corner
    names = ["red ball"] * 4 + ["ball"] * 4
    batch = {"input_images": images, "input_boxes": torch.tensor([[[0.0, 0.0, 0.5, 0.5]]]).repeat(8, 1, 1)}
    batch |= {"input_names": names, "input_relations": [""] * 8}
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    first = model.look(batch)[0].item() + model.read(batch)[0].item()
    found = []
    for _ in range(80):
        (naming, said), (reading, read) = model.look(batch), model.read(batch)
        found.append(read["found"].item())
        optimizer.zero_grad()
        (naming + reading).backward()
        optimizer.step()
    assert naming.item() + reading.item() < first / 4
    assert said["named"] > 0.9
    assert sum(found[-40:]) / 40 > 0.8  # whether "a red ball" is that ball


def test_what_a_question_is_about_is_taught_with_its_answer():
    torch.manual_seed(0)
    model = MODELS["visualbert"](replace(TASK, symbols=("ball", "red")), **SMALL, dropout=0.0)
    batch = batch_of() | BOXES | {"input_text": ["is it red"] * 2, "target_answer": ["yes", "no"]}
    batch |= {"input_names": ["red ball; ball", "ball; ball", "ball; ball", "ball; ball", "ball; ball"]}
    batch |= {"target_referents": ["0 1; 0", "0 1; ", "0 1; ", "0 1; ", "0 1; "]}
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    first = model.ask(batch)[0].item()
    for _ in range(60):
        loss, said = model.ask(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < first / 4
    assert said["found"] == said["counted"] == said["answered"] == 1
    assert torch.isfinite(model.ask(batch | {"target_answer": ["perhaps", "never"]})[0])  # answers that are no class


def test_a_phrase_fits_what_has_its_words_and_stands_so(monkeypatch):
    monkeypatch.setattr(phrases_module, "ALONE", 1.0)  # outside of sentences
    torch.manual_seed(0)
    names = ["red car; tall boy; boy", "cat", "blue car; cat"] * 30
    phrases, fitting, shown = zip(*asked_of(names, ["1 next to 0; 2 on 0", "", "1 on 0"] * 30), strict=True)
    assert shown == tuple(map(bool, fitting))
    for text, phrase, fits in zip(names, phrases, fitting, strict=True):
        things = [set(thing.split()) for thing in text.split("; ")]
        root, _, told = phrase.partition(" that is ")
        assert fits <= {place for place, thing in enumerate(things) if set(root.split()[1:]) <= thing}
        if not told:
            assert fits == {place for place, thing in enumerate(things) if set(root.split()[1:]) <= thing}
    of_first = dict(list(zip(phrases, fitting, strict=True))[::3])
    assert of_first["a boy that is next to a car"] == {1}
    assert of_first["a boy that is on a red car"] == {2}
    assert 0.3 < sum(map(bool, fitting)) / 90 < 0.95
    assert not any(one.shows for one in asked_of(["", ""], ["", ""]))  # graphs may name nothing


def test_phrases_are_said_within_sentences_too():
    torch.manual_seed(0)
    said = {one.text: one for _ in range(1000) for one in asked_of(["red car; red car"], [""])}
    assert {"a red car", "is there a car?"} < set(said)
    assert said["how many images contain exactly 2 red cars?"].shows
    assert not said["how many images contain exactly 1 red cars?"].shows
    assert said["how many images contain at least 1 red cars?"].shows
    assert not any("{" in text for text in said)
    spans = [one for text, one in said.items() if "1 to" in text]
    assert spans
    assert all(one.shows for one in spans)  # there are two, and the least span is "1 to 2"


def test_regions_of_no_size_are_none():
    torch.manual_seed(0)
    model = MODELS["visualbert"](replace(TASK, symbols=("ball", "red")), **SMALL, dropout=0.0).eval()
    batch = batch_of() | {"input_boxes": torch.tensor([[[0.0, 0.0, 0.5, 0.5]]]).repeat(5, 1, 1)}
    padded = {**batch, "input_boxes": torch.cat([batch["input_boxes"], torch.zeros(5, 3, 4)], dim=1)}
    assert torch.allclose(model(batch), model(padded), atol=1e-5)


def test_scene_graphs_without_boxes_leave_the_loss_finite():
    model = MODELS["visualbert"](replace(TASK, symbols=("ball", "red")), **SMALL).train()
    batch = batch_of() | {"input_boxes": torch.zeros(5, 2, 4)}
    batch |= {"input_names": ["ball; red ball"] * 5, "input_relations": ["0 on 1"] * 5}
    assert torch.isfinite(model.look(batch)[0])
    assert torch.isfinite(model.read(batch)[0])
    assert torch.isfinite(model.ask(batch | {"target_referents": ["0; "] * 5, "target_answer": ["yes", "no"]})[0])
    assert torch.isfinite(model(batch)).all()


def test_a_plural_is_read_as_its_singular_and_an_ending():
    pieces = WordPieces((*MARKS, *with_endings(("as", "box", "boxes", "dog", "dogs"))))
    assert pieces.split("dogs boxes as")[::2][:2] == pieces.split("dog box")
    assert pieces.unknown not in pieces.split("dogs boxes as dog")


# ---------------------------------------------------------------------------- weights of BERT and VOLTA

LAYER = {
    "attention.self.query": (32, 32),
    "attention.output.LayerNorm": (32,),
    "intermediate.dense": (128, 32),
}
PIECES = (*MARKS, "is", "it", "red")


@pytest.mark.parametrize("name", ["visualbert", "vilbert"])
def test_weights_of_bert_find_their_places(name):
    model = MODELS[name](replace(TASK, pieces=PIECES), **SMALL)
    weights = {
        f"bert.encoder.layer.{number}.{part}.weight": torch.rand(shape)
        for number in range(2)
        for part, shape in LAYER.items()
    }
    weights["bert.embeddings.position_embeddings.weight"] = torch.rand(512, 32)
    weights["bert.embeddings.token_type_embeddings.weight"] = torch.rand(2, 32)
    weights["bert.embeddings.word_embeddings.weight"] = torch.rand(len(PIECES), 32)
    take_over(model, weights, what="a BERT", names={})
    second = model.encoder.text[1 if name == "visualbert" else 2]  # of ViLBERT's, one looks at the image in between
    assert torch.equal(second.query.weight, weights["bert.encoder.layer.1.attention.self.query.weight"])
    places = (
        weights["bert.embeddings.position_embeddings.weight"]
        + weights["bert.embeddings.token_type_embeddings.weight"][0]
    )
    assert torch.equal(model.words.places.weight, places[:60])
    assert torch.equal(model.words.table.weight, weights["bert.embeddings.word_embeddings.weight"])


def test_words_of_another_vocabulary_stay_behind():
    model = MODELS["visualbert"](TASK, **SMALL)
    weights = {"bert.encoder.layer.0.attention.self.query.weight": torch.rand(32, 32)}
    weights["bert.embeddings.word_embeddings.weight"] = torch.rand(30, 32)
    assert "words.table.weight there" in take_over(model, weights, what="a BERT", names={})


def volta_names(number: int, *, text: bool, vision: bool):
    """What VOLTA calls the weights of two sublayers, attention and what follows it, and their shapes."""
    square, norm, wide, narrow = (32, 32), (32,), (128, 32), (32, 128)
    shapes = {f"{2 * number}.attention_self.{{}}{part}": square for part in ("query", "key", "value")}
    shapes |= {f"{2 * number}.attention_output.{{}}dense": square, f"{2 * number}.attention_output.{{}}LayerNorm": norm}
    shapes |= {f"{2 * number + 1}.intermediate.{{}}dense": wide, f"{2 * number + 1}.output.{{}}dense": narrow}
    shapes |= {f"{2 * number + 1}.output.{{}}LayerNorm": norm}
    for stream in ("",) * text + ("v_",) * vision:
        for name, shape in shapes.items():
            yield f"bert.encoder.layer.{name.format(stream)}.weight", torch.rand(shape)
            yield f"bert.encoder.layer.{name.format(stream)}.bias", torch.rand(shape[:1])


def volta_embeddings(name: str):
    """What VOLTA calls the weights of embeddings and poolers."""
    yield "bert.embeddings.word_embeddings.weight", torch.rand(len(PIECES), 32)
    yield "bert.embeddings.position_embeddings.weight", torch.rand(512, 32)
    yield "bert.embeddings.token_type_embeddings.weight", torch.rand(2, 32)
    linear = {"visualbert": ("embeddings.projection",), "vilbert": ("v_embeddings.image_embeddings",)}[name]
    for part in (*linear, "embeddings.LayerNorm", *(("v_embeddings.LayerNorm",) if name == "vilbert" else ())):
        yield f"bert.{part}.weight", torch.rand(*((32, 7) if part in linear else (32,)))
        yield f"bert.{part}.bias", torch.rand(32)
    if name == "visualbert":
        yield "bert.embeddings.token_type_embeddings_visual.weight", torch.rand(2, 32)
        yield "bert.embeddings.position_embeddings_visual.weight", torch.rand(512, 32)
    else:
        yield "bert.v_embeddings.image_location_embeddings.weight", torch.rand(32, 5)
        yield "bert.v_embeddings.image_location_embeddings.bias", torch.rand(32)
    for pooler in ("t_pooler", "v_pooler"):
        yield f"bert.{pooler}.dense.weight", torch.rand(32, 32)
        yield f"bert.{pooler}.dense.bias", torch.rand(32)
    yield "cls.predictions.bias", torch.rand(30)  # of a task that is none here


@pytest.mark.parametrize(
    ("name", "layers"),
    [
        ("visualbert", [(True, False), (True, False)]),  # shared, so that those of the text are all
        ("vilbert", [(True, False), (True, True), (True, True)]),
    ],
)
def test_weights_of_volta_find_their_places(name, layers):
    model = MODELS[name](replace(TASK, side=0, features=7, pieces=PIECES), **SMALL)
    weights = dict(volta_embeddings(name))
    for number, (text, vision) in enumerate(layers):
        weights |= dict(volta_names(number, text=text, vision=vision))
    said = take_over(model, weights, what="VOLTA", names={})
    begins_afresh = {key.partition(".")[0] for key in model.state_dict()} - {"words", "regions", "encoder"}
    assert begins_afresh == {"text_pooler", "vision_pooler", "first", "sets", "head"}
    assert "encoder" not in said.partition("begin afresh")[0]
    assert "regions" not in said.partition("begin afresh")[0]
    assert "cls.predictions.bias there" in said
    last = 2 * (len(layers) - 1)
    query = weights[f"bert.encoder.layer.{last}.attention_self.{'' if name == 'visualbert' else 'v_'}query.weight"]
    assert torch.equal(model.encoder.vision[-1].query.weight, query)
    assert torch.equal(model.vision_pooler[0].weight, weights["bert.v_pooler.dense.weight"])


def test_volta_adds_the_same_vector_to_every_region_of_visualbert():
    model = MODELS["visualbert"](replace(TASK, side=0, features=7, pieces=PIECES), **SMALL).eval()
    weights = dict(volta_embeddings("visualbert")) | dict(volta_names(0, text=True, vision=False))
    take_over(model, weights, what="VOLTA", names={})
    theirs = {key.removeprefix("bert.embeddings."): value for key, value in weights.items()}
    features = torch.rand(2, 3, 7)
    added = theirs["position_embeddings_visual.weight"][0] + theirs["token_type_embeddings_visual.weight"][1]
    vectors = features @ theirs["projection.weight"].T + theirs["projection.bias"] + added
    norm = theirs["LayerNorm.weight"], theirs["LayerNorm.bias"]
    expected = torch.nn.functional.layer_norm(vectors, (32,), *norm, eps=1e-12)
    regions = model.regions({"input_features": features, "input_places": torch.rand(2, 3, 5)}, 2, torch.empty(0, 32))[0]
    assert torch.allclose(regions[:, 1:], expected, atol=1e-5)
