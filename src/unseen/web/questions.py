"""Questions that people judged or put in their own words: judgments, agreement, and the published form out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isnan
from statistics import mean
from typing import Any

from unseen.metrics.agreement import krippendorff_alpha
from unseen.web import steps
from unseen.web.database import WITHDRAWN, steps_answered
from unseen.web.drawing import Address, example_at
from unseen.web.site import Site
from unseen.web.study import Study

Row = dict[str, Any]
REJECTED = 17.0  # percent of the questions that COVR's validators rejected, as published


def judgments(site: Site, study: Study) -> list[Row]:
    """Return a row per judgment or paraphrase of a question."""
    return [
        {
            "study": study.name,
            "participant": session.number,
            **dict(zip(("task", "split", "seed", "index"), step["item"], strict=True)),
            **answer.response,
            **{name: step[name] for name in ("paraphrase", "by", "at") if name in step},
            "session": session.id,
            "position": answer.position,
            "stored": answer.stored,
        }
        for session in site.database.of_people(study.name)
        for step, answer in steps_answered(session.plan, site.database.answers(session.id))
        if step["kind"] in steps.ITEM_STEPS and step.get("by") != WITHDRAWN["by"]
    ]


def verdict(row: Row) -> str:
    """Return what somebody says of a question, or of a paraphrase, in a word."""
    if "answerable" in row:
        return ("right" if row["right"] else "wrong") if row["answerable"] else "unanswerable"
    return "good" if row["same"] and row["good"] else "bad"


def agreement(rows: list[Row]) -> dict[str, Any]:
    """Tell how far people agree, and which share of the things they judged most of them reject."""
    by_thing: dict[Any, list[str]] = {}
    for row in rows:
        thing = (
            (row.get("by"), row.get("at")) if "same" in row else (row["task"], row["split"], row["seed"], row["index"])
        )
        by_thing.setdefault(thing, []).append(verdict(row))
    good = ("right", "good")
    rejected = [sum(one in good for one in given) * 2 <= len(given) for given in by_thing.values()]
    twice = [given for given in by_thing.values() if len(given) > 1]
    alpha = krippendorff_alpha(twice)
    return {
        "judged": len(by_thing),
        "judgments": len(rows),
        "rejected_percent": round(100 * mean(rejected), 1) if rejected else None,
        "published_rejected_percent": REJECTED,
        "judged_alike_percent": round(100 * mean(len(set(given)) == 1 for given in twice), 1) if twice else None,
        "krippendorff_alpha": None if isnan(alpha) else round(alpha, 4),
    }


def question_lines(addresses: Sequence[Address], words: dict[Address, str]) -> list[str]:
    """Questions in their published form, a line of JSON each, with people's words for some; runs in a worker."""
    lines = []
    for number, address in enumerate(addresses):
        example = example_at(address)
        row = example.task.benchmark.file("published").published(example.record, f"{address.split}_{number}")
        if address in words:
            row["paraphrased"] = words[address]
        lines.append(json.dumps(row, ensure_ascii=False))
    return lines


def accepted(site: Site, study: Study, rows: list[Row]) -> tuple[list[Address], dict[Address, str]]:
    """The questions that passed, and people's own words for them: validated by most, or paraphrased and not refused."""
    places = {row_place(row): row for row in rows}
    if study.form == "validate":
        passed = [
            place
            for place in places
            if 2 * sum(verdict(row) == "right" for row in rows if row_place(row) == place)
            > sum(row_place(row) == place for row in rows)
        ]
        return passed, {}
    if study.form == "check":
        return list(places), {row_place(row): row["paraphrase"] for row in rows if verdict(row) == "good"}
    return list(places), {place: row["text"] for place, row in places.items()}


def row_place(row: Row) -> Address:
    """Return the example that a row is about."""
    return Address(row["task"], row["split"], row["seed"], row["index"])
