"""`train`, `predict` and `list --models`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def words(tiny: str, small_task: str) -> tuple[str, ...]:
    """A training of a few steps."""
    return ("train", small_task, "--model", tiny, "--device", "cpu", "--steps", "3")


def test_a_model_is_trained_and_tested(run, words: tuple[str, ...], small_task: str) -> None:
    done = run(*words, "--set", "width=4", "--seed", 1)
    folder = Path("runs") / small_task / "Tiny+width=4" / "seed-1"
    assert done.code == 0
    assert done.out.startswith(f"{folder}: trained after 3 steps")
    assert "grid_accuracy" in done.out
    assert (folder / "predictions-test.parquet").exists()


def test_the_outcome_can_be_read_by_programs(run, words: tuple[str, ...], small_task: str) -> None:
    found = json.loads(run(*words, "--recipe", "batch_size=20", "--json").out)
    assert found["steps"] == 3
    assert found["stopped"] == "finished"
    assert 0 <= found["grid_accuracy"]["test"] <= 1
    config = json.loads((Path(found["run"]) / "config.json").read_text())
    assert config["recipes"][""]["batch_size"] == 20
    assert config["recipes"][""]["max_steps"] == 3


def test_a_finished_training_is_not_done_again(run, words: tuple[str, ...]) -> None:
    first, second = json.loads(run(*words, "--json").out), json.loads(run(*words, "--json").out)
    assert first == second


def test_minutes_are_a_budget(run, tiny: str, small_task: str) -> None:
    done = run("train", small_task, "--model", tiny, "--minutes", "1e-9", "--device", "cpu")
    assert "out of time after 0 steps" in done.out


def test_splits_of_a_run_are_predicted(run, words: tuple[str, ...]) -> None:
    folder = json.loads(run(*words, "--json").out)["run"]
    done = run("predict", folder, "val", "test", "--device", "cpu")
    assert done.code == 0
    assert [line.partition(":")[0] for line in done.out.splitlines()] == [
        f"{folder}/predictions-{split}.parquet" for split in ("val", "test")
    ]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--model", "resnt"), "no model named 'resnt'. Did you mean 'resnet'?"),
        (("--device", "cup"), "no device named 'cup'. Did you mean 'cpu'?"),
        (("--precision", "fp16"), "no precision named 'fp16'"),
        (("--precision", "16-mixed"), "precision 16-mixed needs a GPU"),
        (("--select", "vall"), "no split named 'vall'"),
        (("--set", "widht=3"), "no option named 'widht' in the model"),
        (("--set", "width"), "'width' has no value; write it as width=value"),
        (("--recipe", "batch_size=many"), "batch_size of a training recipe cannot be 'many'"),
        (("--recipe", "epoch=3"), "no option named 'epoch' in a training recipe. Did you mean 'epochs'?"),
        (("--data", "nowhere"), "there is no folder nowhere to train from"),
        (("--init-from", "nowhere"), "nowhere is neither the folder of a run, nor RUN:stage, nor a file of weights"),
        (("--freeze", "tail"), "no part named 'tail' in the model"),
        (("test",), "'test' is neither a task nor an option"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(run, words, more: tuple[str, ...], sentence: str) -> None:
    code, _, err = run(*words, *more)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1
    assert not Path("runs").exists()


def test_two_options_behind_one_set_are_a_mistake(run) -> None:
    code, _, err = run("train", "covr/iid", "--model", "visualbert", "--set", "layers=2", "width=128")
    assert code == 2
    assert err == (
        "error: width is an option of visualbert, not of covr/iid: write --set width=128, since --set takes one option"
        " at a time\n"
    )
    assert "no option named 'wide' in covr/iid" in run("train", "covr/iid", "--model", "visualbert", "wide=1").err


def test_a_folder_without_a_run_is_a_mistake(run) -> None:
    code, _, err = run("predict", "nowhere")
    assert code == 2
    assert "nowhere is not the folder of a run" in err


@pytest.mark.parametrize("package", ["torch", "lightning_fabric", "safetensors"])
def test_without_the_extra_the_error_says_what_to_install(run, words, monkeypatch, package: str) -> None:
    for name in [name for name in sys.modules if name.startswith("unseen.train")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    code, _, err = run(*words)
    assert code == 2
    assert 'pip install ".[train]"' in err


def test_models_are_listed_with_their_size(run, tiny: str) -> None:
    from unseen.models import MODELS
    from unseen.train.modules import model_named

    MODELS.add("mine", model_named(tiny))
    try:
        rows = {row["model"]: row for row in json.loads(run("list", "--models", "--json").out)}
        assert rows["mine"] == {
            "model": "mine",
            "kinds": "grid",
            "parameters": 915,
            "about": "One-hot cells, a convolution, and a head.",
        }
        assert {"resnet", "vanilla-tf", "grid-tf", "pl-tf", "llada"} < rows.keys()
        assert "mine" in run("list", "--models").out
    finally:
        MODELS.remove("mine")
