"""`unseen score --format published`: files of masks, scored as the published evaluation does."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import numpy as np
import pytest

from unseen.core.catalogue import BENCHMARKS
from unseen.core.task import Benchmark, Row, Split
from unseen.metrics.tracking import evaluate_published, to_published


@pytest.fixture(autouse=True)
def films(monkeypatch):
    """A benchmark of videos, so that these tests need no generator."""
    splits = ModuleType("films.splits")
    splits.TASKS = (Row("short", "Short films.", lambda options: (Split("test", 1, None),)),)
    monkeypatch.setitem(sys.modules, "films", ModuleType("films"))
    monkeypatch.setitem(sys.modules, "films.splits", splits)
    BENCHMARKS.add("films", Benchmark("films", "Films", "", "video", 1, "films", ("mota",)))
    yield
    BENCHMARKS.remove("films")


@pytest.fixture
def files(tmp_path):
    """A true file and a predicted one that misses an object, with its background."""
    truth = np.zeros((2, 10, 64, 64), np.uint8)
    truth[:, :, 4:20, 4:20] = 1
    truth[1, :, 30:40, 30:50] = 2
    predictions = truth + np.uint8(1)
    predictions[1, 5:][predictions[1, 5:] == 3] = 1
    (tmp_path / "truth.json").write_text(json.dumps(to_published(truth, truth=True)))
    (tmp_path / "predictions.json").write_text(json.dumps(to_published(predictions, truth=False)))
    return tmp_path


def words(folder, *more):
    named = ("--truth", folder / "truth.json", "--predictions", folder / "predictions.json")
    return ("score", "films/short", "--format", "published", *named, *more)


def test_the_command_prints_what_the_function_gives(run, files):
    found = run(*words(files, "--frames", "2:10", "--exclude-background", "--json"))
    assert (found.code, found.err) == (0, "")
    videos = [json.loads((files / f"{name}.json").read_text()) for name in ("truth", "predictions")]
    assert json.loads(found.out) == evaluate_published(*videos)
    assert json.loads(found.out)["Miss"] == pytest.approx(100 * 5 / 24)


def test_background_stays_unless_it_is_excluded(run, files):
    assert json.loads(run(*words(files, "--json")).out)["Match"] == pytest.approx(100 * 35 / 40)


def test_frames_are_those_asked_for(run, files):
    assert json.loads(run(*words(files, "--frames", "0:5", "--exclude-background", "--json")).out)["MOTA"] == 100


def test_people_get_a_table(run, files):
    found = run(*words(files, "--exclude-background"))
    assert found.code == 0
    assert all(name in found.out for name in ("MOTA", "MOTP", "IDS", "percent"))


def test_what_is_undefined_is_null(run, files):
    nothing = json.dumps([[{"masks": [], "ids": []}] * 10] * 2)
    (files / "predictions.json").write_text(nothing)
    assert json.loads(run(*words(files, "--json")).out)["MOTP"] is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("--frames", "2-10"), "--frames is the first frame and the one after the last, for instance 2:10, not '2-10'"),
        (("--frames", "2:11"), "truth, video 0 has 10 frames; frames 2 to 10 were asked for"),
        (
            ("--format", "coco"),
            "published files are scored with --format published, --truth FILE and --predictions FILE",
        ),
        (("--truth", "none.json"), "cannot read none.json: No such file or directory"),
    ],
)
def test_a_mistake_is_one_sentence(run, files, change, sentence):
    found = run(*words(files), *change)
    assert (found.code, found.err.strip()) == (2, f"error: {sentence}")


@pytest.mark.parametrize(
    ("content", "sentence"), [("[", "is no JSON"), ("{}", "holds a dict and not a list of videos")]
)
def test_a_file_that_holds_no_videos_is_named(run, files, content, sentence):
    (files / "truth.json").write_text(content)
    found = run(*words(files))
    assert found.code == 2
    assert sentence in found.err


def test_only_video_tasks_have_such_files(run, files):
    found = run("score", "cogitao/c1-1", *words(files)[2:])
    assert "published files of masks are of video tasks, and cogitao/c1-1 is a grid task" in found.err


def test_both_files_are_needed(run, files):
    found = run("score", "films/short", "--format", "published", "--truth", files / "truth.json")
    assert "--predictions FILE" in found.err
