"""Every model of videos goes all the way: it is trained, answers, is scored in the paper's columns, and compared."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import unseen  # noqa: E402
from unseen.benchmarks.video.paper import SCORES  # noqa: E402
from unseen.core.catalogue import BENCHMARKS  # noqa: E402
from unseen.metrics.tracking.reconstruction import reconstruction_mse  # noqa: E402
from unseen.models import MODELS  # noqa: E402
from unseen.predict import read_predictions  # noqa: E402
from unseen.predict.trained import predict  # noqa: E402
from unseen.report.page import run_page  # noqa: E402
from unseen.results.outcome import findings  # noqa: E402
from unseen.results.record import record_of, score_run  # noqa: E402
from unseen.sweeps import plan, read_sweep  # noqa: E402
from unseen.train import Devices, train  # noqa: E402
from unseen.train.checkpoint import load_weights  # noqa: E402

VIDEO_MODELS = [name for name in MODELS if "video" in MODELS[name].kinds]
SMALL = {"tba": {"template": 16}, "op3": {"latents": 16}, "iodine": {"latents": 16}}
STEP = {"max_steps": 1, "batch_size": 1, "eval_examples": 1, "eval_batch": 1, "warmup": 0}
ONE = "video/custom+frames=3+samples=8+size=32"


def all_the_way(task, model, folder):
    """Train a step, answer two videos, score them; what is asserted holds for every model."""
    run = train(task, model, changes=STEP, options=SMALL.get(model, {}), out=folder, on=Devices("cpu"))
    path = predict(run, "test", device="cpu", count=2)
    scores = score_run(run)["test"]
    assert {"mota", "motp", "md", "mt", "match", "miss", "id_switches", "false_positives", "video_mse"} <= set(scores)
    found = read_predictions(path)
    videos = [unseen.load(task, "test")[index].inputs["frames"] for index in found.indices]
    assert scores["video_mse"] == pytest.approx(reconstruction_mse(videos, list(found.beside["frames"])))
    told = findings([record_of(run, {"test": scores})], BENCHMARKS["video"], [run])
    lines = [row for one in told if "all columns" in one.title for row in one.rows if row[2].startswith(model)]
    assert lines
    assert lines[0][-1] == f"{scores['video_mse']:.1f}"
    return run, scores


class Stop(Exception):
    """Power is gone."""


SLOW = ("iodine", "op3", "scalor")  # take several guesses at every frame, or look at every cell of it


@pytest.mark.parametrize(
    "model", [pytest.param(model, marks=pytest.mark.slow if model in SLOW else ()) for model in VIDEO_MODELS]
)
def test_interrupted_a_training_ends_with_the_same_bits(model, tmp_path):
    how = {**STEP, "max_steps": 3, "eval_steps": 2}

    def trained(out, **more):
        return train(ONE, model, changes=how, options=SMALL.get(model, {}), out=out, on=Devices("cpu"), **more)

    def stop(done, total, text):
        if done == 1:
            raise Stop

    whole = trained(tmp_path / "whole")
    with pytest.raises(Stop):
        trained(tmp_path / "killed", progress=stop, save_seconds=0)
    again = trained(tmp_path / "killed")
    held = [load_weights(run.folder / "last.safetensors") for run in (whole, again)]
    assert held[0].keys() == held[1].keys()
    assert all(torch.equal(weight, held[1][name]) for name, weight in held[0].items())
    assert [line.splits for line in again.log] == [line.splits for line in whole.log]


def test_a_run_shows_what_each_slot_paints_and_the_published_error(tmp_path):
    run, scores = all_the_way(ONE, "savi", tmp_path)
    page = run_page(run, {"test": scores})
    assert "slot 1" not in page  # names stand in the pictures
    assert page.count("the parts that the model works with") == 3  # two examples, and how to read them
    assert "Failures by number of objects" in page
    assert "Hard sets of VMDS" not in page  # it was tested on none of them


def test_painted_frames_are_bytes_beside_the_ids(tmp_path):
    run = train(ONE, "monet", changes=STEP, out=tmp_path, on=Devices("cpu"))
    (frames,) = read_predictions(predict(run, "val", device="cpu", count=1)).beside["frames"]
    assert (frames.dtype, frames.shape) == (np.uint8, (3, 32, 32, 3))


@pytest.mark.parametrize("task", ["video/spmot+size=32", "video/vmds+size=32"])
@pytest.mark.parametrize(
    "model", [pytest.param(model, marks=() if model == "savi" else pytest.mark.slow) for model in VIDEO_MODELS]
)
def test_every_model_goes_all_the_way_on_both_sets(task, model, tmp_path):
    all_the_way(task, model, tmp_path)


# ---------------------------------------------------------------------------- the published way


def test_on_spmot_models_start_from_still_sprites_and_elsewhere_vimon_from_monet():
    runs = plan(read_sweep("video/table-2"), seeds=1)
    starts = {(run.task, run.model): run.after for run in runs}
    records = {(run.task, run.model): str(run.record) for run in runs}
    for model in ("monet", "vimon"):
        assert starts["video/spmot", model] == records["video/multi-dsprites", "monet"]
    for task in ("video/vmds", "video/vor"):
        assert starts[task, "vimon"] == records[task, "monet"]
    assert {run.options.get("slots") for run in runs if run.task == "video/vor" and run.model != "scalor"} == {8}


def test_every_run_of_table_2_has_a_published_row_to_stand_beside():
    published = {(f"video/{score.task}", score.model) for score in SCORES["2"]}
    runs = plan(read_sweep("video/table-2"), seeds=1)
    assert {(run.task, run.model) for run in runs if run.block != "still"} == published


def test_the_ablations_are_those_of_table_e5():
    runs = plan(read_sweep("video/table-e5"))
    assert [run.options for run in runs if run.model == "vimon"] == [{"expects": False}, {"remembers": False}]
