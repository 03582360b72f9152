"""LPIPS has the published values."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.core.errors import DataError, SpecError
from unseen.metrics import METRICS, weights

torch = pytest.importorskip("torch", reason="LPIPS needs torch")


@pytest.fixture(scope="module", autouse=True)
def prepared():
    """Everything here needs the weights, which are fetched where they are not in the cache."""
    try:
        for name in ("lpips", "lpips_vgg"):
            METRICS[name].prepare()
    except DataError as error:
        pytest.skip(f"LPIPS is not tested: {error}")


def noise(*shape: int) -> np.ndarray:
    return np.random.RandomState(0).randint(0, 256, shape).astype(np.uint8)


def pairs() -> tuple[np.ndarray, np.ndarray]:
    """Noise beside other noise, beside itself in less contrast, and beside itself."""
    every = noise(6, 64, 64, 3)
    one, other = every[:3], every[3:].copy()
    other[1], other[2] = one[1] // 2 + 60, one[2]
    return one, other


def test_distances_of_random_images_are_those_of_the_lpips_package():
    # its values for net="vgg" and these images as a public note prints them
    printed = [0.3497, 0.3494, 0.3473, 0.3558, 0.3437, 0.3366, 0.3716, 0.3516, 0.3472, 0.3413]
    random = np.random.RandomState(123)
    one, other = (torch.tensor(random.rand(10, 3, 100, 100), dtype=torch.float32) for _ in range(2))
    from unseen.metrics.perceptual import network

    assert network("vgg16")(one, other).tolist() == pytest.approx(printed, abs=6e-5)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lpips", [0.11405725032091141, 0.0816696435213089, 0.0]),
        ("lpips_vgg", [0.30961716175079346, 0.09644240885972977, 0.0]),
    ],
)
def test_distances_are_those_that_the_package_of_the_weights_computes(name, expected):
    one, other = pairs()
    assert METRICS[name].each(list(one), list(other)) == pytest.approx(expected, abs=1e-6)
    assert METRICS[name](list(one), list(other)) == pytest.approx(sum(expected) / 3, abs=1e-6)


def test_many_pairs_are_compared_at_once_and_each_has_the_distance_it_has_alone():
    one, other = noise(40, 32, 40, 3), noise(40, 32, 40, 3)[::-1]
    lpips = METRICS["lpips"]
    alone = [lpips.value(*lpips.counts(*pair)) for pair in zip(one, other, strict=True)]
    assert lpips.each(list(one), list(other)) == pytest.approx(alone, abs=1e-6)
    mixed = [one[0], noise(48, 33, 3)], [other[0], noise(48, 33, 3) // 2]  # of two shapes
    assert lpips.each(*mixed)[0] == pytest.approx(alone[0], abs=1e-6)


def test_the_weights_of_the_differences_are_those_of_version_0_1():
    digests = {"alexnet": "718a8b40b0d2", "vgg16": "9153a2043dcc"}  # of the layers in the package lpips 0.1.4
    for network, digest in digests.items():
        found = weights.weights(network)
        linear = [found[f"NetLinLayer_{depth}"]["Conv_0"]["kernel"].ravel() for depth in range(5)]
        assert hashlib.sha256(np.concatenate(linear).tobytes()).hexdigest()[:12] == digest


@settings(max_examples=10)
@given(*[hnp.arrays(np.uint8, (32, 40, 3), elements=st.integers(0, 255))] * 2)
def test_a_distance_is_symmetric_not_negative_and_zero_from_an_image_to_itself(one, other):
    lpips = METRICS["lpips"]
    assert lpips([one], [other]) == pytest.approx(lpips([other], [one]), abs=1e-6)
    assert lpips([one], [other]) >= 0 == lpips([one], [one])


def test_what_looks_less_alike_is_further_away():
    image = np.zeros((64, 64, 3), np.uint8)
    image[20:40, 20:40] = (255, 127, 0)
    shifted, gone = np.roll(image, 2, axis=1), np.zeros_like(image)
    assert 0 < METRICS["lpips"]([image], [shifted]) < METRICS["lpips"]([image], [gone])


def test_an_image_that_would_be_pooled_away_is_a_mistake():
    with pytest.raises(SpecError, match=r"at least 32 pixels a side, not \(31, 64\)"):
        METRICS["lpips"]([noise(31, 64, 3)], [noise(31, 64, 3)])


def test_without_torch_the_metric_says_what_to_install():
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from unseen.core.errors import MissingExtra; from unseen.metrics import METRICS\n"
        "try: METRICS['lpips'].prepare()\n"
        "except MissingExtra as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == 'LPIPS needs torch; in your checkout of unseen, run: pip install ".[train]"\n'
