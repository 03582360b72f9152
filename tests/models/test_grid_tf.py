"""Grid-TF's mixer."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from unseen.models.grid_tf import PEMixer  # noqa: E402


def test_the_mixer_starts_as_a_sum_of_directions():
    content, position = torch.tensor([[[3.0, 4.0]]]), torch.tensor([[[0.0, 20.0]]])
    mixer = PEMixer(2)
    assert mixer(content, position)[0, 0].tolist() == pytest.approx([0.6, 1.8])
    mixer.position.data = torch.tensor([0.0, 0.5])
    assert mixer(content, position)[0, 0].tolist() == pytest.approx([0.6, 1.3])


def test_what_has_no_position_has_unit_length():
    assert PEMixer(2)(torch.tensor([[3.0, 4.0]])).norm().item() == pytest.approx(1)
