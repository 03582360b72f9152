"""The same scenes in Blender's Cycles: the photoreal reference.

Needs the `bpy` package, Blender as a module. It has one scene of its own per process, which is filled anew each time.
"""

from __future__ import annotations

import math
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unseen.core.errors import missing_extra
from unseen.render.space.mesh import Mesh
from unseen.render.space.meshes import mesh
from unseen.render.space.scene import AreaLight, Camera, Scene, Sun, Surface
from unseen.render.space.stage import parts
from unseen.render.space.textures import BODY_TILE, finish, maps

SAMPLES = 16  # paths per pixel, before the denoiser
VIEWS = {"standard": ("Standard", "None"), "filmic": ("Filmic", "Very High Contrast")}


@cache
def _blender() -> Any:
    """The `bpy` module."""
    try:
        import bpy
    except ImportError:
        raise missing_extra("the Blender renderer", "blender", "bpy 4.5 (on Python 3.11)") from None
    return bpy


def image(scene: Scene, size: int, *, samples: int = SAMPLES) -> npt.NDArray[np.uint8]:
    """The picture, uint8 (size, size, 3)."""
    bpy = _filled(scene, size)
    cycles = bpy.context.scene.cycles
    cycles.samples, cycles.use_denoising = samples, True
    view = bpy.context.scene.view_settings
    view.view_transform, view.look = VIEWS[scene.view_transform]
    return _rendered(bpy)


def ids(scene: Scene, size: int) -> npt.NDArray[np.uint8]:
    """What Cycles sees at the center of each pixel, as ids of our projection; to hold the two together."""
    bpy = _filled(scene, size, flat=True)
    cycles = bpy.context.scene.cycles
    cycles.samples, cycles.use_denoising, cycles.filter_width = 1, False, 0.01
    view = bpy.context.scene.view_settings
    view.view_transform, view.look = "Raw", "None"
    return _rendered(bpy)[..., 0]


def _rendered(bpy: Any) -> npt.NDArray[np.uint8]:
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "image.png"
        bpy.context.scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        with Image.open(path) as opened:
            return np.asarray(opened.convert("RGB"))


def _filled(scene: Scene, size: int, *, flat: bool = False) -> Any:
    """Blender's scene, filled with ours; `flat` gives each thing its id as its color."""
    bpy = _blender()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    space = bpy.context.scene
    space.render.engine = "CYCLES"
    space.cycles.device = "CPU"
    space.cycles.max_bounces, space.cycles.diffuse_bounces, space.cycles.glossy_bounces = 12, 4, 4
    space.cycles.blur_glossy = 2.0
    space.render.resolution_x = space.render.resolution_y = size
    space.render.dither_intensity = 0.0
    space.render.threads_mode, space.render.threads = "FIXED", 1
    space.world = bpy.data.worlds.new("world")
    space.world.use_nodes = True
    space.world.node_tree.nodes["Background"].inputs["Color"].default_value = (*scene.sky, 1)
    for part in parts(scene.stage):
        material = _id(bpy, part.id) if flat else _material(bpy, part.surface, tile=scene.stage.tile, size=1.0)
        placed = _object(bpy, part.mesh, material)
        placed.visible_shadow = False  # lamps shine through a stage, so that a room need not have one inside
    for k, body in enumerate(scene.bodies, 1):
        material = _id(bpy, k) if flat else _material(bpy, body.surface, tile=BODY_TILE, size=body.size)
        placed = _object(bpy, mesh(body.shape), material)
        placed.location, placed.scale = body.position, (body.size,) * 3
        placed.rotation_euler = (0, 0, math.radians(body.turn))
    for light in scene.lights:
        _area(bpy, light)
    if scene.sun:
        _sun(bpy, scene.sun)
    _camera(bpy, scene.camera)
    return bpy


def _object(bpy: Any, shape: Mesh, material: Any) -> Any:
    data = bpy.data.meshes.new("mesh")
    data.from_pydata(shape.vertices.tolist(), [], shape.triangles.tolist())
    data.polygons.foreach_set("use_smooth", [True] * len(shape.triangles))
    data.normals_split_custom_set_from_vertices(shape.normals.tolist())
    data.materials.append(material)
    return _linked(bpy, data)


def _linked(bpy: Any, data: Any) -> Any:
    made = bpy.data.objects.new("object", data)
    bpy.context.collection.objects.link(made)
    return made


def _aimed(bpy: Any, data: Any, position: Any, direction: Any) -> None:
    from mathutils import Vector

    made = _linked(bpy, data)
    made.location = position
    made.rotation_euler = Vector(direction).to_track_quat("-Z", "Y").to_euler()


