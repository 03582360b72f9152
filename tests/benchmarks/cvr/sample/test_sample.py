"""Problems: right by the meaning of their rule and by their pixels, pure, and in their split's part."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import unseen
from unseen.benchmarks.cvr import BENCHMARK, render, sample, verify
from unseen.benchmarks.cvr.meaning.pixels import PIXEL_RULES, odd_from_pixels
from unseen.benchmarks.cvr.rules import BY_NAME, RULES
from unseen.benchmarks.cvr.sample import Sampler
from unseen.benchmarks.cvr.sample.recipe import Recipes
from unseen.benchmarks.cvr.scene import FINE, PANELS
from unseen.benchmarks.cvr.spec import Spec, View
from unseen.benchmarks.cvr.vocabulary import I, Mirror, Scene, bodies, instead, redraw, singles
from unseen.core.errors import Unplaceable, UnseenError
from unseen.core.random import Stream, path_key
from unseen.core.splits import PARTS, Part
from unseen.data.records import scene_column

EVERYTHING = Part(0, 8)
WHITE = 255
FEW, MANY = 2, 100  # problems of a rule
CHEAP = ("shape", "size", "count", "color")

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
each_version = pytest.mark.parametrize("shifted", [False, True], ids=["regular", "shifted"])


def drawn(rule, shifted, count, *, seed=0, part=EVERYTHING):
    """The first records of a rule."""
    spec = Spec((rule,), shifted)
    sampler = Sampler(spec, part, path_key(seed, "test", rule))
    return [sampler.draw(index)[0] for index in range(count)]


def wrong(rule, record):
    """What is wrong with a record, by the meaning of its rule, by its pixels, and at its frame."""
    yield from verify.check(record, None)
    panels = render.panels(record, View())
    odd = odd_from_pixels(panels, rule.id)
    if odd not in (None, record.odd):
        yield f"from its pixels, image {odd} is the odd one"
    if min(panels[:, [0, -1]].min(), panels[:, :, [0, -1]].min()) < WHITE:
        yield "there is ink on the outermost pixels"


@each_rule
@each_version
def test_problems_are_right_by_their_meaning_and_by_their_pixels(rule, shifted):
    for record in drawn(rule.name, shifted, FEW):
        assert list(wrong(rule, record)) == []


@pytest.mark.slow
@each_rule
@each_version
def test_many_problems_are_right_by_their_meaning_and_by_their_pixels(rule, shifted):
    found = {i: list(wrong(rule, record)) for i, record in enumerate(drawn(rule.name, shifted, MANY, seed=1))}
    assert {i: problems for i, problems in found.items() if problems} == {}


@pytest.mark.slow
@pytest.mark.parametrize("id", sorted(PIXEL_RULES))
@each_version
def test_pixels_decide_more_than_half_of_the_problems_they_are_for(id, shifted):
    records = drawn(RULES[id].name, shifted, 50, seed=2)
    decided = [odd_from_pixels(render.panels(record, View()), id) is not None for record in records]
    assert sum(decided) > len(records) / 2


@each_rule
@each_version
def test_a_problem_is_a_pure_function_of_key_and_index(rule, shifted):
    first = drawn(rule.name, shifted, 1)
    assert drawn(rule.name, shifted, 1) == first
    assert drawn(rule.name, shifted, 1, seed=1) != first


def test_problems_can_be_drawn_in_any_order():
    forwards, backwards = (Sampler(Spec(("contact",)), EVERYTHING, 5) for _ in range(2))
    there = [forwards.draw(index) for index in range(6)]
    assert [backwards.draw(index) for index in reversed(range(6))] == there[::-1]


@pytest.mark.parametrize("rule", CHEAP)
def test_every_place_of_the_odd_image_is_as_likely(rule):
    found = Counter(record.odd for record in drawn(rule, False, 400, seed=3))
    expected = 400 / PANELS
    chi_square = sum((found[place] - expected) ** 2 / expected for place in range(PANELS))
    assert chi_square < 16.3  # three degrees of freedom: one in a thousand exceeds it


@pytest.mark.parametrize("part", ["train", "val", "test", "test_ood"])
def test_a_problem_is_in_its_part_and_its_odd_image_is_anywhere(part):
    sampler = Sampler(Spec(("shape",)), PARTS[part], 0)
    found = [sampler.draw(index) for index in range(60)]
    assert all(PARTS[part].holds(content) for _, content, _ in found)
    assert {record.odd for record, _, _ in found} == set(range(PANELS))


def test_a_later_draw_is_another_problem():
    sampler = Sampler(Spec(("shape",)), EVERYTHING, 0)
    record, _, turn = sampler.draw(4)
    other, _, later = sampler.draw(4, turn + 1)
    assert later > turn
    assert other.images != record.images


@each_version
def test_a_record_is_the_same_after_it_was_stored(shifted):
    records = [record for rule in RULES[::6] for record in drawn(rule.name, shifted, 1)]
    column = scene_column(BENCHMARK)
    assert list(column.decode(column.encode(records))) == records


@each_rule
def test_numbers_of_a_record_are_exact_and_within_their_ranges(rule):
    for record in drawn(rule.name, True, 1):
        for one in (one for image in record.images for one in image):
            assert all(float(number * FINE).is_integer() for number in (one.size, one.x, one.y, one.angle))
            assert 0 <= one.angle < 360
            assert 0 <= one.hue < 1
            assert 0 <= one.saturation <= 1
            assert 0 <= one.value <= 1


def test_the_versions_of_a_rule_have_contours_of_their_own():
    families = [sample.plan(name, shifted).family for name in ("shape", "inside") for shifted in (False, True)]
    assert families == ["plain", "plain-fuzzy", "wide", "wide-fuzzy"]


def test_another_look_shares_its_records():
    plain, other = (unseen.load("cvr/inside", "val", **view) for view in ({}, {"size": 64, "style": "filled"}))
    assert plain[3].record == other[3].record
    assert other[3].inputs["images"].shape == (4, 64, 64, 3)


def test_crowded_problems_are_as_frequent_as_sparse_ones():
    found = Counter(len(record.images[(record.odd + 1) % PANELS]) for record in drawn("count", False, 500, seed=4))
    assert found.keys() == {1, 2, 3, 4, 5}
    assert all(55 < times < 145 for times in found.values())  # five standard errors about a fifth


def test_a_problem_that_cannot_be_placed_is_a_sentence_about_its_rule():
    ready = sample.plan("shape", True)
    scene = ready.regular.scene.but(size=I("each", 1.5, 1.5))
    too_large = Recipes(scene, of=scene, telling=False)
    with pytest.raises(Unplaceable, match="could not place the objects of rule 'shape' in its shifted version after"):
        sample.draw_problem(replace(ready, regular=too_large), Stream(0))


# Words that nobody knows


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            {"scene": Scene(singles(3), shape=I("ech"))},
            "no pattern named 'ech' in these bodies; letters are a, b, c and so on, one an object.",
        ),
        ({"scene": Scene(singles("m"), draws={"n": I.between(1, 3)})}, "no draw named 'm' in the scene."),
        ({"scene": Scene(singles(3), shape=I("$same"))}, "no draw named 'same' in the scene."),
        ({"scene": Scene(singles("n"), draws={"n": I.draw("betwen", 1, 3)})}, "no kind of draw named 'betwen' in cvr."),
        ({"scene": Scene(singles("m-1"), draws={"n": I.between(1, 3)})}, "no draw named 'm' in the scene."),
        (
            {"scene": Scene(singles(2), Mirror("midle"))},
            "axis of Mirror in the rule mine cannot be 'midle': input should be 'free', 'drawn', 'middle', 'either' or",
        ),
        ({"scene": Scene(singles(2), size=I("each", over="mots"))}, "over of Size in the rule mine cannot be 'mots'"),
        ({"scene": Scene(singles(2), color=I("each", gap="0.2"))}, "gap of Color in the rule mine cannot be '0.2'"),
        ({"odd": instead(color={"saturation": 0.6})}, "saturation of Color in the rule mine cannot be 0.6"),
        ({"scene": Scene(bodies("a-b+c"))}, "bodies are written in letters, brackets, '-' and spaces"),
        ({"scene": Scene(bodies("a b", small="c of a"))}, "small names two bodies of 'a b', such as 'b of a'"),
        ({"odd": redraw("shap")}, "no factor or draw named 'shap' in the scene. Did you mean 'shape'?"),
        ({"unless": "another axes of sizes"}, "no coincidence named 'another axes of sizes' in cvr."),
    ],
    ids=str,
)
def test_a_row_with_a_word_that_nobody_knows_is_refused(words, sentence, monkeypatch):
    monkeypatch.setitem(BY_NAME, "mine", replace(BY_NAME["shape"], name="mine", **words))
    with pytest.raises(UnseenError) as caught:
        sample.draw_problem(sample.plan.__wrapped__("mine", False), Stream(0))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
