"""A result in the shared schema of Every Eval Ever, so that it can stand in their collection."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.files import file_digest, write_whole
from unseen.metrics import METRICS
from unseen.metrics.statistics import CONFIDENCE
from unseen.results.compare import label
from unseen.results.record import MetricValue, Record, SplitScores
from unseen.runs import file_name

SCHEMA = "0.2.1"


def write_every_eval(record: Record, source: Path, folder: Path, *, organization: str, time: float) -> Path:
    """Write a record in that schema, where the collection keeps one: a folder for the benchmark and the model."""
    written = every_eval(record, organization=organization, time=time, digest=file_digest(source))
    place = folder / record.task.partition("/")[0] / file_name(record.model)
    path = place / f"{file_name(record.task.partition('/')[2])}-{file_name(record.form or 'own')}-{record.seed}.json"
    write_whole(path, (json.dumps(written, indent=2, allow_nan=False) + "\n").encode())
    return path


def every_eval(record: Record, *, organization: str, time: float, digest: str) -> dict[str, Any]:
    """Return a record as plain values of the schema."""
    model = f"{record.taker or 'unseen'}/{record.model}".replace(" ", "-")
    details = {name: str(value) for name, value in record.model_options.items()}
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{record.task}{f'/{record.form}' if record.form else ''}/{label(record)}/{time:.0f}",
        "dedupe_identity": {"content_hash": digest, "hash_algorithm": "sha256"},
        "retrieved_timestamp": f"{time:.0f}",
        "source_metadata": {
            "source_name": "unseen",
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "unseen", "version": version("unseen")},
        "model_info": {"name": record.model, "id": model, "additional_details": details},
        "evaluation_results": list(_results(record)),
    }


def _results(record: Record) -> Iterator[dict[str, Any]]:
    task = task_named(record.task)
    for split, scores in record.scores.items():
        for name, value in scores.metrics.items():
            metric = METRICS[name]
            config = {"evaluation_description": metric.description, "lower_is_better": not metric.higher_is_better}
            if metric.percent:
                config |= {"score_type": "continuous", "min_score": 0.0, "max_score": 1.0}
            source = {
                "benchmark_version": str(record.benchmark_version),
                "split": split,
                "seed": str(scores.seed),
                "predictions_sha256": scores.digest,
                "form": record.form or "own",
            }
            yield {
                "evaluation_name": f"{record.task} {split} {name}",
                "source_data": {
                    "dataset_name": f"{task.benchmark.title}: {record.task}",
                    "source_type": "other",
                    "additional_details": source,
                },
                "metric_config": config,
                "score_details": {"score": value.value, "uncertainty": _uncertainty(value, scores)},
            }


def _uncertainty(value: MetricValue, scores: SplitScores) -> dict[str, Any]:
    known: dict[str, Any] = {"num_samples": scores.count}
    if value.interval:
        low, high = value.interval
        known["confidence_interval"] = {"lower": low, "upper": high, "confidence_level": CONFIDENCE}
    return known
