"""Checkpoints: what goes in comes out, and damage is a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from unseen.core.errors import DataError
from unseen.runs.state import State, read_state
from unseen.train.checkpoint import load_checkpoint, load_weights, save_checkpoint, save_weights
from unseen.train.initial import read_weights


def stepped(seed: int) -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    model(torch.randn(4, 3)).square().sum().backward()
    optimizer.step()
    return model, optimizer


def test_a_checkpoint_brings_everything_back(tmp_path: Path) -> None:
    model, optimizer = stepped(0)
    path = tmp_path / "last.safetensors"
    save_checkpoint(path, model, optimizer, State(step=7, seconds=0.1))
    other, others = stepped(1)
    assert load_checkpoint(path, other, others) == read_state(path) == State(step=7, seconds=0.1)
    for name, value in model.state_dict().items():
        assert torch.equal(other.state_dict()[name], value)
    for number, entries in optimizer.state_dict()["state"].items():
        for name, value in entries.items():
            assert torch.equal(others.state_dict()["state"][number][name], value)


def test_weights_are_stored_under_their_own_names(tmp_path: Path) -> None:
    model, _ = stepped(0)
    save_weights(tmp_path / "best.safetensors", model)
    assert load_weights(tmp_path / "best.safetensors").keys() == model.state_dict().keys()


def test_weights_that_are_tied_can_be_stored(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    model[1].weight = model[0].weight
    save_weights(tmp_path / "best.safetensors", model)
    model.load_state_dict(load_weights(tmp_path / "best.safetensors"))


def test_damage_and_absence_are_sentences(tmp_path: Path) -> None:
    path = tmp_path / "last.safetensors"
    with pytest.raises(DataError, match="there is no checkpoint"):
        load_weights(path)
    with pytest.raises(DataError, match="the training has not come so far"):
        read_state(path)
    model, optimizer = stepped(0)
    save_checkpoint(path, model, optimizer, State())
    with pytest.raises(DataError, match="is not a checkpoint of this model; start again with --fresh"):
        load_checkpoint(path, nn.Linear(5, 5), optimizer)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DataError, match="it does not fit its seal"):
        load_weights(path)
    with pytest.raises(DataError, match="is not a checkpoint, or a damaged one"):
        read_state(path)


def test_a_write_that_fails_leaves_the_old_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "last.safetensors"
    model, optimizer = stepped(0)
    save_checkpoint(path, model, optimizer, State(step=1))
    with pytest.raises(ValueError, match="JSON compliant"):
        save_checkpoint(path, model, optimizer, State(seconds=float("nan")))
    assert read_state(path) == State(step=1)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_weights_of_others_need_no_seal_and_one_that_is_there_must_fit(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    path = tmp_path / "theirs.safetensors"
    save_file({"weight": torch.ones(3)}, path)
    assert read_weights(path)["weight"].sum() == 3
    with pytest.raises(DataError, match="unseen did not write it"):
        load_weights(path)
    save_weights(path, nn.Linear(2, 2))
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(DataError, match="it does not fit its seal"):
        read_weights(path)
