"""Of four next images one follows the rule, the others break it in one factor, and no look at them tells which."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest

import unseen
from unseen.benchmarks.svib import choices, prompt
from unseen.benchmarks.svib.rules import RULES, apply, effects_of
from unseen.benchmarks.svib.solids import scene_of
from unseen.benchmarks.svib.spec import Spec
from unseen.benchmarks.svib.verify import check_places, check_rule, state_of
from unseen.core.asking import form_of
from unseen.render.space.project import view

FLAT = ("dsprites-sa", "dsprites-sna", "dsprites-ma", "dsprites-mna", "analysis-cp", "analysis-ncp", "analysis-minter")
SOLID = ("clevr-sa+renderer=none", "clevrtex-mna+renderer=none")


def offered(name, count, split="test_ood"):
    task = unseen.task(f"svib/{name}")
    spec = task.split(split).spec
    for example in unseen.load(task.id, split)[:count]:
        found = choices.choices(example.record, spec)
        if found is not None:
            yield example, spec, found


@pytest.mark.parametrize("name", [*FLAT, *SOLID])
def test_only_the_right_one_follows_the_rule(name):
    for example, spec, found in offered(name, 12 if "clevr" in name else 40):
        follows = [not list(check_rule(replace(example.record, target=scene), spec)) for scene in found.scenes]
        assert [place for place, one in enumerate(follows) if one] == [found.right]
        assert found.scenes[found.right] == example.record.target


@pytest.mark.parametrize("name", [*FLAT, *SOLID])
def test_every_scene_keeps_objects_apart(name):
    for example, spec, found in offered(name, 10 if "clevr" in name else 30):
        for scene in found.scenes:
            assert not list(check_places(replace(example.record, target=scene), spec.place))


@pytest.mark.parametrize("name", [*FLAT[:5], *SOLID])
def test_all_pairs_differ_alike_where_one_factor_has_values_enough(name):
    for _, _, found in offered(name, 10 if "clevr" in name else 40):
        if len(found.factors) == 1:
            gaps = {
                sum(one != other for one, other in zip(a, b, strict=True))
                for place, a in enumerate(found.scenes)
                for b in found.scenes[:place]
            }
            assert gaps == {1}


def test_where_a_factor_has_too_few_values_two_are_used_evenly():
    found = [one for _, _, one in offered("custom+sizes=0.2,0.3+rule=caasi", 60)]
    assert {one.factors for one in found} == {("size", "size")}
    for one in found:
        same = [[sum(x == y for x, y in zip(a, b, strict=True)) for b in one.scenes] for a in one.scenes]
        assert {tuple(sorted(row)) for row in same} == {(0, 1, 1, 2)}  # each has an opposite, and two neighbors


def test_the_old_value_is_among_the_wrong_ones_where_it_is_wrong():
    for example, _, found in offered("clevrtex-sa+renderer=none", 12):
        changed = next(
            number
            for number, objects in enumerate(zip(*found.scenes, strict=True))
            if len({one.look for one in objects}) > 1
        )
        shapes = {scene[changed].look[0] for scene in found.scenes}
        assert example.record.source[changed].look[0] in shapes


def test_episodes_are_put_the_same_way_whatever_their_place():
    first = unseen.load("svib/dsprites-sa", "test")[0].record
    spec = unseen.task("svib/dsprites-sa").split("test").spec
    found = choices.choices(first, spec)
    choices.choices.cache_clear()
    assert choices.choices(first, spec) == found


@pytest.mark.parametrize("split", ["test", "test_ood"])
@pytest.mark.parametrize("name", FLAT[:4])
def test_shortcuts_stay_near_chance(name, split):
    examples = [example for example, _, _ in offered(f"{name}+size=32", 300, split)]
    form = form_of(examples[0].task.benchmark, "choose")
    truths = [form.truth(example) for example in examples]
    assert max(Counter(truths).values()) < 0.36 * len(truths)
    for shortcut, answer in form.shortcuts.items():
        right = np.mean([answer(example) == truth for example, truth in zip(examples, truths, strict=True)])
        assert right < 0.25 + 3.5 * (0.25 * 0.75 / len(truths)) ** 0.5, shortcut


@pytest.mark.parametrize("split", ["test", "test_ood"])
@pytest.mark.parametrize("name", FLAT[:4])
def test_no_value_of_any_factor_is_right_more_often_than_the_others(name, split):
    """Though values of one factor come with some of another, and so does what else could be asked of an episode."""
    right = defaultdict(Counter)
    for example, spec, found in offered(name, 1500, split):
        if len(found.factors) == 1:
            place = spec.place.factors.index(found.factors[0])
            (number,) = {k for scene in found.scenes for k, one in enumerate(scene) if one != example.record.target[k]}
            right[found.factors[0]][example.record.target[number].look[place]] += 1
    for factor, counts in right.items():
        even = counts.total() / 4
        assert even > 60
        distance = sum((counts[value] - even) ** 2 / even for value in range(4))
        assert distance < 16.3, factor  # chi-square of three degrees of freedom: one time in a thousand by chance


def test_the_largest_size_is_not_right_more_often_because_smaller_ones_fit_too():
    larger = []
    for example, _, found in offered("custom+objects=3+rule=caasi", 1000, "test"):
        if len(found.factors) == 1:
            (number,) = {k for scene in found.scenes for k, one in enumerate(scene) if one != example.record.target[k]}
            larger.append(example.record.target[number].look[2] == 3)
    assert len(larger) > 500
    assert abs(np.mean(larger) - 0.25) < 0.03


@pytest.mark.parametrize("name", ["dsprites-sa", "dsprites-sna", "clevr-sa+renderer=none"])
def test_each_value_is_right_equally_often_though_half_of_the_held_out_shapes_are_one(name):
    asked = list(offered(name, 60 if "clevr" in name else 400))
    place = asked[0][1].place.factors.index("shape")
    right, old = Counter(), []
    for example, _, found in asked:
        (number,) = {k for scene in found.scenes for k, one in enumerate(scene) if one != example.record.target[k]}
        right[example.record.target[number].look[place]] += 1
        old.append(example.record.source[number].look[place] == example.record.target[number].look[place])
    assert len(asked) > 0.3 * (60 if "clevr" in name else 400)
    assert max(right.values()) < 0.42 * len(asked)
    assert 0.1 < np.mean(old) < 0.4


def test_only_what_can_follow_is_offered():
    # of a held-out color, some shapes are never: the color that they would give can never be right
    for example, spec, found in offered("dsprites-ma", 60):
        for factor in found.factors:
            place = spec.place.factors.index(factor)
            follows = choices.shares_taken(spec)[factor] > 0
            for scene in found.scenes:
                for before, one, true in zip(example.record.source, scene, example.record.target, strict=True):
                    if one.look[place] != true.look[place]:
                        assert follows[before.look[place], one.look[place]]


def test_a_rule_that_always_does_the_same_is_asked_about():
    assert all((rates == 1).all() for rates in choices.shares_taken(Spec(rule=(("cp",),))).values())
    assert len(list(offered("analysis-cp", 20))) > 10


# ---------------------------------------------------------------------------- the rule in words


@pytest.mark.parametrize("rule", [name for name in RULES if name != "none"])
def test_a_rule_is_said_with_every_factor_it_sets_and_reads(rule):
    spec = Spec(rule=((rule,),))
    said = prompt.in_words(spec)
    for effect in effects_of(((rule,),)):
        assert f"{effect.writes} of each object becomes" in said or (effect.writes == "position" and "moves" in said)
        for parent in effect.parents:
            assert f"{'own' if parent.of == 'self' else chr(39).join(('the other', 's'))} {parent.factor}" in said
    assert ("Quadrants are 1 at the upper right" in said) == ("quadrant" in said)


def test_counting_by_the_words_gives_the_next_image():
    spec = unseen.task("svib/dsprites-ma").split("test").spec
    color, size, shape = (prompt.words(factor, spec) for factor in ("color", "size", "shape"))
    for example in unseen.load("svib/dsprites-ma", "test")[:20]:
        before = apply((), state_of(example.record.source), spec.place, [4, 4, 4])
        for (look, _), (other, _), after in zip(before, before[::-1], prompt.looks(example), strict=True):
            assert after["color"] == color[look[1] % 4]  # number (own shape) of its list
            assert after["size"] == size[other[0] % 4]  # number (the other's color) of its list
            assert after["shape"] == shape[look[1]]


@pytest.mark.parametrize("name", ["clevr-mna+renderer=none", "clevrtex-mna+renderer=none"])
def test_quadrants_of_the_ground_are_where_the_words_say(name):
    task = unseen.task(f"svib/{name}")
    spec = task.split("test").spec
    for example in unseen.load(task.id, "test")[:5]:
        seen = view(scene_of(example.record.source, example.record, spec).camera, 128)
        right, up, forward, camera = seen[:3], seen[3:6], seen[6:9], seen[9:12]
        corners = {1: (1.5, 1.5), 2: (-1.5, 1.5), 3: (-1.5, -1.5), 4: (1.5, -1.5)}
        across, depth = {}, {}
        for number, (x, y) in corners.items():
            ray = np.array([x, y, 0.5]) - camera
            across[number], depth[number] = ray @ right / (ray @ forward), ray @ forward
        assert max(across, key=across.get) == 1
        assert max(depth, key=depth.get) == 2
        assert min(across, key=across.get) == 3
        assert min(depth, key=depth.get) == 4
        assert up[2] > 0
