"""The published tables stand with all their columns, and runs of ours among them."""

from __future__ import annotations

import unseen
from unseen.benchmarks.video.analysis import findings
from unseen.core.analysis import DASH, Outcome


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
