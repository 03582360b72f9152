"""What people did, to take home: trials, predictions like a model's, the published forms, and a Psych-DS data set."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.files import write_whole
from unseen.results.people import SCHEMA, TRIALS, write_trials
from unseen.web import answers, items
from unseen.web.database import Session, steps_answered
from unseen.web.drawing import Address
from unseen.web.questions import Row, accepted, agreement, judgments, question_lines, row_place
from unseen.web.site import Site
from unseen.web.study import Study

TOGETHER = 100  # examples that a worker looks at in one call
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
    "right": "Whether the response is right; empty where it can be right in part",
    "confidence": "How sure the person was, from 0 to 100",
    "rt": "Milliseconds from the images to the choice",
    "fixation": "Milliseconds until the cursor was on the square",
    "stored": "When the response was stored, in seconds since 1970",
    "position": "Number of the step in the session, counted from 0",
    "answerable": "Whether the question can be answered from the images",
    "comment": "What the person had to add",
    "text": "The question in the person's own words",
    "paraphrase": "The question in somebody else's words",
    "at": "Number of the step at which somebody wrote these words",
    "same": "Whether both questions ask the same",
    "good": "Whether the words are good English",
}
PUBLISHED = (  # the columns of CVR's published file
    *("", "worker_id", "age", "sex", "task_idx", "task_name", "accuracy", "confidence_min", "confidence_max"),
    *("confidence_average", "rt_avg", "task_description"),
)
_PLACE = ("study", "participant", "task", "split", "seed", "index")
JUDGMENTS = {  # the columns of what people say of questions
    "validate": (*_PLACE, "answerable", "right", "comment", "rt", "position", "stored"),
    "paraphrase": (*_PLACE, "text", "rt", "position", "stored"),
    "check": (*_PLACE, "paraphrase", "at", "same", "good", "rt", "position", "stored"),
}


def checked(addresses: Sequence[Address], form: str, given: Sequence[Any]) -> list[tuple[str | None, bool | None]]:
    """Return the right answers of some examples, and whether those given are right; runs in a worker process."""
    found = [items.item(address, form) for address in addresses]
    return [
        (None if one.truth is None else answers.spelled(one.truth), answers.is_right(one, response))
        for one, response in zip(found, given, strict=True)
    ]


def trials(site: Site, study: Study) -> list[Row]:
    """Return a row per trial, in the order of people and steps."""
    rows = [row for session in site.database.of_people(study.name) for row in _trials(site, study, session)]
    for form in dict.fromkeys(row["form"] for row in rows):
        mine = [row for row in rows if row["form"] == form]
        for start in range(0, len(mine), TOGETHER):
            some = mine[start : start + TOGETHER]
            given = [row["given"] for row in some]
            for row, found in zip(some, site.drawing.call(checked, [*map(row_place, some)], form, given), strict=True):
                row["truth"], row["right"] = found
    return rows


def _trials(site: Site, study: Study, session: Session) -> Iterator[Row]:
    row: Row | None = None
    for step, answer in steps_answered(session.plan, site.database.answers(session.id)):
        if step["kind"] in items.SPELLED:
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
                "form": step["kind"],
                "given": given,
                "response": answers.spelled(given[answers.FIELDS[step["kind"]]]),
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
    """Return a row per person and block, in the form of the published file of CVR's experiment."""
    found: list[Row] = []
    for session in site.database.of_people(study.name):
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
            right = [row["right"] for row in mine if row["right"] is not None]
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
                    "accuracy": round(mean(right), 4) if right else "",
                    "confidence_min": min(sure, default=""),
                    "confidence_max": max(sure, default=""),
                    "confidence_average": round(mean(sure), 2) if sure else "",
                    "rt_avg": round(mean(times), 1) if times else "",
                    "task_description": words.get(block, ""),
                }
            )
    return found


# ---------------------------------------------------------------------------- files


def export_study(site: Site, study: Study, folder: Path) -> list[Path]:
    """Write all data of a study into a folder, and list the files."""
    written: dict[str, bytes] = {}
    if study.form == "test":
        rows = trials(site, study)
        folder.mkdir(parents=True, exist_ok=True)
        write_trials(folder / TRIALS, rows)
        written["published.csv"] = _csv(published_rows(site, study, rows), PUBLISHED)
        written |= dict(_predictions(site, study, rows))
        written |= dict(
            _psych_ds(study, [{name: row.get(name) for name in SCHEMA.names} for row in rows], SCHEMA.names)
        )
    else:
        rows = judgments(site, study)
        kept = [{name: value for name, value in row.items() if name not in ("session", "by")} for row in rows]
        columns = JUDGMENTS[study.form]
        written["judgments.csv"] = _csv(kept, columns)
        if study.form != "paraphrase":
            written["agreement.json"] = (json.dumps(agreement(rows), indent=1) + "\n").encode()
        places, words = accepted(site, study, rows)
        lines = site.drawing.call(question_lines, places, words)
        written["questions.jsonl"] = "".join(f"{line}\n" for line in lines).encode()
        written |= dict(_psych_ds(study, kept, columns))
    for name, content in written.items():
        write_whole(folder / name, content)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _predictions(site: Site, study: Study, rows: list[Row]) -> Iterator[tuple[str, bytes]]:
    """The answers of each person to each task as a predictions file, which `unseen score` reads like a model's."""
    groups: dict[tuple[Any, ...], dict[int, Any]] = {}
    for row in rows:
        if row["analysed"]:
            key = tuple(row[name] for name in ("participant", "task", "split", "seed", "form"))
            groups.setdefault(key, {})[row["index"]] = row["given"]
    for (number, task, split, seed, form), given in groups.items():
        model = f"{study.name}-{number}"
        content = site.drawing.call(answers.predictions_file, task, split, seed, form, given, model)
        yield f"predictions/{task}/{model}-{split}-seed-{seed}.parquet", content


def _psych_ds(study: Study, rows: list[Row], columns: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """A Psych-DS data set: a description in words of schema.org, and the data as CSV.

    The name of a file of data is made of keywords and values, and values have no hyphen.
    """
    about = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": study.name,
        "description": f"{study.title}: a study with {study.blocks} blocks of {study.trials} trials, run with unseen",
        "variableMeasured": [{"@type": "PropertyValue", "name": name, "description": ABOUT[name]} for name in columns],
    }
    yield "psych-ds/dataset_description.json", (json.dumps(about, indent=1) + "\n").encode()
    name = study.name.replace("-", "")
    yield f"psych-ds/data/study-{name}_data.csv", _csv(rows, columns)
    words = "\n".join(f"- `{column}`: {ABOUT[column]}" for column in columns)
    yield "psych-ds/README.md", f"# {study.title}\n\n{about['description']}.\n\n{words}\n".encode()


def _csv(rows: list[Row], columns: Sequence[str]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=columns)
    writer.writeheader()
    writer.writerows([{name: _harmless(value) for name, value in row.items()} for row in rows])
    return text.getvalue().encode()


def _harmless(value: Any) -> Any:
    """A text that no table program takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def packed_study(site: Site, study: Study) -> bytes:
    """Return all data of a study as one ZIP file."""
    packed = io.BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in export_study(site, study, Path(folder)):
            archive.write(path, f"{study.name}/{path.relative_to(folder)}")
    return packed.getvalue()
