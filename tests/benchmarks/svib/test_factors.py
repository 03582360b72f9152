"""The objects of images in 3-D, read back by the networks that ship with the library."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import unseen
from unseen.benchmarks.svib import factors
from unseen.benchmarks.svib.worlds import WORLDS
from unseen.core.errors import MissingExtra, SpecError
from unseen.metrics import METRICS
from unseen.render.space.project import project, seen_at
from unseen.render.space.scene import Body, Camera, Scene
from unseen.results.scoring import score

torch = pytest.importorskip("torch", reason="networks need PyTorch")
probe = importlib.import_module("unseen.benchmarks.svib.probe")

WORLDS_IN_3D = [name for name, world in WORLDS.items() if not world.flat]
IMAGES = 16  # of the test split, that are read here
READERS = [name for name in WORLDS_IN_3D if probe.weights(name).exists()]  # that ship


@pytest.mark.parametrize("place", [(0.0, 0.0, 1.0), (-2.5, 1.0, 1.0), (2.0, -2.0, 1.0)])
def test_a_body_is_seen_where_its_middle_is(place):
    camera = Camera((7.4811, -6.5076, 5.3437))
    ids = project(Scene((Body("sphere", place),), camera), 256).ids
    rows, columns = np.nonzero(ids == 1)
    x, y = seen_at(place, camera)
    assert abs((columns.mean() + 0.5) / 256 - x) < 0.01
    assert abs(1 - (rows.mean() + 0.5) / 256 - y) < 0.01


@pytest.mark.parametrize("world", WORLDS_IN_3D)
def test_the_truth_is_where_the_masks_are(world):
    episodes = unseen.load(f"svib/{world}-mna", "test_ood", renderer="none")
    spec = episodes.task.split("test_ood").spec
    for episode in episodes[:3]:
        masks = episode.target["masks"]
        for number, one in enumerate(factors.truth(episode.record, spec), 1):
            rows, columns = np.nonzero(masks == number)
            assert abs((columns.mean() + 0.5) / len(masks) - one.x) < 0.2, "hidden by half at most"
            assert abs(1 - (rows.mean() + 0.5) / len(masks) - one.y) < 0.2, "hidden by half at most"
            assert one.look == episode.record.target[number - 1].look


def test_a_world_without_a_network_is_refused_with_the_command_that_trains_one(monkeypatch, tmp_path):
    monkeypatch.setattr(probe, "FOLDER", tmp_path)
    spec = unseen.task("svib/clevrtex-sa").split("test").spec
    with pytest.raises(SpecError, match=r"perf/train_factor_readers\.py clevrtex trains one"):
        factors.read(np.zeros((64, 64, 3), np.uint8), spec)


def test_weights_ship_and_are_small():
    assert READERS == WORLDS_IN_3D
    assert sum(probe.weights(world).stat().st_size for world in READERS) < 2 * 2**20


@pytest.mark.parametrize("world", READERS)
def test_nothing_is_read_from_an_empty_image_or_from_noise(world):
    spec = unseen.task(f"svib/{world}-sa").split("test").spec
    noise = np.random.default_rng(0).integers(0, 256, (128, 128, 3), np.uint8)
    assert factors.read(np.zeros((64, 64, 3), np.uint8), spec) == []
    assert factors.read(noise, spec) == []


@pytest.mark.parametrize("world", READERS)
def test_images_are_read_about_as_well_as_stated(world):
    """A few images, which took no part in training; the rest of the story is measured by the script that trains."""
    episodes = unseen.load(f"svib/{world}-omni", "test")[:IMAGES]
    try:
        images = [episode.target["image"] for episode in episodes]
    except MissingExtra as reason:
        pytest.skip(str(reason))
    spec = episodes.task.split("test").spec
    truth = [factors.truth(episode.record, spec) for episode in episodes]
    read = [factors.read(image, spec) for image in images]
    right, stated = METRICS["factor_accuracy"](truth, read), probe.measured(world)
    wrong = sum(map(len, read)) / (2 * IMAGES) - right
    assert right >= stated["sharp_right"] - 0.15  # three standard errors of so few objects
    assert wrong <= stated["sharp_wrong"] + 0.05


@pytest.mark.parametrize("world", READERS)
def test_hardly_anything_that_is_told_is_wrong(world):
    stated = probe.measured(world)
    assert stated["sharp_wrong"] < 0.02
    assert stated["blurred_wrong"] < 0.02


def test_factors_are_scored_by_their_names():
    """Those of CLEVRTex are not in the order of sprites."""
    task = unseen.task("svib/custom", world="clevrtex", samples=8)
    try:
        images = [example.target["image"] for example in unseen.load(task.id, "train")]
    except MissingExtra as reason:
        pytest.skip(str(reason))
    names = ["factor_accuracy", *(f"{factor}_accuracy" for factor in ("shape", "size", "material"))]
    scores = score(task, "train", images, metrics=names)
    assert scores["factor_accuracy"] > 0.4
    assert all(scores[name] >= scores["factor_accuracy"] for name in names)
    with pytest.raises(SpecError, match="these objects have no color that could be right; they have shape, size, mat"):
        score(task, "train", images, metrics=["color_accuracy"])


def drawn_cells(*objects: tuple[float, float, float]) -> tuple:
    """What a network would say of an image: of every object its middle, and how sure its cells are of a factor."""
    at = (torch.arange(probe.CELLS) + 0.5) / probe.CELLS
    shows = torch.full((1, probe.CELLS, probe.CELLS), -9.0)
    middles, values = torch.zeros(1, 2, *shows.shape[1:]), torch.zeros(1, 2, *shows.shape[1:])
    for x, y, sure in objects:
        near = ((at[None, :] - x).abs() < 0.1) & ((at[:, None] - y).abs() < 0.1)
        shows[0][near] = 9.0
        middles[0, 0][near] = probe.CELLS * (x - at[None, :].expand_as(near)[near])
        middles[0, 1][near] = probe.CELLS * (y - at[:, None].expand_as(near)[near])
        values[0, 0][near] = float(np.log(sure / (1 - sure)))
    return shows, middles, [values]


LIT = np.zeros((64, 64, 3), np.uint8)  # an image that tells which way around it is
LIT[0, -1] = 255
SHOWN = probe.prepared(LIT)


def mirrored(images) -> bool:
    return float(images[0, 0, 0, 0]) > 0


def seeing(*objects: tuple[float, float, float]):
    """A network that sees these objects, mirrored where the image is."""
    return lambda images: drawn_cells(*((1 - x if mirrored(images) else x, y, sure) for x, y, sure in objects))


def test_cells_that_agree_on_a_middle_are_an_object():
    found = probe.told(seeing((0.3, 0.4, 0.9), (0.7, 0.6, 0.75)), SHOWN, most=3)[0]
    assert [one.look for one in found] == [(0,), (0,)]
    by_place = sorted((round(one.x, 3), round(one.y, 3), round(one.sure, 3)) for one in found)
    assert by_place == [(0.3, 0.6, 0.9), (0.7, 0.4, 0.75)]


def test_cells_that_differ_on_a_middle_are_less_sure():
    def wavering(images):
        shows, middles, values = drawn_cells((0.5, 0.5, 0.9))
        middles[:, 1, ::2] += 0.05 * probe.CELLS  # within reach of each other
        return shows, middles, values

    assert probe.told(seeing((0.5, 0.5, 0.9)), SHOWN, most=1)[0][0].sure == pytest.approx(0.9, abs=0.001)
    assert probe.told(wavering, SHOWN, most=1)[0][0].sure < 0.88


def test_an_image_and_its_mirror_image_have_the_same_say():
    def one_sided(images):
        sure = 0.6 if mirrored(images) else 0.9
        return seeing((0.3, 0.4, sure))(images)

    logit = float(np.log(0.6 / 0.4) + np.log(0.9 / 0.1)) / 2
    (found,) = probe.told(one_sided, SHOWN, most=1)[0]
    assert found.x == pytest.approx(0.3, abs=0.001)
    assert 0.6 < found.sure < 1 / (1 + np.exp(-logit)) + 0.02 < 0.9


def test_every_factor_makes_a_reader_less_sure():
    def two_factors(images):
        shows, middles, (values,) = seeing((0.3, 0.4, 0.9))(images)
        return shows, middles, [values, values]

    assert probe.told(two_factors, SHOWN, most=1)[0][0].sure == pytest.approx(0.81, abs=0.001)


def test_a_reader_that_is_not_sure_abstains(monkeypatch):
    spec = unseen.task("svib/clevr-sa").split("test").spec
    for needed, count in ((0.8, 1), (0.95, 0)):
        reader = probe.Reader(seeing((0.3, 0.4, 0.9)), needed)
        monkeypatch.setattr(probe, "reader", lambda *_, reader=reader: reader)
        assert len(factors.read(LIT, spec)) == count


def test_other_vocabularies_are_refused():
    spec = unseen.task("svib/custom", world="clevr", colors="ff0000,00ff00").split("test").spec
    with pytest.raises(SpecError, match="knows the world's own vocabularies"):
        factors.read(np.zeros((64, 64, 3), np.uint8), spec)
