"""SVIB's baselines are trained, interrupted, answered, looked at and scored like any other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import unseen  # noqa: E402
from unseen.benchmarks.svib import paper  # noqa: E402
from unseen.core.errors import DataError  # noqa: E402
from unseen.data.generate import generate  # noqa: E402
from unseen.predict.trained import predict  # noqa: E402
from unseen.results.record import read_record, score_run  # noqa: E402
from unseen.results.scoring import score  # noqa: E402
from unseen.runs import Run  # noqa: E402
from unseen.runs.views import read_views, write_views  # noqa: E402
from unseen.sweeps import plan, read_sweep, shipped  # noqa: E402
from unseen.sweeps.job import complete, recipes_of  # noqa: E402
from unseen.train import Devices, train  # noqa: E402
from unseen.train.checkpoint import load_weights  # noqa: E402

TASK = "svib/custom+samples=40+size=16"
SMALL = {"width": 16, "blocks": 1, "channels": 4, "latents": 8}
SLOTS = {**SMALL, "features": 8, "hidden": 8}
OPTIONS = {
    "i2i-cnn": SMALL,
    "i2i-vit": {"width": 16, "blocks": 1},
    "ssm-vae": SMALL,
    "ssm-slot": SLOTS,
    "oracle": {"width": 16, "blocks": 1, "encoder_blocks": 1},
    "factor-cnn": {"width": 16, "blocks": 1, "channels": 8},
}
SHORT = {"batch_size": 16, "epochs": 1, "least_steps": 0, "warmup": 2, "eval_examples": 8}
STAGES = ("representation", "dynamics", "probe")


class Stop(Exception):
    """Power is gone."""


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def trained(out: Path, model: str, *, task: str = TASK, options=None, changes=None, **how) -> Run:
    chosen = {**OPTIONS[model], **(options or {})}
    return train(task, model, options=chosen, changes={**SHORT, **(changes or {})}, out=out, on=Devices("cpu"), **how)


def bits(run: Run) -> dict[str, bytes]:
    files = {path.name: load_weights(path) for path in sorted(run.folder.glob("*.safetensors"))}
    return {f"{file} {name}": one.numpy().tobytes() for file, held in files.items() for name, one in held.items()}


# ---------------------------------------------------------------------------- stages


@pytest.mark.parametrize("model", ["ssm-vae", "ssm-slot"])
def test_interrupted_in_each_stage_a_training_ends_with_the_same_bits(model: str, tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", model)
    assert [line.stage for line in whole.log] == list(STAGES)
    for at in (2, 5, 8):  # three steps a stage

        def stop(done: int, total: int, text: str, at: int = at) -> None:
            if done == at:
                raise Stop

        with pytest.raises(Stop):
            trained(tmp_path / "killed", model, progress=stop, save_seconds=0)
    again = trained(tmp_path / "killed", model)
    assert bits(again) == bits(whole)
    assert [(line.step, line.splits) for line in again.log] == [(line.step, line.splits) for line in whole.log]


def test_a_stage_leaves_alone_what_was_learned_before_it(tmp_path: Path) -> None:
    run = trained(tmp_path, "ssm-slot")
    seen, thought, painted = (load_weights(run.weights(stage)) for stage in STAGES)
    assert {name.partition(".")[0] for name in seen if not seen[name].equal(thought[name])} == {"dynamics"}
    assert {name.partition(".")[0] for name in seen if not thought[name].equal(painted[name])} == {"probe"}


def test_what_was_learned_of_all_combinations_is_taken_over_and_stays(tmp_path: Path) -> None:
    short = {"changes": {"max_steps": 2, "epochs": 1}}
    omni = trained(
        tmp_path / "omni",
        "ssm-vae",
        task="svib/custom+rule=none+samples=40+size=16",
        options={"stages": "representation"},
        **short,
    )
    assert [line.stage for line in omni.log] == ["representation"]
    run = trained(
        tmp_path / "frozen",
        "ssm-vae",
        options={"stages": "pretrained"},
        init_from=omni.folder,
        freeze=("encoder", "decoder"),
        **short,
    )
    assert [line.stage for line in run.log] == ["dynamics", "probe"]
    before, after = load_weights(omni.weights()), load_weights(run.weights())
    frozen = [name for name in before if name.startswith(("encoder.", "decoder."))]
    assert frozen
    assert all(before[name].equal(after[name]) for name in frozen)
    assert not before["dynamics.norm.weight"].equal(after["dynamics.norm.weight"])


def test_what_is_read_of_images_is_told_factor_by_factor(tmp_path: Path) -> None:
    run = trained(tmp_path, "factor-cnn")
    assert [line.stage for line in run.log] == ["factors", "probe"]
    read = run.log[0].splits["val"]
    factors = {f"{name}_{number}" for name in ("color", "shape", "size") for number in (1, 2)}
    assert read.keys() == {"loss"} | factors
    assert all(0 <= read[name] <= 1 for name in factors)


# ---------------------------------------------------------------------------- answers


def test_an_oracle_is_shown_the_factors_and_scored_as_any_model_of_the_task(tmp_path: Path) -> None:
    run = trained(tmp_path, "oracle")
    assert run.config.task == TASK
    file = predict(run, "test", device="cpu", count=6)
    found = score(TASK, "test", file, metrics=["mse", "mse_first_320"])
    assert found.count == 6
    assert found["mse"] == found["mse_first_320"]
    assert not run.views


def test_an_oracle_is_trained_from_a_folder_that_holds_the_factors(tmp_path: Path) -> None:
    told, bare = (tmp_path / name for name in ("told", "bare"))
    generate(unseen.task(f"{TASK}+symbols=true"), told, splits=["train"], count=16, workers=1)
    generate(unseen.task(TASK), bare, splits=["train"], count=16, workers=1)
    assert trained(tmp_path / "runs", "oracle", data=told).config.task == TASK
    with pytest.raises(DataError, match="symbols=true"):
        trained(tmp_path / "others", "oracle", data=bare)


def test_slots_are_kept_beside_the_answers(tmp_path: Path) -> None:
    run = trained(tmp_path, "ssm-slot")
    predict(run, "test_ood", device="cpu", count=6)
    views = read_views(run.views["test_ood"])
    assert views.indices == (0, 1, 2, 3)
    rows = views.rows(0)
    assert list(rows) == ["input", "input, masks", "imagined", "imagined, masks"]
    assert list(rows["input"]) == ["slot 1", "slot 2", "slot 3", "slot 4", "all slots"]
    assert rows["input, masks"]["slot 1"].shape == (16, 16, 3)


def test_views_that_are_damaged_are_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "views.npz"
    write_views(file, [3], {})
    assert read_views(file).indices == (3,)
    file.write_bytes(b"no views")
    with pytest.raises(DataError, match="holds no views of a model"):
        read_views(file)


# ---------------------------------------------------------------------------- sweeps


def test_every_sweep_of_svib_can_be_planned() -> None:
    sizes = {name.partition("/")[2]: len(plan(read_sweep(name))) for name in shipped() if name.startswith("svib/")}
    assert sizes == {
        "alpha": 11 * 5,
        "omni": 12 + 12 * 3 * 4,
        "rules": 16 * 3 * 5,
        "small": 2 * 5,
        "table-1": 12 * 3 * 5,
        "table-5": 1,
        "table-8": 4 * 3 * 5,
        "table-9": 4 * 3 * 5,
        "table-10": 4 * 3 * 5,
        "table-11": 12 * 4 * 5,
    }


@pytest.mark.parametrize(
    "model", [pytest.param(name, marks=() if name == "ssm-slot" else pytest.mark.slow) for name in paper.MODELS]
)
def test_a_run_of_table_1_goes_from_training_to_its_record(model: str, tmp_path: Path) -> None:
    """At its budget, made small: the images, the model, and what is answered."""
    (run,) = plan(
        read_sweep("svib/table-1"), out=tmp_path, budget=0.0005, models=[model], only=["dsprites-sa+alpha=0.2"], count=4
    )
    assert {recipe.max_steps for recipe in recipes_of(run).values()} == {80}
    small = {"eval_examples": 4, "batch_size": 2, "least_steps": 0}  # one epoch of so many
    done = replace(run, task=f"{run.task}+size=32", options=OPTIONS[model], recipe=small)
    complete(done)
    record = read_record(done.record)
    assert record.budget.steps == (3 * 16 if model.startswith("ssm") else 16)
    assert {split: found.count for split, found in record.scores.items()} == {"test": 4, "test_ood": 4}
    assert {"mse", "mse_first_320", "shape_accuracy"} <= record.scores["test_ood"].metrics.keys()


def test_the_page_of_a_run_shows_its_slots(tmp_path: Path) -> None:
    from unseen.report.page import run_page

    run = trained(tmp_path, "ssm-slot")
    for split in ("test", "test_ood"):
        predict(run, split, device="cpu", count=4)
    page = run_page(run, score_run(run, metrics=["mse"]))
    assert "What it sees" in page
    assert page.count('class="column"') == 2  # sheets are as wide as the page, or the names in them could not be read
    assert page.count("the parts that the model works with") == 1 + 2 * 4  # the section's, and each sheet's
