"""The two renderers show the same world."""

from __future__ import annotations

import numpy as np
import pytest

from unseen.render.space import blender, opengl, project, render

pytest.importorskip("bpy", reason="Blender as a Python module is not installed: pip install 'unseen[blender]'")


@pytest.mark.slow
def test_blender_sees_what_our_projection_sees(scenes):
    for scene in scenes:
        seen, ours = blender.ids(scene, 128), project.project(scene, 128).ids
        for k in range(1, len(scene.bodies) + 1):
            both, either = (seen == k) & (ours == k), (seen == k) | (ours == k)
            assert both.sum() >= 0.97 * either.sum()


@pytest.mark.slow
def test_colors_are_near(scenes, record_property, capsys):
    errors = []
    for scene in scenes:
        reference = render(scene, 128, "blender").image.astype(int)
        errors.append(np.abs(opengl.images([scene], 128)[0] - reference).mean())
    record_property("mean absolute color error", float(np.mean(errors)))
    with capsys.disabled():
        print("\nmean absolute color error, OpenGL against Cycles, of 255:", *(f"{error:.1f}" for error in errors))
    assert np.mean(errors) < 12
