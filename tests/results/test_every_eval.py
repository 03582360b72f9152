"""A record in the shared schema: all that it requires, and nothing that it forbids."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from unseen.results.every_eval import every_eval, write_every_eval
from unseen.results.gather import SHIPPED_FOLDER
from unseen.results.record import read_record

PATHS = sorted(SHIPPED_FOLDER.rglob("*.json"))[::6]
REQUIRED = ("schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info", "eval_library")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_record_has_what_the_schema_requires(path: Path):
    record = read_record(path)
    made = every_eval(record, organization="a lab", time=1_700_000_000.4, digest="ab" * 32)
    assert all(name in made for name in REQUIRED)
    assert made["retrieved_timestamp"] == "1700000000"
    assert made["source_metadata"]["source_type"] == "evaluation_run"
    assert len(made["evaluation_results"]) == sum(len(scores.metrics) for scores in record.scores.values())
    for result in made["evaluation_results"]:
        assert {"evaluation_name", "source_data", "metric_config", "score_details"} <= result.keys()
        assert all(isinstance(value, str) for value in result["source_data"]["additional_details"].values())
        config = result["metric_config"]
        assert isinstance(config["lower_is_better"], bool)
        assert ("max_score" in config) == (config.get("score_type") == "continuous")
        assert result["score_details"]["uncertainty"]["num_samples"] > 0


def test_intervals_come_along(tmp_path: Path):
    record = read_record(PATHS[0])
    split, scores = next(iter(record.scores.items()))
    name, value = next(iter(scores.metrics.items()))
    sure = replace(value, interval=(0.25, 0.75))
    scored = {split: replace(scores, metrics={name: sure})}
    record = replace(record, scores=scored, form="count", taker="language model")
    path = write_every_eval(record, PATHS[0], tmp_path, organization="a lab", time=1.0)
    (result,) = json.loads(path.read_text())["evaluation_results"]
    interval = result["score_details"]["uncertainty"]["confidence_interval"]
    assert interval == {"lower": 0.25, "upper": 0.75, "confidence_level": 0.95}
    assert "/count/" in json.loads(path.read_text())["evaluation_id"]
    assert path.relative_to(tmp_path).parts[0] == record.task.partition("/")[0]
