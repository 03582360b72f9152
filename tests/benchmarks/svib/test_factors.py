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
    assert "clevr" in READERS
    assert all(probe.weights(world).stat().st_size < 2 * 2**20 for world in READERS)


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


def test_cells_that_agree_on_a_middle_are_an_object():
    found = probe.told(lambda _: drawn_cells((0.3, 0.4, 0.9), (0.7, 0.6, 0.75)), torch.zeros(1, 3, 64, 64), most=3)[0]
    assert [one.look for one in found] == [(0,), (0,)]
    by_place = sorted((round(one.x, 3), round(one.y, 3), round(one.sure, 3)) for one in found)
    assert by_place == [(0.3, 0.6, 0.9), (0.7, 0.4, 0.75)]


def test_cells_that_differ_on_a_middle_are_less_sure():
    shows, middles, values = drawn_cells((0.5, 0.5, 0.9))
    middles[:, 0, ::2] += 0.05 * probe.CELLS  # within reach of each other
    found = probe.told(lambda _: (shows, middles, values), torch.zeros(1, 3, 64, 64), most=1)[0]
    assert found[0].sure < 0.8


def test_a_reader_that_is_not_sure_abstains(monkeypatch):
    spec = unseen.task("svib/clevr-sa").split("test").spec
    picture = np.zeros((128, 128, 3), np.uint8)
    for needed, count in ((0.8, 1), (0.95, 0)):
        reader = probe.Reader(lambda _: drawn_cells((0.3, 0.4, 0.9)), needed)
        monkeypatch.setattr(probe, "reader", lambda *_, reader=reader: reader)
        assert len(factors.read(picture, spec)) == count


def test_other_vocabularies_are_refused():
    spec = unseen.task("svib/custom", world="clevr", colors="ff0000,00ff00").split("test").spec
    with pytest.raises(SpecError, match="knows the world's own vocabularies"):
        factors.read(np.zeros((64, 64, 3), np.uint8), spec)