def _toward(start: Any, end: Any) -> tuple[float, ...]:
    return tuple(b - a for a, b in zip(start, end, strict=True))


def _area(bpy: Any, light: AreaLight) -> None:
    data = bpy.data.lights.new("area", "AREA")
    data.energy, data.size, data.color = light.power, light.edge, light.color
    _aimed(bpy, data, light.position, _toward(light.position, light.aim))


def _sun(bpy: Any, sun: Sun) -> None:
    data = bpy.data.lights.new("sun", "SUN")
    data.energy, data.angle, data.color = sun.strength, 0.0, sun.color
    _aimed(bpy, data, (0, 0, 30), sun.direction)


def _camera(bpy: Any, camera: Camera) -> None:
    data = bpy.data.cameras.new("camera")
    data.angle = math.radians(camera.field_of_view)
    data.clip_start = 0.02
    _aimed(bpy, data, camera.position, _toward(camera.position, camera.target))
    bpy.context.scene.camera = bpy.context.collection.objects[-1]


# ---------------------------------------------------------------------------- materials


class _Nodes:
    """A material's node tree, written as expressions: each call makes a node and gives its output, or the first."""

    def __init__(self, bpy: Any) -> None:
        self.material = bpy.data.materials.new("material")
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()

    def __call__(self, kind: str, inputs: dict[Any, Any], *, output: str = "", **settings: Any) -> Any:
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for name, value in settings.items():
            setattr(node, name, value)
        for name, value in inputs.items():
            if hasattr(value, "is_output"):
                self.tree.links.new(value, node.inputs[name])
            else:
                node.inputs[name].default_value = value
        return node.outputs[output or 0] if node.outputs else None

    def mix(self, share: Any, first: Any, second: Any) -> Any:
        """`share` of the second shader, the rest of the first."""
        return self("MixShader", {0: share, 1: first, 2: second})

    def made(self, surface: Any) -> Any:
        """The material, once it has a surface."""
        self("OutputMaterial", {"Surface": surface})
        return self.material


def _id(bpy: Any, number: int) -> Any:
    """A surface that shines in the gray whose value is an id."""
    node = _Nodes(bpy)
    return node.made(node("Emission", {"Color": (*(number / 255,) * 3, 1)}))


def _picture(bpy: Any, node: _Nodes, where: Any, values: npt.NDArray[np.float64]) -> Any:
    """An array, projected onto a body from its six sides."""
    picture = bpy.data.images.new("map", *values.shape[:2], float_buffer=True)
    picture.colorspace_settings.name = "Non-Color"
    filled = np.ones((*values.shape[:2], 4), np.float32)
    filled[..., :3] = values.reshape(*values.shape[:2], -1)
    picture.pixels.foreach_set(filled.ravel())
    return node("TexImage", {"Vector": where}, image=picture, projection="BOX", projection_blend=0.3)


def _material(bpy: Any, surface: Surface, *, tile: float, size: float) -> Any:
    """A finish as nodes; where there are maps, they replace its color, roughness and metalness."""
    node, look, pattern = _Nodes(bpy), finish(surface.material), maps(surface.material)
    color, metalness, normal = (*surface.color, 1), look.metalness, {}
    roughness: tuple[Any, Any] = look.roughness
    if pattern:
        where = node("Mapping", {"Vector": node("TexCoord", {}, output="Object"), "Scale": (1 / tile,) * 3})
        color, metalness = _picture(bpy, node, where, pattern.color), _picture(bpy, node, where, pattern.metalness)
        roughness = (_picture(bpy, node, where, pattern.roughness),) * 2
        height = _picture(bpy, node, where, pattern.height)
        normal = {"Normal": node("Bump", {"Height": height, "Distance": tile * size})}
    even = node("BsdfDiffuse", {"Color": color, **normal})
    if look.velvet:
        sheen = node("BsdfSheen", {"Color": color, "Roughness": look.velvet_width, **normal}, distribution="ASHIKHMIN")
        even = node.mix(node("Fresnel", {"IOR": look.velvet}), even, sheen)

    def gloss(tint: Any) -> Any:
        lobes = [node("BsdfAnisotropic", {"Color": tint, "Roughness": r, **normal}) for r in roughness]
        return node.mix(look.second, *lobes)

    share = node("Fresnel", {"IOR": look.refraction, **normal})
    return node.made(node.mix(metalness, node.mix(share, even, gloss((*look.gloss, 1))), gloss(color)))
