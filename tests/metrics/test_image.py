"""Image metrics by hand, against plain loops, and against each other."""

from __future__ import annotations

from math import exp, log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from unseen.core.errors import SpecError
from unseen.metrics import METRICS
from unseen.metrics.image import mse, mse_per_value, psnr, ssim

images = hnp.arrays(np.uint8, (13, 12, 3), elements=st.integers(0, 255))


def flat(value: int, side: int = 16) -> np.ndarray:
    return np.full((side, side, 3), value, np.uint8)


def similarity(one: np.ndarray, other: np.ndarray) -> float:
    """SSIM of one channel as its paper writes it, window by window."""
    x, y = one / 255, other / 255
    weights = np.array([[exp(-(i * i + j * j) / 4.5) for j in range(-5, 6)] for i in range(-5, 6)])
    weights /= weights.sum()
    found = []
    for row in range(x.shape[0] - 10):
        for column in range(x.shape[1] - 10):
            a, b = (image[row : row + 11, column : column + 11] for image in (x, y))
            mean_a, mean_b = (weights * a).sum(), (weights * b).sum()
            var_a, var_b = (weights * (a - mean_a) ** 2).sum(), (weights * (b - mean_b) ** 2).sum()
            covariance = (weights * (a - mean_a) * (b - mean_b)).sum()
            top = (2 * mean_a * mean_b + 0.0001) * (2 * covariance + 0.0009)
            found.append(top / ((mean_a**2 + mean_b**2 + 0.0001) * (var_a + var_b + 0.0009)))
    return float(np.mean(found))


def test_these_are_the_metrics_of_image_tasks_that_need_no_network():
    found = {name: METRICS[name].higher_is_better for name in ("mse", "mse_per_value", "psnr", "ssim")}
    assert found == {"mse": False, "mse_per_value": False, "psnr": True, "ssim": True}
    assert all(METRICS[name].kind == "image" and not METRICS[name].percent for name in found)


def test_the_published_error_is_a_sum_over_values_and_a_mean_over_images():
    white, black = flat(255, side=128), flat(0, side=128)
    assert mse([black], [white]) == 49_152
    assert mse([black, black, black, black], [black, black, black, white]) == 12_288
    assert mse_per_value([black, black, black, black], [black, black, black, white]) == 0.25


def test_an_error_by_hand():
    prediction = flat(0, side=2)
    prediction[0, 1] = (51, 0, 102)  # 0.2, 0, 0.4
    assert mse([flat(0, side=2)], [prediction]) == pytest.approx(0.04 + 0.16)
    assert mse_per_value([flat(0, side=2)], [prediction]) == pytest.approx(0.2 / 12)
    assert psnr([flat(0, side=2)], [prediction]) == pytest.approx(10 * log10(12 / 0.2))


def test_decibels_are_averaged_over_images_and_end_at_a_hundred():
    assert psnr([flat(0), flat(0)], [flat(255), flat(51)]) == pytest.approx((0 + 20 * log10(5)) / 2)
    nearly = flat(7, side=128)
    nearly[5, 5, 1] += 1
    assert 90 < psnr([flat(7, side=128)], [nearly]) < 100 == psnr([nearly], [nearly])


def test_the_similarity_of_flat_images_is_that_of_their_brightness():
    expected = (2 * 0.2 * 0.6 + 0.0001) / (0.2**2 + 0.6**2 + 0.0001)
    assert ssim([flat(51)], [flat(153)]) == pytest.approx(expected)


@settings(max_examples=20)
@given(images, images)
def test_the_similarity_is_the_mean_of_all_windows_in_all_channels(one, other):
    expected = np.mean([similarity(one[..., channel], other[..., channel]) for channel in range(3)])
    assert ssim([one], [other]) == pytest.approx(expected, abs=1e-9)


@given(images, images)
def test_the_order_of_two_images_does_not_matter_and_the_ranges_hold(one, other):
    for name, (least, most) in {
        "mse": (0, one.size),
        "mse_per_value": (0, 1),
        "psnr": (0, 100),
        "ssim": (-1, 1),
    }.items():
        value = METRICS[name]([one], [other])
        assert value == pytest.approx(METRICS[name]([other], [one]), abs=1e-12)
        assert least - 1e-9 <= value <= most + 1e-9


@pytest.mark.parametrize(("metric", "exact"), [(mse, 0.0), (mse_per_value, 0.0), (psnr, 100.0), (ssim, 1.0)])
def test_an_exact_image_has_the_best_value(metric, exact):
    image = np.arange(16 * 16 * 3).reshape(16, 16, 3).astype(np.uint8)
    assert metric([image], [image.copy()]) == pytest.approx(exact)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (np.zeros((16, 16, 3)), r"an image is uint8 \(height, width, 3\), not float64 \(16, 16, 3\)"),
        (np.zeros((16, 16), np.uint8), r"not uint8 \(16, 16\)"),
        (np.zeros((16, 15, 3), np.uint8), r"has the shape \(16, 16, 3\) of its target, not \(16, 15, 3\)"),
    ],
)
def test_what_is_no_image_of_the_targets_shape_is_a_mistake(wrong, said):
    with pytest.raises(SpecError, match=said):
        mse([flat(0)], [wrong])


def test_an_image_smaller_than_a_window_has_no_similarity():
    with pytest.raises(SpecError, match=r"at least 11 pixels a side, not \(10, 10\)"):
        ssim([flat(0, side=10)], [flat(0, side=10)])
