"""The generalization version of a rule: its scene with overrides, and what all shifted scenes have in common.

Colors are dull, dark and each object's own; shapes and sizes that a rule does not speak of are each object's own.
"""

from __future__ import annotations

from dataclasses import replace

from unseen.benchmarks.cvr.vocabulary import Change, Config, Copied, I, Mirror, Motifs, Orbit, Rule, Scene

SHAPES = {"shape", "rotation", "flip"}  # relations that need shapes to be equal or different
TIED = (Mirror, Orbit, Motifs, Config, Copied)  # places whose objects have sizes that belong together


def version(rule: Rule, shifted: bool, change: Change | None = None) -> Scene:
    """The scene of a rule's images in either version, or of an odd one."""
    scene = rule.scene
    if shifted:
        scene = common_shift(rule, scene.but(**rule.shifted))
    return scene.but(**change.scene) if change else scene


def tells_shapes(rule: Rule) -> bool:
    """Whether shapes carry a rule or name its objects: equal ones must be equal, and others must look different."""
    return bool(SHAPES & set(rule.relations) or rule.scene.shape.option("unlike"))


def common_shift(rule: Rule, scene: Scene) -> Scene:
    """What every shifted scene has, unless the row says otherwise."""
    given = rule.shifted
    if scene.color.option("s") is None:
        scene = replace(scene, color=I("each", dull=True))
    elif "color" not in given:
        scene = replace(scene, color=scene.color.but(s=(0.4, 1.0), v=(0.35, 0.85)))
    if "shape" not in given and not tells_shapes(rule):
        scene = replace(scene, shape=I("each"))
    free = "size" not in given and "size" not in rule.relations and not isinstance(scene.place, TIED)
    if free and scene.size.pattern == "all":
        scene = replace(scene, size=scene.size.but("each", "image"))
    return scene
