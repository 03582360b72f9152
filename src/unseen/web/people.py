"""What people did, to take home: trials, predictions like a model's, the published forms, and a Psych-DS data set."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from math import isnan
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from unseen.core.catalogue import task as task_named
from unseen.core.files import write_whole
from unseen.metrics.agreement import krippendorff_alpha
from unseen.results.people import SCHEMA, TRIALS, write_trials
from unseen.web import items, steps
from unseen.web.database import Session, steps_answered
from unseen.web.drawing import Address, example_at
from unseen.web.experiment import study_of
from unseen.web.respond import Form, file, site_of
from unseen.web.site import Site
from unseen.web.study import Study

Row = dict[str, Any]
TOGETHER = 100  # examples that a worker looks at in one call
REJECTED = 17.0  # percent of the questions that COVR's validators rejected, as published
ABOUT = {  # the columns of trials, for those who read the data set
    "study": "Name of the study",
    "participant": "Number of the person, counted from 0",
    "block": "Number of the block, counted from 0; -1 is practice",
    "trial": "Number of the trial in its block, counted from 0",
    "analysed": "Whether analyses count this trial: no practice, and none of the first that the study leaves out",
    "task": "Id of the task in the library unseen",
    "split": "Split of the task",
    "seed": "Seed that examples are drawn from",
    "index": "Number of the example in the split",
    "response": "What the person chose or wrote; images are counted from 0",
    "truth": "The right answer",
    "right": "Whether the response is right",
    "confidence": "How sure the person was, from 0 to 100",
    "rt": "Milliseconds from the images to the choice",
    "fixation": "Milliseconds until the cursor was on the square",
    "stored": "When the response was stored, in seconds since 1970",
}


def real(site: Site, study: Study) -> list[Session]:
    """The sessions of people, without those that were played by themselves."""
    return [session for session in site.database.sessions("study", study.name) if not session.simulated]


def truths(addresses: Sequence[Address], form: str) -> list[Any]:
    """The right answers of some examples; runs in a worker process."""
    return [items.item(address, form).truth for address in addresses]


def trials(site: Site, study: Study) -> list[Row]:
    """A row per trial, in the order of people and steps."""
    rows = [row for session in real(site, study) for row in _trials(site, study, session)]
    for task in dict.fromkeys(row["task"] for row in rows):
        mine = [row for row in rows if row["task"] == task]
        form = items.forms_of(task_named(task))[0]
        for start in range(0, len(mine), TOGETHER):
            some = mine[start : start + TOGETHER]
            places = [Address(task, row["split"], row["seed"], row["index"]) for row in some]
            for row, truth in zip(some, site.drawing.call(truths, places, form), strict=True):
                row["truth"] = str(truth)
                row["right"] = row["response"].strip().lower() == str(truth).lower()
    return rows


def _trials(site: Site, study: Study, session: Session) -> Iterator[Row]:
    row: Row | None = None
    for step, answer in steps_answered(session.plan, site.database.answers(session.id)):
        if step["kind"] in ("choice", "answer"):
            if row:
                yield row
            task, split, seed, index = step["item"]
            given = answer.response
            row = {
                "study": study.name,
                "participant": session.number,
                "block": step["block"],
                "trial": step["trial"],
                "analysed": step["block"] >= 0 and step["trial"] >= study.left_out,
                "task": task,
                "split": split,
                "seed": seed,
                "index": index,
                "response": str(given["choice"] if step["kind"] == "choice" else given["answer"]),
                "rt": given.get("rt"),
                "fixation": given.get("fixation"),
                "confidence": None,
                "stored": answer.stored,
            }
        elif step["kind"] == "confidence" and row:
            row["confidence"] = answer.response["confidence"]
    if row:
        yield row


def published_rows(site: Site, study: Study, rows: list[Row]) -> list[Row]:
    """A row per person and block, in the form of the published file of CVR's experiment."""
    found: list[Row] = []
    for session in real(site, study):
        facts = site.database.person(session.id)["facts"]
        words = {
            step["block"]: answer.response["text"]
            for step, answer in steps_answered(session.plan, site.database.answers(session.id))
            if step["kind"] == "describe"
        }
        for block in range(study.blocks):
            mine = [r for r in rows if r["participant"] == session.number and r["block"] == block and r["analysed"]]
            if not mine:
                continue
            name = task_named(mine[0]["task"]).row
            sure = [row["confidence"] for row in mine if row["confidence"] is not None]
            times = [row["rt"] for row in mine if row["rt"] is not None]
            found.append(
                {
                    "": len(found),
                    "worker_id": f"{study.name}-{session.number}",
                    "age": facts.get("age", ""),
                    "sex": facts.get("sex", ""),
                    "task_idx": next((alias for alias in name.aliases if alias.isdigit()), ""),
                    "task_name": name.name.replace("-", "_"),
                    "accuracy": round(mean(row["right"] for row in mine), 4),
                    "confidence_min": min(sure, default=""),
                    "confidence_max": max(sure, default=""),
                    "confidence_average": round(mean(sure), 2) if sure else "",
                    "rt_avg": round(mean(times), 1) if times else "",
                    "task_description": words.get(block, ""),
                }
            )
    return found


