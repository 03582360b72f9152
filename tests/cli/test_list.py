"""`unseen list`."""

from __future__ import annotations

import json

import unseen


def test_every_task_is_listed(run) -> None:
    out = run("list").out
    assert all(name in out for name in unseen.tasks())


def test_programs_read_the_same_as_json(run) -> None:
    (benchmark,) = json.loads(run("list", "cogitao", "--json").out)
    assert benchmark["tasks"][0]["splits"]["train"] == 100_000


def test_rules_are_listed_with_what_they_are_not_for(run) -> None:
    rows = json.loads(run("list", "cogitao", "--rules", "--json").out)["cogitao"]
    assert len(rows) == 28
    assert "less_than_4_rows" in run("list", "cogitao", "--rules").out


def test_rules_are_found_by_their_relations(run) -> None:
    rows = json.loads(run("list", "cvr", "--rules", "relations=shape,color", "--json").out)["cvr"]
    assert [row["rule"] for row in rows] == ["shape_color", "shape_color_2", "shape_color_3"]
    mistyped = run("list", "cvr", "--rules", "relation=shape")
    assert mistyped.code == 2
    assert "Did you mean 'relations'" in mistyped.err


def test_one_task_is_told_in_detail(run) -> None:
    out = run("list", "cogitao/c1-1").out
    for word in ("translate_up -> rot90", "grid_accuracy", "grid-tf", "in_context", "128"):
        assert word in out


def test_compositions_that_splits_share_are_written_out_once(run) -> None:
    out = run("list", "cogitao/c1-1").out
    assert out.count("rot90 -> rot90") == 1
    assert "as train" in out
    assert "as val_ood" in out


def test_one_task_with_options_is_told_as_json(run) -> None:
    details = json.loads(run("list", "cogitao/custom", "sequences=rot90:pad_top", "--json").out)
    assert details["compositions"]["train"] == {"count": 1, "first": ["rot90 -> pad_top"]}
