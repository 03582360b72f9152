"""The commands that a record prints give the same record again."""

from __future__ import annotations

import shlex
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from unseen.benchmarks.cogitao import paper
from unseen.cli import main
from unseen.core.recipe import Recipe
from unseen.results.again import commands, remarks
from unseen.results.gather import SHIPPED_FOLDER
from unseen.results.record import Record, Stored, read_record, record_files

RECIPE = ("--steps", "3", "--recipe", "warmup=2", "--recipe", "batch_size=16", "--recipe", "learning_rate=0.002")


def run(*words: object) -> None:
    with pytest.raises(SystemExit) as exit:
        main([str(word) for word in words])
    assert exit.value.code == 0


def only_record(folder: Path) -> Record:
    (path,) = record_files(folder)
    return read_record(path)


def again(record: Record, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Record:
    """Run the commands of a record in an empty folder, and read the record that they leave there."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    for command in commands(record):
        run(*shlex.split(command)[1:])
    return only_record(folder / "results")


def lasting(record: Record) -> dict[str, object]:
    """What of a record does not depend on how fast the machine is."""
    found = asdict(record)
    for name in ("seconds", "cpu_seconds"):
        del found["budget"][name]
    return found


def test_a_training_on_stored_data_with_a_model_and_a_recipe_of_ones_own(
    tiny: str, small_ood_task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    run("generate", small_ood_task, "train", "--count", 40, "--seed", 5, "--out", "data")
    run("generate", small_ood_task, "val_ood", "--count", 20, "--seed", 5, "--out", "data")
    run("train", small_ood_task, "--model", tiny, "--set", "width=4", "--seed", 2, "--data", "data", *RECIPE)
    (folder,) = (path.parent for path in Path("runs").rglob("config.json"))
    run("score", folder)
    record = only_record(tmp_path / "results")
    assert (record.examples, record.data_seed, record.model_file) == (40, 5, tiny)
    assert record.stored == Stored("data", record.stored.digest, {"train": 40, "val_ood": 20})
    assert len(record.model_digest) == len(record.stored.digest) == 64
    assert record.scores.keys() == {"test", "test_ood"}
    repeated = again(record, tmp_path / "elsewhere", monkeypatch)
    assert lasting(repeated) == lasting(record)
    assert any(record.model_digest in sentence for sentence in remarks(record))


def test_a_baseline_that_answered_a_few_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    run("predict", "video/spmot", "--model", "perfect", "--count", 3, "--seed", 1)
    run("score", "runs/video/spmot/perfect/seed-1")
    record = only_record(tmp_path / "results")
    assert lasting(again(record, tmp_path / "elsewhere", monkeypatch)) == lasting(record)


def test_other_weights_to_begin_with_and_a_limit_of_time_are_told():
    record = read_record(SHIPPED_FOLDER / "cogitao/s2-mirror/resnet-seed-0.json")
    assert remarks(record) == []
    recipe = {**record.budget.recipe, "max_seconds": 60.0}
    changed = replace(
        record,
        init_from="runs/a",
        freeze=("body",),
        budget=replace(record.budget, recipe=recipe),
        model_options={"a": "b c"},
    )
    train = commands(changed)[0]
    assert "--init-from runs/a --freeze body" in train
    assert "--set 'a=b c'" in train
    assert [sentence.partition(" ")[0] for sentence in remarks(changed)] == ["It", "Its"]


def test_what_differs_from_the_defaults_or_from_the_papers_recipe_is_written_out(monkeypatch: pytest.MonkeyPatch):
    record = read_record(SHIPPED_FOLDER / "cogitao/s2-mirror/resnet-seed-0.json")
    changed = replace(record, budget=replace(record.budget, recipe={**record.budget.recipe, "epochs": 3}))
    assert commands(changed)[0].endswith("--seed 0 --recipe epochs=3")
    staged = {"stages": {"grow": {"epochs": 3, "warmup": 200}, "prune": {"epochs": 10, "warmup": 5}}}
    published = {"resnet": Recipe(epochs=3), ("resnet", "s2-mirror"): {"grow": Recipe(warmup=100)}}
    monkeypatch.setattr(paper, "RECIPES", published, raising=False)
    assert "--recipe epochs=10" in commands(replace(record, task="cogitao/s2-pad"))[0]
    staged_train = commands(replace(record, budget=replace(record.budget, recipe=staged)))[0]
    assert staged_train.endswith("--recipe grow.epochs=3 --recipe grow.warmup=200 --recipe prune.warmup=5")


def test_records_of_the_first_format_can_be_run_again_too():
    record = read_record(SHIPPED_FOLDER / "cogitao/s2-mirror/resnet-seed-0.json")
    train, predict, score = commands(record)
    assert record.format == 1
    assert train == "unseen train cogitao/s2-mirror --model resnet --seed 0"  # as the paper trains
    assert predict == "unseen predict runs/cogitao/s2-mirror/resnet/seed-0 test"
    assert score == "unseen score runs/cogitao/s2-mirror/resnet/seed-0"


def test_a_language_model_is_asked_again_in_the_same_manner():
    record = read_record(next(SHIPPED_FOLDER.rglob("outlier-seed-0.json")))
    options = {"shots": 5, "rule": True, "image_size": 256}
    asked = replace(record, taker="language model", model="gpt", model_options=options)
    predict, score = commands(asked)[0], commands(asked)[-1]
    assert predict.startswith("unseen predict cvr/all test")
    assert "--model openai:gpt --seed 0 --shots 5 --rule --image-size 256" in predict
    assert score == "unseen score runs/cvr/all/gpt+image_size=256+rule=true+shots=5/seed-0"
    assert "gpt is asked where it is served" in remarks(asked)[0]
