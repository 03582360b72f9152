"""The published tables stand with all their columns, and runs of ours among them."""

from __future__ import annotations

import unseen
from unseen.benchmarks.video.analysis import findings
from unseen.core.analysis import DASH, Outcome
from unseen.results.outcome import measured


def outcome(mota: float, seed: int = 0, **scores: float) -> Outcome:
    return Outcome(unseen.task("video/vmds"), "mine", seed, {"test": {"mota": mota, **scores}})


def table(name: str, *outcomes: Outcome):
    return next(one for one in findings(outcomes) if one.title.startswith(f"Table {name},"))


def test_every_published_column_is_there_with_the_printed_deviation():
    found = table("2")
    assert found.columns[3:] == ("MOTA", "MOTP", "MD", "MT", "Match", "Miss", "ID S.", "FPs", "MSE")
    assert found.rows == ()
    (vimon,) = (row for row in found.published if row[:3] == ("vmds", "test", "vimon"))
    assert vimon[3:] == (
        "86.8 ± 0.3",
        "86.8 ± 0.0",
        "86.2 ± 0.3",
        "85.0 ± 0.3",
        "92.3 ± 0.2",
        "7.0 ± 0.2",
        "0.7 ± 0.0",
        "5.5 ± 0.1",
        "10.7 ± 0.1",
    )
    assert table("E.2").columns[3:] == ("MOTA", "MOTP", "MT")


def test_our_runs_stand_among_the_models_of_their_set():
    found = table("2", outcome(90.0, mt=80.0), outcome(92.0, 1, mt=84.0))
    assert {row[0] for row in found.rows} == {"vmds"}
    assert {row[0] for row in found.published} == {"spmot", "vor"}
    (mine,) = (row for row in found.rows if row[2] == "mine")
    assert mine[3:7] == ("91.0 ± 1.0", DASH, DASH, "82.0 ± 2.0")
    assert table("E.3", outcome(90.0)).rows == ()


def test_a_single_run_has_no_deviation():
    (mine,) = (row for row in table("2", outcome(90.0)).rows if row[2] == "mine")
    assert mine[3] == "90.0"


def found_by(title: str, *outcomes: Outcome):
    return next(one for one in findings(outcomes) if one.title == title)


def test_runs_of_other_sizes_stand_apart_with_the_same_columns():
    small = Outcome(unseen.task("video/vmds", size=32), "mine", 0, {"test": {"mota": 40.0, "video_mse": 3.0}})
    assert all(row[0] == "vmds" for row in table("2", small).rows)
    (row,) = found_by("Runs outside the published tables, all columns", small, outcome(90.0)).rows
    assert row[:4] == ("vmds+size=32", "test", "mine", "40.0")
    assert row[-1] == "3.0"


def test_hard_sets_are_told_relative_to_the_test_set_beside_the_paper():
    hard = {"test": {"mota": 50.0}, "test_occlusion": {"mota": 25.0}, "test_rotation": {"mota": -5.0}}
    found = found_by("Hard sets of VMDS", Outcome(unseen.task("video/vmds"), "mine", 0, hard))
    assert found.rows == (("mine", "50", DASH, DASH, DASH, DASH, DASH, "-10"),)
    (vimon,) = (row for row in found.published if row[0] == "vimon (paper)")
    assert vimon[1] == f"{100 * 67.1 / 86.8:.0f}"
    (figure,) = found.figures
    assert "occlusion" in figure.drawing
    assert "op3 (paper)" in figure.drawing


def test_failures_are_counted_by_the_number_of_objects_of_a_video():
    videos = unseen.load("video/vmds", "test")[:6]
    counts = [len(example.record.objects) for example in videos]

    def blind(split, count):
        return [(example, 0 * example.target["ids"]) for example in videos]

    run = Outcome(unseen.task("video/vmds"), "blind", 0, {"test": {"mota": 0.0}}, answers=blind, measure=measured)
    found = found_by("Failures by number of objects", run)
    assert [row[1] for row in found.rows] == [str(number) for number in sorted(set(counts))]
    assert {row[2:] for row in found.rows} == {("100.0", "0.0", "0.0")}
    assert len(found.figures) == 3