# ---------------------------------------------------------------------------- questions


def judgments(site: Site, study: Study) -> list[Row]:
    """A row per judgment or paraphrase of a question."""
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
        for session in real(site, study)
        for step, answer in steps_answered(session.plan, site.database.answers(session.id))
        if step["kind"] in steps.ITEM_STEPS
    ]


def verdict(row: Row) -> str:
    """What somebody says of a question, or of a paraphrase, in a word."""
    if "answerable" in row:
        return ("right" if row["right"] else "wrong") if row["answerable"] else "unanswerable"
    return "good" if row["same"] and row["good"] else "bad"


def agreement(rows: list[Row]) -> dict[str, Any]:
    """How far people agree, and which share of the things they judged most of them reject."""
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
    """The example that a row is about."""
    return Address(row["task"], row["split"], row["seed"], row["index"])


# ---------------------------------------------------------------------------- files


def export_study(site: Site, study: Study, folder: Path) -> list[Path]:
    """Write all data of a study into a folder, and list the files."""
    written: dict[str, bytes] = {}
    if study.form == "test":
        rows = trials(site, study)
        folder.mkdir(parents=True, exist_ok=True)
        write_trials(folder / TRIALS, rows)
        written["published.csv"] = _csv(published_rows(site, study, rows))
        written |= dict(_predictions(site, study, rows))
        written |= dict(_psych_ds(study, [{name: row.get(name) for name in SCHEMA.names} for row in rows]))
    else:
        rows = judgments(site, study)
        kept = [{name: value for name, value in row.items() if name not in ("session", "by")} for row in rows]
        written["judgments.csv"] = _csv(kept)
        if study.form != "paraphrase":
            written["agreement.json"] = (json.dumps(agreement(rows), indent=1) + "\n").encode()
        places, words = accepted(site, study, rows)
        lines = site.drawing.call(question_lines, places, words)
        written["questions.jsonl"] = "".join(f"{line}\n" for line in lines).encode()
        written |= dict(_psych_ds(study, kept))
    for name, content in written.items():
        write_whole(folder / name, content)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _predictions(site: Site, study: Study, rows: list[Row]) -> Iterator[tuple[str, bytes]]:
    """The answers of each person to each task as a predictions file, which `unseen score` reads like a model's."""
    groups: dict[tuple[int, str], dict[int, Any]] = {}
    for row in rows:
        if row["analysed"]:
            kind = task_named(row["task"]).kind.name
            response = {"answer": row["response"]} if kind == "question" else {"choice": int(row["response"])}
            groups.setdefault((row["participant"], row["task"]), {})[row["index"]] = response
    for (number, task), answers in groups.items():
        form = items.forms_of(task_named(task))[0]
        model = f"{study.name}-{number}"
        content = site.drawing.call(items.predictions_file, task, study.split, study.data_seed, form, answers, model)
        yield f"predictions/{task}/{model}-{study.split}.parquet", content


def _psych_ds(study: Study, rows: list[Row]) -> Iterator[tuple[str, bytes]]:
    """A Psych-DS data set: a description in words of schema.org, and the data as CSV."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    about = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.name,
        "description": f"{study.title}: a study with {study.blocks} blocks of {study.trials} trials, run with unseen",
        "variableMeasured": [
            {"@type": "PropertyValue", "name": name, "description": ABOUT.get(name, name)} for name in columns
        ],
    }
    yield "psych-ds/dataset_description.json", (json.dumps(about, indent=1) + "\n").encode()
    yield f"psych-ds/data/study-{study.name}_data.csv", _csv(rows)


def _csv(rows: list[Row]) -> bytes:
    text = io.StringIO(newline="")
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(text, fieldnames=columns)
    writer.writeheader()
    writer.writerows([{name: _harmless(value) for name, value in row.items()} for row in rows])
    return text.getvalue().encode()


def _harmless(value: Any) -> Any:
    """A text that no table program takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def download(request: Request, form: Form) -> Response:
    """All data of a study as one file, for whoever runs it."""
    site = site_of(request)
    site.tokens.check_admin(request)
    study = study_of(request)
    packed = io.BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in export_study(site, study, Path(folder)):
            archive.write(path, f"{study.name}/{path.relative_to(folder)}")
    return file(packed.getvalue(), "application/zip", name=f"{study.name}.zip")
