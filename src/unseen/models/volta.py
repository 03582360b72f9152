"""Weights of BERT and of VOLTA's models (Bugliarello et al. 2021), under the names that they have here.

VOLTA numbers sublayers: those of attention are even, those of what follows are odd, so that sublayers 2k and 2k + 1 are
layer k. Weights of the vision stream have the same names with a `v_` before the last part; where both streams share
them, there are only those of the text, or both are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from unseen.models.two_streams import TEXT

if TYPE_CHECKING:
    from unseen.models.visualbert import VisualBERT

Weights = Mapping[str, Tensor]
BERT = r"(?:bert\.)?encoder\.layer\.(\d+)\.(.+)\.(weight|bias)"
BERT_NAMES = {  # of the parts of a layer -> here
    **{f"attention.self.{name}": name for name in ("query", "key", "value")},
    **{"attention.output.dense": "out", "attention.output.LayerNorm": "attention_norm"},
    **{"intermediate.dense": "feed_forward.0", "output.dense": "feed_forward.2", "output.LayerNorm": "norm"},
}
VOLTA = r"(?:.*?\.)?bert\.encoder\.layer\.(\d+)\.(attention_self|attention_output|intermediate|output)\.(v_)?(.+)"
VOLTA_NAMES = {  # of the parts of two sublayers -> here
    **{("attention_self", name): name for name in ("query", "key", "value")},
    **{("attention_output", "dense"): "out", ("attention_output", "LayerNorm"): "attention_norm"},
    **{("intermediate", "dense"): "feed_forward.0", ("output", "dense"): "feed_forward.2"},
    ("output", "LayerNorm"): "norm",
}
POOLERS = {"t_pooler.dense": "text_pooler.0", "v_pooler.dense": "vision_pooler.0"}


def bert_weights(model: VisualBERT, weights: Weights) -> dict[str, Tensor]:
    """Weights as `transformers` saves those of a BERT; its layers are those in which the text attends to itself."""
    own = [number for number, layer in enumerate(model.encoder.layers) if TEXT in layer.text]
    found = {}
    for name, value in weights.items():
        layer = re.fullmatch(BERT, name)
        if layer and int(layer[1]) < len(own) and layer[2] in BERT_NAMES:
            found[f"encoder.text.{own[int(layer[1])]}.{BERT_NAMES[layer[2]]}.{layer[3]}"] = value
        elif "embeddings." not in name:
            found[name] = value
    return {**found, **_text(weights, len(model.words.places.weight))}


def volta_weights(model: VisualBERT, weights: Weights) -> dict[str, Tensor]:
    """Weights as VOLTA saves those of its models, pretrained or trained on; empty where these are others."""
    if not any(".attention_self." in name for name in weights):  # what follows attention has the names of BERT's
        return {}
    found: dict[str, Tensor] = {}
    others: dict[str, Tensor] = {}
    for name, value in weights.items():
        sublayer = re.fullmatch(VOLTA, name)
        if not sublayer:
            others |= {} if re.search(r"embeddings\.|_pooler\.", name) else {name: value}
            continue
        number, part, vision, rest = sublayer.groups()
        piece, _, kind = rest.rpartition(".")
        stream = "vision" if vision else "text"
        found[f"encoder.{stream}.{int(number) // 2}.{VOLTA_NAMES.get((part, piece), rest)}.{kind}"] = value
    shared = {name.replace("text", "vision", 1): value for name, value in found.items() if _is_shared(model, name)}
    text = _text(weights, len(model.words.places.weight))
    return {**others, **shared, **found, **text, **_vision(weights), **dict(_poolers(weights))}


def _is_shared(model: VisualBERT, name: str) -> bool:
    """Whether a weight of the text stream is that of the vision stream, too."""
    _, stream, number, *_ = name.split(".")
    layers = model.encoder.layers
    return stream == TEXT and int(number) < len(layers) and layers[int(number)].shared


def _text(weights: Weights, longest: int) -> dict[str, Tensor]:
    """Embeddings of the text. Its sort of token is always the first, so that it is a part of places here."""
    held = _embeddings(weights)
    found = {"words.table.weight": held["word_embeddings.weight"]} if "word_embeddings.weight" in held else {}
    if "position_embeddings.weight" in held:
        found["words.places.weight"] = held["position_embeddings.weight"][:longest]
        if "token_type_embeddings.weight" in held:
            found["words.places.weight"] = found["words.places.weight"] + held["token_type_embeddings.weight"][0]
    return found | {
        f"words.norm.{kind}": held[f"LayerNorm.{kind}"] for kind in ("weight", "bias") if f"LayerNorm.{kind}" in held
    }


def _vision(weights: Weights) -> dict[str, Tensor]:
    """Embeddings of the regions.

    Those of ViLBERT are as here. Those of VisualBERT know no places: the same vector is added to each region, which
    becomes a part of the bias, and the layer of places is 0.
    """
    own = {"image_embeddings": "feature", "image_location_embeddings": "place", "LayerNorm": "norm"}
    held = _embeddings(weights, "v_embeddings")
    found = {}
    for name, value in held.items():
        part, _, kind = name.rpartition(".")
        if part in own:
            found[f"regions.{own[part]}.{kind}"] = value
    held = _embeddings(weights)
    if "projection.weight" in held:
        added = held["position_embeddings_visual.weight"][0] + held["token_type_embeddings_visual.weight"][1]
        width = len(added)
        found |= {"regions.feature.weight": held["projection.weight"]}
        found |= {"regions.feature.bias": held["projection.bias"] + added}
        found |= {"regions.place.weight": torch.zeros(width, 5), "regions.place.bias": torch.zeros(width)}
        found |= {f"regions.norm.{kind}": held[f"LayerNorm.{kind}"] for kind in ("weight", "bias")}
    return found


def _poolers(weights: Weights) -> Iterator[tuple[str, Tensor]]:
    for name, value in weights.items():
        for theirs, own in POOLERS.items():
            if f".{theirs}." in f".{name}":
                yield f"{own}.{name.rpartition('.')[2]}", value


def _embeddings(weights: Weights, part: str = "embeddings") -> dict[str, Tensor]:
    """The weights of a part by their names in it."""
    found = {}
    for name, value in weights.items():
        before, mark, rest = name.partition(f"{part}.")
        if mark and (not before or before.endswith(".")):
            found[rest] = value
    return found
