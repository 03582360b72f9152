from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from unseen.benchmarks.covr import kernels
from unseen.benchmarks.covr.world.flat import SIDE
from unseen.benchmarks.covr.world.icons import EFFECTS, FIXED, FORMS, ICONS, PEOPLE
from unseen.benchmarks.covr.world.nouns import ACTS, NOUNS, PLACES
from unseen.benchmarks.covr.world.paint import BACKGROUNDS, COLORS, MATERIALS, PATTERNS, painted
from unseen.benchmarks.covr.world.scene import Scene, Thing
from unseen.core.errors import SpecError


def alone(name: str, *attributes: str, box: tuple[int, int, int, int] = (100, 100, 90, 90)) -> Scene:
    """A scene with one thing."""
    return Scene("x", {"1": Thing("1", name, attributes, (), box)}, SIDE, SIDE, "park")


def test_the_same_scene_gives_the_same_picture(made):
    for scene in made[:5]:
        image = painted(scene, 96)
        assert image.shape == (96, 96, 3)
        assert image.dtype == np.uint8
        assert np.array_equal(image, painted(scene, 96))


def test_pictures_do_not_change_unnoticed(made):
    digest = hashlib.sha256(b"".join(painted(scene, 64).tobytes() for scene in made[:8])).hexdigest()
    assert digest[:16] == "315dc205fcee5e4c"


def test_everything_that_can_occur_has_a_look():
    assert {noun.name for noun in NOUNS} == {*ICONS, *PEOPLE}
    assert {value for noun in NOUNS for value in noun.color} <= set(COLORS)
    assert {value for noun in NOUNS for value in noun.material} <= set(MATERIALS)
    assert {value for noun in NOUNS for value in noun.pattern} <= set(PATTERNS)
    assert {value for noun in NOUNS for value in noun.shape} <= set(FORMS)
    assert set(PLACES) == set(BACKGROUNDS)
    assert {act.name for act in ACTS} == set(EFFECTS)


def test_every_shape_has_a_known_role_and_few_enough_corners():
    everything = [*ICONS.values(), *EFFECTS.values(), *(icon for poses in PEOPLE.values() for icon in poses.values())]
    for shapes in everything:
        for shape in shapes:
            assert shape.role in ("main", "dark", "light", *FIXED)
            assert len(shape.points) <= kernels.CORNERS


@pytest.mark.parametrize("noun", [noun for noun in NOUNS if noun.roles != "person"], ids=lambda noun: noun.name)
def test_what_a_thing_is_like_can_be_seen(noun):
    """Any two values of a group give pictures that differ in many pixels."""
    for group in (noun.color, noun.material, noun.shape, ("", *noun.pattern)):
        base = [values[0] for values in (noun.color, noun.material, noun.shape) if values and values is not group]
        pictures = [painted(alone(noun.name, *base, *([value] if value else [])), 120) for value in group]
        for i, one in enumerate(pictures):
            for other in pictures[:i]:
                assert np.any(one != other, axis=2).sum() > 20, (noun.name, group)


def test_every_noun_looks_different_from_every_other():
    pictures = [painted(alone(noun.name, "red"), 60) for noun in NOUNS]
    assert len({picture.tobytes() for picture in pictures}) == len(NOUNS)


def test_poses_and_deeds_can_be_seen(made):
    assert not np.array_equal(painted(alone("man", "standing"), 60), painted(alone("man", "sitting"), 60))
    for name in (*EFFECTS, "walking", "pushing"):
        scene = next(s for s in made if any(r.name == name for t in s.things.values() for r in t.relations))
        without = replace(scene, things={key: t._replace(relations=()) for key, t in scene.things.items()})
        assert not np.array_equal(painted(scene, 120), painted(without, 120)), name


def test_what_is_hidden_is_hidden_only_in_part(made):
    """A thing behind another, taken away, changes the picture."""
    for scene in made[:100]:
        for thing in scene.things.values():
            if any(relation.name in ("behind", "under", "in") for relation in thing.relations):
                things = {key: t._replace(relations=()) for key, t in scene.things.items()}
                with_it = painted(replace(scene, things=things), 120)
                del things[thing.id]
                assert np.any(with_it != painted(replace(scene, things=things), 120), axis=2).sum() > 10, thing


def test_patterns_and_materials_are_numbered_alike_in_tables_and_kernels():
    assert [getattr(kernels, name.upper()) for name in PATTERNS[1:]] == list(range(1, len(PATTERNS)))
    assert [getattr(kernels, name.upper()) for name in MATERIALS[1:]] == list(range(1, len(MATERIALS)))


def test_a_picture_has_at_least_a_pixel():
    with pytest.raises(SpecError, match="so it cannot be 0"):
        painted(alone("cup"), 0)


def test_what_reaches_beyond_the_canvas_is_cut_off():
    """Once, what ended left of the canvas was drawn from there to the right edge."""
    left, across = [(x, y) for x, y in ((-30, 5), (-10, 5), (-10, 15), (-30, 15))], ((-5, 5), (5, 5), (5, 15), (-5, 15))
    outside = np.array([*left, *across], float)
    styles = np.array([(0xFF0000, 0, 0, 0, 0, 0, 0), (0x00FF00, 0, 0, 0, 0, 0, 0)])
    for paint in (kernels.paint, kernels.paint.plain()):
        canvas = np.zeros((20, 20, 3), np.uint8)
        paint(outside, np.array([0, 4, 8]), styles, 1.0, canvas)
        assert canvas[..., 0].sum() == 0
        assert (canvas[5:15, :5, 1] == 255).all()
        assert canvas[..., 1].sum() == 255 * 50
