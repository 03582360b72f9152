"""Baselines: one readable file each, plain PyTorch. A model knows no benchmark, file, device or optimizer.

A model is any `nn.Module` made from what it must know of a task, a small record per kind of task, and its own options:

    model = MODELS["resnet"](Grids(side=20, ...), width=128)
    model.kinds               the kinds of task that it answers, an attribute of the class: ("grid",)
    model(batch)              -> its output, of which the trainer knows what to make:

        kind        what it is made from    output
        grid        Grids                   logits (batch, classes, side, side)
        odd         Odd                     scores (batch, 4), the highest for the odd image
        image       Images                  images (batch, 3, side, side) of values from 0 to 1
        question    Questions               logits (batch, answers)
        video       Videos                  anything: it needs `loss` and `predict`, for it learns without labels

    model.loss(batch)         -> (loss, {name: value to log}); only where the model has an objective of its own
    model.loss_and_output(batch) -> (loss, {name: value to log}, what `model(batch)` gives); only beside a `loss` that
                                 shares its passes with the output, to spare evaluations the second time
    model.predict(batch)      -> its answers; only where they are not what the output says by itself:
                                 grid: colors (batch, side, side), -1 where there is padding; odd: scores (batch, 4);
                                 image: uint8 (batch, side, side, 3); question: a list of strings; video: the id of the
                                 object in every pixel, (batch, frames, side, side), 0 where there is none; or a
                                 pair of these and of {"frames": as it paints them, (batch, frames, 3, side, side)}
    model.view                options of the task's view that it needs, an attribute of the class: {"symbols": True};
                              only where it must be shown more than an example holds by default
    model.welcome             the same, of options that it makes use of where a task has them and can do without
    model.views(batch)        -> {name: images (batch, 3, side, side) from 0 to 1} of what it makes of examples on the
                                 way to its answers, for people; only where there is something to see
    model.stages              the stages that it learns in, one after the other: `Stage` records; only where several
    model.after_step()        what is done after every step of the optimizer, such as moving an average twin along
    model.progress            the share of the stage's steps that are done, 0 to 1; a number that is set before every
                                 step, only where the model has one
    model.single              whether it learns from single images: then batches of training hold nothing but `index`
                                 and `input_image`, one image of each odd-one-out problem
    model.adopt(weights)      -> weights of other programs by the model's own names; only where it knows some: those of
                                 ImageNet or CLIP, for instance
    model.augment(batch)      -> the batch as it is to be trained on; only where there is something to change. Chance
                                 is PyTorch's, which is seeded by the number of the step

A batch is what `Dataset.torch` gives, on the device of the model. Images are uint8 (..., side, side, 3) until a model
makes floats of them (`layers.pixels`); text is a list of strings.

    grid        input_grid (batch, side, side) int64 with -1 for padding, input_code (batch, tokens), target_grid, and
                input_demonstration_inputs, input_demonstration_targets (batch, k, side, side)
    odd         input_images (batch, 4, side, side, 3), input_rule, target_odd (batch,)
    image       input_image (batch, side, side, 3), target_image, target_masks (batch, side, side)
    question    input_images (images, side, side, 3) of all questions one after the other, input_counts (batch,) how
                many each has, input_text, target_answer, both lists of strings; with `symbols`, input_boxes (images,
                objects, 4), 0 behind the last, input_names, a string for each image: "red car; tall boy", and
                input_relations, another: "1 next to 0"; with `features`, in place of images, input_features (images,
                regions, numbers) and input_places (images, regions, 5): left, top, right, bottom and area
    video       input_frames (batch, frames, side, side, 3), target_ids (batch, frames, side, side)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from unseen.core.registry import Registry

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True)
class Grids:
    """What a model must know of a grid task."""

    side: int  # of the padded grids
    code_length: int  # tokens of the task code; 0 where there is none
    tokens: int  # different task tokens, the padding identity included
    demonstrations: int = 0  # in-context pairs

    colors = 10  # 0 is background
    classes = 11  # the colors, then padding


@dataclass(frozen=True)
class Odd:
    """What a model must know of a task that asks for the odd one of four images."""

    side: int  # of an image in pixels
    rules: tuple[str, ...] = ()  # by name, as in `input_rule`; none where one rule is trained alone

    images = 4


@dataclass(frozen=True)
class Images:
    """What a model must know of a task that asks for the next image."""

    side: int  # of an image in pixels
    factors: tuple[tuple[str, int], ...] = ()  # of objects: name and number of values, for models that are told them
    ranges: tuple[tuple[str, float, float], ...] = ()  # of real numbers that such models are told: name, least, most
    scene: tuple[tuple[str, int], ...] = ()  # factors of a whole scene, as those of objects


@dataclass(frozen=True)
class Videos:
    """What a model must know of a task that asks to follow objects."""

    side: int  # of a frame in pixels
    frames: int  # of a video
    slots: int  # objects that are there at once, at most


@dataclass(frozen=True)
class Questions:
    """What a model must know of a task that asks questions over several images."""

    answers: tuple[str, ...]  # to the questions of the training split, which are the classes to choose from
    words: tuple[str, ...]  # of those questions, as `layers.words` splits them
    images: int  # of a question, at most
    side: int  # of an image in pixels; 0 where regions stand for images
    symbols: tuple[str, ...] = ()  # words of the names of objects, for models that are told them
    features: int = 0  # numbers that describe a region; 0 where there are images
    pieces: tuple[str, ...] = ()  # of words, in the order of a vocabulary; none: words are read whole


@dataclass(frozen=True)
class Stage:
    """A step of a model that learns in several: what learns, by which objective, from which weights.

    How long and how fast is the recipe's business, which has settings for each stage by its name.
    """

    name: str
    learns: tuple[str, ...] = ()  # parts, by the beginning of their names; none named: all
    loss: str = "loss"  # the method that is minimised; answers are judged in stages that minimise `loss`
    start: str = ""  # the earlier stage whose best weights it begins with; else the one before


Interface = Grids | Odd | Images | Videos | Questions


class MakeModel(Protocol):
    """A class or function that makes a model for a task; `kinds` are the kinds of task that the model answers."""

    def __call__(self, task: Any, **options: Any) -> nn.Module:
        """A model for a task."""


MODELS: Registry[MakeModel] = Registry("model", group="unseen.models", listing="unseen list --models")
for _name, _place in {
    "resnet": "unseen.models.resnet:ResNet",
    "resnet-mended": "unseen.models.resnet:MendedResNet",
    "task-resnet": "unseen.models.resnet:TaskResNet",
    "vanilla-tf": "unseen.models.vanilla_tf:VanillaTF",
    "vanilla-tf-mended": "unseen.models.vanilla_tf:MendedVanillaTF",
    "grid-tf": "unseen.models.grid_tf:GridTF",
    "grid-tf-mended": "unseen.models.grid_tf:MendedGridTF",
    "pl-tf": "unseen.models.pl_tf:PLTF",
    "pl-tf-mended": "unseen.models.pl_tf:MendedPLTF",
    "llada": "unseen.models.llada:LLaDA",
    "trm": "unseen.models.trm:TRM",
    "resnet-50": "unseen.models.resnet_50:ResNet50",
    "vit-small": "unseen.models.vit_small:ViTSmall",
    "scl": "unseen.models.scl:SCL",
    "wren": "unseen.models.wren:WReN",
    "scl-resnet-18": "unseen.models.scl_resnet_18:SCLResNet18",
    "moco-resnet-50": "unseen.models.moco:MoCoResNet50",
    "moco-vit-small": "unseen.models.moco:MoCoViTSmall",
    "i2i-cnn": "unseen.models.image_to_image:I2ICNN",
    "i2i-vit": "unseen.models.image_to_image:I2IViT",
    "ssm-vae": "unseen.models.ssm_vae:SSMVAE",
    "ssm-slot": "unseen.models.ssm_slot:SSMSlot",
    "oracle": "unseen.models.oracle:Oracle",
    "factor-cnn": "unseen.models.factor_cnn:FactorCNN",
    "monet": "unseen.models.monet:MONet",
    "vimon": "unseen.models.vimon:ViMON",
    "iodine": "unseen.models.iodine:IODINE",
    "op3": "unseen.models.op3:OP3",
    "tba": "unseen.models.tba:TBA",
    "scalor": "unseen.models.scalor:SCALOR",
    "savi": "unseen.models.savi:SAVi",
    "savi-hint": "unseen.models.savi:HintedSAVi",
    "visualbert": "unseen.models.visualbert:VisualBERT",
    "vilbert": "unseen.models.visualbert:ViLBERT",
    "visualbert-text": "unseen.models.visualbert:VisualBERTText",
    "vilbert-text": "unseen.models.visualbert:ViLBERTText",
}.items():
    MODELS.add_lazy(_name, _place)
