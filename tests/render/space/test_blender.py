"""The two renderers show the same world."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from unseen.core.errors import MissingExtra
from unseen.render.space import blender, opengl, render
from unseen.render.space.project import project


@pytest.fixture
def _bpy():
    pytest.importorskip("bpy", reason="Blender as a Python module is not installed: pip install '.[blender]'")


@pytest.mark.slow
@pytest.mark.usefixtures("_bpy")
def test_blender_sees_what_our_projection_sees(scenes):
    for scene in scenes:
        seen, ours = blender.ids(scene, 128), project(scene, 128).ids
        for k in range(1, len(scene.bodies) + 1):
            both, either = (seen == k) & (ours == k), (seen == k) | (ours == k)
            assert both.sum() >= 0.97 * either.sum()


@pytest.mark.slow
@pytest.mark.usefixtures("_bpy")
def test_colors_are_near(scenes, capsys):
    """The first five have a gray floor; floors of metal, whose reflections we only estimate, are furthest apart."""
    try:
        ours = opengl.images(scenes, 128).astype(int)
    except MissingExtra as error:
        pytest.skip(str(error))
    errors = [np.abs(o - render(scene, 128, "blender").image).mean() for o, scene in zip(ours, scenes, strict=True)]
    with capsys.disabled():
        print("\nmean absolute color error, OpenGL against Cycles, of 255:", *(f"{error:.1f}" for error in errors))
    assert max(errors[:5]) < 8
    assert max(errors) < 25


def test_without_blender_one_reads_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "bpy", None)
    with pytest.raises(MissingExtra, match=r"\.\[blender\]"):
        blender._blender.__wrapped__()
