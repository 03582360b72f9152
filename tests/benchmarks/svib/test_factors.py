"""The objects of images in 3-D, read back by the networks that ship with the library."""

from __future__ import annotations

import numpy as np
import pytest

import unseen
from unseen.benchmarks.svib import factors
from unseen.benchmarks.svib.worlds import WORLDS
from unseen.core.errors import MissingExtra, SpecError
from unseen.metrics import METRICS
from unseen.render.space.project import project, seen_at
from unseen.render.space.scene import Body, Camera, Scene

probe = pytest.importorskip("unseen.benchmarks.svib.probe", reason="networks need PyTorch")

WORLDS_IN_3D = [name for name, world in WORLDS.items() if not world.flat]
READ = {"clevr": 0.3}  # share of objects read right, at least; fidelity.md has what was measured


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


@pytest.mark.parametrize("world", READ)
def test_weights_ship_and_are_small(world):
    assert (probe.FOLDER / f"{world}.safetensors").stat().st_size < 2 * 2**20


@pytest.mark.parametrize("world", READ)
def test_nothing_is_read_from_an_empty_image_or_from_noise(world):
    spec = unseen.task(f"svib/{world}-sa").split("test").spec
    noise = np.random.default_rng(0).integers(0, 256, (128, 128, 3), np.uint8)
    assert factors.read(np.zeros((64, 64, 3), np.uint8), spec) == []
    assert factors.read(noise, spec) == []


@pytest.mark.parametrize("world", READ)
def test_images_are_read_about_as_well_as_stated(world):
    """A few images, which took no part in training; the rest of the story is measured by the script that trains."""
    episodes = unseen.load(f"svib/{world}-omni", "test")[:12]
    try:
        images = [episode.target["image"] for episode in episodes]
    except MissingExtra as reason:
        pytest.skip(str(reason))
    spec = episodes.task.split("test").spec
    truth = [factors.truth(episode.record, spec) for episode in episodes]
    read = [factors.read(image, spec) for image in images]
    assert METRICS["factor_accuracy"](truth, read) >= READ[world]


def test_a_network_that_is_not_sure_abstains(monkeypatch):
    spec = unseen.task("svib/clevr-sa").split("test").spec
    monkeypatch.setattr(probe, "SURE", 1.1)
    assert factors.read(np.full((128, 128, 3), 128, np.uint8), spec) == []


def test_other_vocabularies_are_refused():
    spec = unseen.task("svib/custom", world="clevr", colors="ff0000,00ff00").split("test").spec
    with pytest.raises(SpecError, match="knows the world's own vocabularies"):
        factors.read(np.zeros((64, 64, 3), np.uint8), spec)
